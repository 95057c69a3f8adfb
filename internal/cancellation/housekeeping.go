package cancellation

import (
	"context"
	"fmt"
	"iter"
	"sync/atomic"
	"time"

	"aviso/internal/clock"
	"aviso/internal/dynamo/owner"
	"aviso/internal/messaging/overdue"
)

// Housekeeping wakes letter-dispatch for due letters: those to retry, and those
// whose message was lost.
type Housekeeping struct {
	// Clocks, if set, finds the clocks of users.
	Clocks clock.Users

	store  Store
	now    func() time.Time
	onLate func(kind string, late time.Duration)
	lost   atomic.Int64
}

// NewHousekeeping returns the service.
func NewHousekeeping(store Store, now func() time.Time) *Housekeeping {
	return &Housekeeping{store: store, now: now, onLate: func(string, time.Duration) {}}
}

// OnLate sets a function that is called with how long the oldest overdue letter has
// waited, once for each shard that has some, at the same time for several.
func (h *Housekeeping) OnLate(note func(kind string, late time.Duration)) { h.onLate = note }

// Run wakes letter-dispatch for all letters that are due, for as long as ctx lasts, and
// returns their number. It continues after an error, and returns the errors.
func (h *Housekeeping) Run(ctx context.Context) (int, error) {
	return overdue.Work[Cancellation]{
		Shards: overdue.Range(h.store.DueShards()),
		Due: func(ctx context.Context, shard int) iter.Seq2[Cancellation, error] {
			return h.store.DueCancellations(ctx, shard, clock.Now(ctx, h.now))
		},
		Owner: func(c Cancellation) owner.User { return c.Owner }, Clocks: h.Clocks,
		Late:   h.late,
		Do:     h.wake,
		OnLate: func(late time.Duration) { h.onLate("Dispatch", late) },
	}.Run(ctx)
}

// Lost returns how many of the letters that Run has handled nobody had tried to send in time.
func (h *Housekeeping) Lost() int { return int(h.lost.Load()) }

// late returns for how long the letter has been due; less than 0 if it is not.
func (h *Housekeeping) late(ctx context.Context, c Cancellation) time.Duration {
	if !c.Status.Waiting() || c.NextTryAt.IsZero() {
		return -1
	}
	return clock.Now(ctx, h.now).Sub(c.NextTryAt)
}

func (h *Housekeeping) wake(ctx context.Context, c Cancellation) error {
	if c.Delivery.Since.IsZero() {
		h.lost.Add(1)
	}
	c.NextTryAt = clock.Now(ctx, h.now).Add(wakeAfter)
	if _, err := h.store.SaveCancellation(ctx, c, c.job(JobSend)); err != nil {
		return fmt.Errorf("wake cancellation %s: %w", c.ID, err)
	}
	return nil
}
