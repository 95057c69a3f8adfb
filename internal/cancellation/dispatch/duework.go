package dispatch

import (
	"context"
	"errors"
	"fmt"
	"time"

	"aviso/internal/cancellation"
	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// SandboxMail is the sandbox's side of letters: what happens to them after the carriers took
// them.
type SandboxMail interface {
	// NextDue returns when something happens next to the letters of these cancellations, and
	// zero if nothing does.
	NextDue(ctx context.Context, cancellationIDs []string) (time.Time, error)
	// Advance lets happen what is due until the given time.
	Advance(ctx context.Context, cancellationIDs []string, until time.Time) error
}

// DueWork lets happen what the time brings to the cancellations of one user, whose clock is
// being advanced: letters are tried again, and go their way at the sandbox's carriers. It is
// for one user and one goroutine.
type DueWork struct {
	store Store
	mail  SandboxMail
	now   func() time.Time
	// woken are the versions of the letters for which letter-dispatch has been woken.
	woken map[string]int64
}

// NewDueWork returns the work of one user.
func NewDueWork(store Store, mail SandboxMail, now func() time.Time) *DueWork {
	return &DueWork{store: store, mail: mail, now: now, woken: map[string]int64{}}
}

// NextDue returns when the next thing is due until the given time. A letter on its way to
// letter-dispatch counts as due now.
func (w *DueWork) NextDue(ctx context.Context, user owner.User, _ time.Time) (time.Time, error) {
	all, err := w.store.AllCancellations(ctx, user)
	if err != nil {
		return time.Time{}, fmt.Errorf("read cancellations: %w", err)
	}
	now := clock.Now(ctx, w.now)
	first, err := w.mail.NextDue(ctx, sent(all))
	if err != nil {
		return time.Time{}, fmt.Errorf("find what is due at the carriers: %w", err)
	}
	for _, c := range all {
		if at := w.dueAt(c, now); !at.IsZero() && (first.IsZero() || at.Before(first)) {
			first = at
		}
	}
	return first, nil
}

// dueAt returns when letter-dispatch has something to do, and zero if it has not.
func (w *DueWork) dueAt(c cancellation.Cancellation, now time.Time) time.Time {
	switch {
	case !c.Status.Waiting():
		return time.Time{}
	case c.Status == cancellation.StatusCreated, w.woken[c.ID] == c.Version:
		return now
	default:
		return c.NextTryAt
	}
}

// DoDue does what is due now.
func (w *DueWork) DoDue(ctx context.Context, user owner.User) error {
	all, err := w.store.AllCancellations(ctx, user)
	if err != nil {
		return fmt.Errorf("read cancellations: %w", err)
	}
	now := clock.Now(ctx, w.now)
	for _, c := range all {
		if !c.Status.Waiting() || c.NextTryAt.IsZero() || c.NextTryAt.After(now) {
			continue
		}
		if err := wake(ctx, w.store, w.now, c); err != nil && !errors.Is(err, outcome.ErrChanged) {
			return err
		}
		w.woken[c.ID] = c.Version + 1
	}
	if err := w.mail.Advance(ctx, sent(all), now); err != nil {
		return fmt.Errorf("advance letters at the carriers: %w", err)
	}
	return nil
}

// sent returns the IDs of the cancellations whose letters have left.
func sent(all []cancellation.Cancellation) []string {
	var ids []string
	for _, c := range all {
		if c.Status == cancellation.StatusSent || c.Status == cancellation.StatusDelivered {
			ids = append(ids, c.ID)
		}
	}
	return ids
}
