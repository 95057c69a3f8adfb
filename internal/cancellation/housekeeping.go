package cancellation

import (
	"context"
	"errors"
	"fmt"
	"time"

	"aviso/internal/clock"
	"aviso/internal/outcome"
)

// dueBatch is how many letters one run wakes.
const dueBatch = 100

// Housekeeping wakes letter-dispatch for due letters: those to retry, and those
// whose message was lost.
type Housekeeping struct {
	store Store
	now   func() time.Time
}

// NewHousekeeping returns the service.
func NewHousekeeping(store Store, now func() time.Time) *Housekeeping {
	return &Housekeeping{store: store, now: now}
}

// Run wakes letter-dispatch for due letters and returns their number. It continues
// after a failure and returns all failures joined.
func (h *Housekeeping) Run(ctx context.Context) (int, error) {
	now := clock.Read(h.now)
	due, err := h.store.DueCancellations(ctx, now, dueBatch)
	if err != nil {
		return 0, fmt.Errorf("find due cancellations: %w", err)
	}
	woken, failed := 0, error(nil)
	for _, c := range due {
		if !c.Status.Waiting() || c.NextTryAt.IsZero() || c.NextTryAt.After(now) {
			continue // the index is eventually consistent
		}
		c.NextTryAt = now.Add(wakeAfter)
		switch _, err := h.store.SaveCancellation(ctx, c, c.job(JobSend)); {
		case errors.Is(err, outcome.ErrChanged): // somebody else is working on it
		case err != nil:
			failed = errors.Join(failed, fmt.Errorf("wake cancellation %s: %w", c.ID, err))
		default:
			woken++
		}
	}
	return woken, failed
}
