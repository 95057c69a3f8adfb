package webhookbench

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	awsmiddleware "github.com/aws/aws-sdk-go-v2/aws/middleware"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/smithy-go/middleware"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"aviso/internal/app/bootstrap"
	"aviso/internal/app/relay"
	"aviso/internal/app/webhookdeliveryfn"
	"aviso/internal/config"
	"aviso/internal/dynamo/dynamojson"
	"aviso/internal/event"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationdb"
	"aviso/internal/notification/webhook"
	"aviso/internal/outbox"
	"aviso/internal/owner"
	"aviso/internal/queue"
	"aviso/localstack/host"
	"aviso/localstack/template"
	"aviso/localstack/testenv"
)

// whole is the way from a request that publishes an event to its receiver: the functions on the
// local host, with tables, stream and queues in the emulators.
type whole struct {
	host          *host.Host
	store         *notificationdb.Store
	subscriptions *notification.Subscriptions
	tables        map[string]string
	seen          *receipts

	mu sync.Mutex
	// calls counts the calls of AWS by operation, took is how long they took together.
	calls map[string]int
	took  map[string]time.Duration
}

// The functions on the way.
const publisher, relaying, delivering = "NotificationFunction", "OutboxRelayFunction", "WebhookDeliveryFunction"

func newWhole(t testing.TB) *whole {
	t.Helper()
	w := &whole{
		tables: map[string]string{}, seen: newReceipts(), calls: map[string]int{}, took: map[string]time.Duration{},
	}
	for _, table := range []string{"NotificationTable", "OutboxTable"} {
		w.tables[table] = testenv.Table(t, table)
	}
	queues := map[string]string{}
	for _, name := range []string{"DeliveryQueue", "RetryQueue"} {
		queues[name] = testenv.Queue(t, name)
	}
	db := dynamodb.NewFromConfig(testenv.Config(*testenv.DynamoDB(t).Options().BaseEndpoint), dynamojson.Install,
		func(o *dynamodb.Options) { o.APIOptions = append(o.APIOptions, w.count) })
	messages := sqs.New(testenv.SQS(t).Options(), func(o *sqs.Options) { o.APIOptions = append(o.APIOptions, w.count) })
	w.store = notificationdb.New(db, w.tables["NotificationTable"], w.tables["OutboxTable"], openSealer{}, time.Now, bootstrap.NewID)
	sender := queue.NewSender(messages, map[string]string{
		outbox.DeliveryQueue: queues["DeliveryQueue"], webhookdeliveryfn.RetryQueue: queues["RetryQueue"],
	})
	log := slog.New(slog.DiscardHandler)
	slog.SetDefault(log)
	client := webhook.New(webhook.Options{Stage: config.Local, Now: time.Now})
	w.subscriptions = notification.NewSubscriptions(w.store, client.Check, time.Now, bootstrap.NewSortableID)
	deliverer := notification.NewDeliverer(
		w.store, client.Call, []time.Duration{15 * time.Minute, time.Hour}, time.Now, bootstrap.NewSortableID)
	deliverer.PartnerCalls = 125
	worker := &queue.Worker[notification.DeliveryKey]{
		Service: "webhook-delivery", Client: messages, URL: queues["DeliveryQueue"], Log: log, Now: time.Now,
		Work: webhookdeliveryfn.DeliverOrWait(deliverer.Deliver, sender),
	}
	relays := outbox.NewRelay(db, w.tables["OutboxTable"], relay.NewSender(sender, w.store, "local", nil, time.Now), time.Now, log)
	var err error
	w.host, err = host.New(host.Options{
		Template: onTheWay(*testenv.Template(t)),
		Functions: map[string]lambda.Handler{
			publisher: lambda.NewHandler(w.publish), relaying: lambda.NewHandler(relays.HandleStream),
			delivering: lambda.NewHandler(worker.Handle),
		},
		Tables: w.tables, Queues: queues, DynamoDB: testenv.DynamoDB(t), Streams: testenv.Streams(t), SQS: testenv.SQS(t),
		Positions: t.TempDir(), Tell: func(string) {}, Log: log, Now: time.Now, NewID: uuid.NewString,
	})
	require.NoError(t, err)
	w.host.Start()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		w.host.Stop(ctx)
	})
	return w
}

// onTheWay returns what the template has of the functions on the way.
func onTheWay(tpl template.Template) *template.Template {
	is := map[string]bool{publisher: true, relaying: true, delivering: true}
	tpl.Functions = keep(tpl.Functions, func(f template.Function) bool { return is[f.ID] })
	tpl.Routes = keep(tpl.Routes, func(r template.Route) bool { return r.Function == publisher })
	tpl.Streams = keep(tpl.Streams, func(m template.StreamMapping) bool { return m.Function == relaying })
	tpl.QueueMappings = keep(tpl.QueueMappings, func(m template.QueueMapping) bool { return m.Function == delivering })
	tpl.Schedules, tpl.Rules, tpl.LogSubscriptions = nil, nil, nil
	return &tpl
}

func keep[T any](all []T, wanted func(T) bool) (kept []T) {
	for _, x := range all {
		if wanted(x) {
			kept = append(kept, x)
		}
	}
	return kept
}

// openSealer does not seal.
type openSealer struct{}

func (openSealer) Seal(plain []byte, _ string) []byte           { return plain }
func (openSealer) Open(sealed []byte, _ string) ([]byte, error) { return sealed, nil }

// count counts the calls of a client.
func (w *whole) count(s *middleware.Stack) error {
	return s.Initialize.Add(middleware.InitializeMiddlewareFunc("count", func(
		ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler,
	) (middleware.InitializeOutput, middleware.Metadata, error) {
		began := time.Now()
		out, metadata, err := next.HandleInitialize(ctx, in)
		w.mu.Lock()
		defer w.mu.Unlock()
		operation := awsmiddleware.GetOperationName(ctx)
		w.calls[operation]++
		w.took[operation] += time.Since(began)
		return out, metadata, err
	}), middleware.After)
}

// called returns how many calls there were since the last time, by operation and together.
func (w *whole) called() (by map[string]int, all int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	by, w.calls = w.calls, map[string]int{}
	for _, n := range by {
		all += n
	}
	return by, all
}

// publish is a function of the API that writes an event.
func (w *whole) publish(
	ctx context.Context, r events.APIGatewayV2HTTPRequest,
) (events.APIGatewayV2HTTPResponse, error) {
	var e event.Event
	body, err := base64.StdEncoding.DecodeString(r.Body)
	if err == nil {
		err = json.Unmarshal(body, &e)
	}
	if err != nil {
		return events.APIGatewayV2HTTPResponse{}, err
	}
	return events.APIGatewayV2HTTPResponse{StatusCode: http.StatusAccepted}, w.store.PutEvent(ctx, e)
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
	e := event.Event{ID: uuid.NewString(), Type: "webhook.ping", OccurredAt: time.Now(), Partner: partner, Data: data}
	body, err := json.Marshal(e)
	require.NoError(t, err)
	w.seen.committed(e.ID)
	answer := httptest.NewRecorder()
	w.host.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/webhooks/v1/events", bytes.NewReader(body)))
	if answer.Code != http.StatusAccepted {
		t.Errorf("publishing answered %d", answer.Code)
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
