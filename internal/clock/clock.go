// Package clock reads the time that a user has, with the precision in which it is stored, and
// waits.
//
// A user of a sandbox may be ahead of real time. Where a request or a message is admitted, its
// context gets the user's setting; Now applies it. Code that reads the time for a user needs to
// know nothing else. What must be real (tokens, signatures, limits, what users share) uses Read
// or its own clock. Where both kinds meet, times are Real or OfUser.
package clock

import (
	"context"
	"fmt"
	"time"

	"aviso/internal/owner"
)

// Setting is how a user's time differs from real time. The zero value is real time.
type Setting struct {
	// Ahead is how far the user's time is ahead of real time.
	Ahead time.Duration
	// Stopped, if set, is the user's time while it is being advanced.
	Stopped time.Time
}

// At returns the user's time at a real time. That of the zero Setting is for what concerns no user.
func (s Setting) At(now Real) OfUser {
	if !s.Stopped.IsZero() {
		return OfUser(s.Stopped)
	}
	return OfUser(now.Add(s.Ahead))
}

type contextKey struct{}

// With returns ctx with the setting of the user whom the work is for.
func With(ctx context.Context, s Setting) context.Context {
	if s == (Setting{}) && From(ctx) == s {
		return ctx
	}
	return context.WithValue(ctx, contextKey{}, s)
}

// From returns the setting in ctx.
func From(ctx context.Context) Setting {
	s, _ := ctx.Value(contextKey{}).(Setting)
	return s
}

// Now returns the time of the user whom ctx is for, given the real one, in UTC and whole
// milliseconds, as stores keep times. A value therefore equals itself after it has been stored
// and read again.
func Now(ctx context.Context, now func() time.Time) time.Time { return UserNow(ctx, now).Time() }

// UserNow is Now for packages that have real times, too.
func UserNow(ctx context.Context, now func() time.Time) OfUser {
	return OfUser(precise(From(ctx).At(Real(now())).Time()))
}

// Read returns the real time with the same precision, for what users share: an outage of a
// bank, a lease.
func Read(now func() time.Time) Real { return Real(precise(now())) }

func precise(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }

// Users finds the settings of users.
type Users interface {
	// Setting returns the user's setting. The error is the store's.
	Setting(ctx context.Context, user owner.User) (Setting, error)
}

// For returns ctx with the setting of a user whom the work is for. users may be nil where
// nobody's clock can be moved. Work for no user has real time, whosever time ctx had.
func For(ctx context.Context, users Users, user owner.User) (context.Context, error) {
	if users == nil || user.ID == "" {
		return With(ctx, Setting{}), nil
	}
	s, err := users.Setting(ctx, user)
	if err != nil {
		return ctx, fmt.Errorf("read the user's clock: %w", err)
	}
	return With(ctx, s), nil
}

// Wait waits, and reports whether it waited for the whole time: ctx may end first.
func Wait(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
