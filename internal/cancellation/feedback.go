package cancellation

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"aviso/internal/api/apierror"
	"aviso/internal/cancellation/evidence"
	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// Feedback records what carriers and organizations report about letters.
type Feedback struct {
	Store Store
	Now   func() time.Time
	// Clocks, if set, finds the clocks of users.
	Clocks clock.Users
}

// Report applies a carrier's report. Callbacks arrive late, more than once and out
// of order, so a report that is out of date, about an abandoned channel or about an
// unknown letter changes nothing.
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
		return f.Store.ByReference(ctx, r.Channel, r.Reference)
	}
	user, err := f.Store.CancellationOwner(ctx, r.CancellationID)
	return user, r.CancellationID, err
}

// report applies the report to c and returns the jobs that follow from it.
func (c *Cancellation) report(r Report, now time.Time) []Job {
	if r.ShipmentID != "" && r.ShipmentID != c.Delivery.ShipmentID {
		return nil
	}
	if r.ShipmentID == "" && r.Reference != c.Delivery.Reference {
		return nil
	}
	if r.UnlessDelivered && c.Status != StatusSending && c.Status != StatusSent {
		return nil
	}
	fact, steps := c.fact(r), len(c.History)
	jobs := c.follow(r, now)
	if len(c.History) > steps || !c.proved(fact) {
		c.prove(now, fact)
		if n := len(r.Received.Body); n > 0 && n <= maxReceived {
			c.Received = append(c.Received, r.Received)
		}
	}
	return jobs
}

// follow changes the status as the report says and returns the jobs that follow from it.
func (c *Cancellation) follow(r Report, now time.Time) []Job {
	if c.Status == StatusSending {
		c.remember(r.Reference)
		c.Delivery.TriedAt, c.Delivery.LeaseUntil = time.Time{}, time.Time{}
		c.move(StatusSent, ReasonNone, now)
	}
	c.TrackingNumber = cmp.Or(r.TrackingNumber, c.TrackingNumber)
	switch r.State {
	case ReportAccepted, ReportDelayed:
	case ReportDelivered:
		c.move(StatusDelivered, ReasonNone, now)
	case ReportFailed:
		if (c.Status == StatusSent || c.Status == StatusDelivered) && c.failChannel(ReasonUndeliverable, now) {
			return []Job{c.Job(JobSend)}
		}
	}
	return nil
}

// Reply records the organization's answer to the user, and by whom we have it. It returns
// apierror.ValidationFailed unless answer is StatusConfirmed, or StatusRejected with a matching
// reason, apierror.NotFound if there is no such cancellation, and apierror.Conflict if it is not
// waiting for an answer.
func (f *Feedback) Reply(
	ctx context.Context, id string, answer Status, reason StatusReason, by evidence.Actor,
) error {
	if answer == StatusRejected != reason.isRejection() || answer != StatusConfirmed && answer != StatusRejected {
		return apierror.WithFields(apierror.ValidationFailed, "The reason is not valid.", apierror.Field{
			Pointer: "/reason", Code: "invalid",
			Detail: "One of UserNotFound, InconsistentData, AlreadyCancelled and BindingPeriod.",
		})
	}
	var refusal error = apierror.New(apierror.NotFound, "There is no such cancellation.")
	user, err := f.Store.CancellationOwner(ctx, id)
	if errors.Is(err, outcome.ErrNotFound) {
		return refusal
	}
	if err != nil {
		return fmt.Errorf("find cancellation: %w", err)
	}
	err = f.change(ctx, user, id, func(c *Cancellation, now time.Time) []Job {
		refusal = nil
		switch {
		case c.Status == answer && c.Reason == reason: // again
		case c.Objects == nil && c.move(answer, reason, now):
			c.prove(now, evidence.Fact{Actor: by, Event: answer.Event(), Reason: string(reason)})
		default:
			refusal = apierror.New(apierror.Conflict,
				"The cancellation is "+string(c.Status)+". Only a Sent or Delivered cancellation can be answered.")
		}
		return nil
	})
	return cmp.Or(err, refusal)
}

// isRejection reports whether this is a reason for which an organization rejects.
func (r StatusReason) isRejection() bool {
	return slices.Contains([]StatusReason{
		ReasonUserNotFound, ReasonInconsistentData, ReasonAlreadyCancelled, ReasonBindingPeriod,
	}, r)
}

// change reads, changes and saves a cancellation. It retries if the cancellation
// changes concurrently, and writes nothing if do changes nothing.
func (f *Feedback) change(
	ctx context.Context, user owner.User, id string, do func(*Cancellation, time.Time) []Job,
) error {
	ctx, err := clock.For(ctx, f.Clocks, user)
	if err != nil {
		return err
	}
	err = outcome.ErrChanged
	for try := 0; try < changeTries && errors.Is(err, outcome.ErrChanged); try++ {
		var c Cancellation
		if c, err = f.Store.Cancellation(ctx, user, id); errors.Is(err, outcome.ErrNotFound) {
			return nil // erased in the meantime
		} else if err != nil {
			return fmt.Errorf("read cancellation: %w", err)
		}
		was := c
		jobs := do(&c, clock.Now(ctx, f.Now))
		if c.Status == was.Status && c.Reason == was.Reason && c.TrackingNumber == was.TrackingNumber &&
			c.Delivery == was.Delivery && len(c.History) == len(was.History) && c.Seen.Number == was.Seen.Number {
			return nil
		}
		_, err = f.Store.SaveCancellation(ctx, c, jobs...)
	}
	if err != nil {
		return fmt.Errorf("save cancellation: %w", err)
	}
	return nil
}
