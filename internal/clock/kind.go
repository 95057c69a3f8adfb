package clock

import "time"

// Real is a real time, as Read returns it. Subscriptions and their secrets, deliveries and leases have it.
type Real = of[everybody]

// OfUser is a time of a user, whose clock may be ahead. Events have it. UserNow returns it, and Setting.At converts a
// Real to it.
type OfUser = of[user]

type (
	everybody struct{}
	user      struct{}
)

// of is a time of one kind. Comparing or assigning times of two kinds does not compile.
type of[kind any] time.Time

// Time returns t for code that needs only one kind.
func (t of[kind]) Time() time.Time { return time.Time(t) }

func (t of[kind]) Add(d time.Duration) of[kind]     { return of[kind](t.Time().Add(d)) }
func (t of[kind]) Sub(u of[kind]) time.Duration     { return t.Time().Sub(u.Time()) }
func (t of[kind]) Compare(u of[kind]) int           { return t.Time().Compare(u.Time()) }
func (t of[kind]) Before(u of[kind]) bool           { return t.Compare(u) < 0 }
func (t of[kind]) After(u of[kind]) bool            { return t.Compare(u) > 0 }
func (t of[kind]) IsZero() bool                     { return t.Time().IsZero() }
func (t of[kind]) MarshalJSON() ([]byte, error)     { return t.Time().MarshalJSON() }
func (t *of[kind]) UnmarshalJSON(text []byte) error { return (*time.Time)(t).UnmarshalJSON(text) }
