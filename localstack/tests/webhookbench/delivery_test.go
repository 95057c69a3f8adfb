package webhookbench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/middleware"
	"github.com/google/uuid"

	"aviso/internal/aws/config"
	"aviso/internal/clock"
	"aviso/internal/messaging/outbox"
	"aviso/internal/messaging/queue"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationdb"
	"aviso/internal/notification/webhook"
	"aviso/internal/outcome"
	"aviso/localstack/stack/memdb"
	"aviso/localstack/tests/notificationtest"
	"aviso/localstack/tests/testenv"
)

const (
	// subscriptions is the maximum for a partner.
	subscriptions = 50
	// executions is how many calls of webhook-delivery run at a time, each with up to batch
	// messages.
	executions, batch = 10, 10
)

// delivery is everything between an event and its receiver.
type delivery struct {
	fanOut *notification.FanOut
	ids    []string
	queue  chan string
	waited atomic.Int64
}

// newDelivery creates a subscription for each address, and processes its queue until ctx
// ends.
func newDelivery(ctx context.Context, t testing.TB, urls []string, log *slog.Logger) (*delivery, error) {
	tables := memdb.New(testenv.Template(t).Tables)
	db := dynamodb.New(dynamodb.Options{APIOptions: []func(*middleware.Stack) error{
		memdb.Intercept(func(_ context.Context, in any, _ func(context.Context) (any, error)) (any, error) {
			return tables.Call(in)
		}),
	}})
	newID := func() string { return uuid.Must(uuid.NewV7()).String() }
	store := notificationdb.New(db, "NotificationTable", "OutboxTable", notificationtest.Sealer{}, time.Now, newID)
	client := webhook.New(webhook.Options{Stage: config.Local, Now: time.Now})
	d := &delivery{queue: make(chan string, 20_000)}
	d.fanOut = notification.NewFanOut(store, "local", nil, time.Now)
	service := notification.NewSubscriptions(store, client.Check, time.Now, newID)
	for _, url := range urls {
		in := notification.SubscriptionInput{ServerURL: &url, Events: []string{notification.AllEvents}}
		s, _, err := service.Create(ctx, "bench", in, nil)
		if err != nil {
			return nil, fmt.Errorf("create subscription: %w", err)
		}
		d.ids = append(d.ids, s.ID)
	}
	deliverer := notification.NewDeliverer(store, store, client.Call, []time.Duration{15 * time.Minute, time.Hour}, time.Now, newID)
	worker := &queue.Worker[notification.DeliveryKey]{
		Service: "webhook-delivery", Log: log, Now: time.Now,
		Work: func(ctx context.Context, k notification.DeliveryKey, _ int) error {
			return d.orWait(deliverer.Deliver(ctx, k, 1), k)
		},
	}
	for range executions {
		go d.work(ctx, worker)
	}
	return d, nil
}

func (d *delivery) wake(k notification.DeliveryKey) {
	body, _ := json.Marshal(k) // three strings
	d.queue <- string(body)
}

// orWait is the retry queue.
func (d *delivery) orWait(err error, k notification.DeliveryKey) error {
	var later *outcome.Later
	if !errors.As(err, &later) {
		return err
	}
	d.waited.Add(1)
	time.AfterFunc(later.After, func() { d.wake(k) })
	return nil
}

// work calls the function with the messages there are, as Lambda does.
func (d *delivery) work(ctx context.Context, w *queue.Worker[notification.DeliveryKey]) {
	for {
		var e events.SQSEvent
		add := func(body string) {
			e.Records = append(e.Records, events.SQSMessage{MessageId: uuid.NewString(), Body: body})
		}
		select {
		case body := <-d.queue:
			add(body)
		case <-ctx.Done():
			return
		}
		for more := true; more && len(e.Records) < batch; {
			select {
			case body := <-d.queue:
				add(body)
			default:
				more = false
			}
		}
		_, _ = w.Handle(ctx, e) // it has no errors, and nothing fails on loopback
	}
}

// emit delivers an event to the n-th subscription.
func (d *delivery) emit(ctx context.Context, seen *receipts, n int) error {
	e := outbox.Event{
		ID: uuid.NewString(), Type: "webhook.ping", OccurredAt: clock.OfUser(time.Now()), Partner: "bench",
		Data: json.RawMessage(`{"message":"The quick brown fox jumps over the lazy dog."}`), SubscriptionID: d.ids[n%len(d.ids)],
	}
	seen.committed(e.ID, time.Now())
	wake, err := notificationtest.Dispatch(ctx, d.fanOut, e)
	if err != nil {
		return fmt.Errorf("hand out: %w", err)
	}
	for _, k := range wake {
		d.wake(k)
	}
	return nil
}
