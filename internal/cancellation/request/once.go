package request

import (
	"context"
	"errors"
	"fmt"
	"time"

	"aviso/internal/api/apierror"
	"aviso/internal/api/idempotency"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/deadline"
	"aviso/internal/outcome"
)

// createOnce stores a cancellation unless the user has one of the contract already, which
// the refusal then names. today is the day where the recipient is.
func (s *Requests) createOnce(
	ctx context.Context, c cancellation.Cancellation, letter cancellation.StoredLetter, content string,
	earlier Earlier, today deadline.Date,
	also idempotency.Effect[cancellation.Cancellation],
) error {
	err := ErrAlreadyCancelled
	for try := 0; try < changeTries && errors.Is(err, ErrAlreadyCancelled); try++ {
		if try > 0 {
			if earlier, err = s.earlier(ctx, c, earlier.Contract, today); err != nil {
				return err
			}
		}
		err = s.Store.CreateCancellation(ctx, c, letter, content, earlier, also, c.Job(cancellation.JobSend))
	}
	if errors.Is(err, ErrAlreadyCancelled) {
		return &apierror.Error{
			Code: apierror.TemporarilyUnavailable, RetryAfter: time.Second,
			Detail: "Other cancellations of the contract are being created. Try again.",
		}
	}
	return err
}

// earlier returns the user's last cancellation of the contract if it is over, so that c can
// follow it.
func (s *Requests) earlier(
	ctx context.Context, c cancellation.Cancellation, contract string, today deadline.Date,
) (Earlier, error) {
	id, err := s.Store.LastOf(ctx, c, contract)
	if errors.Is(err, outcome.ErrNotFound) { // erased in the meantime
		return Earlier{Contract: contract}, nil
	}
	if err != nil {
		return Earlier{}, fmt.Errorf("find the last of the contract: %w", err)
	}
	last, err := s.Store.Cancellation(ctx, c.Owner, id)
	if err != nil && !errors.Is(err, outcome.ErrNotFound) {
		return Earlier{}, fmt.Errorf("read earlier cancellation: %w", err)
	}
	if err == nil && stands(last, c.CreatedAt, today) {
		if c.ExternalID != "" && c.ExternalID == last.ExternalID { // the same request was faster
			return Earlier{}, ErrExternalIDTaken
		}
		return Earlier{}, &apierror.Error{
			Code: apierror.AlreadyCancelled, CancellationID: id,
			Detail: "The user has already cancelled this contract. Send repeat to cancel it again.",
		}
	}
	return Earlier{Contract: contract, ID: id}, nil
}

// stands reports whether another letter for the same contract would be a mistake. Once the
// contract has ended, the user may have a new one. If nobody knows when it ends, that is
// assumed after a year.
func stands(c cancellation.Cancellation, now time.Time, today deadline.Date) bool {
	switch {
	case c.Status.Waiting():
		return true
	case c.CameToNothing():
		return false
	case c.EndDate != "":
		return today <= c.EndDate
	default:
		return now.Before(c.CreatedAt.AddDate(1, 0, 0))
	}
}
