package webhookdeliveryfn

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/clock"
	"aviso/internal/notification"
	"aviso/internal/owner"
)

// The limits of the queues in template.yaml.
const deliveryConcurrency, retryConcurrency = 250, 100

// onLambda gives the queues the limits of template.yaml, and every call of the
// store a time that it takes.
func (w *webhooks) onLambda() {
	const storeTakes, poll = 5 * time.Millisecond, 20 * time.Millisecond
	w.queue.Batch, w.queue.Concurrency, w.queue.Poll = 10, deliveryConcurrency, poll
	w.retries.Batch, w.retries.Concurrency, w.retries.Poll = 10, retryConcurrency, poll
	w.Fail = func(call string) error {
		if !strings.HasPrefix(call, "after ") {
			time.Sleep(storeTakes)
		}
		return nil
	}
}

// emits is how many events the healthy subscription gets.
const emits = 1200

// latencies delivers an event of partner q every 100 ms for two minutes, and
// returns how long each waited for its first attempt, in ascending order.
// `hanging` of partner p's subscriptions have `deep` events each and never
// answer.
func latencies(t *testing.T, hanging, deep int) (waits []time.Duration, w *webhooks) {
	w = newWebhooks(t, func(c notification.Call) (notification.Outcome, time.Duration) {
		if strings.HasPrefix(c.URL, "https://hangs.") {
			return notification.OutcomeAcknowledged, time.Hour
		}
		return notification.OutcomeAcknowledged, 200 * time.Millisecond
	})
	subscribe := func(partner owner.PartnerID, url string) {
		_, _, err := w.subscriptions.Create(t.Context(), partner,
			notification.SubscriptionInput{ServerURL: &url, Events: []string{notification.AllEvents}}, nil)
		require.NoError(t, err)
	}
	for range hanging {
		subscribe("p", "https://hangs.example/")
	}
	subscribe("q", "https://well.example/")
	w.onLambda()
	emitted := map[string]time.Time{}
	var all sync.WaitGroup
	if hanging > 0 {
		for range deep {
			all.Go(func() { assert.NoError(t, w.dispatch(t.Context(), anEvent())) })
		}
	}
	began := time.Now()
	for range emits {
		e := anEvent()
		e.Partner, emitted[e.ID] = "q", e.OccurredAt.Time()
		all.Go(func() { assert.NoError(t, w.dispatch(t.Context(), e)) })
		time.Sleep(100 * time.Millisecond)
		if time.Since(began)%time.Minute == 0 {
			_, err := w.housekeeping.Run(context.Background())
			require.NoError(t, err)
			began = time.Now()
		}
	}
	all.Wait()
	time.Sleep(2 * time.Minute)
	for _, c := range w.receivers.Calls() {
		if at, ok := emitted[c.EventID]; ok {
			waits = append(waits, c.At.Sub(clock.Real(at)))
			delete(emitted, c.EventID)
		}
	}
	assert.Empty(t, emitted, "every event was sent")
	slices.Sort(waits)
	return waits, w
}

func percentile(sorted []time.Duration, p float64) time.Duration {
	return sorted[int(float64(len(sorted)-1)*p)]
}

func TestHangingReceiverDelaysNobodyElse(t *testing.T) {
	measure := func(hanging, deep int) (p99 time.Duration) {
		synctest.Test(t, func(t *testing.T) {
			waits, w := latencies(t, hanging, deep)
			p99 = percentile(waits, 0.99)
			// Each delivery asks for a slot now and then, with one message at a time.
			assert.Less(t, len(w.retries.Delays()), 20*max(hanging*deep, 1))
			// Only first attempts and failures: 4 slots, a minute each.
			assert.LessOrEqual(t, len(w.queue.Delays()), emits+hanging*(deep+50))
			t.Logf("%d subscriptions that hang, %d events each: p50 %s, p99 %s, longest %s; %d messages to wake, %d to wait",
				hanging, deep, percentile(waits, 0.5), p99, waits[len(waits)-1], len(w.queue.Delays()), len(w.retries.Delays()))
		})
		return p99
	}
	alone := measure(0, 0)
	assert.LessOrEqual(t, measure(1, 300), alone+time.Second)
	assert.LessOrEqual(t, measure(50, 30), alone+time.Second, "the most subscriptions a partner may have")
}
