package webhookdeliveryfn

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"aviso/internal/app/bootstrap"
	"aviso/internal/messaging/outbox"
	"aviso/internal/notification"
)

// told is one event, and the deliveries that it must and may have.
type told struct {
	event outbox.Event
	// wanted are the subscriptions that matched when it was emitted and when
	// it was fanned out; allowed are those that matched at any attempt to do so.
	wanted, allowed map[string]bool
	handedOut       bool
}

// history is a run with faults, and what was seen.
type history struct {
	*webhooks
	mu     sync.Mutex
	chance *rand.Rand
	// faults is how many in a thousand calls crash or fail.
	faults int
	// again is the average interval, in minutes, of a repeated fan-out; 0 is never.
	again    int
	events   map[string]*told
	sends    map[string]int       // by delivery and attempt
	faulty   map[string]bool      // by delivery and attempt
	twice    map[string]bool      // by event: whether a first attempt was made twice at once
	acked    map[string]bool      // by delivery
	underWay map[string]int       // by subscription
	paused   map[string]bool      // subscriptions that have ever been
	busy     map[string]time.Time // by delivery: until when calls of its first attempt take
	due      map[string]time.Time // by delivery: when its next attempt may begin, as its receiver saw it
	wrong    []string
}

func (h *history) violated(format string, args ...any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.wrong = append(h.wrong, fmt.Sprintf(format, args...))
}

func (h *history) roll(n int) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.chance.IntN(n)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

var errBusy = errors.New("the store is busy")

// fail crashes the goroutine that calls the store, or makes the call fail.
func (h *history) fail(string) error {
	runtime.Gosched() // so that copies get in each other's way
	h.mu.Lock()
	n, faults := h.chance.IntN(2000), h.faults
	h.mu.Unlock()
	switch {
	case n < faults:
		runtime.Goexit()
	case n < 2*faults:
		return errBusy
	}
	return nil
}

func attemptName(d notification.Delivery) string { return fmt.Sprint(d.DeliveryID, "/", d.Attempt) }

// work makes an attempt and records a failure.
func (h *history) work(
	do func(context.Context, notification.DeliveryKey, int) error,
) func(context.Context, notification.DeliveryKey, int) error {
	return func(ctx context.Context, k notification.DeliveryKey, n int) error {
		d, _ := h.Delivery(ctx, k)
		name, well := attemptName(d), false
		defer func() {
			if !well {
				h.mu.Lock()
				h.faulty[name] = true
				h.mu.Unlock()
			}
		}()
		err := do(ctx, k, n)
		well = err == nil
		return err
	}
}

// look runs a check without faults.
func (h *history) look(do func()) {
	defer h.quietly()()
	do()
}

// quietly turns faults off until the returned function is called.
func (h *history) quietly() func() {
	h.mu.Lock()
	defer h.mu.Unlock()
	before := h.faults
	h.faults = 0
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.faults = before
	}
}

// receive is the receiver: it checks each call against the promises.
func (h *history) receive(c notification.Call) (notification.Outcome, time.Duration) {
	h.mu.Lock()
	before, after := h.chance.IntN(1000) < h.faults, h.chance.IntN(1000) < h.faults
	h.mu.Unlock()
	if before {
		runtime.Goexit()
	}
	id := c.URL[strings.LastIndex(c.URL, "/")+1:]
	var d notification.Delivery
	for _, s := range h.state() {
		if strings.HasSuffix(s.ServerURL, id) {
			d, _ = h.Delivery(context.Background(), notification.DeliveryKey{
				Partner: s.Partner, SubscriptionID: s.ID, DeliveryID: notification.DeliveryID(s.ID, c.EventID),
			})
		}
	}
	h.judge(d, c)
	outcomes := append([]notification.Outcome{notification.OutcomeAcknowledged, notification.OutcomeAcknowledged}, failures...)
	outcome, takes := outcomes[h.roll(len(outcomes))], time.Duration(h.roll(30_000))*time.Millisecond
	switch h.roll(5) {
	case 0:
		takes = time.Hour // hangs
	case 1, 2:
		takes = time.Duration(h.roll(500)) * time.Millisecond // is quick
	}
	takes = min(takes, notification.CallTimeout)
	h.mu.Lock()
	if until, ok := h.busy[d.DeliveryID]; ok && !until.Before(time.Now()) {
		h.busy[d.DeliveryID] = later(until, time.Now().Add(takes))
	}
	h.mu.Unlock()
	most := max(h.state()[d.SubscriptionID].PeakLimit, notification.InitialLimit)
	h.mu.Lock()
	h.underWay[d.SubscriptionID]++
	if h.underWay[d.SubscriptionID] > most {
		h.wrong = append(h.wrong, "more calls under way than there are slots")
	}
	h.mu.Unlock()
	time.Sleep(takes)
	h.mu.Lock()
	h.underWay[d.SubscriptionID]--
	h.acked[d.DeliveryID] = h.acked[d.DeliveryID] || outcome == notification.OutcomeAcknowledged && takes < notification.CallTimeout
	if d.Attempt <= 2 {
		next := d.DeliveryID + fmt.Sprint(d.Attempt+1)
		if _, ok := h.due[next]; !ok { // of two calls at once, either may be the one that is recorded
			h.due[next] = time.Now().Add([]time.Duration{15 * time.Minute, time.Hour}[d.Attempt-1])
		}
	}
	h.mu.Unlock()
	if after {
		runtime.Goexit()
	}
	if takes == notification.CallTimeout {
		return notification.OutcomeTimeout, 0
	}
	return outcome, 0
}

// handOut is one attempt of the outbox.
func (h *history) handOut(x *told) {
	synctest.Wait()
	now := h.wanting(x.event)
	h.mu.Lock()
	maps.Copy(x.allowed, now)
	h.mu.Unlock()
	done := false
	var all sync.WaitGroup
	all.Go(func() { done = h.dispatch(context.Background(), x.event) == nil })
	all.Wait()
	if done && !x.handedOut {
		x.handedOut = true
		maps.DeleteFunc(x.wanted, func(id string, _ bool) bool { return !now[id] })
	}
}

// pass advances time: the outbox continues, and housekeeping runs every minute.
func (h *history) pass(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
		time.Sleep(min(time.Until(end), time.Minute))
		for _, id := range slices.Sorted(maps.Keys(h.events)) {
			if x := h.events[id]; !x.handedOut || h.again > 0 && h.roll(h.again) == 0 {
				h.handOut(x)
			}
		}
		var all sync.WaitGroup
		all.Go(func() { _, _ = h.housekeeping.Run(context.Background()) })
		all.Wait()
	}
	synctest.Wait()
}

func (h *history) do(s step, t *testing.T) {
	h.pass(s.After)
	partner := historyPartners[s.Partner]
	mine := slices.SortedFunc(maps.Values(h.state()), func(a, b notification.Subscription) int { return cmp.Compare(a.ID, b.ID) })
	mine = slices.DeleteFunc(mine, func(x notification.Subscription) bool { return x.Partner != partner })
	wish := notification.SubscriptionInput{Events: []string{append(historyTypes, notification.AllEvents)[s.Type]}}
	var err error
	switch {
	case s.Kind == "emit" || s.Kind == "burst":
		for range map[string]int{"emit": 1, "burst": 6}[s.Kind] {
			x := &told{event: anEvent(), allowed: map[string]bool{}}
			x.event.Partner, x.event.Type = partner, historyTypes[s.Type%3]
			x.wanted = h.wanting(x.event)
			h.mu.Lock()
			h.events[x.event.ID] = x
			h.mu.Unlock()
			h.handOut(x)
		}
	case s.Kind == "create":
		url := "https://partner.example/" + bootstrap.NewID()
		wish.ServerURL = &url
		h.look(func() { _, _, err = h.subscriptions.Create(t.Context(), partner, wish, nil) })
	case len(mine) == 0:
	default:
		id := mine[s.Subscription%len(mine)].ID
		h.look(func() {
			switch s.Kind {
			case "status":
				h.paused[id] = true
				_, err = h.subscriptions.SetStatus(t.Context(), partner, id, historyStatuses[s.Status])
			case "events":
				_, err = h.subscriptions.Update(t.Context(), partner, id, wish)
			case "delete":
				err = h.subscriptions.Delete(t.Context(), partner, id)
			}
		})
	}
	if err != nil {
		h.violated("%s: %v", s.Kind, err)
	}
}

// run plays a history and returns what was wrong with it.
func run(t *testing.T, steps []step, faults int, seed uint64) (wrong []string, calls int) {
	synctest.Test(t, func(t *testing.T) {
		h := &history{
			chance: rand.New(rand.NewPCG(seed, 1)), faults: faults, again: 500, events: map[string]*told{},
			sends: map[string]int{}, faulty: map[string]bool{}, acked: map[string]bool{}, underWay: map[string]int{},
			paused: map[string]bool{}, due: map[string]time.Time{}, busy: map[string]time.Time{}, twice: map[string]bool{},
		}
		h.webhooks = newWebhooks(t, h.receive)
		h.Fail, h.queue.Work = h.fail, h.work(h.queue.Work)
		h.retries.Work = h.queue.Work
		h.queue.Copies = func() (copies []time.Duration) {
			for range []int{0, 1, 1, 1, 1, 1, 1, 1, 2, 3}[h.roll(10)] {
				copies = append(copies, time.Duration(h.roll([]int{1, 1000, 120_000, 1_000_000}[h.roll(4)]))*time.Millisecond)
			}
			return copies
		}
		h.retries.Copies = h.queue.Copies
		for _, s := range steps {
			h.do(s, t)
		}
		h.quietly() // in the end all is well
		h.again = 0
		h.pass(4 * time.Hour)
		h.ended(t)
		wrong, calls = h.wrong, len(h.receivers.Calls())
	})
	return wrong, calls
}

func TestDeliveryHistories(t *testing.T) {
	calls := 0
	rapid.Check(t, func(rt *rapid.T) {
		steps, faults, seed := drawSteps(rt), rapid.SampledFrom([]int{0, 5, 20, 60}).Draw(rt, "faults"), rapid.Uint64().Draw(rt, "seed")
		wrong, n := run(t, steps, faults, seed)
		if calls += n; len(wrong) > 0 {
			rt.Fatalf("%d violations: %s", len(wrong), strings.Join(wrong[:min(len(wrong), 5)], "\n"))
		}
	})
	if calls < 100 {
		t.Fatalf("only %d calls were seen", calls)
	}
	t.Logf("%d calls", calls)
}
