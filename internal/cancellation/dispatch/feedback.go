package dispatch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"aviso/internal/api/apierror"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/deadline"
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
	return f.change(ctx, user, id,
		func(c *cancellation.Cancellation, now time.Time) []cancellation.Job { return apply(c, r, now) })
}

func (f *Feedback) find(ctx context.Context, r Report) (owner.User, string, error) {
	if r.CancellationID == "" {
		return f.Store.ByReference(ctx, r.Channel, r.Reference)
	}
	user, err := f.Store.CancellationOwner(ctx, r.CancellationID)
	return user, r.CancellationID, err
}

// apply applies the report to c and returns the jobs that follow from it.
func apply(c *cancellation.Cancellation, r Report, now time.Time) []cancellation.Job {
	if r.ShipmentID != "" && r.ShipmentID != c.Delivery.ShipmentID {
		return nil
	}
	if r.ShipmentID == "" && r.Reference != c.Delivery.Reference {
		return nil
	}
	if r.UnlessDelivered && c.Status != cancellation.StatusSending && c.Status != cancellation.StatusSent {
		return nil
	}
	fact, steps := reported(*c, r), len(c.History)
	jobs := follow(c, r, now)
	if len(c.History) > steps || !proved(*c, fact) {
		c.Prove(now, fact)
		c.History[len(c.History)-1].Said = r.Said
		if n := len(r.Received.Body); n > 0 && n <= maxReceived {
			c.Received = append(c.Received, r.Received)
		}
	}
	return jobs
}

// follow changes the status as the report says and returns the jobs that follow from it.
func follow(c *cancellation.Cancellation, r Report, now time.Time) []cancellation.Job {
	if c.Status == cancellation.StatusSending {
		remember(c, r.Reference)
		c.Delivery.TriedAt, c.Delivery.LeaseUntil = time.Time{}, time.Time{}
		c.Move(cancellation.StatusSent, cancellation.ReasonNone, now)
	}
	c.TrackingNumber = cmp.Or(r.TrackingNumber, c.TrackingNumber)
	switch r.State {
	case ReportAccepted, ReportDelayed:
	case ReportDelivered:
		c.Move(cancellation.StatusDelivered, cancellation.ReasonNone, now)
	case ReportFailed:
		if (c.Status == cancellation.StatusSent || c.Status == cancellation.StatusDelivered) &&
			failChannel(c, cancellation.ReasonUndeliverable, now) {
			return []cancellation.Job{c.Job(cancellation.JobSend)}
		}
	}
	return nil
}

// Answer is an organization's answer to the user, and how we know it.
type Answer struct {
	// Status is StatusConfirmed or StatusRejected. It is empty if the answer decides nothing.
	Status cancellation.Status
	Reason cancellation.StatusReason
	// EndDate is the last day of the contract; empty if unknown.
	EndDate deadline.Date
	By      evidence.Actor
	Proofs  []evidence.Proof
	// Event, if set, tells partners about the answer. Answer fills in the cancellation.
	Event *cancellation.RepliedEventData
}

// Answer records an answer by mail. The same one again changes nothing. If the cancellation is not waiting for an
// answer, the history has it without a change of the status.
func (f *Feedback) Answer(ctx context.Context, user owner.User, id string, a Answer) error {
	return f.change(ctx, user, id, func(c *cancellation.Cancellation, now time.Time) []cancellation.Job {
		list := proofs(a.Proofs...)
		if c.Objects != nil || answered(*c, list) {
			return nil
		}
		event := evidence.EventReplied
		if a.Status != "" && c.Move(a.Status, a.Reason, now) {
			event, c.ConfirmedEnd = a.Status.Event(), a.EndDate
		} else if a.Status == cancellation.StatusConfirmed && c.Status == a.Status {
			c.ConfirmedEnd = cmp.Or(c.ConfirmedEnd, a.EndDate)
		}
		c.Prove(now, evidence.Fact{
			Actor: a.By, Event: event, Channel: string(cancellation.ChannelEmail), Reason: string(a.Reason), Proofs: list,
		})
		if a.Event != nil {
			data := *a.Event
			data.EventData = c.EventData(cancellation.Step{Status: c.Status.Shown()})
			c.Notices = append(c.Notices, cancellation.Notice{Type: "cancellation.replied", At: now, Data: data})
		}
		return nil
	})
}

// answered reports whether the history has the document of these proofs.
func answered(c cancellation.Cancellation, list []evidence.Proof) bool {
	return slices.ContainsFunc(c.History, func(s cancellation.Step) bool {
		return s.Actor == evidence.ActorOrganization && len(s.Proofs) > 0 && len(list) > 0 &&
			s.Proofs[0].SHA256 != nil && list[0].SHA256 != nil && *s.Proofs[0].SHA256 == *list[0].SHA256
	})
}

// Reply records the organization's answer to the user, and by whom we have it. It returns
// apierror.ValidationFailed unless answer is StatusConfirmed, or StatusRejected with a matching
// reason, apierror.NotFound if there is no such cancellation, and apierror.Conflict if it is not
// waiting for an answer.
func (f *Feedback) Reply(
	ctx context.Context, id string, answer cancellation.Status, reason cancellation.StatusReason, by evidence.Actor,
) error {
	if !IsAnswer(answer, reason) {
		return apierror.WithFields(apierror.ValidationFailed, "The reason is not valid.", apierror.Field{
			Pointer: "/reason", Code: "invalid",
			Detail: "One of UserNotFound, InconsistentData, AlreadyCancelled and BindingPeriod.",
		})
	}
	user, err := f.ownerOf(ctx, id)
	if err != nil {
		return err
	}
	return f.ReplyFor(ctx, user, id, answer, reason, "", by)
}

// IsAnswer reports whether a status with its reason is an organization's answer.
func IsAnswer(answer cancellation.Status, reason cancellation.StatusReason) bool {
	return answer == cancellation.StatusConfirmed && reason == "" || answer == cancellation.StatusRejected && isRejection(reason)
}

// ReplyFor is Reply for a cancellation of this user, with a valid answer.
func (f *Feedback) ReplyFor(
	ctx context.Context, user owner.User, id string, answer cancellation.Status, reason cancellation.StatusReason,
	end deadline.Date, by evidence.Actor,
) error {
	refusal := noSuch()
	err := f.change(ctx, user, id, func(c *cancellation.Cancellation, now time.Time) []cancellation.Job {
		refusal = nil
		switch {
		case c.Status == answer && c.Reason == reason: // again
		case c.Objects == nil && c.Move(answer, reason, now):
			c.ConfirmedEnd = end
			c.Prove(now, evidence.Fact{Actor: by, Event: answer.Event(), Reason: string(reason)})
		default:
			refusal = apierror.New(apierror.Conflict,
				"The cancellation is "+string(c.Status)+". Only a Sent or Delivered cancellation can be answered.")
		}
		return nil
	})
	return cmp.Or(err, refusal)
}

// Inspect returns a cancellation of any user, for the operator.
func (f *Feedback) Inspect(ctx context.Context, id string) (cancellation.Cancellation, error) {
	user, err := f.ownerOf(ctx, id)
	if err != nil {
		return cancellation.Cancellation{}, err
	}
	c, err := f.Store.Cancellation(ctx, user, id)
	if errors.Is(err, outcome.ErrNotFound) {
		return cancellation.Cancellation{}, noSuch()
	}
	if err != nil {
		return cancellation.Cancellation{}, fmt.Errorf("read cancellation: %w", err)
	}
	return c, nil
}

// ownerOf returns the user who owns a cancellation.
func (f *Feedback) ownerOf(ctx context.Context, id string) (owner.User, error) {
	user, err := f.Store.CancellationOwner(ctx, id)
	if errors.Is(err, outcome.ErrNotFound) {
		return owner.User{}, noSuch()
	}
	if err != nil {
		return owner.User{}, fmt.Errorf("find cancellation: %w", err)
	}
	return user, nil
}

func noSuch() error { return apierror.New(apierror.NotFound, "There is no such cancellation.") }

// isRejection reports whether this is a reason for which an organization rejects.
func isRejection(r cancellation.StatusReason) bool {
	return slices.Contains([]cancellation.StatusReason{
		cancellation.ReasonUserNotFound, cancellation.ReasonInconsistentData, cancellation.ReasonAlreadyCancelled,
		cancellation.ReasonBindingPeriod,
	}, r)
}

// mostTries is how often a change is tried when the cancellation changes concurrently.
const mostTries = 5

// change reads, changes and saves a cancellation. It retries if the cancellation
// changes concurrently, and writes nothing if do changes nothing.
func (f *Feedback) change(
	ctx context.Context, user owner.User, id string, do func(*cancellation.Cancellation, time.Time) []cancellation.Job,
) error {
	ctx, err := clock.For(ctx, f.Clocks, user)
	if err != nil {
		return err
	}
	err = outcome.ErrChanged
	for try := 0; try < mostTries && errors.Is(err, outcome.ErrChanged); try++ {
		var c cancellation.Cancellation
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
