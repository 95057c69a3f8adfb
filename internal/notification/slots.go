package notification

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"aviso/internal/clock"
	"aviso/internal/outcome"
)

// A call to a subscription runs in one of its slots, so that a hanging receiver does not
// hold up the others. How many slots there are adapts to how fast the receiver answers.
const (
	// Slots is how many slots a subscription has at first.
	Slots = 4
	// quickSlots is how many a subscription has whose receiver has proved to be quick. Its calls
	// need no slot, unless they last longer than instantAnswer: slowCalls of these may.
	quickSlots    = 128
	slowCalls     = 32
	instantAnswer = time.Second
	// fullFor is how long after nobody has found a free slot nobody looks for one: much less than the
	// shortest wait for one.
	fullFor = 100 * time.Millisecond
	// The first messages to a new receiver wait this long for its first answers, which may prove
	// that it is quick. Queues wait for whole seconds only, so these wait in the function, and look
	// every few milliseconds. A receiver that hangs costs this once.
	firstAnswers, lookAgain = 300 * time.Millisecond, 25 * time.Millisecond
	// A quick acknowledgement may add slots, one that is slower than slowAnswer takes
	// those away that were added.
	quickAnswer, slowAnswer = 2 * time.Second, 10 * time.Second
)

// Slot is a slot that was taken.
type Slot struct {
	Number int
	// Busy reports that at least half of the slots beside it are taken.
	Busy bool
}

// mostSlots returns how many slots the delivery's subscription may have.
func (d *Deliverer) mostSlots(delivery Delivery) int {
	return max(d.PartnerCalls/max(delivery.Peers, 1), Slots)
}

// adaptedSlots returns how many slots there should be after a call that had this result
// while there were now.
//
// A receiver that cannot keep up loses half of its slots. One that answers quickly, and has
// so many events that its slots are in use, gets an eighth more: idle slots prove nothing.
func adaptedSlots(now, most int, busy bool, r Result) int {
	switch {
	case overloaded(r):
		return max(now/2, 1)
	case r.Outcome != OutcomeAcknowledged:
		return now
	case r.Took() > slowAnswer && now > Slots:
		return max(now/2, Slots)
	case r.Took() <= quickAnswer && busy:
		return max(now, min(now+1+now/8, most))
	default:
		return now
	}
}

// overloaded reports whether the receiver seems to get more calls than it can take. Other
// failures are about an event or an address, and fewer calls would not help.
func overloaded(r Result) bool {
	const tooManyRequests, unavailable = 429, 503
	return r.Outcome == OutcomeTimeout || r.Outcome == OutcomeConnectionError ||
		r.Outcome == OutcomeHTTPError && (r.HTTPStatus == tooManyRequests || r.HTTPStatus == unavailable)
}

// quick reports whether the receiver answers at once, as far as we know.
func (s Subscription) quick() bool { return s.Slots >= quickSlots }

// proved returns the number of slots after an instant acknowledgement: the first one of all
// proves that the receiver is quick; after trouble it takes several.
func (s Subscription) proved() int {
	if s.Slots == 0 {
		return quickSlots
	}
	return max(s.Slots, min(2*s.Slots, quickSlots))
}

// place is what allows a call to a subscription.
type place struct {
	// slots is how many slots there are, most how many there may be. busy is as in Slot.
	slots, most int
	busy        bool
	// leave ends it.
	leave func() error
}

// takePlace takes a slot, or none yet if the receiver is quick. It returns outcome.ErrChanged
// if all slots are taken.
func (d *Deliverer) takePlace(ctx context.Context, l leased, s Subscription) (place, error) {
	most := d.mostSlots(l.Delivery)
	if s.quick() {
		return place{slots: s.Slots, most: most, leave: d.watch(ctx, s, min(slowCalls, most), l.until)}, nil
	}
	slots := min(cmp.Or(s.Slots, Slots), most)
	slot, err := d.takeSlotUnlessFull(ctx, s, slots, l.until)
	if err != nil {
		return place{}, err
	}
	leave := func() error { return d.store.ReleaseSlot(ctx, s, slot.Number, l.until) }
	return place{slots: slots, most: most, busy: slot.Busy, leave: leave}, nil
}

// takeSlotUnlessFull takes a slot, unless another message has found none a moment ago: a thousand
// that wait for a receiver that hangs would each try to write, before those of others have their turn.
func (d *Deliverer) takeSlotUnlessFull(ctx context.Context, s Subscription, slots int, until clock.Real) (Slot, error) {
	now := clock.Read(d.now)
	if d.isFull(s, now) {
		return Slot{}, outcome.ErrChanged
	}
	slot, err := d.store.TakeSlot(ctx, s, slots, now, until)
	if errors.Is(err, outcome.ErrChanged) {
		since := d.fullness(s).since
		if since.IsZero() {
			since = now
		}
		d.full.Store(s.path(), fullness{since: since, last: now})
	} else {
		d.full.Delete(s.path())
	}
	return slot, err
}

// fullness is since when, and when last, a subscription had no free slot; long ago if it had some.
type fullness struct{ since, last clock.Real }

func (d *Deliverer) fullness(s Subscription) fullness {
	stored, _ := d.full.Load(s.path())
	f, _ := stored.(fullness)
	return f
}

// isFull reports whether the subscription had no free slot a moment ago.
func (d *Deliverer) isFull(s Subscription, now clock.Real) bool {
	return now.Sub(d.fullness(s).last) < fullFor
}

// isProving reports whether the first answers of a new receiver may still prove that it is quick.
func (d *Deliverer) isProving(s Subscription) bool {
	return s.Status == SubscriptionActive && s.Slots == 0 &&
		clock.Read(d.now).Sub(d.fullness(s).since) < firstAnswers
}

// path tells subscriptions of all partners apart.
func (s Subscription) path() string { return string(s.Partner) + "/" + s.ID }

// watch takes a slot for a call that is still running after a while. If none is free the
// receiver hangs, or nearly, and from then on calls need slots. The caller ends it.
func (d *Deliverer) watch(ctx context.Context, s Subscription, slots int, until clock.Real) (end func() error) {
	taken := make(chan func() error, 1)
	timer := time.AfterFunc(instantAnswer, func() {
		release := func() error { return nil }
		defer func() { taken <- release }() // also if a store's call never returns, as in tests
		slot, err := d.store.TakeSlot(ctx, s, slots, clock.Read(d.now), until)
		if err == nil {
			release = func() error { return d.store.ReleaseSlot(ctx, s, slot.Number, until) }
			return
		}
		if errors.Is(err, outcome.ErrChanged) {
			err = d.setSlots(ctx, s, s.Slots/2)
		}
		release = func() error { return err }
	})
	return func() error {
		if timer.Stop() {
			return nil
		}
		return (<-taken)()
	}
}

// adapt changes the number of the subscription's slots after a call. There are as many
// calls between two additions as there are slots, on average, so that a full round of
// calls has to go well and hardly any call costs another write.
func (d *Deliverer) adapt(ctx context.Context, s Subscription, p place, r Result) error {
	now, next := p.slots, adaptedSlots(p.slots, p.most, p.busy, r)
	if r.Outcome == OutcomeAcknowledged && r.Took() <= instantAnswer {
		now, next = s.Slots, s.proved()
	}
	if next == now || next > now && now > 0 && rand.N(now) > 0 { //nolint:gosec // chance need not be unpredictable
		return nil
	}
	return d.setSlots(ctx, s, next)
}

// setSlots sets the number of slots, unless somebody has since s was read.
func (d *Deliverer) setSlots(ctx context.Context, s Subscription, slots int) error {
	if err := d.store.SetSlots(ctx, s, slots); !errors.Is(err, outcome.ErrChanged) {
		return err
	}
	return nil
}
