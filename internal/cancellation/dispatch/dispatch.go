// Package dispatch delivers letters: jobs hand them to carriers, and reports say what happened to them.
package dispatch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/evidence"
	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

const (
	// SendWithin bounds one try to hand a letter over, including calls to the carrier.
	SendWithin = 75 * time.Second
	// lease is how long a worker may work on a try. It is longer than the timeout of
	// the worker's function, so that nobody is still sending when it expires.
	lease = 3 * time.Minute
	// giveUpAfter is how long to retry a channel whose carrier does not accept the
	// letter.
	giveUpAfter = 24 * time.Hour
	// holdFor is how long a letter waits before somebody looks again whether its partner is still disabled.
	holdFor = 5 * time.Minute
	// longestPause bounds the wait between two tries.
	longestPause = time.Hour
)

// Dispatcher runs the jobs that letter-dispatch receives as messages: above all, it hands letters
// to carriers.
type Dispatcher struct {
	Store Store
	// Carriers hand letters over. Channels without one are skipped.
	Carriers map[cancellation.ChannelKind]Carrier
	// Erasers delete letters at carriers. A channel without one keeps no letters.
	Erasers map[cancellation.ChannelKind]CarrierEraser
	// Outcomes records what was seen in users' accounts.
	Outcomes *Feedback
	// Disabled says whose letters wait; nil: nobody's.
	Disabled owner.Disabled
	Now      func() time.Time
	NewID    func() string
}

// Do runs one job. attempt counts the deliveries of its message from 1.
func (d *Dispatcher) Do(ctx context.Context, job cancellation.Job, attempt int) error {
	user := job.Owner()
	switch job.Kind {
	case cancellation.JobSend:
		return d.Send(ctx, user, job.CancellationID)
	case cancellation.JobErase:
		return d.Erase(ctx, user, job.CancellationID, attempt)
	case cancellation.JobOutcome:
		return d.Outcomes.ReportOutcome(ctx, user, job.CancellationID, job.Outcome)
	default:
		return fmt.Errorf("unknown kind of job: %q", job.Kind)
	}
}

// Send hands the letter of a cancellation to the carrier of the current channel. It
// may be called repeatedly, concurrently, and after a call that was interrupted: the
// carrier still receives the letter only once. If the user has been erased, the carrier
// no longer receives it. While the partner is disabled, Send only finds out whether an earlier try has
// handed the letter over. Send returns *outcome.Later if the letter is still waiting.
func (d *Dispatcher) Send(ctx context.Context, user owner.User, id string) error {
	c, err := d.Store.Cancellation(ctx, user, id)
	if errors.Is(err, outcome.ErrNotFound) {
		return nil // erased
	}
	if err != nil {
		return fmt.Errorf("read cancellation: %w", err)
	}
	if !c.Status.Waiting() {
		return nil // sent, withdrawn, or handled by another worker
	}
	shut, err := d.Disabled.Has(ctx, user.Partner)
	if err != nil {
		return err
	}
	if shut && c.Status != cancellation.StatusSending {
		return d.hold(ctx, c)
	}
	carrier, ok := d.Carriers[c.Channel().Kind]
	if !ok {
		return d.nextChannel(ctx, c, cancellation.ReasonCarrierUnavailable)
	}
	letter, err := d.letter(ctx, c)
	if err != nil {
		return fmt.Errorf("read letter: %w", err)
	}
	before := c.Delivery
	c, erased, err := d.claim(ctx, c)
	if errors.Is(err, outcome.ErrNotFound) {
		return nil // erased: housekeeping withdraws it
	}
	if err != nil {
		return err
	}
	receipt, err := d.handOver(ctx, carrier, &c, letter, before, erased || shut)
	if erased && isUndecided(err) && clock.Now(ctx, d.Now).Sub(before.TriedAt) >= giveUpAfter {
		// The erasure does not wait longer for this carrier. The letter may have left.
		receipt, err = Receipt{Reference: c.Delivery.Reference}, nil
	}
	return d.record(ctx, c, before, receipt, err)
}

// hold leaves the letter to housekeeping, which wakes it until the partner is enabled.
func (d *Dispatcher) hold(ctx context.Context, c cancellation.Cancellation) error {
	c.HeldAt = clock.Now(ctx, d.Now)
	c.NextTryAt = c.HeldAt.Add(holdFor)
	return d.save(ctx, c)
}

// countsFrom returns since when a wait that began at a given time counts.
func countsFrom(c cancellation.Cancellation, at time.Time) time.Time {
	if c.HeldAt.After(at) {
		return c.HeldAt
	}
	return at
}

// letter returns the letter as the current channel delivers it.
func (d *Dispatcher) letter(ctx context.Context, c cancellation.Cancellation) (cancellation.StoredLetter, error) {
	letter, err := d.Store.Letter(ctx, c.Owner, c.ID)
	if err == nil && c.Objects != nil && c.Channel().Kind != cancellation.ChannelEmail {
		letter.PDF, err = d.Store.JoinedLetter(ctx, c.Owner, c.ID)
	}
	return letter, err
}

// claim acquires the lease for this call: Created becomes Queued, Queued becomes
// Sending, and an expired lease of Sending is taken over. If the user has been erased,
// only Sending can be claimed, to find out whether the letter has left; claim returns
// outcome.ErrNotFound for all others.
func (d *Dispatcher) claim(
	ctx context.Context, c cancellation.Cancellation,
) (_ cancellation.Cancellation, erased bool, err error) {
	now, triedAt := clock.Now(ctx, d.Now), c.Delivery.TriedAt
	if c.Status == cancellation.StatusCreated {
		c.Move(cancellation.StatusQueued, cancellation.ReasonNone, now)
	}
	began := c.Status == cancellation.StatusSending
	if !began {
		c.Move(cancellation.StatusSending, c.Reason, now)
	} else if rest := c.Delivery.LeaseUntil.Sub(now); rest > 0 {
		return c, false, &outcome.Later{After: rest, Err: errors.New("another worker has the letter"), Normal: true}
	}
	if c.Delivery.ShipmentID == "" {
		c.Delivery = cancellation.Delivery{ShipmentID: d.NewID(), Since: now}
	}
	c.Delivery.Tries++
	c.Delivery.LeaseUntil, c.Delivery.TriedAt = now.Add(lease), now
	c.NextTryAt = c.Delivery.LeaseUntil
	claimed, err := d.Store.ClaimCancellation(ctx, c)
	if erased = began && errors.Is(err, outcome.ErrNotFound); erased {
		c.Delivery.TriedAt = triedAt // to look is not a try
		claimed, err = d.Store.SaveCancellation(ctx, c)
	}
	if errors.Is(err, outcome.ErrChanged) {
		return c, erased, &outcome.Later{After: time.Second, Err: errors.New("another worker was first"), Normal: true}
	}
	if err != nil {
		return c, erased, fmt.Errorf("claim letter: %w", err)
	}
	return claimed, erased, nil
}

// handOver hands the letter to the carrier within SendWithin, or only asks the carrier whether it has
// the letter. It updates c when the carrier notes a reference.
func (d *Dispatcher) handOver(
	ctx context.Context, carrier Carrier, c *cancellation.Cancellation, letter cancellation.StoredLetter,
	before cancellation.Delivery, lookOnly bool,
) (Receipt, error) {
	ctx, cancel := context.WithTimeout(ctx, SendWithin)
	defer cancel()
	s := Shipment{
		ID: c.Delivery.ShipmentID, CancellationID: c.ID, Partner: c.Owner.Partner, Locale: c.Locale,
		Channel:  c.Channel(),
		Document: letter.Document, SenderName: letter.SenderName, ReplyTo: letter.ReplyTo,
		Reference: c.Delivery.Reference, LookOnly: lookOnly,
		Note: func(ctx context.Context, reference string) error {
			noted := *c
			noted.AtCarriers = append([]cancellation.CarrierLetter(nil), c.AtCarriers...)
			remember(&noted, reference)
			keep(&noted, reference)
			saved, err := d.Store.SaveCancellation(ctx, noted)
			if err != nil {
				return fmt.Errorf("note reference: %w", err)
			}
			*c = saved
			return nil
		},
	}
	if !before.TriedAt.IsZero() {
		s.Since, s.TriedAt = before.Since, before.TriedAt
	}
	return carrier.Send(ctx, s)
}

// isUndecided reports whether a carrier could not say whether it has a letter.
func isUndecided(err error) bool {
	failed, ok := errors.AsType[*CarrierError](err)
	return err != nil && (!ok || failed.Failure == CarrierBusy || failed.Failure == CarrierUnclear)
}

// record saves the result of a try. If an event of the carrier has changed the
// cancellation in the meantime, the event wins.
func (d *Dispatcher) record(
	ctx context.Context, c cancellation.Cancellation, before cancellation.Delivery, receipt Receipt, cause error,
) error {
	now := clock.Now(ctx, d.Now)
	var failed *CarrierError
	switch {
	case cause == nil:
		remember(&c, receipt.Reference)
		c.Delivery.TriedAt, c.Delivery.LeaseUntil = time.Time{}, time.Time{}
		c.TrackingNumber = receipt.TrackingNumber
		c.Move(cancellation.StatusSent, cancellation.ReasonNone, now)
		c.Prove(now, handedOver(c, receipt))
		return d.save(ctx, c)
	case errors.As(cause, &failed) && failed.Failure == CarrierNotSent:
		c.Delivery.TriedAt = time.Time{}
		return d.retryLater(ctx, c, 0, nil) // then held, or withdrawn by housekeeping
	case errors.As(cause, &failed) && failed.Failure == CarrierRefused:
		return d.nextChannel(ctx, c, cancellation.ReasonCarrierRefused)
	case errors.As(cause, &failed) && failed.Failure == CarrierBusy:
		c.Delivery.TriedAt = before.TriedAt // this try handed nothing over
		if c.Delivery.TriedAt.IsZero() && now.Sub(countsFrom(c, c.Delivery.Since)) >= giveUpAfter {
			return d.nextChannel(ctx, c, cancellation.ReasonCarrierUnavailable)
		}
		if failed.Normal {
			cause = nil
		}
		return d.retryLater(ctx, c, failed.RetryAfter, cause)
	default: // keep the lease: nobody knows whether the letter was handed over
		after := c.Delivery.LeaseUntil.Sub(now)
		if failed != nil {
			after = max(after, failed.RetryAfter)
		}
		return &outcome.Later{After: after, Err: cause}
	}
}

// retryLater queues a letter again; without a cause, waiting is normal. If an earlier
// try may have handed it over, it stays in StatusSending, where nobody can withdraw it.
func (d *Dispatcher) retryLater(
	ctx context.Context, c cancellation.Cancellation, after time.Duration, cause error,
) error {
	now := clock.Now(ctx, d.Now)
	if after <= 0 {
		after = min(time.Minute<<min(c.Delivery.Tries-1, 10), longestPause)
	}
	c.Delivery.LeaseUntil = time.Time{}
	c.NextTryAt = now.Add(after)
	if c.Delivery.TriedAt.IsZero() {
		c.Move(cancellation.StatusQueued, c.Reason, now)
	}
	if err := d.save(ctx, c); err != nil {
		return err
	}
	return &outcome.Later{After: after, Err: cause}
}

// nextChannel switches to the next channel.
func (d *Dispatcher) nextChannel(
	ctx context.Context, c cancellation.Cancellation, reason cancellation.StatusReason,
) error {
	now := clock.Now(ctx, d.Now)
	if c.Status == cancellation.StatusCreated {
		c.Move(cancellation.StatusQueued, cancellation.ReasonNone, now)
	}
	ended := evidence.Fact{
		Actor: evidence.ActorService, Event: evidence.EventChannelEnded, Channel: string(c.Channel().Kind),
		Reason: string(reason),
	}
	var jobs []cancellation.Job
	if failChannel(&c, reason, now) {
		jobs = append(jobs, c.Job(cancellation.JobSend))
	}
	c.Prove(now, ended)
	return d.save(ctx, c, jobs...)
}

// save saves c unless it has changed in the meantime. Only an event can have
// changed it, because the lease keeps other workers out.
func (d *Dispatcher) save(ctx context.Context, c cancellation.Cancellation, jobs ...cancellation.Job) error {
	_, err := d.Store.SaveCancellation(ctx, c, jobs...)
	if errors.Is(err, outcome.ErrChanged) {
		return &outcome.Later{After: time.Second, Err: err, Normal: true}
	}
	if err != nil {
		return fmt.Errorf("save cancellation: %w", err)
	}
	return nil
}

// failChannel switches to the next channel, or to DeliveryFailed after the last one.
// It reports whether letter-dispatch has to be woken.
func failChannel(c *cancellation.Cancellation, reason cancellation.StatusReason, now time.Time) bool {
	c.Delivery = cancellation.Delivery{}
	if c.ChannelIndex+1 >= len(c.Channels) {
		c.Move(cancellation.StatusDeliveryFailed, reason, now)
		return false
	}
	c.ChannelIndex++
	c.TrackingNumber = ""
	c.Move(cancellation.StatusQueued, cancellation.ReasonNone, now)
	c.NextTryAt = now.Add(cancellation.WakeAfter)
	return true
}

// remember records the carrier's reference of the letter. SES keeps no mail.
func remember(c *cancellation.Cancellation, reference string) {
	c.Delivery.Reference = reference
	if c.Channel().Kind != cancellation.ChannelEmail {
		keep(c, reference)
	}
}

// keep records that the carrier may keep the letter with this reference.
func keep(c *cancellation.Cancellation, reference string) {
	letter := cancellation.CarrierLetter{Channel: c.Channel().Kind, Reference: reference}
	if reference != "" && !slices.Contains(c.AtCarriers, letter) {
		c.AtCarriers = append(c.AtCarriers, letter)
	}
}
