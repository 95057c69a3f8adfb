package webhookdeliveryfn

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/middleware"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"aviso/internal/app/bootstrap"
	"aviso/internal/clock"
	"aviso/internal/dynamo"
	"aviso/internal/messaging/outbox"
	"aviso/internal/messaging/overdue"
	"aviso/internal/messaging/queue"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationdb"
	"aviso/internal/owner"
	"aviso/localstack/stack/memdb"
	"aviso/localstack/tests/notificationtest"
	"aviso/localstack/tests/testenv"
)

// relayTakes is how long the outbox takes.
const relayTakes = 100 * time.Millisecond

// webhooks is the delivery of webhooks from the event on, with its own queues, tables in memory
// and receivers, within a bubble of testing/synctest.
type webhooks struct {
	*notificationdb.Store // the test's own, whose calls never fail
	// Fail is called before and after each call of the services to the tables, which is named by
	// what it writes. If it returns an error, the call fails with it.
	Fail func(call string) error

	db            *memdb.DB
	queue         *messages // DeliveryQueue
	retries       *messages // RetryQueue
	receivers     *notificationtest.Receivers
	subscriptions *notification.Subscriptions
	fanOut        *notification.FanOut
	housekeeping  *overdue.Housekeeping
	deliverer     *notification.Deliverer
	disabled      atomic.Bool // whether the partner is

	mu     sync.Mutex
	events []outbox.Event // that are in the outbox
}

func anyAddress(string) error { return nil }

// newWebhooks returns a webhooks with these receivers. The outbox runs by itself.
func newWebhooks(t *testing.T, answer func(notification.Call) (notification.Outcome, time.Duration)) *webhooks {
	q, retries := newMessages(), newMessages()
	r := &notificationtest.Receivers{Answer: answer, Now: time.Now}
	w := &webhooks{
		Fail: func(string) error { return nil }, db: memdb.New(testenv.Template(t).Tables),
		queue: q, retries: retries, receivers: r,
	}
	w.Store = newStore(func(_ context.Context, in any, _ func(context.Context) (any, error)) (any, error) {
		return w.db.Call(in)
	})
	store := newStore(w.call)
	w.subscriptions = notification.NewSubscriptions(store, anyAddress, time.Now, bootstrap.NewSortableID)
	pausing := notification.Pausing{Disabled: func(context.Context, owner.PartnerID) (bool, error) { return w.disabled.Load(), nil }}
	w.fanOut = notification.NewFanOut(pausing.FanOut(store), "test", nil, time.Now)
	w.housekeeping = notification.NewHousekeeping(store, time.Now)
	delays := []time.Duration{15 * time.Minute, time.Hour}
	w.deliverer = notification.NewDeliverer(pausing.Deliveries(store), store, r.Call, delays, time.Now, bootstrap.NewSortableID)
	w.deliverer.PartnerCalls, w.deliverer.Fresh = deliveryConcurrency/2, true
	q.Work = queue.Again(w.deliverer.Deliver, RetryQueue, retries.SendJSON)
	again := *w.deliverer
	again.PartnerCalls, again.Fresh = retryConcurrency/2, false
	retries.Work = queue.Again(again.Deliver, RetryQueue, retries.SendJSON)
	t.Cleanup(func() {
		q.Stop()
		retries.Stop()
		time.Sleep(2 * notification.CallTimeout) // until the last call has ended
	})
	return w
}

// newStore returns a store whose calls are answered by call.
func newStore(call func(context.Context, any, func(context.Context) (any, error)) (any, error)) *notificationdb.Store {
	db := dynamodb.New(dynamodb.Options{APIOptions: []func(*middleware.Stack) error{memdb.Intercept(call)}})
	s := notificationdb.New(db, "NotificationTable", "OutboxTable", notificationtest.Sealer{}, time.Now, bootstrap.NewSortableID)
	s.SpreadDue(1)
	return s
}

// call is a call of the services to the tables.
func (w *webhooks) call(_ context.Context, in any, _ func(context.Context) (any, error)) (any, error) {
	name := nameOf(in)
	if err := w.Fail(name); err != nil {
		return nil, err
	}
	out, err := w.db.Call(in)
	if err != nil {
		return nil, err
	}
	if x, ok := in.(*dynamodb.TransactWriteItemsInput); ok {
		w.relay(x)
	}
	return out, w.Fail("after " + name)
}

// nameOf names a call by what it writes.
func nameOf(in any) string {
	is := func(row dynamo.Item, prefix string) bool { return strings.HasPrefix(dynamo.Text(row, "sk"), prefix) }
	switch in := in.(type) {
	case *dynamodb.UpdateItemInput:
		switch {
		case is(in.Key, "D#"):
			return "save delivery"
		case is(in.Key, "SLOTS") && strings.HasPrefix(*in.UpdateExpression, "REMOVE"):
			return "release slot"
		case is(in.Key, "SLOTS"):
			return "take slot"
		}
	case *dynamodb.PutItemInput:
		if is(in.Item, "D#") {
			return "save delivery"
		}
	case *dynamodb.TransactWriteItemsInput:
		for _, action := range in.TransactItems {
			if action.Put != nil && is(action.Put.Item, "A#") {
				return "save attempt"
			}
		}
	}
	return "other"
}

// relay sends a transaction's messages to DeliveryQueue a little later, and keeps its events.
func (w *webhooks) relay(x *dynamodb.TransactWriteItemsInput) {
	for _, action := range x.TransactItems {
		if action.Put == nil || *action.Put.TableName != "OutboxTable" {
			continue
		}
		switch body := dynamo.Text(action.Put.Item, "body"); dynamo.Text(action.Put.Item, "queue") {
		case outbox.DeliveryQueue:
			go func() {
				time.Sleep(relayTakes)
				var k notification.DeliveryKey
				_ = json.Unmarshal([]byte(body), &k)
				w.queue.send(k, 0)
			}()
		case outbox.EventQueue:
			var e outbox.Event
			_ = json.Unmarshal([]byte(body), &e)
			w.mu.Lock()
			w.events = append(w.events, e)
			w.mu.Unlock()
		}
	}
}

// Events returns the events that were put into the outbox.
func (w *webhooks) Events() []outbox.Event {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.events)
}

// Deliveries returns all deliveries.
func (w *webhooks) Deliveries(t *testing.T) (all []notification.Delivery) {
	t.Helper()
	for _, row := range w.db.Items("NotificationTable") {
		if !strings.HasPrefix(dynamo.Text(row, "sk"), "D#") {
			continue
		}
		d, err := w.Delivery(context.Background(), notification.DeliveryKey{
			Partner: owner.PartnerID(dynamo.Text(row, "partner")), SubscriptionID: dynamo.Text(row, "subscriptionId"),
			DeliveryID: dynamo.Text(row, "id"),
		})
		require.NoError(t, err)
		all = append(all, d)
	}
	return all
}

// subscribe creates a subscription of partner p to all events.
func (w *webhooks) subscribe(t *testing.T) notification.Subscription {
	t.Helper()
	url := "https://partner.example/" + uuid.NewString()
	s, _, err := w.subscriptions.Create(t.Context(), "p",
		notification.SubscriptionInput{ServerURL: &url, Events: []string{notification.AllEvents}}, nil)
	require.NoError(t, err)
	return s
}

func anEvent() outbox.Event {
	return outbox.Event{
		ID:         uuid.NewString(),
		Type:       "webhook.ping",
		OccurredAt: clock.OfUser(time.Now()),
		Partner:    "p",
		User:       "u",
		Data:       json.RawMessage(`{"a":1}`),
	}
}

// dispatch fans out an event.
func (w *webhooks) dispatch(ctx context.Context, e outbox.Event) error {
	wake, err := notificationtest.Dispatch(ctx, w.fanOut, e)
	for _, k := range wake {
		w.queue.send(k, 0)
	}
	return err
}

// emit fans out an event to partner p's subscriptions.
func (w *webhooks) emit(t *testing.T) outbox.Event {
	t.Helper()
	e := anEvent()
	require.NoError(t, w.dispatch(t.Context(), e))
	return e
}

// pass advances time, with housekeeping every minute.
func (w *webhooks) pass(t *testing.T, d time.Duration) {
	t.Helper()
	end := time.Now().Add(d)
	for left := d; left > 0; left = time.Until(end) {
		time.Sleep(min(left, time.Minute))
		synctest.Wait()
		_, err := w.housekeeping.Run(t.Context())
		require.NoError(t, err)
	}
	synctest.Wait()
}

// only returns the only delivery.
func (w *webhooks) only(t *testing.T) notification.Delivery {
	t.Helper()
	all := w.Deliveries(t)
	require.Len(t, all, 1)
	return all[0]
}

// tried returns the attempts of a subscription, oldest first.
func (w *webhooks) tried(t *testing.T, s notification.Subscription) []notification.Attempt {
	t.Helper()
	s, err := w.Subscription(t.Context(), s.Partner, s.ID) // it may have more slots by now
	require.NoError(t, err)
	page, _, err := w.Attempts(t.Context(), s, 1000, "")
	require.NoError(t, err)
	slices.Reverse(page)
	return page
}
