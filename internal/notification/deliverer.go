package notification

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"aviso/internal/clock"
	"aviso/internal/outcome"
)

const (
	// Slots is how many calls to one subscription are under way at most, so that
	// a receiver that hangs holds up nobody else.
	Slots = 4
	// lease is how long an attempt counts as under way: longer than the function
	// that makes it may run.
	lease = CallTimeout + 40*time.Second
	// maxSends is how often one attempt is begun at most: once more after a crash
	// that may have come between sending and noting it.
	maxSends = 2
	// The bounds of the wait for a slot, before chance doubles it at most.
	shortestWait, longestWait = 2 * time.Second, time.Minute
)

// Deliverer makes attempts.
type Deliverer struct {
	// Observe, where it is set, is called with each attempt after it was saved.
	Observe func(ctx context.Context, d Delivery, a Attempt)

	store Store
	post  Caller
	// delays are the waits after the first failure and after the second.
	delays []time.Duration
	now    func() time.Time
	newID  func() string
}

// NewDeliverer makes the first attempt at once and one more after each of the
// delays, which are counted from the failure before. newID makes UUIDv7s.
func NewDeliverer(
	store Store, post Caller, delays []time.Duration, now func() time.Time, newID func() string,
) *Deliverer {
	return &Deliverer{store: store, post: post, delays: delays, now: now, newID: newID}
}

// Deliver makes the attempt that is due. It may be called for the same delivery
// any number of times, early and late, and by several at once. outcome.Later says
// that the attempt has failed and another follows, that it is not yet time, that
// another one is at it, or that the receiver has enough calls under way. Whoever
// hears it passes the message on with that delay.
func (d *Deliverer) Deliver(ctx context.Context, k DeliveryKey) error {
	delivery, err := d.store.Delivery(ctx, k)
	if errors.Is(err, outcome.ErrNotFound) {
		return nil // erased, or its subscription is gone
	}
	if err != nil {
		return fmt.Errorf("read delivery: %w", err)
	}
	if delivery.Status != DeliveryPending {
		return nil
	}
	now := clock.Read(d.now)
	if wait := max(delivery.NextAttemptAt.Sub(now), delivery.LeaseUntil.Sub(now)); wait > 0 {
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

// drop gives a delivery up that fell due while nothing may be sent.
func (d *Deliverer) drop(ctx context.Context, delivery Delivery, status SubscriptionStatus) error {
	reason := ReasonSubscriptionPaused
	if status == SubscriptionDisabled {
		reason = ReasonSubscriptionDisabled
	}
	delivery.end(DeliveryExhausted, reason)
	_, err := d.store.SaveDelivery(ctx, delivery, false)
	return d.unlessChanged(err)
}

// attempt makes the attempt that is due within one of the subscription's slots.
func (d *Deliverer) attempt(ctx context.Context, delivery Delivery, s Subscription, secrets []Secret) error {
	started := clock.Read(d.now)
	if delivery.Sends >= maxSends {
		return d.settle(ctx, delivery, started, Result{Outcome: OutcomeConnectionError, Detail: "The call was interrupted on our side, twice."})
	}
	until := started.Add(lease)
	slot, err := d.store.TakeSlot(ctx, s.Partner, s.ID, Slots, started, until)
	if errors.Is(err, outcome.ErrChanged) {
		return d.await(ctx, delivery, started)
	}
	if err != nil {
		return fmt.Errorf("take slot: %w", err)
	}
	delivery.Sends++
	delivery.LeaseUntil, delivery.WakeAt = until, until
	delivery, err = d.store.SaveDelivery(ctx, delivery, false)
	if err != nil {
		return errors.Join(d.unlessChanged(err), d.giveSlot(ctx, s, slot, until))
	}
	settled := d.settle(ctx, delivery, started, d.call(ctx, delivery, s, secrets))
	if err := d.giveSlot(ctx, s, slot, until); err != nil {
		return err // the message comes again, and then waits for what was settled
	}
	return settled
}

// await puts off a delivery that found no slot. The longer it has waited the
// longer it waits again: where a thousand wait for a receiver that hangs, a few
// ask in any second and not hundreds.
func (d *Deliverer) await(ctx context.Context, delivery Delivery, now time.Time) error {
	after := min(max(now.Sub(delivery.NextAttemptAt)/2, shortestWait), longestWait)
	after += rand.N(after) //nolint:gosec // who comes first is no secret
	if again := now.Add(after); delivery.WakeAt.Before(again.Add(wakeAfter / 2)) {
		// Its message is not lost: housekeeping must not send another.
		delivery.WakeAt = again.Add(wakeAfter)
		_, err := d.store.SaveDelivery(ctx, delivery, false)
		if errors.Is(err, outcome.ErrChanged) {
			return nil // it has another message, which goes on
		}
		if err != nil {
			return fmt.Errorf("save delivery: %w", err)
		}
	}
	return &outcome.Later{After: after}
}

// call signs with every secret that is valid now.
func (d *Deliverer) call(ctx context.Context, delivery Delivery, s Subscription, secrets []Secret) Result {
	now := d.now()
	call := Call{URL: s.ServerURL, EventID: delivery.EventID, At: now, Body: delivery.Payload}
	for _, secret := range secrets {
		if secret.Status(now) != SecretRevoked {
			call.Keys = append(call.Keys, secret.Key)
		}
	}
	ctx, cancel := context.WithTimeout(ctx, CallTimeout)
	defer cancel()
	return d.post(ctx, call)
}

// settle writes down how an attempt ended, and when the next one is due. The message
// in hand then waits for the next one: outcome.Later. Should it be lost after the
// write, housekeeping finds the delivery by its WakeAt.
func (d *Deliverer) settle(ctx context.Context, delivery Delivery, started time.Time, r Result) error {
	ended := clock.Read(d.now)
	a := Attempt{
		ID: d.newID(), EventID: delivery.EventID, EventType: delivery.EventType, Number: delivery.Attempt, Result: r,
		StartedAt: started,
	}
	switch {
	case r.Outcome == OutcomeAcknowledged:
		delivery.end(DeliveryAcknowledged, "")
	case delivery.Attempt <= len(d.delays):
		delivery.due(delivery.Attempt+1, ended.Add(d.delays[delivery.Attempt-1]))
	default:
		delivery.end(DeliveryExhausted, ReasonAttemptsUsed)
	}
	a.NextAttemptAt = delivery.NextAttemptAt
	err := d.store.SaveAttempt(ctx, delivery, a, false)
	if errors.Is(err, outcome.ErrChanged) {
		return nil // somebody has taken over, or it has been erased: theirs counts
	}
	if err != nil {
		return fmt.Errorf("save attempt: %w", err)
	}
	if d.Observe != nil {
		d.Observe(ctx, delivery, a)
	}
	if delivery.Status == DeliveryPending {
		return &outcome.Later{After: max(delivery.NextAttemptAt.Sub(clock.Read(d.now)), 0)}
	}
	return d.noteHealth(ctx, delivery, ended)
}

func (d *Deliverer) giveSlot(ctx context.Context, s Subscription, slot string, until time.Time) error {
	if err := d.store.GiveSlot(ctx, s.Partner, s.ID, slot, until); err != nil {
		return fmt.Errorf("give slot back: %w", err)
	}
	return nil
}

// unlessChanged makes a lost race a reason to look again.
func (d *Deliverer) unlessChanged(err error) error {
	if errors.Is(err, outcome.ErrChanged) {
		return &outcome.Later{After: time.Second}
	}
	if err != nil {
		return fmt.Errorf("save delivery: %w", err)
	}
	return nil
}
