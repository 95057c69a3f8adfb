package reply

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"aviso/internal/api/apierror"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/deadline"
	"aviso/internal/cancellation/evidence"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// Store reads and changes answers. It returns outcome.ErrNotFound for missing rows, and outcome.ErrChanged for a lost
// optimistic-lock race.
type Store interface {
	// Cancellation returns one of the user's cancellations or objections.
	Cancellation(ctx context.Context, user owner.User, id string) (cancellation.Cancellation, error)
	// Replies returns the answers to a cancellation in no order.
	Replies(ctx context.Context, user owner.User, cancellationID string) ([]Reply, error)
	// Reply returns one answer.
	Reply(ctx context.Context, user owner.User, cancellationID, id string) (Reply, error)
	// RawReply returns a mail as received, and outcome.ErrNotFound if it was too large to keep.
	RawReply(ctx context.Context, user owner.User, cancellationID string, r Reply) ([]byte, error)
}

// Feedback records a partner's word in the history. Its refusals are *apierror.Error.
type Feedback interface {
	ReplyFor(
		ctx context.Context, user owner.User, id string, answer cancellation.Status, reason cancellation.StatusReason,
		end deadline.Date, by evidence.Actor,
	) error
}

// Replies is what partners see of answers.
type Replies struct {
	Store    Store
	Feedback Feedback
	Gate     Gate
}

// Gate admits calls for a user.
type Gate interface {
	// Admit returns an error unless the user exists. Its refusals are *apierror.Error.
	Admit(ctx context.Context, user owner.User) error
}

// List returns the answers to a cancellation, newest first.
func (s *Replies) List(ctx context.Context, user owner.User, cancellationID string) ([]Reply, error) {
	return owner.Read(ctx, s.Gate, user, func(ctx context.Context) ([]Reply, error) {
		if _, err := s.cancellation(ctx, user, cancellationID); err != nil {
			return nil, err
		}
		all, err := s.Store.Replies(ctx, user, cancellationID)
		if err != nil {
			return nil, fmt.Errorf("read replies: %w", err)
		}
		slices.SortStableFunc(all, func(a, b Reply) int { return b.ReceivedAt.Compare(a.ReceivedAt) })
		return all, nil
	})
}

// Get returns an answer.
func (s *Replies) Get(ctx context.Context, user owner.User, cancellationID, id string) (Reply, error) {
	return owner.Read(ctx, s.Gate, user, func(ctx context.Context) (Reply, error) {
		return s.reply(ctx, user, cancellationID, id)
	})
}

// Raw returns an answer as it was received.
func (s *Replies) Raw(ctx context.Context, user owner.User, cancellationID, id string) ([]byte, error) {
	return owner.Read(ctx, s.Gate, user, func(ctx context.Context) ([]byte, error) {
		r, err := s.reply(ctx, user, cancellationID, id)
		if err != nil {
			return nil, err
		}
		raw, err := s.Store.RawReply(ctx, user, cancellationID, r)
		if errors.Is(err, outcome.ErrNotFound) {
			return nil, apierror.New(apierror.NotFound, "The mail was too large to keep. Its text is kept.")
		}
		return raw, err
	})
}

// Decide records what the organization answered in another way, such as by a letter to the user: the partner says so.
// It returns the cancellation as it then is.
func (s *Replies) Decide(
	ctx context.Context, user owner.User, id string, answer cancellation.Status, reason cancellation.StatusReason,
	end deadline.Date,
) (cancellation.Cancellation, error) {
	if err := s.Gate.Admit(ctx, user); err != nil {
		return cancellation.Cancellation{}, err
	}
	if _, err := s.cancellation(ctx, user, id); err != nil {
		return cancellation.Cancellation{}, err
	}
	err := s.Feedback.ReplyFor(ctx, user, id, answer, reason, end, evidence.ActorPartner)
	if err != nil {
		return cancellation.Cancellation{}, err
	}
	return s.cancellation(ctx, user, id)
}

func (s *Replies) cancellation(ctx context.Context, user owner.User, id string) (cancellation.Cancellation, error) {
	c, err := s.Store.Cancellation(ctx, user, id)
	if errors.Is(err, outcome.ErrNotFound) || err == nil && c.Objects != nil {
		return c, apierror.New(apierror.NotFound, "The user has no cancellation with this ID.")
	}
	if err != nil {
		return c, fmt.Errorf("read cancellation: %w", err)
	}
	return c, nil
}

func (s *Replies) reply(ctx context.Context, user owner.User, cancellationID, id string) (Reply, error) {
	r, err := s.Store.Reply(ctx, user, cancellationID, id)
	if errors.Is(err, outcome.ErrNotFound) {
		return r, apierror.New(apierror.NotFound, "The cancellation has no reply with this ID.")
	}
	if err == nil && r.AnswerID != "" {
		var answer cancellation.Cancellation
		answer, err = s.Store.Cancellation(ctx, user, r.AnswerID)
		r.AnswerStatus = answer.Status
	}
	if err != nil {
		return r, fmt.Errorf("read reply: %w", err)
	}
	return r, nil
}
