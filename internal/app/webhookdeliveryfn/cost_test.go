package webhookdeliveryfn

import (
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/bench/meter"
	"aviso/internal/app/bootstrap"
	"aviso/internal/clock"
	"aviso/internal/messaging/queue"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationdb"
	"aviso/localstack/tests/notificationtest"
	"aviso/localstack/tests/testenv"
)

// metered returns the configuration of clients of the endpoint, and the counter of
// their calls.
func metered(t *testing.T, endpoint *string) (aws.Config, *meter.Meter) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "certificate.pem")
	m, err := meter.Start(map[string]string{"it": *endpoint}, file)
	require.NoError(t, err)
	t.Cleanup(m.Stop)
	pem, err := os.ReadFile(file)
	require.NoError(t, err)
	roots := x509.NewCertPool()
	require.True(t, roots.AppendCertsFromPEM(pem))
	config := testenv.Config(m.Endpoints["it"])
	config.HTTPClient = &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: roots},
	}}
	return config, m
}

const (
	exhaustedAgain    = "the last attempt of another delivery, which also counts against the subscription"
	acknowledged      = "an acknowledged attempt, after one that was exhausted"
	acknowledgedAgain = "an acknowledged attempt of a receiver that is quick"
	early             = "a message that comes before its time, to a receiver that is quick"
)

// The cost of a webhook attempt in docs/performance.md: the calls and the units
// as tables in memory calculate them, like the emulator.
func TestWhatAnAttemptCosts(t *testing.T) {
	t.Parallel()
	toTables, tables := metered(t, testenv.DynamoDB(t).Options().BaseEndpoint)
	toQueues, queues := metered(t, testenv.SQS(t).Options().BaseEndpoint)
	now := notificationtest.Noon()
	nowFunc := func() time.Time { return now }
	store := notificationdb.New(dynamodb.NewFromConfig(toTables), testenv.Table(t, "NotificationTable"), testenv.Table(t, "OutboxTable"),
		notificationtest.Sealer{}, nowFunc, uuid.NewString)
	sub := notificationtest.SampleSubscription()
	require.NoError(t, store.CreateSubscription(t.Context(), sub, notificationtest.SampleSecret(now), nil))
	d, err := notificationtest.Create(t.Context(), store, notificationtest.SampleDelivery(sub))
	require.NoError(t, err)
	answer := notification.OutcomeHTTPError
	receivers := &notificationtest.Receivers{
		Answer: func(notification.Call) (notification.Outcome, time.Duration) { return answer, 0 }, Now: nowFunc,
	}
	deliverer := notification.NewDeliverer(store, store, receivers.Call, []time.Duration{15 * time.Minute, time.Hour}, nowFunc,
		bootstrap.NewSortableID)
	retries := queue.NewSender(sqs.NewFromConfig(toQueues), map[string]string{RetryQueue: testenv.Queue(t, "RetryQueue")})
	work := queue.Again(deliverer.Deliver, RetryQueue, retries.SendJSON)

	next := func(attempt int, due time.Time) notification.DeliveryKey {
		other := notificationtest.SampleDelivery(sub)
		other.Attempt, other.NextAttemptAt, other.WakeAt = attempt, clock.OfUser(due), clock.Real(due.Add(2*time.Minute))
		other, err := notificationtest.Create(t.Context(), store, other)
		require.NoError(t, err)
		return other.DeliveryKey
	}
	for _, step := range []struct {
		name            string
		passes          time.Duration
		calls, messages int
		reads, writes   float64
	}{
		{"an attempt that fails and is followed by another", 0, 7, 1, 3, 11},
		{"a message that comes before its time", time.Minute, 2, 1, 2, 0},
		{"the second attempt", 15 * time.Minute, 6, 1, 2, 11},
		// It began when the one before said that it would, to the millisecond, so that one is written again.
		{"the last attempt, with which the subscription begins to fail", time.Hour, 7, 0, 2, 16},
		{exhaustedAgain, 0, 7, 0, 2, 10},
		{acknowledged, 0, 7, 0, 2, 8},
		{acknowledgedAgain, time.Minute, 3, 0, 2, 4},
		{early, 0, 2, 1, 2, 0},
	} {
		now = now.Add(step.passes)
		k := d.DeliveryKey
		switch step.name {
		case exhaustedAgain:
			k = next(3, now)
		case acknowledged, acknowledgedAgain:
			answer, k = notification.OutcomeAcknowledged, next(1, now)
		case early:
			k = next(1, now.Add(time.Second))
		}
		before, sent := tables.Read(), queues.Read()
		require.NoError(t, work(t.Context(), k, 1))
		used := tables.Read().Less(before)
		assert.Equal(t, step.calls, used.Calls, step.name)
		assert.InDelta(t, step.reads, used.ReadUnits, 1e-9, step.name)
		assert.InDelta(t, step.writes, used.WriteUnits, 1e-9, step.name)
		assert.Equal(t, step.messages, queues.Read().Less(sent).Calls, step.name)
	}
	assert.Len(t, receivers.Calls(), 6)
}
