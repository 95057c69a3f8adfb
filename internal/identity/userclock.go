package identity

import (
	"context"
	"errors"
	"fmt"
	"time"

	"aviso/internal/api/apierror"
	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// maxAdvance is how many years a clock may be advanced at once.
const maxAdvance = 2

// UserClock is the clock of a sandbox's user. Partners advance it to see what the time brings.
type UserClock struct {
	owner.User
	Setting clock.Setting `dynamodbav:"-"`
	// Until is up to when the clock is being advanced, or was advanced last. It is zero if it
	// never was.
	Until time.Time `dynamodbav:"until"`
	// MovedAt is when it was last asked to be advanced.
	MovedAt clock.Real `dynamodbav:"movedAt"`
	// LeaseUntil is until when somebody is advancing it.
	LeaseUntil clock.Real `dynamodbav:"leaseUntil,omitempty"`
	Version    int64      `dynamodbav:"version"`
}

// IsAdvancing reports whether something may still have to happen until the time Until.
func (c UserClock) IsAdvancing() bool { return !c.Setting.Stopped.IsZero() }

// ClockStore stores the clocks of users.
type ClockStore interface {
	// Clock returns a user's clock. It has no version if it was never moved.
	Clock(ctx context.Context, user owner.User) (UserClock, error)
	// StartClock saves c with a job for ClockRunner, in one transaction. It returns
	// outcome.ErrNotFound if there is no such user.
	StartClock(ctx context.Context, c UserClock) error
	// SaveClock replaces the version that c was read as, and returns c with its new one. It
	// returns outcome.ErrChanged if somebody else was first.
	SaveClock(ctx context.Context, c UserClock) (UserClock, error)
	// DeleteClock deletes the clock of a user who has been erased.
	DeleteClock(ctx context.Context, user owner.User) error
	// MovedClocks returns the clocks that were moved after the given time.
	MovedClocks(ctx context.Context, since clock.Real) ([]UserClock, error)
}

// UserClocks reads and advances the clocks of users.
type UserClocks struct {
	store ClockStore
	users *Users
	now   func() time.Time
}

// NewUserClocks returns the service.
func NewUserClocks(store ClockStore, users *Users, now func() time.Time) *UserClocks {
	return &UserClocks{store: store, users: users, now: now}
}

// Get returns the clock of one of the partner's users.
func (s *UserClocks) Get(ctx context.Context, user owner.User) (UserClock, error) {
	if _, err := s.users.Get(ctx, user); err != nil {
		return UserClock{}, err
	}
	c, err := s.store.Clock(ctx, user)
	if err != nil {
		return UserClock{}, fmt.Errorf("read clock: %w", err)
	}
	return c, nil
}

// Advance starts to advance the user's clock to the time that target returns, given the
// user's present one: at most maxAdvance years ahead.
func (s *UserClocks) Advance(
	ctx context.Context, user owner.User, target func(now time.Time) time.Time, pointer string,
) (UserClock, error) {
	c, err := s.Get(ctx, user)
	if err != nil {
		return UserClock{}, err
	}
	if c.IsAdvancing() {
		return UserClock{}, &apierror.Error{
			Code: apierror.Conflict, Detail: "The clock is being advanced. Wait until it is Ready.", RetryAfter: time.Second,
		}
	}
	movedAt := clock.Read(s.now)
	now := c.Setting.At(movedAt).Time()
	to := target(now).UTC().Truncate(time.Millisecond)
	latest := now.AddDate(maxAdvance, 0, 0)
	if limit := movedAt.Add(clock.MaxAhead).Time(); limit.Before(latest) {
		latest = limit
	}
	if !to.After(now) || to.After(latest) {
		return UserClock{}, apierror.Invalid(apierror.Field{
			Pointer: pointer, Code: "out_of_range",
			Detail: fmt.Sprintf("Must be after the user's present time, %s, and not after %s.",
				now.Format(time.RFC3339), latest.Format(time.RFC3339)),
		})
	}
	c.User, c.Until, c.MovedAt, c.LeaseUntil = user, to, movedAt, clock.Real{}
	c.Setting.Stopped = now
	switch err := s.store.StartClock(ctx, c); {
	case errors.Is(err, outcome.ErrChanged):
		return UserClock{}, apierror.New(apierror.Conflict, "Another request has just advanced the clock.")
	case err != nil:
		return UserClock{}, fmt.Errorf("save clock: %w", userError(err))
	}
	return c, nil
}
