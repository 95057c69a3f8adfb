package webhookbench

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"aviso/bench/meter"
	"aviso/internal/app/bootstrap"
	"aviso/internal/aws/config"
	"aviso/internal/dynamo/owner"
	"aviso/internal/messaging/outbox"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationdb"
	"aviso/internal/notification/notificationtest"
	"aviso/internal/notification/webhook"
	"aviso/localstack/testenv"
)

// whole is the way from a request that publishes an event to its receiver: a service in a process of
// its own, with tables, stream and queues in the emulators.
type whole struct {
	*process
	backends      backends
	env           []string
	subscriptions *notification.Subscriptions
	client        *http.Client
	seen          *receipts
}

// newWhole starts a service. env says where its functions find AWS, if that is not the emulators.
func newWhole(t testing.TB, env ...string) *whole {
	t.Helper()
	dynamo, queues := *testenv.Emulator(t).Options().BaseEndpoint, testenv.SQS(t)
	w := &whole{
		backends: backends{
			DynamoDB: dynamo, SQS: *queues.Options().BaseEndpoint, Positions: t.TempDir(),
			Tables: map[string]string{}, Queues: map[string]string{},
		},
		client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: publishers}},
		seen:   newReceipts(),
	}
	for _, table := range []string{"NotificationTable", "OutboxTable"} {
		w.backends.Tables[table] = testenv.EmulatorTable(t, table)
	}
	for _, name := range []string{"DeliveryQueue", "RetryQueue"} {
		url := testenv.Queue(t, name)
		w.backends.Queues[name] = url
		// What a service had in hand when it was killed comes back after this time; on AWS after nine minutes.
		_, err := queues.SetQueueAttributes(t.Context(), &sqs.SetQueueAttributesInput{
			QueueUrl: &url, Attributes: map[string]string{string(types.QueueAttributeNameVisibilityTimeout): "5"},
		})
		require.NoError(t, err)
	}
	store := notificationdb.New(testenv.Emulator(t), w.backends.Tables["NotificationTable"], w.backends.Tables["OutboxTable"],
		notificationtest.Sealer{}, time.Now, bootstrap.NewID)
	check := webhook.New(webhook.Options{Stage: config.Local, Now: time.Now}).Check
	w.subscriptions = notification.NewSubscriptions(store, check, time.Now, bootstrap.NewSortableID)
	w.env = append([]string{"AWS_ENDPOINT_URL_DYNAMODB=" + dynamo, "AWS_ENDPOINT_URL_SQS=" + w.backends.SQS}, env...)
	w.process = start(t, w.backends, w.env...)
	return w
}

// restart kills the service, and starts it again.
func (w *whole) restart(t testing.TB) {
	t.Helper()
	w.kill()
	w.process = start(t, w.backends, w.env...)
}

// newMetered starts a service whose calls of AWS are counted.
func newMetered(t testing.TB) (w *whole, tables, queues *meter.Meter) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "certificate.pem")
	between := func(endpoint string) *meter.Meter {
		m, err := meter.Start(map[string]string{"": endpoint}, file)
		require.NoError(t, err)
		t.Cleanup(m.Stop)
		return m
	}
	tables = between(*testenv.Emulator(t).Options().BaseEndpoint)
	queues = between(*testenv.SQS(t).Options().BaseEndpoint)
	w = newWhole(t, "SSL_CERT_FILE="+file, "AWS_ENDPOINT_URL_DYNAMODB="+tables.Endpoints[""], "AWS_ENDPOINT_URL_SQS="+queues.Endpoints[""])
	return w, tables, queues
}

// subscribe creates a subscription of the partner.
func (w *whole) subscribe(t testing.TB, partner owner.PartnerID, url string) {
	t.Helper()
	_, _, err := w.subscriptions.Create(t.Context(), partner,
		notification.SubscriptionInput{ServerURL: &url, Events: []string{notification.AllEvents}})
	require.NoError(t, err)
}

// data makes a callback of about 500 bytes.
var data = json.RawMessage(`{"message":"` + strings.Repeat("x", 330) + `"}`)

// emit publishes an event of the partner.
func (w *whole) emit(t testing.TB, partner owner.PartnerID) {
	e := outbox.Event{ID: uuid.NewString(), Type: "webhook.ping", OccurredAt: time.Now(), Partner: partner, Data: data}
	body, err := json.Marshal(e)
	require.NoError(t, err)
	w.seen.committed(e.ID)
	answer, err := w.client.Post(w.url+"/webhooks/v1/events", "application/json", bytes.NewReader(body))
	if err != nil {
		t.Errorf("publish: %v", err)
		return
	}
	_, _ = io.Copy(io.Discard, answer.Body)
	_ = answer.Body.Close()
	if answer.StatusCode != http.StatusAccepted {
		t.Errorf("publishing answered %d", answer.StatusCode)
	}
}

// emitAll publishes n events of the partner, side by side.
func (w *whole) emitAll(t testing.TB, partner owner.PartnerID, n int) {
	var all sync.WaitGroup
	for worker := range publishers {
		all.Go(func() {
			for i := worker; i < n; i += publishers {
				w.emit(t, partner)
			}
		})
	}
	all.Wait()
}

// pace publishes n events of the partner.
func (w *whole) pace(t testing.TB, partner owner.PartnerID, n, perSecond int) {
	next := time.Now()
	var all sync.WaitGroup
	for range n {
		time.Sleep(time.Until(next))
		next = next.Add(time.Second / time.Duration(perSecond))
		all.Go(func() { w.emit(t, partner) })
	}
	all.Wait()
}

// deliverAll publishes n events and waits until they have arrived.
func (w *whole) deliverAll(t testing.TB, n int) {
	w.seen.reset()
	w.emitAll(t, "one", n)
	w.wait(t, n)
	time.Sleep(time.Second) // until the last ones are settled
	w.seen.reset()
}
