// Package thread answers organizations that ask for something, in the thread of their mail.
package thread

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"aviso/internal/api/apierror"
	"aviso/internal/api/idempotency"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/deadline"
	"aviso/internal/cancellation/evidence"
	"aviso/internal/cancellation/reply"
	"aviso/internal/cancellation/request"
	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// Store stores answers.
type Store interface {
	// Letter returns the letter of a cancellation.
	Letter(ctx context.Context, user owner.User, id string) (cancellation.StoredLetter, error)
	// CreateAnswer stores a letter that answers r, and replaces the versions that r and its cancellation were read as.
	// It returns outcome.ErrChanged if one has changed, and outcome.ErrNotFound if the user has been erased.
	CreateAnswer(
		ctx context.Context, answer cancellation.Cancellation, letter cancellation.StoredLetter,
		to cancellation.Cancellation, r reply.Reply, also idempotency.Effect[reply.Reply], jobs ...cancellation.Job,
	) error
}

// Answers sends what organizations ask for.
type Answers struct {
	Store    Store
	Replies  *reply.Replies
	Requests *request.Requests
}

// Send writes a letter with the values that the organization asks for, which then goes to it by e-mail. A reply has one
// such letter, and another one only if that could not be delivered.
func (s *Answers) Send(
	ctx context.Context, user owner.User, cancellationID, id string, values []request.Parameter,
	also idempotency.Effect[reply.Reply],
) (reply.Reply, error) {
	if err := s.Requests.Gate.AdmitCancelling(ctx, user); err != nil {
		return reply.Reply{}, err
	}
	r, err := request.UnlessChanging(func() (reply.Reply, error) { return s.send(ctx, user, cancellationID, id, values, also) })
	if errors.Is(err, outcome.ErrNotFound) { // erased since the gate admitted the call
		return r, apierror.NoUser()
	}
	return r, err
}

func (s *Answers) send(
	ctx context.Context, user owner.User, cancellationID, id string, values []request.Parameter,
	also idempotency.Effect[reply.Reply],
) (reply.Reply, error) {
	to, err := s.Requests.Get(ctx, user, cancellationID)
	if err != nil {
		return reply.Reply{}, err
	}
	r, err := s.Replies.Get(ctx, user, cancellationID, id)
	if err != nil {
		return r, err
	}
	if err := answerable(r); err != nil {
		return r, err
	}
	letter, err := s.write(ctx, to, r, values)
	if err != nil {
		return r, err
	}
	c := cancellation.Cancellation{
		ID: s.Requests.NewID(), Owner: user, ExternalID: to.ExternalID, OrganizationID: to.OrganizationID,
		ProductID: to.ProductID, Locale: to.Locale, LetterSHA256: evidence.Of(letter.PDF).String(),
		Channels: []cancellation.Channel{{Kind: cancellation.ChannelEmail, Email: address(to, r)}},
		Objects:  &cancellation.Objected{CancellationID: to.ID, ReplyID: r.ID},
	}
	if !s.Requests.Sends(cancellation.ChannelEmail) {
		return r, request.NoChannel()
	}
	now := clock.Now(ctx, s.Requests.Now)
	fact := evidence.Fact{Actor: evidence.ActorPartner, Event: evidence.EventRequested, Proofs: []evidence.Proof{
		{Kind: evidence.ProofLetter, SHA256: evidence.Hex(c.LetterSHA256)},
	}}
	c = c.Begun(now, fact)
	fact.Event, fact.Channel = evidence.EventAnswered, string(cancellation.ChannelEmail)
	to.Prove(now, fact)
	r.AnsweredAt, r.AnswerID, r.AnswerStatus = now, c.ID, c.Status
	if err := s.Store.CreateAnswer(ctx, c, letter, to, r, also, c.Job(cancellation.JobSend)); err != nil {
		return r, fmt.Errorf("create answer: %w", err)
	}
	return r, nil
}

// answerable refuses what the user cannot answer.
func answerable(r reply.Reply) error {
	switch {
	case r.Kind != reply.KindNeedsInformation:
		return apierror.New(apierror.Conflict, "The reply is "+string(r.Kind)+". Only NeedsInformation can be answered.")
	case strings.Contains(r.Authentication, "dmarc=fail"):
		return apierror.New(apierror.Conflict, "The sender of the reply is forged, so it gets no data of the user.")
	case !r.AnsweredAt.IsZero() && r.AnswerStatus != cancellation.StatusDeliveryFailed:
		return apierror.New(apierror.Conflict, "The reply has been answered already.")
	}
	return nil
}

// address returns where the answer goes: to the sender of the mail if its domain vouches for it, or else to where the
// letter went by e-mail.
func address(c cancellation.Cancellation, r reply.Reply) string {
	if to := c.Channel(); to.Kind == cancellation.ChannelEmail && !strings.Contains(r.Authentication, "dmarc=pass") {
		return to.Email
	}
	return r.Sender
}

// messageID is the form of a Message-ID that a header can repeat.
var messageID = regexp.MustCompile(`^<[[:graph:]]{1,200}@[[:graph:]]{1,200}>$`)

// write writes the letter. Of the first one, only the sender's name and the address for answers are known.
func (s *Answers) write(
	ctx context.Context, c cancellation.Cancellation, r reply.Reply, values []request.Parameter,
) (cancellation.StoredLetter, error) {
	organization, product, err := s.Requests.Product(ctx, c.OrganizationID, c.ProductID)
	if errors.Is(err, outcome.ErrNotFound) {
		return cancellation.StoredLetter{}, apierror.New(apierror.NotFound, "The catalogue no longer has the product.")
	}
	if err != nil {
		return cancellation.StoredLetter{}, fmt.Errorf("read product: %w", err)
	}
	first, err := s.Store.Letter(ctx, c.Owner, c.ID)
	if err != nil {
		return cancellation.StoredLetter{}, fmt.Errorf("read letter: %w", err)
	}
	signature := cancellation.Signature{Text: first.SenderName}
	details, err := s.Requests.Details(ctx, product, r.NeededFields,
		request.Request{Locale: c.Locale, Parameters: values, Signature: signature})
	if err != nil {
		return cancellation.StoredLetter{}, err
	}
	letter, err := s.Requests.Write(cancellation.Letter{
		Locale: c.Locale, Date: deadline.Today(clock.Now(ctx, s.Requests.Now), product.Country(c.Locale)).Day(),
		Sender: cancellation.Sender{Name: first.SenderName, Email: first.ReplyTo}, Organization: organization.Name,
		Email: address(c, r), Product: product.Name, Sector: product.Sector(), References: details, Answers: true,
		Signature: signature,
	})
	if messageID.MatchString(r.MessageID) {
		letter.InReplyTo = r.MessageID
	}
	if !strings.HasPrefix(strings.ToLower(r.Subject), "re:") {
		r.Subject = "Re: " + r.Subject
	}
	letter.Subject = r.Subject
	return letter, err
}
