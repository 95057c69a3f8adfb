package notification

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"aviso/internal/clock"
	"aviso/internal/outcome"
)

const (
	// lease is how long an attempt counts as in flight and holds its slot. Its call ends settleTime earlier, so it
	// never overlaps the next call. The queue hides a message for longer. After a crash the subscription waits for the
	// end of the lease, so the lease is as short as possible.
	lease = claimTime + CallTimeout + settleTime
	// claimTime is for the steps before a call. If they take longer, the call gets less than CallTimeout. settleTime is
	// for recording the result.
	claimTime, settleTime = 5 * time.Second, 5 * time.Second
	// maxSends is how often one attempt may be started. The second start is for a crash, which may have happened
	// between sending and recording the result.
	maxSends = 2
	// The bounds of the backoff while no slot is free. Jitter at most doubles it, and SQS delays by at most 15 minutes.
	shortestBackoff, longestBackoff = 2 * time.Second, 7*time.Minute + 30*time.Second
	// longestUnwatched is the longest that a message which waits for a slot may be lost unnoticed.
	longestUnwatched = 4 * time.Hour
)

// Deliverer makes delivery attempts.
type Deliverer struct {
	// Observe, if set, is called after each attempt is saved.
	Observe func(ctx context.Context, d Delivery, a Attempt)
	// PartnerCalls is the number of calls to one partner's receivers that may be in flight. The partner's active
	// subscriptions share it equally, but each may have InitialLimit.
	PartnerCalls int
	// Fresh is set for messages of DeliveryQueue, which have not waited yet. While a subscription has no free slot,
	// fresh deliveries are not even read.
	Fresh bool
	// KeepPayloads stores the payload with each attempt, for partners who test.
	KeepPayloads bool
	// Clocks, if set, finds the clocks of users.
	Clocks clock.Users

	store  DeliveryStore
	health HealthStore
	post   Caller
	// delays are the waits after the first and second failure.
	delays []time.Duration
	now    func() time.Time
	newID  func() string
	// reading joins concurrent reads of the same subscription.
	reading *singleflight.Group
	// saturated has the saturation of subscriptions by path.
	saturated *sync.Map
}

// NewDeliverer returns a Deliverer that makes the first attempt at once and one more after each of the delays,
// counted from the previous failure. newID returns UUIDv7s.
func NewDeliverer(
	store DeliveryStore, health HealthStore, post Caller, delays []time.Duration, now func() time.Time, newID func() string,
) *Deliverer {
	return &Deliverer{
		store: store, health: health, post: post, delays: delays, now: now, newID: newID,
		reading: &singleflight.Group{}, saturated: &sync.Map{},
	}
}

// Deliver makes the due attempt. It is safe to call it for the same delivery any number of times, early or late. The
// queue hands a message to one worker at a time; receive counts how often it has done so, from 1. Two messages for the
// same first attempt at the same moment may both send it. Deliver returns outcome.Later if the attempt failed and
// another follows, if it is not due yet, if another call is making it, or if no slot is free. The caller then sends
// the message again with that delay.
func (d *Deliverer) Deliver(ctx context.Context, k DeliveryKey, receive int) error {
	to, err := d.target(ctx, k)
	if errors.Is(err, outcome.ErrNotFound) {
		return d.store.DeleteDelivery(ctx, k)
	}
	for err == nil && d.Fresh && d.isProbing(to.Subscription) {
		if !clock.Wait(ctx, probeEvery) {
			return ctx.Err()
		}
		to, err = d.target(ctx, k)
	}
	if err != nil {
		return fmt.Errorf("read subscription: %w", err)
	}
	now := clock.Read(d.now)
	active := to.Status == SubscriptionActive
	if d.Fresh && active && !to.isFast() && d.isSaturated(to.Subscription, now) {
		return &outcome.Later{After: jittered(shortestBackoff)}
	}
	delivery, err := d.store.FetchDelivery(ctx, k)
	if errors.Is(err, outcome.ErrNotFound) {
		return nil // erased, or deleted with its subscription
	}
	if err != nil {
		return fmt.Errorf("read delivery: %w", err)
	}
	if delivery.Status != DeliveryPending {
		return nil
	}
	if ctx, err = clock.For(ctx, d.Clocks, delivery.Owner()); err != nil {
		return err
	}
	if wait := max(delivery.NextAttemptAt.Sub(clock.UserNow(ctx, d.now)), delivery.LeaseUntil.Sub(now)); wait > 0 {
		return &outcome.Later{After: wait}
	}
	if !active {
		return d.drop(ctx, delivery, to.Status)
	}
	// Subscriptions share slots, so leases are in real time.
	return d.attempt(ctx, start{delivery, receive, now.Add(lease)}, to)
}

// target reads the subscription. The messages of a batch often have the same one and read it at the same moment, so
// they share one read.
func (d *Deliverer) target(ctx context.Context, k DeliveryKey) (Target, error) {
	read, err, _ := d.reading.Do(string(k.Partner)+"/"+k.SubscriptionID, func() (any, error) {
		return d.store.Target(ctx, k.Partner, k.SubscriptionID)
	})
	to, _ := read.(Target)
	return to, err
}

// start is a start of the due attempt of a delivery. It counts as in flight until then.
type start struct {
	Delivery
	receive int
	until   clock.Real
}

// isHidden reports whether the queue's visibility is lease enough: the message is the only one, and nobody is woken
// before the attempt has ended.
func (s start) isHidden() bool {
	return s.Attempt == 1 && s.Sends == 0 && s.receive == 1 && !s.WakeAt.Before(s.until)
}

// lease stores that the attempt starts, unless the queue's visibility is lease enough.
func (d *Deliverer) lease(ctx context.Context, s start) (Delivery, error) {
	if s.isHidden() {
		return s.Delivery, nil
	}
	if s.Attempt == 1 && s.receive > 1 {
		s.Sends = max(s.Sends, 1) // it may have started before
	}
	s.Sends++
	s.LeaseUntil = s.until
	if s.WakeAt.Before(s.until) { // otherwise its index entry stays as it is
		s.WakeAt = s.until
	}
	return d.store.SaveDelivery(ctx, s.Delivery, false)
}

// drop gives up a delivery that became due while the subscription was not active.
func (d *Deliverer) drop(ctx context.Context, delivery Delivery, status SubscriptionStatus) error {
	reason := ReasonSubscriptionPaused
	if status == SubscriptionDisabled {
		reason = ReasonSubscriptionDisabled
	}
	delivery.finish(DeliveryExhausted, reason)
	_, err := d.store.SaveDelivery(ctx, delivery, false)
	return retryIfChanged(err)
}

// attempt makes the due attempt if its call gets a slot.
func (d *Deliverer) attempt(ctx context.Context, begin start, to Target) error {
	s := to.Subscription
	if begin.Sends >= maxSends {
		interrupted := Result{Outcome: OutcomeConnectionError, Detail: "The call was interrupted twice on our side."}
		return d.settle(ctx, begin.Delivery, s, clock.Read(d.now), interrupted)
	}
	p, err := d.acquire(ctx, begin, s)
	if errors.Is(err, outcome.ErrChanged) {
		if d.Fresh && d.isProbing(s) {
			return d.Deliver(ctx, begin.DeliveryKey, begin.receive)
		}
		return d.postpone(ctx, begin.Delivery)
	}
	if err != nil {
		return err
	}
	delivery, err := d.lease(ctx, begin)
	if err != nil {
		return errors.Join(retryIfChanged(err), p.release())
	}
	started := clock.Read(d.now) // the signature has the same time
	result := d.call(ctx, delivery, to, started, begin.until)
	settled := d.settle(ctx, delivery, s, started, result)
	if err := errors.Join(p.release(), d.adapt(ctx, s, p, result)); err != nil {
		return err // SQS redelivers the message, which then waits for the next attempt
	}
	return settled
}

// postpone postpones a delivery that found no free slot. The backoff grows with the time already waited: of a
// thousand deliveries to a hanging receiver, only a few retry each second.
func (d *Deliverer) postpone(ctx context.Context, delivery Delivery) error {
	waited := clock.UserNow(ctx, d.now).Sub(delivery.NextAttemptAt)
	after := jittered(min(max(waited/2, shortestBackoff), longestBackoff))
	if again := clock.Read(d.now).Add(after); delivery.WakeAt.Before(again.Add(wakeAfter / 2)) {
		// The message is not lost, so housekeeping must not send another one. The longer it has waited, the longer it
		// may still wait. So a delivery that waits for a day moves its index entry 20 times, not at each look.
		delivery.WakeAt = again.Add(min(max(waited, wakeAfter), longestUnwatched))
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

// jittered returns the wait plus up to the same again at random.
func jittered(wait time.Duration) time.Duration {
	return wait + rand.N(wait) //nolint:gosec // jitter need not be unpredictable
}

// call posts the event, signed with every valid secret. It leaves enough of the lease to record the result.
func (d *Deliverer) call(ctx context.Context, delivery Delivery, to Target, now, leaseEnds clock.Real) Result {
	call := Call{
		URL: to.ServerURL, EventID: delivery.EventID, At: now, Body: delivery.Payload, KeepAnswer: to.KeepsAnswers,
	}
	for _, secret := range to.Secrets {
		if secret.Status(now) != SecretRevoked {
			call.Keys = append(call.Keys, secret.Key)
		}
	}
	ctx, cancel := context.WithTimeout(ctx, min(CallTimeout, leaseEnds.Sub(now)-settleTime))
	defer cancel()
	return d.post(ctx, call)
}

// settle records the result of an attempt and schedules the next one. If there is a next one, settle returns
// outcome.Later, and the current message waits for it. If that message is lost, housekeeping finds the delivery by
// its WakeAt.
func (d *Deliverer) settle(
	ctx context.Context, delivery Delivery, s Subscription, started clock.Real, r Result,
) error {
	ended, before := clock.Read(d.now), delivery
	a := Attempt{
		ID: d.newID(), EventID: delivery.EventID, EventType: delivery.EventType, Number: delivery.Attempt, Result: r,
		StartedAt: started,
	}
	switch {
	case r.Outcome == OutcomeAcknowledged:
		delivery.finish(DeliveryAcknowledged, "")
	case delivery.Attempt <= len(d.delays):
		delay := d.delays[delivery.Attempt-1]
		delivery.schedule(delivery.Attempt+1, ended, clock.UserNow(ctx, d.now), delay)
		a.NextAttemptAt = ended.Add(delay)
	default:
		delivery.finish(DeliveryExhausted, ReasonAttemptsUsed)
	}
	delivery.correctLast(started)
	short := a
	short.Answer = ""
	delivery.Attempts = append(delivery.Attempts, short)
	switch {
	case d.KeepPayloads && keeps(before):
		a.Payload, a.User = before.Payload, before.User
	case d.KeepPayloads:
		a.Answer = "" // the answer may quote the payload
	case s.KeepsAnswers:
		a.Answer, a.Kept = "", a.Answer
	}
	counted, err := d.saveAttempt(ctx, delivery, s, a, ended)
	if errors.Is(err, outcome.ErrChanged) {
		now, err := d.store.FetchDelivery(ctx, before.DeliveryKey)
		switch {
		case errors.Is(err, outcome.ErrNotFound):
			return nil // erased
		case err != nil:
			return fmt.Errorf("read delivery: %w", err)
		case now.Status != DeliveryPending || now.Attempt != before.Attempt || now.Sends != before.Sends:
			return nil // another call took over
		case now.Version == before.Version:
			return errors.New("save attempt: refused although nobody else has written")
		}
		return d.settle(ctx, now, s, started, r) // another message found no slot
	}
	if err != nil {
		return fmt.Errorf("save attempt: %w", err)
	}
	if d.Observe != nil {
		d.Observe(ctx, delivery, a)
	}
	if delivery.Status == DeliveryPending {
		return &outcome.Later{After: max(delivery.NextAttemptAt.Sub(clock.UserNow(ctx, d.now)), 0)}
	}
	if counted {
		return nil
	}
	return d.recordHealth(ctx, delivery, s, r, ended)
}

// maxPayload is the maximum size of a stored payload: a page of attempts must fit into a response.
const maxPayload = 16 << 10

// keeps reports whether attempts may store the payload. EventUserErased names an erased user.
func keeps(d Delivery) bool { return d.EventType != EventUserErased && len(d.Payload) <= maxPayload }

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
