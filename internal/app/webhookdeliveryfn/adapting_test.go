package webhookdeliveryfn

import (
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/clock"
	"aviso/internal/notification"
	"aviso/internal/owner"
)

// load is a partner p with one subscription that gets many events, a partner q with one that
// gets few, and a partner r with one that gets some at once, most of which have to wait for a
// slot. The queues are those of template.yaml.
type load struct {
	*webhooks
	busy notification.Subscription
	// hangs makes p's receiver hang. Otherwise both answer after 300 ms.
	hangs atomic.Bool

	mu             sync.Mutex
	underWay, most int // calls to p's receiver
	emitted        map[string]time.Time
}

func newLoad(t *testing.T) *load {
	l := &load{emitted: map[string]time.Time{}}
	l.webhooks = newWebhooks(t, l.answer)
	l.onLambda()
	for _, partner := range []owner.PartnerID{"r", "q", "p"} {
		url := "https://" + string(partner) + ".example/"
		s, _, err := l.subscriptions.Create(t.Context(), partner,
			notification.SubscriptionInput{ServerURL: &url, Events: []string{notification.AllEvents}}, nil)
		require.NoError(t, err)
		l.busy = s // the last one
	}
	return l
}

func (l *load) answer(c notification.Call) (notification.Outcome, time.Duration) {
	takes := 300 * time.Millisecond
	if !strings.HasPrefix(c.URL, "https://p.") {
		return notification.OutcomeAcknowledged, takes
	}
	if l.hangs.Load() {
		takes = time.Hour
	}
	l.mu.Lock()
	l.underWay++
	l.most = max(l.most, l.underWay)
	l.mu.Unlock()
	time.AfterFunc(min(takes, notification.CallTimeout), func() {
		l.mu.Lock()
		l.underWay--
		l.mu.Unlock()
	})
	return notification.OutcomeAcknowledged, takes
}

// mostAtOnce returns the most calls to p that were under way at once so far.
func (l *load) mostAtOnce() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.most
}

// emitFor emits events of p at a rate, and 20 of q, every second, after some of r.
func (l *load) emitFor(t *testing.T, d time.Duration, rate int) {
	t.Helper()
	var all sync.WaitGroup
	emit := func(partner owner.PartnerID) {
		e := anEvent()
		e.Partner = partner
		l.emitted[e.ID] = e.OccurredAt.Time()
		all.Go(func() { assert.NoError(t, l.dispatch(t.Context(), e)) })
	}
	for end := time.Now().Add(d); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		emit("q")
		if time.Until(end) == d {
			for range 20 * notification.InitialLimit {
				emit("r")
			}
		}
		for range rate / 20 {
			emit("p")
		}
	}
	all.Wait()
}

// waits returns how long p's or q's events of the last d waited for their first call, in
// ascending order.
func (l *load) waits(partner string, d time.Duration) (waits []time.Duration) {
	called := map[string]bool{}
	for _, c := range l.receivers.Calls() {
		at := l.emitted[c.EventID]
		if strings.HasPrefix(c.URL, "https://"+partner+".") && time.Since(at) <= d && !called[c.EventID] {
			waits, called[c.EventID] = append(waits, c.At.Sub(clock.Real(at))), true
		}
	}
	slices.Sort(waits)
	return waits
}

// fromNow forgets how many calls there were at once: the first messages wait for the first answers, and are then sent
// together.
func (l *load) fromNow() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.most = 0
}

func (l *load) slots(t *testing.T) int {
	t.Helper()
	s, err := l.Subscription(t.Context(), "p", l.busy.ID)
	require.NoError(t, err)
	return s.Limit
}

// Four slots made 13 calls a second of 300 ms each.
func TestSlotsGrowWithAReceiverThatKeepsUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLoad(t)
		l.emitFor(t, 20*time.Second, 200)
		l.fromNow()
		l.emitFor(t, 10*time.Second, 200)
		time.Sleep(5 * time.Second)
		waits := l.waits("p", 15*time.Second)
		t.Logf("%d slots, %d calls at once; p50 %s, p99 %s", l.slots(t), l.mostAtOnce(), percentile(waits, 0.5), percentile(waits, 0.99))
		first := len(waits) // assert.Len would print them all
		assert.Equal(t, 2000, first, "every event of the last ten seconds")
		assert.Less(t, percentile(waits, 0.99), time.Second)
		assert.LessOrEqual(t, l.mostAtOnce(), deliveryConcurrency/2)
		time.Sleep(5 * time.Minute)
		first = len(l.waits("p", time.Hour))
		assert.Equal(t, 30*200, first)
	})
}

// quickly makes the busy receiver known as quick.
func (l *load) quickly(t *testing.T) {
	t.Helper()
	l.emitFor(t, 50*time.Millisecond, 20)
	time.Sleep(time.Second)
	require.Greater(t, l.slots(t), 50)
}

func TestQuickReceiverGetsABurstAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLoad(t)
		l.quickly(t)
		waiting := len(l.retries.Delays())
		l.emitFor(t, 50*time.Millisecond, 20*100)
		time.Sleep(time.Second)
		assert.Len(t, l.waits("p", time.Second+100*time.Millisecond), 100)
		assert.Len(t, l.retries.Delays(), waiting, "no event waited for a slot")
		assert.LessOrEqual(t, l.slots(t), deliveryConcurrency)
	})
}

func TestQuickReceiverThatHangsHoldsWhatCameInASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLoad(t)
		l.quickly(t)
		l.hangs.Store(true)
		l.emitFor(t, 15*time.Second, 100)
		// Those of the first second, and 64 slots, of which some are among the first.
		assert.Less(t, l.mostAtOnce(), 100+64+10)
		assert.Less(t, l.slots(t), 100)
		most := l.mostAtOnce()
		l.emitFor(t, 10*time.Second, 100)
		assert.Equal(t, most, l.mostAtOnce())
	})
}

// The queue hides the message of a worker that is killed in its call. Housekeeping sends another one before.
func TestAttemptOfAQuickReceiverSurvivesACrash(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		crash := false
		w := newWebhooks(t, func(notification.Call) (notification.Outcome, time.Duration) {
			if crash {
				crash = false
				runtime.Goexit()
			}
			return notification.OutcomeAcknowledged, 0
		})
		s := w.subscribe(t)
		w.emit(t)
		w.pass(t, time.Minute)
		crash = true
		began := time.Now()
		w.emit(t)
		w.pass(t, hold-time.Second)
		assert.Len(t, w.receivers.Calls(), 2)
		w.pass(t, 10*time.Minute)
		assert.Len(t, w.receivers.Calls(), 3)
		tried := w.tried(t, s)
		require.Len(t, tried, 2)
		assert.WithinRange(t, tried[1].StartedAt.Time(), began.Add(hold), began.Add(10*time.Minute))
	})
}

func TestQuickReceiverIsPaused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWebhooks(t, always(notification.OutcomeAcknowledged, 0))
		s := w.subscribe(t)
		w.emit(t)
		w.pass(t, time.Minute)
		_, err := w.subscriptions.SetStatus(t.Context(), "p", s.ID, notification.SubscriptionPaused)
		require.NoError(t, err)
		w.emit(t)
		w.pass(t, time.Hour)
		assert.Len(t, w.receivers.Calls(), 1)
	})
}

func TestReceiverThatSuddenlyHangsDelaysNobodyElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLoad(t)
		l.emitFor(t, 10*time.Second, 200)
		assert.Greater(t, l.slots(t), 50)
		l.hangs.Store(true)
		l.fromNow()
		began := time.Now()
		l.emitFor(t, 20*time.Second, 50)
		time.Sleep(5 * time.Second)
		waits := l.waits("q", time.Since(began))
		t.Logf("%d slots, %d calls at once; q waits: p50 %s, p99 %s", l.slots(t), l.mostAtOnce(),
			percentile(waits, 0.5), percentile(waits, 0.99))
		first := len(waits)
		assert.Equal(t, 20*20, first)
		assert.Less(t, percentile(waits, 0.99), time.Second)
		assert.LessOrEqual(t, l.mostAtOnce(), deliveryConcurrency/2)
		time.Sleep(10 * time.Minute)
		assert.LessOrEqual(t, l.slots(t), 2)

		l.hangs.Store(false)
		time.Sleep(20 * time.Minute)
		assert.Greater(t, l.slots(t), notification.InitialLimit, "it is well again")
		time.Sleep(3 * time.Hour)
		for _, d := range l.Deliveries(t) {
			require.NotEqual(t, notification.DeliveryPending, d.Status)
		}
	})
}

// p's calls have filled RetryQueue's functions, too, when its receiver hangs.
func TestReceiverThatSuddenlyHangsDelaysNoWaitingDelivery(t *testing.T) {
	burst := func(hangs bool) (longest time.Duration) {
		synctest.Test(t, func(t *testing.T) {
			l := newLoad(t)
			l.retries.Batch = 1 // the worst that SQS may do
			l.emitFor(t, 8*time.Second, 600)
			time.Sleep(3 * time.Second) // now all calls come from RetryQueue
			l.hangs.Store(hangs)
			time.Sleep(3 * time.Second)
			began := time.Now()
			l.emitFor(t, time.Second, 0)
			time.Sleep(2 * time.Minute)
			waits := l.waits("r", time.Since(began))
			longest = waits[len(waits)-1]
			t.Logf("hangs: %t; r waits: %d, p50 %s, longest %s", hangs, len(waits), percentile(waits, 0.5), longest)
		})
		return longest
	}
	well := burst(false)
	assert.Less(t, burst(true), well+20*time.Second)
}
