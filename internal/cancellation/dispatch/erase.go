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

// The keys of the counts that Count returns.
const (
	CountCancellations = "cancellations"
	CountLetters       = "letters"
	// CountWithdrawals counts the cancellations whose letter had not been handed over
	// when the user was erased.
	CountWithdrawals = "withdrawals"
	// CountEvidence counts what proves cancellations: each has its own.
	CountEvidence = "evidence"
)

// Eraser erases users from the area: it withdraws unsent letters, has
// letter-dispatch delete what carriers keep, and then deletes everything.
type Eraser struct {
	Store Store
	Now   func() time.Time
}

// Close withdraws the user's cancellations whose letters wait; nobody can hand
// them over now. It reports whether all are decided: a letter may have been on its way to a
// carrier when the user was erased, and letter-dispatch finds out.
func (e *Eraser) Close(ctx context.Context, user owner.User) (bool, error) {
	all, err := e.Store.AllCancellations(ctx, user)
	if err != nil {
		return false, fmt.Errorf("read cancellations: %w", err)
	}
	now, decided, failed := clock.Now(ctx, e.Now), true, error(nil)
	for _, c := range all {
		if !c.Move(cancellation.StatusWithdrawn, cancellation.ReasonUserErased, now) {
			decided = decided && c.Status != cancellation.StatusSending
			continue
		}
		c.Stored.History = len(c.History) // no event: user.erased covers it
		_, err := e.Store.SaveCancellation(ctx, c, c.EraseJobs()...)
		decided = decided && err == nil
		if err != nil && !errors.Is(err, outcome.ErrChanged) {
			failed = errors.Join(failed, fmt.Errorf("withdraw: %w", err))
		}
	}
	return decided, failed
}

// Count returns the numbers of cancellations, of letters, and of withdrawals by Close.
// Each cancellation has one letter, and so has each objection.
func (e *Eraser) Count(ctx context.Context, user owner.User) (map[string]int, error) {
	all, err := e.Store.AllCancellations(ctx, user)
	if err != nil {
		return nil, fmt.Errorf("read cancellations: %w", err)
	}
	cancellations, withdrawals := 0, 0
	for _, c := range all {
		if c.Objects == nil {
			cancellations++
		}
		if c.Reason == cancellation.ReasonUserErased {
			withdrawals++
		}
	}
	return map[string]int{
		CountCancellations: cancellations, CountLetters: len(all), CountWithdrawals: withdrawals,
		CountEvidence: len(all),
	}, nil
}

// Erase asks letter-dispatch to delete what carriers keep, and deletes everything
// else afterwards. It reports whether it is done; the caller calls it again until it
// is. Close has waited for letters that were being sent.
func (e *Eraser) Erase(ctx context.Context, user owner.User) (bool, error) {
	all, err := e.Store.AllCancellations(ctx, user)
	if err != nil {
		return false, fmt.Errorf("read cancellations: %w", err)
	}
	now, ready, failed := clock.Now(ctx, e.Now), true, error(nil)
	for _, c := range all {
		jobs := c.EraseJobs()
		if len(jobs) == 0 {
			continue
		}
		ready = false
		if c.NextTryAt.After(now) {
			continue // letter-dispatch has been asked already
		}
		c.NextTryAt = now.Add(cancellation.WakeAfter)
		_, err := e.Store.SaveCancellation(ctx, c, jobs...)
		if err != nil && !errors.Is(err, outcome.ErrChanged) {
			failed = errors.Join(failed, fmt.Errorf("ask carriers: %w", err))
		}
	}
	if !ready || failed != nil {
		return false, failed
	}
	if err := e.Store.DeleteCancellations(ctx, user, all); err != nil {
		return false, fmt.Errorf("delete cancellations: %w", err)
	}
	return true, nil
}

// eraseTries is how often a carrier is asked to delete. After that, the erasure goes
// ahead without the carrier.
const eraseTries = 5

// Erase deletes the letters of one cancellation at their carriers. attempt counts
// the tries from 1. The last one gives up: it marks the letters as deleted and
// returns the error for the log.
func (d *Dispatcher) Erase(ctx context.Context, user owner.User, id string, attempt int) error {
	c, err := d.Store.Cancellation(ctx, user, id)
	if errors.Is(err, outcome.ErrNotFound) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read cancellation: %w", err)
	}
	var failed error
	for i, letter := range c.AtCarriers {
		eraser, ok := d.Erasers[letter.Channel]
		c.AtCarriers[i].Deleted = true
		if !ok || letter.Deleted {
			continue
		}
		if err := eraser.Delete(ctx, letter.Reference); err != nil {
			failed = errors.Join(failed, fmt.Errorf("delete at the %s carrier: %w", letter.Channel, err))
		}
	}
	if failed != nil && attempt < eraseTries {
		return &outcome.Later{After: time.Minute << (attempt - 1), Err: failed}
	}
	if _, err := d.Store.SaveCancellation(ctx, c); err != nil {
		return errors.Join(failed, fmt.Errorf("save cancellation: %w", err))
	}
	return failed
}
