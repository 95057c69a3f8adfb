package notification

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"aviso/internal/outcome"
)

// A call to a subscription runs in one of its slots, so that a hanging receiver does not
// hold up the others. How many slots there are adapts to how fast the receiver answers.
const (
	// Slots is how many slots a subscription has at first.
	Slots = 4
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

// mostSlots returns how many slots the delivery's subscription may have. Deliveries
// written before Peers was could belong to any number of subscriptions.
func (d *Deliverer) mostSlots(delivery Delivery) int {
	peers := delivery.Peers
	if peers == 0 {
		peers = MaxSubscriptions
	}
	return max(d.PartnerCalls/peers, Slots)
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
	case r.Duration > slowAnswer && now > Slots:
		return max(now/2, Slots)
	case r.Duration <= quickAnswer && busy:
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

// adapt changes the number of the subscription's slots after a call. There are as many
// calls between two additions as there are slots, on average, so that a full round of
// calls has to go well and hardly any call costs another write.
func (d *Deliverer) adapt(ctx context.Context, s Subscription, now, most int, busy bool, r Result) error {
	next := adaptedSlots(now, most, busy, r)
	if next == now || next > now && rand.N(now) > 0 { //nolint:gosec // chance need not be unpredictable
		return nil
	}
	if err := d.store.SetSlots(ctx, s, next); err != nil && !errors.Is(err, outcome.ErrChanged) {
		return fmt.Errorf("set slots: %w", err)
	}
	return nil
}
