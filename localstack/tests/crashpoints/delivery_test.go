package crashpoints

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/stretchr/testify/assert"

	"aviso/internal/clock"
	"aviso/internal/messaging/outbox"
	"aviso/internal/notification"
	"aviso/internal/owner"
)

// partner is the owner of all subscriptions.
const partner owner.PartnerID = "p"

// deliveryScenarios are the ways of an event to its receivers.
func deliveryScenarios() []scenario {
	failing := func(times int) func(*world) {
		return func(w *world) {
			w.answer = func(_ notification.Call, n int) notification.Outcome {
				if n <= times {
					return notification.OutcomeHTTPError
				}
				return notification.OutcomeAcknowledged
			}
		}
	}
	oneOfTwo := func(w *world) {
		w.answer = func(c notification.Call, _ int) notification.Outcome {
			if c.URL == receiver(1) {
				return notification.OutcomeTimeout
			}
			return notification.OutcomeAcknowledged
		}
	}
	paused := func(w *world) {
		failing(1)(w)
		w.add(w.now.Add(time.Minute), w.pauseSubscriptions)
	}
	return []scenario{
		{
			name: "an event that is acknowledged at once", prepare: withSubscriptions(1), begin: failing(0),
			done: delivered, check: endsWith(notification.DeliveryAcknowledged),
		},
		{
			name: "an event that is acknowledged at the second attempt", prepare: withSubscriptions(1), begin: failing(1),
			done: delivered, check: endsWith(notification.DeliveryAcknowledged),
		},
		{
			name: "an event that nobody acknowledges", prepare: withSubscriptions(1), begin: failing(1000),
			done: delivered, check: endsWith(notification.DeliveryExhausted),
		},
		{
			name: "an event for two subscriptions, of which one fails", prepare: withSubscriptions(2), begin: oneOfTwo,
			done: delivered, check: endsWith(notification.DeliveryAcknowledged, notification.DeliveryExhausted),
		},
		{
			name: "an event whose subscription is paused after the first attempt", prepare: withSubscriptions(1),
			begin: paused, done: delivered, check: deliveredOrPaused,
		},
	}
}

func receiver(n int) string { return []string{"https://a.example/hook", "https://b.example/hook"}[n] }

// withSubscriptions makes subscriptions to all events, and an event.
func withSubscriptions(n int) func(*world) {
	return func(w *world) {
		w.createUser()
		for i := range n {
			w.subscribe(receiver(i))
		}
		must(w.noticeStore.PutEvent(context.Background(), outbox.Event{
			ID: w.newID(), Type: "webhook.ping", OccurredAt: clock.OfUser(w.now), Partner: partner, User: user().ID, Data: json.RawMessage(`{"a":1}`),
		}, nil))
	}
}

func (w *world) subscriptions() *notification.Subscriptions {
	anyAddress := func(string) error { return nil }
	return notification.NewSubscriptions(w.noticeStore, anyAddress, w.clock, w.newID)
}

func (w *world) subscribe(url string) {
	in := notification.SubscriptionInput{ServerURL: &url, Events: []string{notification.AllEvents}}
	_, _, err := w.subscriptions().Create(context.Background(), partner, in, nil)
	must(err)
}

// pauseSubscriptions is what a partner does who maintains the receiver.
func (w *world) pauseSubscriptions() time.Duration {
	ctx := context.Background()
	all, err := w.noticeStore.Subscriptions(ctx, partner)
	must(err)
	for _, s := range all {
		_, err := w.subscriptions().SetStatus(ctx, partner, s.ID, notification.SubscriptionPaused)
		must(err)
	}
	return finished
}

// deliveries returns all deliveries for which there ever was a message, by subscription.
func (w *world) deliveries() map[string][]notification.Delivery {
	known := map[notification.DeliveryKey]bool{}
	for _, m := range w.messages {
		var k notification.DeliveryKey
		if m.queue == "DeliveryQueue" || m.queue == "RetryQueue" {
			must(json.Unmarshal([]byte(m.body), &k))
			known[k] = true
		}
	}
	all := map[string][]notification.Delivery{}
	for k := range known {
		d, err := w.noticeStore.Delivery(context.Background(), k)
		must(err)
		all[k.SubscriptionID] = append(all[k.SubscriptionID], d)
	}
	return all
}

func delivered(w *world) bool {
	for _, deliveries := range w.deliveries() {
		for _, d := range deliveries {
			if d.Status == notification.DeliveryPending {
				return false
			}
		}
	}
	return len(w.rows("OutboxTable")) == 0
}

// endsWith: the event has one delivery for each subscription, and they end so.
func endsWith(want ...notification.DeliveryStatus) func(*problems, *world, int) {
	return func(a *problems, w *world, crashes int) {
		all := w.deliveries()
		assert.Len(a, all, len(want), "subscriptions with deliveries")
		for i, id := range slices.Sorted(maps.Keys(all)) {
			d, failing := w.aboutEvents(all[id])
			assert.Len(a, d, 1, "deliveries")
			assert.Equal(a, want[i], d[0].Status)
			attempts := w.attemptsInOrder(a, id, crashes)
			if want[i] == notification.DeliveryExhausted {
				assert.Len(a, attempts, 1+len(w.webhookDelay), "attempts")
				assert.Empty(a, failing, "deliveries about itself")
			} else {
				assert.Len(a, failing, given(want), "deliveries about the subscription that fails")
			}
		}
		w.failuresTold(a, given(want), crashes)
	}
}

func given(want []notification.DeliveryStatus) (exhausted int) {
	for _, status := range want {
		if status == notification.DeliveryExhausted {
			exhausted++
		}
	}
	return exhausted
}

// aboutEvents separates the deliveries about subscriptions that fail from the others.
func (w *world) aboutEvents(all []notification.Delivery) (others, failing []notification.Delivery) {
	for _, d := range all {
		if d.EventType == notification.EventSubscriptionFailing {
			failing = append(failing, d)
		} else {
			others = append(others, d)
		}
	}
	return others, failing
}

// failuresTold: n subscriptions fail, and there is one event about each, neither lost nor
// doubled, and one mail, which a crash right after it may double.
func (w *world) failuresTold(a *problems, n, crashes int) {
	assert.GreaterOrEqual(a, w.alerted, n, "mails about subscriptions that fail")
	assert.LessOrEqual(a, w.alerted, n+n*crashes, "mails about subscriptions that fail")
	told := 0
	for _, e := range w.told {
		if e.Type == notification.EventSubscriptionFailing {
			told++
		}
	}
	assert.Equal(a, n, told, "events about subscriptions that fail")
	all, err := w.noticeStore.Subscriptions(context.Background(), partner)
	must(err)
	failing := 0
	for _, s := range all {
		if !s.FailingSince.IsZero() {
			failing++
			assert.Equal(a, 1, s.Exhausted, "deliveries given up")
		}
	}
	assert.Equal(a, n, failing, "subscriptions that fail")
}

// deliveredOrPaused: whoever crashed long enough makes the second attempt when the
// subscription is paused, others not even the first.
func deliveredOrPaused(a *problems, w *world, crashes int) {
	for id, deliveries := range w.deliveries() {
		assert.Len(a, deliveries, 1, "deliveries")
		attempts := w.attemptsInOrder(a, id, crashes)
		last := deliveries[0]
		if last.Status == notification.DeliveryExhausted {
			assert.Equal(a, notification.ReasonSubscriptionPaused, last.Reason)
			assert.LessOrEqual(a, len(attempts), 1, "attempts")
		}
	}
}

// attemptsInOrder: the attempts are numbered from 1 without a gap, none comes too early or
// after an acknowledgement, and the receiver was called once for each, and once more at most
// for each crash.
func (w *world) attemptsInOrder(a *problems, subscription string, crashes int) []notification.Attempt {
	attempts, _, err := w.noticeStore.Attempts(
		context.Background(), notification.Subscription{Partner: partner, ID: subscription}, 100, "")
	must(err)
	slices.Reverse(attempts)
	attempts = slices.DeleteFunc(attempts, func(attempt notification.Attempt) bool {
		return attempt.EventType == notification.EventSubscriptionFailing
	})
	for i, attempt := range attempts {
		assert.Equal(a, i+1, attempt.Number, "number of the attempt")
		if i > 0 {
			assert.NotEqual(a, notification.OutcomeAcknowledged, attempts[i-1].Outcome, "the attempt before")
			earliest := attempts[i-1].StartedAt.Add(w.webhookDelay[i-1])
			assert.False(a, attempt.StartedAt.Before(earliest), "the attempt came too early")
		}
	}
	s, err := w.noticeStore.Subscription(context.Background(), partner, subscription)
	must(err)
	calls := 0
	for _, c := range w.received {
		if c.URL == s.ServerURL && !bytes.Contains(c.Body, []byte(notification.EventSubscriptionFailing)) {
			calls++
		}
	}
	assert.LessOrEqual(a, calls, len(attempts)+crashes, "calls of the receiver")
	assert.GreaterOrEqual(a, calls+crashes/2, len(attempts), "calls of the receiver")
	return attempts
}
