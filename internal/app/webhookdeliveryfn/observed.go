package webhookdeliveryfn

import (
	"context"
	"log/slog"
	"time"

	"aviso/internal/metric"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationdb"
)

// metricExhausted counts deliveries that were given up after their last attempt.
// template.yaml has an alarm on it.
const metricExhausted = "Exhausted"

// observedDeliveries logs each attempt.
type observedDeliveries struct {
	*notificationdb.Store
	log *slog.Logger
	now func() time.Time
}

// SaveAttempt implements notification.Store.
func (o observedDeliveries) SaveAttempt(ctx context.Context, d notification.Delivery, a notification.Attempt, wake bool) error {
	if err := o.Store.SaveAttempt(ctx, d, a, wake); err != nil {
		return err
	}
	exhausted := 0
	if d.Status == notification.DeliveryExhausted {
		exhausted = 1
	}
	o.log.LogAttrs(ctx, slog.LevelInfo, "attempt", slog.String("partner", string(d.Partner)), slog.String("subscription", d.SubscriptionID),
		slog.String("event", a.EventID), slog.String("eventType", a.EventType), slog.Int("number", a.Number),
		slog.String("outcome", string(a.Outcome)), slog.Int("status", a.HTTPStatus), slog.Float64("milliseconds", metric.Milliseconds(a.Duration)),
		slog.Int(metricExhausted, exhausted), metric.EMF(o.now(), nil, metric.Def{Name: metricExhausted, Unit: "Count"}))
	return nil
}
