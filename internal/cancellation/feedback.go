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

// feedbackTries is how often a report is applied when the cancellation changes
// meanwhile.
const feedbackTries = 5

// Feedback takes in what carriers and organizations say of letters.
type Feedback struct {
	store Store
	now   func() time.Time
}

// NewFeedback wires the service.
func NewFeedback(store Store, now func() time.Time) *Feedback {
	return &Feedback{store: store, now: now}
}

// Report applies a carrier's word. One that is old news, of a channel that has
// been given up, or of a letter that nobody knows, changes nothing: callbacks
// come late, doubled and out of order.
func (f *Feedback) Report(ctx context.Context, r Report) error {
	user, id, err := f.find(ctx, r)
	if errors.Is(err, outcome.ErrNotFound) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("find cancellation: %w", err)
	}
	return f.change(ctx, user, id, func(c *Cancellation, now time.Time) []Job { return c.report(r, now) })
}

func (f *Feedback) find(ctx context.Context, r Report) (owner.User, string, error) {
	if r.CancellationID == "" {
		return f.store.ByReference(ctx, r.Channel, r.Reference)
	}
	user, err := f.store.CancellationOwner(ctx, r.CancellationID)
	return user, r.CancellationID, err
}

// report changes c as the carrier says, and gives the jobs that follow.
func (c *Cancellation) report(r Report, now time.Time) []Job {
	if r.ShipmentID != "" && r.ShipmentID != c.Delivery.ShipmentID || r.ShipmentID == "" && r.Reference != c.Delivery.Reference {
		return nil
	}
	if c.Status == StatusSending {
		c.remember(r.Reference)
		c.Delivery.TriedAt, c.Delivery.LeaseUntil = time.Time{}, time.Time{}
		c.move(StatusSent, ReasonNone, now)
	}
	if r.TrackingNumber != "" {
		c.TrackingNumber = r.TrackingNumber
	}
	switch r.State {
	case ReportAccepted:
	case ReportDelivered:
		c.move(StatusDelivered, ReasonNone, now)
	case ReportFailed:
		if (c.Status == StatusSent || c.Status == StatusDelivered) && c.failChannel(ReasonUndeliverable, now) {
			return []Job{c.job(JobSend)}
		}
	}
	return nil
}

// ErrInvalidReply says that something is no answer of an organization.
var ErrInvalidReply = errors.New("cancellation: want Confirmed, or Rejected with a reason")

// Reply is the organization's answer to the user, as the operator has learnt it:
// StatusConfirmed, or StatusRejected with its reason; else ErrInvalidReply. outcome.ErrNotFound when there is
// no such cancellation, outcome.ErrChanged when it stands where no answer can come.
func (f *Feedback) Reply(ctx context.Context, id string, answer Status, reason StatusReason) error {
	if answer == StatusRejected != reason.isRejection() || answer != StatusConfirmed && answer != StatusRejected {
		return ErrInvalidReply
	}
	user, err := f.store.CancellationOwner(ctx, id)
	if err != nil {
		return fmt.Errorf("find cancellation: %w", err)
	}
	moved := false
	err = f.change(ctx, user, id, func(c *Cancellation, now time.Time) []Job {
		moved = c.Status == answer && c.Reason == reason || c.move(answer, reason, now)
		return nil
	})
	if err == nil && !moved {
		return outcome.ErrChanged
	}
	return err
}

// isRejection tells whether an organization rejects for this reason.
func (r StatusReason) isRejection() bool {
	switch r {
	case ReasonUserNotFound, ReasonInconsistentData, ReasonAlreadyCancelled, ReasonBindingPeriod:
		return true
	default:
		return false
	}
}

// change reads, changes and saves a cancellation, again when it is changed
// meanwhile. What stays as it was is not written.
func (f *Feedback) change(ctx context.Context, user owner.User, id string, do func(*Cancellation, time.Time) []Job) error {
	err := outcome.ErrChanged
	for try := 0; try < feedbackTries && errors.Is(err, outcome.ErrChanged); try++ {
		var c Cancellation
		if c, err = f.store.Cancellation(ctx, user, id); errors.Is(err, outcome.ErrNotFound) {
			return nil // erased meanwhile
		} else if err != nil {
			return fmt.Errorf("read cancellation: %w", err)
		}
		was := c
		jobs := do(&c, clock.Read(f.now))
		if c.Status == was.Status && c.Reason == was.Reason && c.TrackingNumber == was.TrackingNumber && c.Delivery == was.Delivery {
			return nil
		}
		_, err = f.store.SaveCancellation(ctx, c, jobs...)
	}
	if err != nil {
		return fmt.Errorf("save cancellation: %w", err)
	}
	return nil
}
