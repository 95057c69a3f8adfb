package cancellation

import (
	"context"
	"errors"
	"fmt"
	"time"

	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// What an erasure counts.
const (
	CountCancellations = "cancellations"
	CountLetters       = "letters"
)

// Eraser erases users from the area: unsent letters are withdrawn, what carriers
// keep is deleted there by letter-dispatch, and then everything goes.
type Eraser struct {
	store Store
	now   func() time.Time
}

// NewEraser wires the service.
func NewEraser(store Store, now func() time.Time) *Eraser {
	return &Eraser{store: store, now: now}
}

// Close withdraws what has not been sent.
func (e *Eraser) Close(ctx context.Context, user owner.User) error {
	all, err := e.store.AllCancellations(ctx, user)
	if err != nil {
		return fmt.Errorf("read cancellations: %w", err)
	}
	now, failed := clock.Read(e.now), error(nil)
	for _, c := range all {
		if !c.move(StatusWithdrawn, ReasonNone, now) {
			continue
		}
		if _, err := e.store.SaveCancellation(ctx, c, c.eraseJobs()...); err != nil && !errors.Is(err, outcome.ErrChanged) {
			failed = errors.Join(failed, fmt.Errorf("withdraw: %w", err))
		}
	}
	return failed
}

// Count counts cancellations; each has one letter.
func (e *Eraser) Count(ctx context.Context, user owner.User) (map[string]int, error) {
	all, err := e.store.AllCancellations(ctx, user)
	if err != nil {
		return nil, fmt.Errorf("read cancellations: %w", err)
	}
	return map[string]int{CountCancellations: len(all), CountLetters: len(all)}, nil
}

// Erase asks letter-dispatch to delete what carriers keep, and deletes the rest
// when nothing is kept any more. It waits for the first by being asked again,
// and for a letter that is being sent: whether a carrier has it must be known.
func (e *Eraser) Erase(ctx context.Context, user owner.User) (bool, error) {
	all, err := e.store.AllCancellations(ctx, user)
	if err != nil {
		return false, fmt.Errorf("read cancellations: %w", err)
	}
	now, ready, failed := clock.Read(e.now), true, error(nil)
	for _, c := range all {
		if c.Status != StatusSending && !c.keptAtCarriers() {
			continue
		}
		ready = false
		if c.Status == StatusSending || c.NextTryAt.After(now) {
			continue // settled by letter-dispatch; asked for already
		}
		c.NextTryAt = now.Add(wakeAfter)
		if _, err := e.store.SaveCancellation(ctx, c, c.job(JobErase)); err != nil && !errors.Is(err, outcome.ErrChanged) {
			failed = errors.Join(failed, fmt.Errorf("ask carriers: %w", err))
		}
	}
	if !ready || failed != nil {
		return false, failed
	}
	if err := e.store.DeleteCancellations(ctx, user, all); err != nil {
		return false, fmt.Errorf("delete cancellations: %w", err)
	}
	return true, nil
}

// eraseTries is how often a carrier is asked to delete. One that does not answer
// keeps nothing from being erased here.
const eraseTries = 5

// CarrierErasure deletes at the carriers what they keep of a user's letters.
type CarrierErasure struct {
	store   Store
	erasers map[ChannelKind]CarrierEraser
}

// NewCarrierErasure deletes by the erasers; a channel without one keeps nothing.
func NewCarrierErasure(store Store, erasers map[ChannelKind]CarrierEraser) *CarrierErasure {
	return &CarrierErasure{store: store, erasers: erasers}
}

// Erase deletes the letters of one cancellation at their carriers. attempt
// counts the tries, from 1; the last one gives up with an error that is noted.
func (e *CarrierErasure) Erase(ctx context.Context, user owner.User, id string, attempt int) error {
	c, err := e.store.Cancellation(ctx, user, id)
	if errors.Is(err, outcome.ErrNotFound) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read cancellation: %w", err)
	}
	var failed error
	for i, letter := range c.AtCarriers {
		eraser, ok := e.erasers[letter.Channel]
		c.AtCarriers[i].Deleted = true
		if !ok || letter.Deleted {
			continue
		}
		if err := eraser.Delete(ctx, letter.Reference); err != nil {
			failed = errors.Join(failed, fmt.Errorf("delete at the carrier for %s: %w", letter.Channel, err))
		}
	}
	if failed != nil && attempt < eraseTries {
		return &outcome.Later{After: time.Minute << (attempt - 1), Err: failed}
	}
	if _, err := e.store.SaveCancellation(ctx, c); err != nil {
		return errors.Join(failed, fmt.Errorf("save cancellation: %w", err))
	}
	return failed
}
