package app

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/metric"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationdb"
	"aviso/internal/owner"
	"aviso/localstack/testenv"
)

// logged is a logger as SetUpLog makes it, and what gives its last line.
func logged(t *testing.T) (*slog.Logger, func() map[string]any) {
	t.Helper()
	var log bytes.Buffer
	return slog.New(slog.NewJSONHandler(&log, nil)).With(metric.Environment, "test"), func() map[string]any {
		t.Helper()
		if log.Len() == 0 {
			return nil
		}
		var line map[string]any
		require.NoError(t, json.Unmarshal(log.Bytes(), &line))
		log.Reset()
		return line
	}
}

// assertMetric holds a line against CloudWatch's format: the metric and each of
// its dimensions must be members of the line itself.
func assertMetric(t *testing.T, line map[string]any, name, unit string, value float64) {
	t.Helper()
	require.NotNil(t, line, "nothing was logged")
	assert.InDelta(t, value, line[name], 1e-9)
	directives := line["_aws"].(map[string]any)["CloudWatchMetrics"].([]any)
	assert.Equal(t, []any{map[string]any{
		"Namespace": metric.Namespace, "Dimensions": []any{[]any{"Environment"}}, "Metrics": []any{map[string]any{"Name": name, "Unit": unit}},
	}}, directives)
	assert.Equal(t, "test", line["Environment"])
}

func TestLettersThatWaitAreObserved(t *testing.T) {
	t.Parallel()
	created := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	log, last := logged(t)
	o := observedLetters{
		Store: cancellationdb.New(testenv.DynamoDB(t), testenv.Table(t, "CancellationTable"), testenv.Table(t, "OutboxTable"), time.Now, uuid.NewString),
		log:   log, now: func() time.Time { return created.Add(3 * time.Hour) },
	}
	user := owner.User{Partner: "acme", ID: owner.UserID(uuid.NewString())}
	c := cancellation.Cancellation{
		ID: uuid.NewString(), Owner: user, Status: cancellation.StatusQueued, CreatedAt: created, UpdatedAt: created, NextTryAt: created,
		History: []cancellation.Step{{Status: cancellation.StatusCreated, At: created}, {Status: cancellation.StatusQueued, At: created.Add(time.Hour)}},
	}
	require.NoError(t, o.CreateCancellation(t.Context(), c, cancellation.StoredLetter{}, "digest"))
	c, err := o.Cancellation(t.Context(), user, c.ID)
	require.NoError(t, err)

	saved, err := o.SaveCancellation(t.Context(), c)
	require.NoError(t, err)
	assertMetric(t, last(), "LetterWait", "Seconds", 2*60*60)

	_, err = o.SaveCancellation(t.Context(), c)
	require.ErrorIs(t, err, cancellation.ErrChanged)
	assert.Nil(t, last(), "what was not written")

	saved.Status, saved.NextTryAt = cancellation.StatusSent, time.Time{}
	_, err = o.SaveCancellation(t.Context(), saved)
	require.NoError(t, err)
	assert.Nil(t, last(), "a letter that has gone")
}

func TestAttemptsAreObserved(t *testing.T) {
	t.Parallel()
	log, last := logged(t)
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
	assertMetric(t, line, "Exhausted", "Count", 0)
	for name, want := range map[string]any{"outcome": "HttpError", "status": 500.0, "number": 1.0, "milliseconds": 1.5, "eventType": "webhook.ping"} {
		assert.Equal(t, want, line[name], name)
	}
	assert.NotContains(t, line, "payload")

	require.ErrorIs(t, o.SaveAttempt(t.Context(), d, attempt, false), notification.ErrChanged)
	assert.Nil(t, last(), "what was not written")

	d, err = o.Delivery(t.Context(), d.DeliveryKey)
	require.NoError(t, err)
	d.Status, d.Reason, d.Payload = notification.DeliveryExhausted, notification.ReasonAttemptsUsed, nil
	require.NoError(t, o.SaveAttempt(t.Context(), d, attempt, false))
	assertMetric(t, last(), "Exhausted", "Count", 1)
}
