package webhookdeliveryfn

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/notification"
	"aviso/internal/notification/notificationdb"
	"aviso/internal/outcome"
	"aviso/localstack/tests/metrictest"
	"aviso/localstack/tests/notificationtest"
	"aviso/localstack/tests/testenv"
)

func TestAttemptsAreObserved(t *testing.T) {
	t.Parallel()
	log, last := metrictest.Logger(t)
	now := notificationtest.Noon()
	nowFunc := func() time.Time { return now }
	store := notificationdb.New(testenv.DynamoDB(t), testenv.Table(t, "NotificationTable"), testenv.Table(t, "OutboxTable"),
		notificationtest.Sealer{}, nowFunc, uuid.NewString)
	during := func() {}
	caller := func(context.Context, notification.Call) notification.Result {
		during()
		return notification.Result{
			Outcome: notification.OutcomeHTTPError, HTTPStatus: 500, Milliseconds: 1500,
		}
	}
	deliverer := notification.NewDeliverer(store, store, caller, []time.Duration{time.Minute}, nowFunc, uuid.NewString)
	deliverer.Observe = logAttempts(log, nowFunc)
	sub := notificationtest.SampleSubscription()
	require.NoError(t, store.CreateSubscription(t.Context(), sub, notificationtest.SampleSecret(now), nil))
	d := notificationtest.SampleDelivery(sub)
	d.Payload = []byte(`{"note":"secret"}`)
	_, err := notificationtest.Create(t.Context(), store, d)
	require.NoError(t, err)

	var again *outcome.Later
	require.ErrorAs(t, deliverer.Deliver(t.Context(), d.DeliveryKey, 1), &again)
	assert.Equal(t, time.Minute, again.After)
	line := last()
	assert.NotContains(t, line, "_aws", "a metric costs nothing while it has no value")
	for name, want := range map[string]any{
		"outcome": "HttpError", "status": 500.0, "number": 1.0, "milliseconds": 1500.0, "eventType": "webhook.ping",
	} {
		assert.Equal(t, want, line[name], name)
	}
	assert.NotContains(t, line, "payload")

	now = now.Add(time.Minute)
	during = func() {
		changed, err := store.Delivery(t.Context(), d.DeliveryKey)
		require.NoError(t, err)
		changed.Sends++
		_, err = store.SaveDelivery(t.Context(), changed, false)
		require.NoError(t, err)
	}
	require.NoError(t, deliverer.Deliver(t.Context(), d.DeliveryKey, 1))
	assert.Nil(t, last(), "the attempt was not saved")

	during, now = func() {}, now.Add(2*time.Minute)
	require.NoError(t, deliverer.Deliver(t.Context(), d.DeliveryKey, 1))
	metrictest.Assert(t, last(), "Exhausted", "Count", 1)
}
