package dispatch

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"aviso/internal/cancellation"
	"aviso/internal/clock"
	"aviso/internal/messaging/overdue"
	"aviso/internal/observe"
	"aviso/internal/owner"
)

// NewHousekeeping returns what wakes letter-dispatch for due letters: those to retry, and
// those whose message was lost. Lost are those that nobody had tried to send in time.
func NewHousekeeping(store Store, now func() time.Time) *overdue.Housekeeping {
	return overdue.New(store.DueShards, now, overdue.Work[cancellation.Cancellation]{
		Kind: "Dispatch", Due: store.DueCancellations,
		Owner: func(c cancellation.Cancellation) owner.User { return c.Owner },
		At: func(c cancellation.Cancellation) time.Time {
			if !c.Status.Waiting() {
				return time.Time{}
			}
			return c.NextTryAt
		},
		IsLost: func(c cancellation.Cancellation) bool { return c.Delivery.Since.IsZero() && c.HeldAt.IsZero() },
		Do:     func(ctx context.Context, c cancellation.Cancellation) error { return wake(ctx, store, now, c) },
	})
}

// wake wakes letter-dispatch for a letter.
func wake(ctx context.Context, store Store, now func() time.Time, c cancellation.Cancellation) error {
	c.NextTryAt = clock.Now(ctx, now).Add(cancellation.WakeAfter)
	if _, err := store.SaveCancellation(ctx, c, c.Job(cancellation.JobSend)); err != nil {
		return fmt.Errorf("wake cancellation %s: %w", c.ID, err)
	}
	return nil
}

// LogWait returns a hook to call with each cancellation that is saved. If the letter
// is still waiting, the hook logs for how long: at least once an hour. It also logs how long
// the letter had waited when its carrier took it.
func LogWait(log *slog.Logger, now func() time.Time) func(context.Context, cancellation.Cancellation) {
	return func(ctx context.Context, c cancellation.Cancellation) {
		var m observe.Metric
		var wait time.Duration
		steps := c.Steps()
		switch last := len(steps) - 1; {
		case c.Status.Waiting():
			m, wait = observe.LetterWait, now().Sub(countsFrom(c, steps[last].At))
		case c.Status == cancellation.StatusSent && last > 0 &&
			steps[last].Status == cancellation.StatusSent && steps[last].At.Equal(c.UpdatedAt):
			m, wait = observe.HandOver, c.UpdatedAt.Sub(countsFrom(c, steps[last-1].At))
		default:
			return
		}
		log.LogAttrs(ctx, slog.LevelInfo, "letter wait",
			slog.String("cancellation", c.ID), slog.String("status", string(c.Status)),
			slog.Float64(string(m), wait.Seconds()), observe.EMF(now(), m))
	}
}
