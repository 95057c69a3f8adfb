package cancellation

import (
	"context"
	"log/slog"
	"time"

	"aviso/internal/metric"
)

// LogWait returns a hook to call with each cancellation that is saved. If the letter
// is still waiting, the hook logs for how long: at least once an hour.
func LogWait(log *slog.Logger, now func() time.Time) func(context.Context, Cancellation) {
	return func(ctx context.Context, c Cancellation) {
		if !c.Status.Waiting() {
			return
		}
		now := now()
		wait := now.Sub(c.History[len(c.History)-1].At)
		log.LogAttrs(ctx, slog.LevelInfo, "letter wait",
			slog.String("cancellation", c.ID), slog.String("status", string(c.Status)),
			slog.Float64(string(metric.LetterWait), wait.Seconds()),
			metric.EMF(now, metric.LetterWait))
	}
}
