package cancellation

import (
	"context"
	"fmt"
	"time"

	"aviso/internal/clock"
	"aviso/internal/dynamo/owner"
	"aviso/internal/messaging/overdue"
)

// NewHousekeeping returns what wakes letter-dispatch for due letters: those to retry, and
// those whose message was lost. Lost are those that nobody had tried to send in time.
func NewHousekeeping(store Store, now func() time.Time) *overdue.Housekeeping {
	return overdue.New(store.DueShards, now, overdue.Work[Cancellation]{
		Kind: "Dispatch", Due: store.DueCancellations,
		Owner: func(c Cancellation) owner.User { return c.Owner },
		At: func(c Cancellation) time.Time {
			if !c.Status.Waiting() {
				return time.Time{}
			}
			return c.NextTryAt
		},
		IsLost: func(c Cancellation) bool { return c.Delivery.Since.IsZero() },
		Do:     func(ctx context.Context, c Cancellation) error { return wake(ctx, store, now, c) },
	})
}

// wake wakes letter-dispatch for a letter.
func wake(ctx context.Context, store Store, now func() time.Time, c Cancellation) error {
	c.NextTryAt = clock.Now(ctx, now).Add(wakeAfter)
	if _, err := store.SaveCancellation(ctx, c, c.job(JobSend)); err != nil {
		return fmt.Errorf("wake cancellation %s: %w", c.ID, err)
	}
	return nil
}
