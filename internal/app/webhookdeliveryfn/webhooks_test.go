package webhookdeliveryfn

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"aviso/internal/app/bootstrap"
	"aviso/internal/messaging/event"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationtest"
)

// relayTakes is how long the outbox takes.
const relayTakes = 100 * time.Millisecond

// webhooks is the delivery of webhooks from the event on, with its own queues, store and
// receivers, within a bubble of testing/synctest.
type webhooks struct {
	*notificationtest.Store
	queue         *notificationtest.Queue // DeliveryQueue
	retries       *notificationtest.Queue // RetryQueue
	receivers     *notificationtest.Receivers
	subscriptions *notification.Subscriptions
	fanOut        *notification.FanOut
	housekeeping  *notification.Housekeeping
	deliverer     *notification.Deliverer
}

func anyAddress(string) error { return nil }

// newWebhooks returns a webhooks with these receivers. The outbox runs by itself.
func newWebhooks(t *testing.T, answer func(notification.Call) (notification.Outcome, time.Duration)) *webhooks {
	store, q, retries := notificationtest.NewStore(), notificationtest.NewQueue(), notificationtest.NewQueue()
	r := &notificationtest.Receivers{Answer: answer, Now: time.Now}
	w := &webhooks{
		Store: store, queue: q, retries: retries, receivers: r,
		subscriptions: notification.NewSubscriptions(store, anyAddress, time.Now, bootstrap.NewSortableID),
		fanOut:        notification.NewFanOut(store, "test", time.Now),
		housekeeping:  notification.NewHousekeeping(store, time.Now),
	}
	store.Fail = w.relay
	delays := []time.Duration{15 * time.Minute, time.Hour}
	w.deliverer = notification.NewDeliverer(store, r.Call, delays, time.Now, bootstrap.NewSortableID)
	w.deliverer.PartnerCalls, w.deliverer.First = deliveryConcurrency/2, true
	q.Work = DeliverOrWait(w.deliverer.Deliver, retries)
	again := *w.deliverer
	again.PartnerCalls, again.First = retryConcurrency/2, false
	retries.Work = DeliverOrWait(again.Deliver, retries)
	t.Cleanup(func() {
		q.Stop()
		retries.Stop()
		time.Sleep(2 * notification.CallTimeout) // until the last call has ended
	})
	return w
}

// relay sends the outbox's messages a little later.
func (w *webhooks) relay(call string) error {
	if strings.HasPrefix(call, "after save") {
		go func() {
			time.Sleep(relayTakes)
			for _, k := range w.TakeWakes() {
				_ = w.queue.Wake(context.Background(), k)
			}
		}()
	}
	return nil
}

// subscribe creates a subscription of partner p to all events.
func (w *webhooks) subscribe(t *testing.T) notification.Subscription {
	t.Helper()
	url := "https://partner.example/" + uuid.NewString()
	s, _, err := w.subscriptions.Create(
		t.Context(),
		"p",
		notification.SubscriptionInput{ServerURL: &url, Events: []string{notification.AllEvents}},
	)
	require.NoError(t, err)
	return s
}

func anEvent() event.Event {
	return event.Event{
		ID:         uuid.NewString(),
		Type:       "webhook.ping",
		OccurredAt: time.Now(),
		Partner:    "p",
		User:       "u",
		Data:       json.RawMessage(`{"a":1}`),
	}
}

// dispatch fans out an event.
func (w *webhooks) dispatch(ctx context.Context, e event.Event) error {
	return w.fanOut.Dispatch(ctx, e, w.queue.Wake)
}

// emit fans out an event to partner p's subscriptions.
func (w *webhooks) emit(t *testing.T) event.Event {
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
	all := w.Deliveries()
	require.Len(t, all, 1)
	for _, d := range all {
		return d
	}
	return notification.Delivery{}
}

// tried returns the attempts of a subscription, oldest first.
func (w *webhooks) tried(t *testing.T, s notification.Subscription) []notification.Attempt {
	t.Helper()
	page, _, err := w.Attempts(t.Context(), s, 1000, "")
	require.NoError(t, err)
	for i, j := 0, len(page)-1; i < j; i, j = i+1, j-1 {
		page[i], page[j] = page[j], page[i]
	}
	return page
}
