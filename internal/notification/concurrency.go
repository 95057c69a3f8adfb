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

// Each subscription has a concurrency limit: the number of calls to its receiver that may be in flight. So a hanging
// receiver does not hold up the others. Each call holds one of the limit's slots. The limit adapts to the receiver:
// it grows in small steps and is halved after trouble (additive increase, multiplicative decrease).
const (
	// InitialLimit is the concurrency limit of a new subscription.
	InitialLimit = 4
	// A receiver is fast once its limit has reached fastLimit. A call to a fast receiver takes a slot only when it
	// lasts longer than instant. There are fastSlots of these.
	fastLimit, fastSlots = 128, 32
	instant              = time.Second
	// saturatedFor is how long nobody looks for a slot after a call has found none. It is much shorter than the
	// shortest backoff.
	saturatedFor = 100 * time.Millisecond
	// The first messages to a new receiver wait for its first responses, which may show that it is fast. They wait in
	// the function, because queues delay by whole seconds. A hanging receiver costs this once.
	probeTime, probeEvery = 300 * time.Millisecond, 25 * time.Millisecond
	// A response within fastAnswer may raise the limit. One that takes longer than slowAnswer halves it, but not below
	// InitialLimit.
	fastAnswer, slowAnswer = 2 * time.Second, 10 * time.Second
)

// Slot is one of the calls that a concurrency limit allows.
type Slot struct {
	Number int
	// Busy reports that at least half of the slots in its row are in use.
	Busy bool
}

// maxLimit returns the highest concurrency limit of the delivery's subscription.
func (d *Deliverer) maxLimit(delivery Delivery) int {
	return max(d.PartnerCalls/max(delivery.Peers, 1), InitialLimit)
}

// adaptedLimit returns the limit after a call with result r. It grows by an eighth if the response was fast and at
// least half of the slots are in use: idle slots prove nothing.
func adaptedLimit(limit, highest int, busy bool, r Result) int {
	switch {
	case overloaded(r):
		return max(limit/2, 1)
	case r.Outcome != OutcomeAcknowledged:
		return limit
	case r.Took() > slowAnswer && limit > InitialLimit:
		return max(limit/2, InitialLimit)
	case r.Took() <= fastAnswer && busy:
		return max(limit, min(limit+1+limit/8, highest))
	default:
		return limit
	}
}

// overloaded reports whether the receiver seems to get too many calls. Other failures are about an event or an
// address; fewer calls would not help.
func overloaded(r Result) bool {
	const tooManyRequests, unavailable = 429, 503
	return r.Outcome == OutcomeTimeout || r.Outcome == OutcomeConnectionError ||
		r.Outcome == OutcomeHTTPError && (r.HTTPStatus == tooManyRequests || r.HTTPStatus == unavailable)
}

// isFast reports whether the receiver has always answered instantly so far.
func (s Subscription) isFast() bool { return s.Limit >= fastLimit }

// raisedLimit returns the limit after an instant acknowledgement. The very first one proves a new receiver fast;
// after trouble it takes several.
func (s Subscription) raisedLimit() int {
	if s.Limit == 0 {
		return fastLimit
	}
	return max(s.Limit, min(2*s.Limit, fastLimit))
}

// permit allows one call to a subscription.
type permit struct {
	// limit is the current concurrency limit, highest its maximum. busy is Slot.Busy.
	limit, highest int
	busy           bool
	// release ends the call.
	release func() error
}

// acquire returns a permit. For a fast receiver, the permit takes its slot later. acquire returns outcome.ErrChanged
// if no slot is free.
func (d *Deliverer) acquire(ctx context.Context, begin start, s Subscription) (permit, error) {
	highest := d.maxLimit(begin.Delivery)
	if s.isFast() {
		release := d.acquireLater(ctx, s, min(fastSlots, highest), begin.until)
		return permit{limit: s.Limit, highest: highest, release: release}, nil
	}
	limit := min(cmp.Or(s.Limit, InitialLimit), highest)
	slot, err := d.acquireSlot(ctx, s, limit, begin.until)
	if err != nil {
		return permit{}, err
	}
	release := func() error { return d.store.ReleaseSlot(ctx, s, slot.Number, begin.until) }
	return permit{limit: limit, highest: highest, busy: slot.Busy, release: release}, nil
}

// acquireSlot takes a slot. It does not even look if another message has just found none: a thousand messages for a
// hanging receiver would each write, and hold up those for other receivers.
func (d *Deliverer) acquireSlot(ctx context.Context, s Subscription, limit int, until clock.Real) (Slot, error) {
	now := clock.Read(d.now)
	if d.isSaturated(s, now) {
		return Slot{}, outcome.ErrChanged
	}
	slot, err := d.store.AcquireSlot(ctx, s, limit, now, until)
	if errors.Is(err, outcome.ErrChanged) {
		since := d.saturation(s).since
		if since.IsZero() {
			since = now
		}
		d.saturated.Store(s.path(), saturation{since: since, last: now})
	} else {
		d.saturated.Delete(s.path())
	}
	return slot, err
}

// saturation says when a subscription first and last had no free slot. It is zero if the last message found a slot.
type saturation struct{ since, last clock.Real }

func (d *Deliverer) saturation(s Subscription) saturation {
	stored, _ := d.saturated.Load(s.path())
	f, _ := stored.(saturation)
	return f
}

// isSaturated reports whether a message has just found no free slot.
func (d *Deliverer) isSaturated(s Subscription, now clock.Real) bool {
	return now.Sub(d.saturation(s).last) < saturatedFor
}

// isProbing reports whether a new receiver's first responses may still prove it fast.
func (d *Deliverer) isProbing(s Subscription) bool {
	return s.Status == SubscriptionActive && s.Limit == 0 &&
		clock.Read(d.now).Sub(d.saturation(s).since) < probeTime
}

// path tells subscriptions of all partners apart.
func (s Subscription) path() string { return string(s.Partner) + "/" + s.ID }

// acquireLater takes a slot once the call is no longer instant. If none is free, the receiver is hanging or close to
// it. acquireLater then halves the limit, so that further calls need slots from the start. The caller calls release
// when the call has ended.
func (d *Deliverer) acquireLater(
	ctx context.Context, s Subscription, slots int, until clock.Real,
) (release func() error) {
	taken := make(chan func() error, 1)
	timer := time.AfterFunc(instant, func() {
		release := func() error { return nil }
		defer func() { taken <- release }() // even if a store call never returns, as in tests
		slot, err := d.store.AcquireSlot(ctx, s, slots, clock.Read(d.now), until)
		if err == nil {
			release = func() error { return d.store.ReleaseSlot(ctx, s, slot.Number, until) }
			return
		}
		if errors.Is(err, outcome.ErrChanged) {
			err = d.setLimit(ctx, s, s.Limit/2)
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

// adapt changes the subscription's limit after a call. It raises a limit of n only with a probability of 1/n. So
// raising takes a whole round of good calls, and few calls cost an extra write.
func (d *Deliverer) adapt(ctx context.Context, s Subscription, p permit, r Result) error {
	now, next := p.limit, adaptedLimit(p.limit, p.highest, p.busy, r)
	if r.Outcome == OutcomeAcknowledged && r.Took() <= instant {
		now, next = s.Limit, s.raisedLimit()
	}
	if next == now || next > now && now > 0 && rand.N(now) > 0 { //nolint:gosec // chance need not be unpredictable
		return nil
	}
	return d.setLimit(ctx, s, next)
}

// setLimit sets the limit, unless it has changed since s was read.
func (d *Deliverer) setLimit(ctx context.Context, s Subscription, limit int) error {
	if err := d.store.SetLimit(ctx, s, limit); !errors.Is(err, outcome.ErrChanged) {
		return err
	}
	return nil
}
