package cancellation

import (
	"context"
	"log/slog"
	"time"

	"aviso/internal/metric"
)

// metricWait is how long a letter that was looked at has waited. template.yaml has
// an alarm on it.
const metricWait = "LetterWait"

// LogWait returns a hook for those who look after letters, to be called with each
// cancellation that they save. It logs how long a letter has waited that goes on
// waiting: at least once an hour.
func LogWait(log *slog.Logger, now func() time.Time) func(context.Context, Cancellation) {
	return func(ctx context.Context, c Cancellation) {
		if !c.Status.Waiting() {
			return
		}
		now := now()
		wait := now.Sub(c.History[len(c.History)-1].At)
		log.LogAttrs(ctx, slog.LevelInfo, "letter wait",
			slog.String("cancellation", c.ID), slog.String("status", string(c.Status)),
			slog.Float64(metricWait, wait.Seconds()), metric.EMF(now, nil, metric.Def{Name: metricWait, Unit: "Seconds"}))
	}
}
