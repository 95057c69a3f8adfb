// Package clock reads a user's time, with the precision in which it is stored, and waits.
//
// A sandbox user's clock may be ahead of real time. When a request or a message is admitted, its context gets the
// user's setting, and Now applies it. Other code for the user only calls Now. Tokens, signatures, limits and shared
// data need real time: they use Read or a clock of their own. Code that has both kinds uses the types Real and
// OfUser.
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

// At returns the user's time at a real time.
func (s Setting) At(now Real) OfUser {
	if !s.Stopped.IsZero() {
		return OfUser(s.Stopped)
	}
	return OfUser(now.Add(s.Ahead))
}

type contextKey struct{}

// With returns ctx with the setting of the work's user.
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

// Now returns the time of the user in ctx, in UTC and whole milliseconds. now is the real time. Stores have the same
// precision, so a time equals itself after it has been stored and read again.
func Now(ctx context.Context, now func() time.Time) time.Time { return UserNow(ctx, now).Time() }

// UserNow is Now for packages that also use real times.
func UserNow(ctx context.Context, now func() time.Time) OfUser {
	return OfUser(precise(From(ctx).At(Real(now())).Time()))
}

// Read returns the real time in the same precision, for data that users share, such as a lease or a bank's outage.
func Read(now func() time.Time) Real { return Real(precise(now())) }

func precise(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }

// Users finds the settings of users.
type Users interface {
	// Setting returns the user's setting. The error is the store's.
	Setting(ctx context.Context, user owner.User) (Setting, error)
}

// For returns ctx with the setting of the work's user. users may be nil where clocks cannot be moved. Work without a
// user gets real time, whatever ctx had before.
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

// Wait waits for d, and reports whether it did. It returns early if ctx ends.
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
