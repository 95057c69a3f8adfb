package cancellation

import (
	"context"
	"log/slog"
	"time"

	"aviso/internal/observe"
)

// LogWait returns a hook to call with each cancellation that is saved. If the letter
// is still waiting, the hook logs for how long: at least once an hour. It also logs how long
// the letter had waited when its carrier took it.
func LogWait(log *slog.Logger, now func() time.Time) func(context.Context, Cancellation) {
	return func(ctx context.Context, c Cancellation) {
		var m observe.Metric
		var wait time.Duration
		steps := c.Steps()
		switch last := len(steps) - 1; {
		case c.Status.Waiting():
			m, wait = observe.LetterWait, now().Sub(steps[last].At)
		case c.Status == StatusSent && last > 0 && steps[last].Status == StatusSent && steps[last].At.Equal(c.UpdatedAt):
			m, wait = observe.HandOver, c.UpdatedAt.Sub(steps[last-1].At)
		default:
			return
		}
		log.LogAttrs(ctx, slog.LevelInfo, "letter wait",
			slog.String("cancellation", c.ID), slog.String("status", string(c.Status)),
			slog.Float64(string(m), wait.Seconds()), observe.EMF(now(), m))
	}
}
