package app

import (
	"context"
	"log/slog"
	"time"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/metric"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationdb"
)

// Metrics of what partners and users notice; template.yaml has alarms on them.
const (
	// metricLetterWait is how long a letter has stood still that was looked at.
	metricLetterWait = "LetterWait"
	// metricExhausted counts deliveries that were given up after their last
	// attempt.
	metricExhausted = "Exhausted"
	// metricResent counts messages that the outbox's stream has not brought.
	metricResent = "Resent"
)

// observedLetters logs how long a letter has waited, each time that somebody
// looks after it and it goes on waiting: at least once an hour.
type observedLetters struct {
	*cancellationdb.Store
	log *slog.Logger
	now func() time.Time
}

// SaveCancellation is cancellation.LetterStore's.
func (o observedLetters) SaveCancellation(ctx context.Context, c cancellation.Cancellation, jobs ...cancellation.Job) (cancellation.Cancellation, error) {
	saved, err := o.Store.SaveCancellation(ctx, c, jobs...)
	if err != nil || !saved.Status.Waiting() {
		return saved, err
	}
	now := o.now()
	wait := now.Sub(saved.History[len(saved.History)-1].At)
	o.log.LogAttrs(ctx, slog.LevelInfo, "letter wait", slog.String("cancellation", saved.ID), slog.String("status", string(saved.Status)),
		slog.Float64(metricLetterWait, wait.Seconds()), metric.EMF(now, nil, metric.Def{Name: metricLetterWait, Unit: "Seconds"}))
	return saved, nil
}

// observedDeliveries logs each attempt.
type observedDeliveries struct {
	*notificationdb.Store
	log *slog.Logger
	now func() time.Time
}

// SaveAttempt is notification.DeliveryStore's.
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
