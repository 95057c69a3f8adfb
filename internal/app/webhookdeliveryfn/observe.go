package webhookdeliveryfn

import (
	"context"
	"log/slog"
	"time"

	"aviso/internal/notification"
	"aviso/internal/observe"
)

// logAttempts returns an Observe hook for notification.Deliverer that logs each
// attempt. The console counts these lines.
func logAttempts(
	log *slog.Logger, now func() time.Time,
) func(context.Context, notification.Delivery, notification.Attempt) {
	return func(ctx context.Context, d notification.Delivery, a notification.Attempt) {
		exhausted, given := 0, slog.Attr{}
		if d.Status == notification.DeliveryExhausted {
			exhausted, given = 1, observe.EMF(now(), observe.Exhausted)
		}
		log.LogAttrs(ctx, slog.LevelInfo, "attempt", slog.String("Service", "webhook-delivery"),
			slog.String("partner", string(d.Partner)), slog.String("subscription", d.SubscriptionID),
			slog.String("event", a.EventID), slog.String("eventType", a.EventType), slog.Int("number", a.Number),
			slog.String("outcome", string(a.Outcome)), slog.Int("status", a.HTTPStatus),
			slog.Int64("milliseconds", a.Milliseconds), slog.Int(string(observe.Exhausted), exhausted),
			given)
	}
}
