package cancellation

import (
	"context"
	"errors"
	"fmt"
	"time"

	"aviso/internal/clock"
	"aviso/internal/outcome"
)

// dueBatch is how many letters are woken at once.
const dueBatch = 100

// Housekeeping wakes letter-dispatch for letters whose time has come: those to
// be tried again, and those of which a message was lost.
type Housekeeping struct {
	store Store
	now   func() time.Time
}

// NewHousekeeping wires the service.
func NewHousekeeping(store Store, now func() time.Time) *Housekeeping {
	return &Housekeeping{store: store, now: now}
}

// Run wakes what is due and tells how many letters that were. It goes on after a
// failure, and reports all of them.
func (h *Housekeeping) Run(ctx context.Context) (int, error) {
	now := clock.Read(h.now)
	due, err := h.store.DueCancellations(ctx, now, dueBatch)
	if err != nil {
		return 0, fmt.Errorf("find due cancellations: %w", err)
	}
	woken, failed := 0, error(nil)
	for _, c := range due {
		if !c.Status.Waiting() || c.NextTryAt.IsZero() || c.NextTryAt.After(now) {
			continue // the index was behind
		}
		c.NextTryAt = now.Add(wakeAfter)
		switch _, err := h.store.SaveCancellation(ctx, c, c.job(JobSend)); {
		case errors.Is(err, outcome.ErrChanged): // somebody has it in hand
		case err != nil:
			failed = errors.Join(failed, fmt.Errorf("wake cancellation %s: %w", c.ID, err))
		default:
			woken++
		}
	}
	return woken, failed
}
