// Package objection objects to debits after the end of contracts that were cancelled.
package objection

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"aviso/internal/api/apierror"
	"aviso/internal/api/idempotency"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/deadline"
	"aviso/internal/cancellation/evidence"
	"aviso/internal/cancellation/request"
	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// Request asks for the letter that objects to debits after the end of a contract. A
// cancellation keeps no values of its letter, so they are sent again.
type Request struct {
	CancellationID string
	// Channel is the one to try first. By default it is the one that the cancellation went by.
	Channel    cancellation.ChannelKind
	Parameters []request.Parameter
	Signature  cancellation.Signature
	ReplyTo    string
}

// Store stores objections.
type Store interface {
	// CreateObjection stores a new objection with its letter and the jobs, and replaces the
	// version that the cancellation was read as. It returns outcome.ErrChanged if that has
	// changed, and outcome.ErrNotFound if the user has been erased.
	CreateObjection(
		ctx context.Context, objection cancellation.Cancellation, letter cancellation.StoredLetter,
		to cancellation.Cancellation, also idempotency.Effect[cancellation.Cancellation], jobs ...cancellation.Job,
	) error
	// Cancellation returns one of the user's cancellations or objections.
	Cancellation(ctx context.Context, user owner.User, id string) (cancellation.Cancellation, error)
}

// Objections writes and sends the letters that object to debits after the end of contracts.
type Objections struct {
	Store    Store
	Requests *request.Requests
	Evidence *evidence.Bundles
}

// Preview returns the letter that objects to the debits that came after the end of a
// contract, and were not paid back. It stores and sends nothing.
func (s *Objections) Preview(ctx context.Context, user owner.User, r Request) (request.Draft, error) {
	c, err := s.Requests.Get(ctx, user, r.CancellationID)
	if err != nil {
		return request.Draft{}, err
	}
	objection, err := objectionTo(c)
	if err != nil {
		return request.Draft{}, err
	}
	letter, channels, err := s.letter(ctx, c, r, objection)
	if err != nil {
		return request.Draft{}, err
	}
	written, err := s.Requests.Write(letter)
	if err != nil {
		return request.Draft{}, err
	}
	channels = append(channels, c.Channel())
	return request.Draft{
		Channel: channels[0].Kind, Locale: c.Locale, Document: written.Document, SHA256: digest(written.PDF),
		ReplyTo: written.ReplyTo,
	}, nil
}

// letter returns the letter, and the channels that it may go by.
func (s *Objections) letter(
	ctx context.Context, c cancellation.Cancellation, r Request, o cancellation.Objection,
) (cancellation.Letter, []cancellation.Channel, error) {
	if err := s.Requests.Gate.AdmitCancelling(ctx, c.Owner); err != nil {
		return cancellation.Letter{}, nil, err
	}
	organization, product, err := s.Requests.Product(ctx, c.OrganizationID, c.ProductID)
	if errors.Is(err, outcome.ErrNotFound) {
		return cancellation.Letter{}, nil, apierror.New(apierror.NotFound, "The catalogue no longer has the product.")
	}
	if err != nil {
		return cancellation.Letter{}, nil, fmt.Errorf("read product: %w", err)
	}
	request := request.Request{Locale: c.Locale, Parameters: r.Parameters, Signature: r.Signature, ReplyTo: r.ReplyTo}
	letter, err := s.Requests.Compose(ctx, request.Cleaned(), organization, product)
	if err != nil {
		return cancellation.Letter{}, nil, err
	}
	channels, err := r.channels(product.Allowed(deadline.Form{}, s.Requests.Enabled), c.Channel().Kind)
	country := product.Country(c.Locale)
	o.SentOn = deadline.Today(c.CreatedAt, country).Day() // the date of that letter
	letter.Date, letter.DeleteData = deadline.Today(clock.Now(ctx, s.Requests.Now), country).Day(), false
	letter.Objection = &o
	return letter, channels, err
}

// channels returns the allowed channels, and first the one that the user wants or else the
// usual one.
func (r Request) channels(
	allowed []cancellation.Channel, usual cancellation.ChannelKind,
) ([]cancellation.Channel, error) {
	first := cmp.Or(r.Channel, usual)
	i := slices.IndexFunc(allowed, func(c cancellation.Channel) bool { return c.Kind == first })
	switch {
	case i > 0:
		return slices.Concat(allowed[i:i+1], allowed[:i], allowed[i+1:]), nil
	case i < 0 && r.Channel != "":
		return nil, apierror.Invalid(apierror.Field{
			Pointer: "/channel", Code: "not_available",
			Detail: "Must be a channel that the product allows and that has a carrier.",
		})
	}
	return allowed, nil
}

// Create creates the letter of objection, which is then sent asynchronously as a letter of
// cancellation is. The evidence of the cancellation goes with it. A debit has one such letter.
func (s *Objections) Create(
	ctx context.Context, user owner.User, r Request, also idempotency.Effect[cancellation.Cancellation],
) (cancellation.Cancellation, error) {
	c, err := request.UnlessChanging(func() (cancellation.Cancellation, error) { return s.create(ctx, user, r, also) })
	if errors.Is(err, outcome.ErrNotFound) { // erased since the gate admitted the call
		return cancellation.Cancellation{}, apierror.NoUser()
	}
	return c, err
}

func (s *Objections) create(
	ctx context.Context, user owner.User, r Request, also idempotency.Effect[cancellation.Cancellation],
) (cancellation.Cancellation, error) {
	to, err := s.Requests.Get(ctx, user, r.CancellationID)
	if err != nil {
		return cancellation.Cancellation{}, err
	}
	objection, err := s.unobjected(ctx, to)
	if err != nil {
		return cancellation.Cancellation{}, err
	}
	letter, channels, err := s.letter(ctx, to, r, objection)
	if err != nil {
		return cancellation.Cancellation{}, err
	}
	if len(channels) == 0 {
		return cancellation.Cancellation{}, request.NoChannel()
	}
	proved, err := s.Requests.CaseOf(ctx, to)
	if err != nil {
		return cancellation.Cancellation{}, err
	}
	enclosure, err := s.Evidence.Summary(ctx, proved)
	if err != nil {
		return cancellation.Cancellation{}, err
	}
	letter.Enclosed = &proved
	written, err := s.Requests.Write(letter)
	if err != nil {
		return cancellation.Cancellation{}, err
	}
	written.Enclosure = enclosure
	c := cancellation.Cancellation{
		ID: s.Requests.NewID(), Owner: user, ExternalID: to.ExternalID,
		OrganizationID: to.OrganizationID, ProductID: to.ProductID, Locale: to.Locale,
		LetterSHA256: digest(written.PDF), Channels: channels,
		Objects: &cancellation.Objected{
			CancellationID: to.ID, Debits: objection.Debits,
			EnclosureSHA256: digest(enclosure), JoinedSHA256: digest(written.Joined),
		},
	}
	fact := evidence.Fact{Actor: evidence.ActorPartner, Event: evidence.EventRequested, Proofs: []evidence.Proof{
		{Kind: evidence.ProofLetter, SHA256: evidence.Hex(c.LetterSHA256)},
		{Kind: evidence.ProofEnclosure, SHA256: evidence.Hex(c.Objects.EnclosureSHA256)},
		{Kind: evidence.ProofLetter, SHA256: evidence.Hex(c.Objects.JoinedSHA256)},
	}}
	sent := cancellation.SentObjection{ID: c.ID}
	for _, d := range objection.Debits {
		fact.Proofs = append(fact.Proofs, evidence.Proof{Kind: evidence.ProofTransaction, Value: d.TransactionID})
		sent.TransactionIDs = append(sent.TransactionIDs, d.TransactionID)
	}
	c = c.Begun(clock.Now(ctx, s.Requests.Now), fact)
	to.Objections = append(slices.Clone(to.Objections), sent)
	if err := s.Store.CreateObjection(ctx, c, written, to, also, c.Job(cancellation.JobSend)); err != nil {
		return cancellation.Cancellation{}, fmt.Errorf("create objection: %w", err)
	}
	return c, nil
}

// List returns the objections to debits after the end of a contract, oldest first.
func (s *Objections) List(
	ctx context.Context, user owner.User, cancellationID string,
) ([]cancellation.Cancellation, error) {
	c, err := s.Requests.Get(ctx, user, cancellationID)
	if err != nil {
		return nil, err
	}
	return s.sent(ctx, c)
}

// sent returns the objections of a cancellation.
func (s *Objections) sent(ctx context.Context, c cancellation.Cancellation) ([]cancellation.Cancellation, error) {
	list := make([]cancellation.Cancellation, 0, len(c.Objections))
	for _, o := range c.Objections {
		one, err := s.Store.Cancellation(ctx, c.Owner, o.ID)
		if err != nil {
			return nil, fmt.Errorf("read objection: %w", err)
		}
		list = append(list, one)
	}
	return list, nil
}

// unobjected returns what the next letter says: it is about the debits without an objection.
// One that could not be delivered does not count.
func (s *Objections) unobjected(ctx context.Context, c cancellation.Cancellation) (cancellation.Objection, error) {
	if seen, reason := c.Outcome(); seen != cancellation.OutcomeStillDebited {
		return cancellation.Objection{}, apierror.New(apierror.Conflict, fmt.Sprintf(
			"The outcome of the cancellation is %s (%s). An objection can be sent while it is StillDebited.", seen, reason))
	}
	o, err := objectionTo(c)
	if err != nil {
		return o, err
	}
	earlier, err := s.sent(ctx, c)
	if err != nil {
		return o, err
	}
	last := ""
	o.Debits = slices.DeleteFunc(o.Debits, func(d cancellation.Debit) bool {
		i := slices.IndexFunc(earlier, func(e cancellation.Cancellation) bool { return objects(e, d) })
		if i >= 0 && last == "" {
			last = earlier[i].ID
		}
		return i >= 0
	})
	if len(o.Debits) == 0 {
		return o, &apierror.Error{
			Code: apierror.Conflict, ObjectionID: last,
			Detail: "There is an objection to every debit after the end of the contract.",
		}
	}
	return o, nil
}

// objects reports whether c is a letter of objection to a debit, and may have arrived.
func objects(c cancellation.Cancellation, d cancellation.Debit) bool {
	return !c.CameToNothing() && slices.ContainsFunc(c.Objects.Debits, func(o cancellation.Debit) bool {
		return o.TransactionID == d.TransactionID
	})
}

// objectionTo returns what the letter says, and a conflict if there is nothing to object to.
func objectionTo(c cancellation.Cancellation) (cancellation.Objection, error) {
	o := cancellation.Objection{SHA256: c.LetterSHA256, Debits: slices.DeleteFunc(
		slices.Clone(c.Seen.Debits), func(d cancellation.Debit) bool { return d.RefundID != "" })}
	if len(o.Debits) == 0 || c.CameToNothing() {
		return o, apierror.New(apierror.Conflict, "No debit after the end of the contract is known that was not paid back.")
	}
	var err error
	if o.EndedOn, err = time.Parse(time.DateOnly, c.Seen.End); err != nil {
		return o, fmt.Errorf("end of the contract: %w", err)
	}
	return o, nil
}

func digest(b []byte) string { return evidence.Of(b).String() }
