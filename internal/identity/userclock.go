package identity

import (
	"context"
	"errors"
	"fmt"
	"time"

	"aviso/internal/api/apierror"
	"aviso/internal/api/idempotency"
	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// maxAdvance is how many years one call may advance a clock.
const maxAdvance = 2

// UserClock is the clock of a sandbox user. Partners advance it to test scheduled work.
type UserClock struct {
	owner.User
	Setting clock.Setting `dynamodbav:"-"`
	// Until is the target of the current or the last advance. It is zero before the first.
	Until time.Time `dynamodbav:"until"`
	// MovedAt is the time of the last request to advance the clock.
	MovedAt clock.Real `dynamodbav:"movedAt"`
	// LeaseUntil is the end of the current runner's lease.
	LeaseUntil clock.Real `dynamodbav:"leaseUntil,omitempty"`
	Version    int64      `dynamodbav:"version"`
}

// IsAdvancing reports whether work may still be due before Until.
func (c UserClock) IsAdvancing() bool { return !c.Setting.Stopped.IsZero() }

// ClockStore stores the clocks of users.
type ClockStore interface {
	// Clock returns a user's clock. A clock that was never moved has version 0.
	Clock(ctx context.Context, user owner.User) (UserClock, error)
	// StartClock saves c with a job for ClockRunner, in one transaction. It returns
	// outcome.ErrNotFound if there is no such user.
	StartClock(ctx context.Context, c UserClock, also idempotency.Effect[UserClock]) error
	// SaveClock saves c if its version is current, and returns c with its new version. It returns
	// outcome.ErrChanged after a lost race.
	SaveClock(ctx context.Context, c UserClock) (UserClock, error)
	// DeleteClock deletes the clock of an erased user.
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

// Advance starts to advance the user's clock to target(present time), at most maxAdvance years ahead.
func (s *UserClocks) Advance(
	ctx context.Context, user owner.User, target func(now time.Time) time.Time, pointer string,
	also idempotency.Effect[UserClock],
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
	switch err := s.store.StartClock(ctx, c, also); {
	case errors.Is(err, outcome.ErrChanged):
		return UserClock{}, apierror.New(apierror.Conflict, "Another request has just advanced the clock.")
	case err != nil:
		return UserClock{}, fmt.Errorf("save clock: %w", userError(err))
	}
	return c, nil
}
