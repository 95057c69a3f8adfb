package notification

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"aviso/internal/clock"
	"aviso/internal/outcome"
)

const (
	// lease is how long an attempt counts as in progress, and holds its slot. A call ends
	// settleTime before it, so nobody is still calling when somebody else may start. After a
	// crash the subscription stands still for that long, so it is as short as it can be.
	lease = claimTime + CallTimeout + settleTime
	// claimTime is for what precedes a call, after which the call has less time than
	// CallTimeout. settleTime is for recording its result.
	claimTime, settleTime = 5 * time.Second, 5 * time.Second
	// maxSends is how often one attempt may be started: a second time after a crash,
	// which may have happened between sending and recording the result.
	maxSends = 2
	// The bounds of the wait for a slot, before jitter, which at most doubles it.
	shortestWait, longestWait = 2 * time.Second, time.Minute
)

// Deliverer makes delivery attempts.
type Deliverer struct {
	// Observe, if set, is called with each attempt after it was saved.
	Observe func(ctx context.Context, d Delivery, a Attempt)
	// PartnerCalls is how many calls to one partner's receivers may run at once. Its
	// active subscriptions share them equally, but each has Slots at least.
	PartnerCalls int
	// KeepPayloads keeps in each attempt what was sent, for partners who test.
	KeepPayloads bool
	// Clocks, if set, finds the clocks of users.
	Clocks clock.Users

	store Store
	post  Caller
	// delays are the waits after the first and second failure.
	delays []time.Duration
	now    func() time.Time
	newID  func() string
}

// NewDeliverer returns a Deliverer that makes the first attempt at once and one
// more after each of the delays, counted from the previous failure. newID returns
// UUIDv7s.
func NewDeliverer(
	store Store, post Caller, delays []time.Duration, now func() time.Time, newID func() string,
) *Deliverer {
	return &Deliverer{store: store, post: post, delays: delays, now: now, newID: newID}
}

// Deliver makes the attempt that is due. It is safe to call it for the same
// delivery any number of times, early or late, and concurrently. It returns
// outcome.Later if the attempt failed and another follows, if it is not due yet, if
// somebody else is making it, or if the receiver has no free slot. The caller then
// sends the message again with that delay.
func (d *Deliverer) Deliver(ctx context.Context, k DeliveryKey) error {
	delivery, err := d.store.Delivery(ctx, k)
	if errors.Is(err, outcome.ErrNotFound) {
		return nil // erased, or the subscription was deleted
	}
	if err != nil {
		return fmt.Errorf("read delivery: %w", err)
	}
	if delivery.Status != DeliveryPending {
		return nil
	}
	ctx, err = clock.For(ctx, d.Clocks, delivery.Owner())
	if err != nil {
		return err
	}
	wait := max(delivery.NextAttemptAt.Sub(clock.Now(ctx, d.now)), delivery.LeaseUntil.Sub(clock.Read(d.now)))
	if wait > 0 {
		return &outcome.Later{After: wait}
	}
	subscription, secrets, err := d.store.Target(ctx, k.Partner, k.SubscriptionID)
	if errors.Is(err, outcome.ErrNotFound) {
		return d.store.DeleteDelivery(ctx, k)
	}
	if err != nil {
		return fmt.Errorf("read subscription: %w", err)
	}
	if subscription.Status != SubscriptionActive {
		return d.drop(ctx, delivery, subscription.Status)
	}
	return d.attempt(ctx, delivery, subscription, secrets)
}

// drop gives up a delivery that fell due while the subscription was not active.
func (d *Deliverer) drop(ctx context.Context, delivery Delivery, status SubscriptionStatus) error {
	reason := ReasonSubscriptionPaused
	if status == SubscriptionDisabled {
		reason = ReasonSubscriptionDisabled
	}
	delivery.finish(DeliveryExhausted, reason)
	_, err := d.store.SaveDelivery(ctx, delivery, false)
	return retryIfChanged(err)
}

// attempt makes the attempt that is due, in one of the subscription's slots.
func (d *Deliverer) attempt(ctx context.Context, delivery Delivery, s Subscription, secrets []Secret) error {
	started := clock.Now(ctx, d.now)
	if delivery.Sends >= maxSends {
		interrupted := Result{Outcome: OutcomeConnectionError, Detail: "The call was interrupted twice on our side."}
		return d.settle(ctx, delivery, s, started, interrupted)
	}
	now := clock.Read(d.now) // slots are shared, so leases are real
	until, most := now.Add(lease), d.mostSlots(delivery)
	slots := min(cmp.Or(s.Slots, Slots), most)
	slot, err := d.store.TakeSlot(ctx, s.Partner, s.ID, slots, now, until)
	if errors.Is(err, outcome.ErrChanged) {
		return d.postpone(ctx, delivery, started)
	}
	if err != nil {
		return fmt.Errorf("take slot: %w", err)
	}
	delivery.Sends++
	delivery.LeaseUntil = until
	if wake := started.Add(lease); delivery.WakeAt.Before(wake) { // else it stays where it is in the index
		delivery.WakeAt = wake
	}
	delivery, err = d.store.SaveDelivery(ctx, delivery, false)
	if err != nil {
		return errors.Join(retryIfChanged(err), d.releaseSlot(ctx, s, slot, until))
	}
	result := d.call(ctx, delivery, s, secrets, until)
	settled := d.settle(ctx, delivery, s, started, result)
	err = errors.Join(d.releaseSlot(ctx, s, slot, until), d.adapt(ctx, s, slots, most, slot.Busy, result))
	if err != nil {
		return err // the message is redelivered and then waits for the next attempt
	}
	return settled
}

// postpone puts off a delivery that found no free slot. The wait grows with the
// time it has already waited: if a thousand deliveries wait for a hanging receiver,
// a few retry each second rather than hundreds.
func (d *Deliverer) postpone(ctx context.Context, delivery Delivery, now time.Time) error {
	after := min(max(now.Sub(delivery.NextAttemptAt)/2, shortestWait), longestWait)
	after += rand.N(after) //nolint:gosec // jitter need not be unpredictable
	if again := now.Add(after); delivery.WakeAt.Before(again.Add(wakeAfter / 2)) {
		// The message is not lost, so housekeeping must not send another.
		delivery.WakeAt = again.Add(wakeAfter)
		_, err := d.store.SaveDelivery(ctx, delivery, false)
		if errors.Is(err, outcome.ErrChanged) {
			return nil // another message has taken over
		}
		if err != nil {
			return fmt.Errorf("save delivery: %w", err)
		}
	}
	return &outcome.Later{After: after}
}

// call posts the event, signed with every secret that is valid now. It ends in time to
// record the result before the lease ends.
func (d *Deliverer) call(
	ctx context.Context, delivery Delivery, s Subscription, secrets []Secret, leaseEnds time.Time,
) Result {
	now := d.now()
	call := Call{URL: s.ServerURL, EventID: delivery.EventID, At: now, Body: delivery.Payload}
	for _, secret := range secrets {
		if secret.Status(now) != SecretRevoked {
			call.Keys = append(call.Keys, secret.Key)
		}
	}
	ctx, cancel := context.WithTimeout(ctx, min(CallTimeout, leaseEnds.Sub(now)-settleTime))
	defer cancel()
	return d.post(ctx, call)
}

// settle records the result of an attempt and when the next one is due. If there is
// a next one, settle returns outcome.Later, and the current message waits for it. If
// that message is lost, housekeeping finds the delivery by its WakeAt.
func (d *Deliverer) settle(
	ctx context.Context, delivery Delivery, s Subscription, started time.Time, r Result,
) error {
	ended := clock.Now(ctx, d.now)
	a := Attempt{
		ID: d.newID(), EventID: delivery.EventID, EventType: delivery.EventType, Number: delivery.Attempt, Result: r,
		StartedAt: started,
	}
	if d.KeepPayloads && keeps(delivery) {
		a.Payload, a.User = delivery.Payload, delivery.User
	}
	switch {
	case r.Outcome == OutcomeAcknowledged:
		delivery.finish(DeliveryAcknowledged, "")
	case delivery.Attempt <= len(d.delays):
		delivery.schedule(delivery.Attempt+1, ended.Add(d.delays[delivery.Attempt-1]))
	default:
		delivery.finish(DeliveryExhausted, ReasonAttemptsUsed)
	}
	a.NextAttemptAt = delivery.NextAttemptAt
	counted, err := d.saveAttempt(ctx, delivery, s, a, ended)
	if errors.Is(err, outcome.ErrChanged) {
		return nil // somebody else took over, or the delivery was erased
	}
	if err != nil {
		return fmt.Errorf("save attempt: %w", err)
	}
	if d.Observe != nil {
		d.Observe(ctx, delivery, a)
	}
	if delivery.Status == DeliveryPending {
		return &outcome.Later{After: max(delivery.NextAttemptAt.Sub(clock.Now(ctx, d.now)), 0)}
	}
	if counted {
		return nil
	}
	return d.recordHealth(ctx, delivery, s, r, ended)
}

// largestKept is the size of the largest payload that an attempt keeps: a page of attempts
// has to fit into a response.
const largestKept = 16 << 10

// keeps reports whether attempts may keep the payload. EventUserErased names somebody who is
// gone.
func keeps(d Delivery) bool { return d.EventType != EventUserErased && len(d.Payload) <= largestKept }

func (d *Deliverer) releaseSlot(ctx context.Context, s Subscription, slot Slot, until time.Time) error {
	if err := d.store.ReleaseSlot(ctx, s.Partner, s.ID, slot.Number, until); err != nil {
		return fmt.Errorf("release slot: %w", err)
	}
	return nil
}

// retryIfChanged turns a lost race into a retry.
func retryIfChanged(err error) error {
	if errors.Is(err, outcome.ErrChanged) {
		return &outcome.Later{After: time.Second}
	}
	if err != nil {
		return fmt.Errorf("save delivery: %w", err)
	}
	return nil
}
