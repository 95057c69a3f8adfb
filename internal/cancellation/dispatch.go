package cancellation

import (
	"context"
	"errors"
	"fmt"
	"time"

	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

const (
	// SendWithin bounds one try to hand a letter over, carriers' calls included.
	SendWithin = 75 * time.Second
	// lease is how long a try may be worked on. It is longer than the function
	// that works on it may run, so that nobody is still sending when it is over.
	lease = 3 * time.Minute
	// giveUpAfter is how long a channel is tried that never takes the letter.
	giveUpAfter = 24 * time.Hour
	// longestPause bounds the wait between two tries.
	longestPause = time.Hour
)

// Dispatcher hands letters to carriers.
type Dispatcher struct {
	store    Store
	carriers map[ChannelKind]Carrier
	now      func() time.Time
	newID    func() string
}

// NewDispatcher sends by the carriers; a channel without one is passed over.
func NewDispatcher(
	store Store, carriers map[ChannelKind]Carrier, now func() time.Time, newID func() string,
) *Dispatcher {
	return &Dispatcher{store: store, carriers: carriers, now: now, newID: newID}
}

// Send hands the letter of a cancellation to the carrier whose turn it is. It
// may be called for the same one any number of times, by two at once, and after
// a call that broke off anywhere: the carrier takes the letter once. outcome.Later
// says that the letter still waits.
func (d *Dispatcher) Send(ctx context.Context, user owner.User, id string) error {
	c, err := d.store.Cancellation(ctx, user, id)
	if errors.Is(err, outcome.ErrNotFound) {
		return nil // erased
	}
	if err != nil {
		return fmt.Errorf("read cancellation: %w", err)
	}
	if !c.Status.Waiting() {
		return nil // done, withdrawn, or somebody else's doing
	}
	carrier, ok := d.carriers[c.Channel().Kind]
	if !ok {
		return d.nextChannel(ctx, c, ReasonCarrierUnavailable)
	}
	letter, err := d.store.Letter(ctx, user, id)
	if err != nil {
		return fmt.Errorf("read letter: %w", err)
	}
	before := c.Delivery
	if c, err = d.claim(ctx, c); err != nil {
		return err
	}
	receipt, err := d.handOver(ctx, carrier, &c, letter, before)
	return d.record(ctx, c, before, receipt, err)
}

// claim takes the letter for this call: Created becomes Queued, Queued becomes
// Sending, and Sending is taken over when its lease has run out.
func (d *Dispatcher) claim(ctx context.Context, c Cancellation) (Cancellation, error) {
	now := clock.Read(d.now)
	if c.Status == StatusCreated {
		c.move(StatusQueued, ReasonNone, now)
	}
	if c.Status == StatusSending {
		if rest := c.Delivery.LeaseUntil.Sub(now); rest > 0 {
			return Cancellation{}, &outcome.Later{After: rest, Err: errors.New("another worker has the letter")}
		}
	} else {
		c.move(StatusSending, c.Reason, now)
	}
	if c.Delivery.ShipmentID == "" {
		c.Delivery = Delivery{ShipmentID: d.newID(), Since: now}
	}
	c.Delivery.Tries++
	c.Delivery.LeaseUntil, c.Delivery.TriedAt = now.Add(lease), now
	c.NextTryAt = c.Delivery.LeaseUntil
	c, err := d.store.SaveCancellation(ctx, c)
	if errors.Is(err, outcome.ErrChanged) {
		return Cancellation{}, &outcome.Later{After: time.Second, Err: errors.New("another worker was first")}
	}
	if err != nil {
		return Cancellation{}, fmt.Errorf("claim letter: %w", err)
	}
	return c, nil
}

// hand gives the letter to the carrier, within its time. c follows what is
// noted on the way.
func (d *Dispatcher) handOver(ctx context.Context, carrier Carrier, c *Cancellation, letter StoredLetter, before Delivery) (Receipt, error) {
	ctx, cancel := context.WithTimeout(ctx, SendWithin)
	defer cancel()
	s := Shipment{
		ID: c.Delivery.ShipmentID, CancellationID: c.ID, Locale: c.Locale, Channel: c.Channel(), Document: letter.Document,
		SenderName: letter.SenderName, ReplyTo: letter.ReplyTo, Reference: c.Delivery.Reference,
		Note: func(ctx context.Context, reference string) error {
			noted := *c
			noted.AtCarriers = append([]CarrierLetter(nil), c.AtCarriers...)
			noted.remember(reference)
			saved, err := d.store.SaveCancellation(ctx, noted)
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

// settle writes down how a try ended. When the letter has been changed since by
// an event of the carrier, that knows better.
func (d *Dispatcher) record(ctx context.Context, c Cancellation, before Delivery, receipt Receipt, cause error) error {
	now := clock.Read(d.now)
	var failed *CarrierError
	switch {
	case cause == nil:
		c.remember(receipt.Reference)
		c.Delivery.TriedAt, c.Delivery.LeaseUntil = time.Time{}, time.Time{}
		c.TrackingNumber = receipt.TrackingNumber
		c.move(StatusSent, ReasonNone, now)
		return d.save(ctx, c)
	case errors.As(cause, &failed) && failed.Failure == CarrierRefused:
		return d.nextChannel(ctx, c, ReasonCarrierRefused)
	case errors.As(cause, &failed) && failed.Failure == CarrierBusy:
		c.Delivery.TriedAt = before.TriedAt // this one has changed nothing about what is known
		if c.Delivery.TriedAt.IsZero() && now.Sub(c.Delivery.Since) >= giveUpAfter {
			return d.nextChannel(ctx, c, ReasonCarrierUnavailable)
		}
		return d.retryLater(ctx, c, failed.RetryAfter, cause)
	default: // the lease stays: nobody knows whether the letter has gone
		after := c.Delivery.LeaseUntil.Sub(now)
		if failed != nil {
			after = max(after, failed.RetryAfter)
		}
		return &outcome.Later{After: after, Err: cause}
	}
}

// again puts a letter back that was not taken. One of which an earlier try may
// have gone through stays in StatusSending, where nobody can withdraw it.
func (d *Dispatcher) retryLater(ctx context.Context, c Cancellation, after time.Duration, cause error) error {
	now := clock.Read(d.now)
	if after <= 0 {
		after = min(time.Minute<<min(c.Delivery.Tries-1, 10), longestPause)
	}
	c.Delivery.LeaseUntil = time.Time{}
	c.NextTryAt = now.Add(after)
	if c.Delivery.TriedAt.IsZero() {
		c.move(StatusQueued, c.Reason, now)
	}
	if err := d.save(ctx, c); err != nil {
		return err
	}
	return &outcome.Later{After: after, Err: cause}
}

// pass takes the next channel.
func (d *Dispatcher) nextChannel(ctx context.Context, c Cancellation, reason StatusReason) error {
	now := clock.Read(d.now)
	if c.Status == StatusCreated {
		c.move(StatusQueued, ReasonNone, now)
	}
	var jobs []Job
	if c.failChannel(reason, now) {
		jobs = append(jobs, c.job(JobSend))
	}
	return d.save(ctx, c, jobs...)
}

// save writes c, unless it has been changed meanwhile: by an event, since the
// lease keeps other workers out.
func (d *Dispatcher) save(ctx context.Context, c Cancellation, jobs ...Job) error {
	_, err := d.store.SaveCancellation(ctx, c, jobs...)
	if errors.Is(err, outcome.ErrChanged) {
		return &outcome.Later{After: time.Second, Err: err}
	}
	if err != nil {
		return fmt.Errorf("save cancellation: %w", err)
	}
	return nil
}
