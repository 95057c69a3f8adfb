package webhookdeliveryfn

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/metric/metrictest"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationdb"
	"aviso/internal/outcome"
	"aviso/localstack/testenv"
)

func TestAttemptsAreObserved(t *testing.T) {
	t.Parallel()
	log, last := metrictest.Logger(t)
	o := observedDeliveries{
		Store: notificationdb.New(testenv.DynamoDB(t), testenv.Table(t, "NotificationTable"), testenv.Table(t, "OutboxTable"), nil, time.Now, uuid.NewString),
		log:   log, now: time.Now,
	}
	d, err := o.CreateDelivery(t.Context(), notification.Delivery{
		DeliveryKey: notification.DeliveryKey{Partner: "acme", SubscriptionID: uuid.NewString(), DeliveryID: uuid.NewString()},
		EventID:     uuid.NewString(), EventType: "webhook.ping", Payload: []byte(`{"note":"secret"}`), Status: notification.DeliveryPending,
		CreatedAt: time.Now(), Attempt: 1, NextAttemptAt: time.Now(), WakeAt: time.Now(),
	})
	require.NoError(t, err)
	attempt := notification.Attempt{
		ID: uuid.Must(uuid.NewV7()).String(), EventID: d.EventID, EventType: d.EventType, Number: 1, StartedAt: time.Now(),
		Result: notification.Result{Outcome: notification.OutcomeHTTPError, HTTPStatus: 500, Duration: 1500 * time.Microsecond},
	}
	require.NoError(t, o.SaveAttempt(t.Context(), d, attempt, false))
	line := last()
	metrictest.Assert(t, line, "Exhausted", "Count", 0)
	for name, want := range map[string]any{"outcome": "HttpError", "status": 500.0, "number": 1.0, "milliseconds": 1.5, "eventType": "webhook.ping"} {
		assert.Equal(t, want, line[name], name)
	}
	assert.NotContains(t, line, "payload")

	require.ErrorIs(t, o.SaveAttempt(t.Context(), d, attempt, false), outcome.ErrChanged)
	assert.Nil(t, last(), "what was not written")

	d, err = o.Delivery(t.Context(), d.DeliveryKey)
	require.NoError(t, err)
	d.Status, d.Reason, d.Payload = notification.DeliveryExhausted, notification.ReasonAttemptsUsed, nil
	require.NoError(t, o.SaveAttempt(t.Context(), d, attempt, false))
	metrictest.Assert(t, last(), "Exhausted", "Count", 1)
}
