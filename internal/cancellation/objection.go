package cancellation

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"aviso/internal/api/apierror"
	"aviso/internal/api/idempotency"
	"aviso/internal/cancellation/deadline"
	"aviso/internal/cancellation/evidence"
	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// ObjectionRequest asks for the letter that objects to debits after the end of a contract. A
// cancellation keeps no values of its letter, so they are sent again.
type ObjectionRequest struct {
	CancellationID string
	// Channel is the one to try first. By default it is the one that the cancellation went by.
	Channel    ChannelKind
	Parameters []Parameter
	Signature  Signature
	ReplyTo    string
}

// Objections writes and sends the letters that object to debits after the end of contracts.
type Objections struct {
	Requests *Requests
	Evidence *evidence.Bundles
}

// Preview returns the letter that objects to the debits that came after the end of a
// contract, and were not paid back. It stores and sends nothing.
func (s *Objections) Preview(ctx context.Context, user owner.User, r ObjectionRequest) (Draft, error) {
	c, err := s.Requests.Get(ctx, user, r.CancellationID)
	if err != nil {
		return Draft{}, err
	}
	objection, err := c.objection()
	if err != nil {
		return Draft{}, err
	}
	letter, channels, err := s.letter(ctx, c, r, objection)
	if err != nil {
		return Draft{}, err
	}
	document, err := s.Requests.Writer.Write(letter)
	if err != nil {
		return Draft{}, imageFault(err)
	}
	channels = append(channels, c.Channel())
	return Draft{
		Channel: channels[0].Kind, Locale: c.Locale, Document: document, SHA256: digest(document.PDF),
		ReplyTo: letter.ReplyTo(),
	}, nil
}

// letter returns the letter, and the channels that it may go by.
func (s *Objections) letter(
	ctx context.Context, c Cancellation, r ObjectionRequest, o Objection,
) (Letter, []Channel, error) {
	if err := s.Requests.Gate.AdmitCancelling(ctx, c.Owner); err != nil {
		return Letter{}, nil, err
	}
	organization, product, err := s.Requests.Product(ctx, c.OrganizationID, c.ProductID)
	if errors.Is(err, outcome.ErrNotFound) {
		return Letter{}, nil, apierror.New(apierror.NotFound, "The catalogue no longer has the product.")
	}
	if err != nil {
		return Letter{}, nil, fmt.Errorf("read product: %w", err)
	}
	request := Request{Locale: c.Locale, Parameters: r.Parameters, Signature: r.Signature, ReplyTo: r.ReplyTo}
	values, err := request.match(product.Fields, s.Requests.Writer.Check)
	if err != nil {
		return Letter{}, nil, err
	}
	channels, err := r.channels(product.allowed(deadline.Form{}, s.Requests.Enabled), c.Channel().Kind)
	letter := request.letter(organization, product, values, s.Requests.ReplyAddress)
	country := product.country(c.Locale)
	o.SentOn = deadline.Today(c.CreatedAt, country).Day() // the date of that letter
	letter.Date, letter.DeleteData = deadline.Today(clock.Now(ctx, s.Requests.Now), country).Day(), false
	letter.Objection = &o
	return letter, channels, err
}

// channels returns the allowed channels, and first the one that the user wants or else the
// usual one.
func (r ObjectionRequest) channels(allowed []Channel, usual ChannelKind) ([]Channel, error) {
	first := cmp.Or(r.Channel, usual)
	i := slices.IndexFunc(allowed, func(c Channel) bool { return c.Kind == first })
	switch {
	case i > 0:
		return slices.Concat(allowed[i:i+1], allowed[:i], allowed[i+1:]), nil
	case i < 0 && r.Channel != "":
		return nil, apierror.Invalid(apierror.Field{
			Pointer: "/channel", Code: "not_available", Detail: "Must be a channel that the product allows and that has a carrier.",
		})
	}
	return allowed, nil
}

// Create creates the letter of objection, which is then sent asynchronously as a letter of
// cancellation is. The evidence of the cancellation goes with it. A debit has one such letter.
func (s *Objections) Create(
	ctx context.Context, user owner.User, r ObjectionRequest, also idempotency.Effect[Cancellation],
) (Cancellation, error) {
	c, err := unlessChanging(func() (Cancellation, error) { return s.create(ctx, user, r, also) })
	if errors.Is(err, outcome.ErrNotFound) { // erased since the gate admitted the call
		return Cancellation{}, apierror.NoUser()
	}
	return c, err
}

func (s *Objections) create(
	ctx context.Context, user owner.User, r ObjectionRequest, also idempotency.Effect[Cancellation],
) (Cancellation, error) {
	to, err := s.Requests.Get(ctx, user, r.CancellationID)
	if err != nil {
		return Cancellation{}, err
	}
	objection, err := s.unobjected(ctx, to)
	if err != nil {
		return Cancellation{}, err
	}
	letter, channels, err := s.letter(ctx, to, r, objection)
	if err != nil {
		return Cancellation{}, err
	}
	if len(channels) == 0 {
		return Cancellation{}, noChannel()
	}
	proved, err := s.Requests.CaseOf(ctx, to)
	if err != nil {
		return Cancellation{}, err
	}
	enclosure, err := s.Evidence.Summary(ctx, proved)
	if err != nil {
		return Cancellation{}, err
	}
	letter.Enclosed = &Enclosed{Document: proved.Document, Sender: proved.Sender}
	document, err := s.Requests.Writer.Write(letter)
	if err != nil {
		return Cancellation{}, imageFault(err)
	}
	document.Enclosure = enclosure
	at := clock.Now(ctx, s.Requests.Now)
	c := Cancellation{
		ID: s.Requests.NewID(), Owner: user, ExternalID: to.ExternalID,
		OrganizationID: to.OrganizationID, ProductID: to.ProductID, Locale: to.Locale, Status: StatusCreated,
		CreatedAt: at, UpdatedAt: at, LetterSHA256: digest(document.PDF),
		History: []Step{{Status: StatusCreated, At: at}}, Channels: channels, NextTryAt: at.Add(wakeAfter),
		Objects: &Objected{
			CancellationID: to.ID, Debits: objection.Debits,
			EnclosureSHA256: digest(document.Enclosure), JoinedSHA256: digest(document.Joined),
		},
	}
	fact := evidence.Fact{Actor: evidence.ActorPartner, Event: evidence.EventRequested, Proofs: []evidence.Proof{
		{Kind: evidence.ProofLetter, SHA256: evidence.Hex(c.LetterSHA256)},
		{Kind: evidence.ProofEnclosure, SHA256: evidence.Hex(c.Objects.EnclosureSHA256)},
		{Kind: evidence.ProofLetter, SHA256: evidence.Hex(c.Objects.JoinedSHA256)},
	}}
	sent := SentObjection{ID: c.ID}
	for _, d := range objection.Debits {
		fact.Proofs = append(fact.Proofs, evidence.Proof{Kind: evidence.ProofTransaction, Value: d.TransactionID})
		sent.TransactionIDs = append(sent.TransactionIDs, d.TransactionID)
	}
	c.prove(at, fact)
	to.Objections = append(slices.Clone(to.Objections), sent)
	stored := StoredLetter{Document: document, SenderName: letter.Sender.Name, ReplyTo: letter.ReplyTo()}
	if err := s.Requests.Store.CreateObjection(ctx, c, stored, to, also, c.job(JobSend)); err != nil {
		return Cancellation{}, fmt.Errorf("create objection: %w", err)
	}
	return c, nil
}

// List returns the objections to debits after the end of a contract, oldest first.
func (s *Objections) List(ctx context.Context, user owner.User, cancellationID string) ([]Cancellation, error) {
	return owner.Read(ctx, s.Requests.Gate, user, func(ctx context.Context) ([]Cancellation, error) {
		c, err := s.Requests.read(ctx, user, cancellationID)
		if err != nil {
			return nil, err
		}
		return s.sent(ctx, c)
	})
}

// sent returns the objections of a cancellation.
func (s *Objections) sent(ctx context.Context, c Cancellation) ([]Cancellation, error) {
	list := make([]Cancellation, 0, len(c.Objections))
	for _, o := range c.Objections {
		one, err := s.Requests.Store.Cancellation(ctx, c.Owner, o.ID)
		if err != nil {
			return nil, fmt.Errorf("read objection: %w", err)
		}
		list = append(list, one)
	}
	return list, nil
}

// unobjected returns what the next letter says: it is about the debits without an objection.
// One that could not be delivered does not count.
func (s *Objections) unobjected(ctx context.Context, c Cancellation) (Objection, error) {
	if seen, reason := c.Outcome(); seen != OutcomeStillDebited {
		return Objection{}, apierror.New(apierror.Conflict, fmt.Sprintf(
			"The outcome of the cancellation is %s (%s). An objection can be sent while it is StillDebited.", seen, reason))
	}
	o, err := c.objection()
	if err != nil {
		return o, err
	}
	earlier, err := s.sent(ctx, c)
	if err != nil {
		return o, err
	}
	last := ""
	o.Debits = slices.DeleteFunc(o.Debits, func(d Debit) bool {
		i := slices.IndexFunc(earlier, func(e Cancellation) bool { return e.objectsTo(d) })
		if i >= 0 && last == "" {
			last = earlier[i].ID
		}
		return i >= 0
	})
	if len(o.Debits) == 0 {
		return o, &apierror.Error{
			Code: apierror.Conflict, ObjectionID: last, Detail: "There is an objection to every debit after the end of the contract.",
		}
	}
	return o, nil
}

// objectsTo reports whether c is a letter of objection to a debit, and may have arrived.
func (c Cancellation) objectsTo(d Debit) bool {
	return !c.cameToNothing() && slices.ContainsFunc(c.Objects.Debits, func(o Debit) bool {
		return o.TransactionID == d.TransactionID
	})
}

// objection returns what the letter says, and a conflict if there is nothing to object to.
func (c Cancellation) objection() (Objection, error) {
	o := Objection{SHA256: c.LetterSHA256, Debits: slices.DeleteFunc(
		slices.Clone(c.Seen.Debits), func(d Debit) bool { return d.RefundID != "" })}
	if len(o.Debits) == 0 || c.cameToNothing() {
		return o, apierror.New(apierror.Conflict, "No debit after the end of the contract is known that was not paid back.")
	}
	var err error
	if o.EndedOn, err = time.Parse(time.DateOnly, c.Seen.End); err != nil {
		return o, fmt.Errorf("end of the contract: %w", err)
	}
	return o, nil
}
