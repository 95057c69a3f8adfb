// Package request creates, shows and withdraws cancellations.
package request

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"aviso/internal/api/apierror"
	"aviso/internal/api/idempotency"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/catalogue"
	"aviso/internal/cancellation/deadline"
	"aviso/internal/cancellation/evidence"
	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// Gate admits calls for a user. Its refusals are *apierror.Error.
type Gate interface {
	// Admit returns an error unless the user exists.
	Admit(ctx context.Context, user owner.User) error
	// AdmitCancelling returns an error unless the user exists and has accepted the
	// terms.
	AdmitCancelling(ctx context.Context, user owner.User) error
}

// FindProduct returns a product with its organization. It returns
// outcome.ErrNotFound if either does not exist or is inactive, or if the product
// belongs to another organization.
type FindProduct func(
	ctx context.Context, organizationID, productID string,
) (catalogue.Organization, catalogue.Product, error)

// FindContract returns outcome.ErrNotFound unless the user has a recurring contract with this
// ID.
type FindContract func(ctx context.Context, user owner.User, subscriptionID string) error

// Requests creates, reads and withdraws users' cancellations.
type Requests struct {
	Store Store
	// Product finds the product to cancel.
	Product FindProduct
	// Contract finds the recurring contracts of users.
	Contract FindContract
	Gate     Gate
	Writer   cancellation.LetterWriter
	// Enabled are the channels that have a carrier.
	Enabled []cancellation.ChannelKind
	// ReplyAddress is the operator's mailbox for answers to users without an e-mail address. It
	// is empty if there is none.
	ReplyAddress string
	// NewInbox returns a new address for the answer to one cancellation; nil if answers are not received.
	NewInbox func() string
	Now      func() time.Time
	// NewID returns UUIDs that sort by time (UUIDv7).
	NewID func() string
}

// Draft is the preview of a letter.
type Draft struct {
	Channel  cancellation.ChannelKind
	Locale   cancellation.Locale
	EndDate  deadline.Date
	Document cancellation.Document
	SHA256   string
	// ReplyTo is the e-mail address that the organization's answer goes to.
	ReplyTo string
}

// prepared is a valid request with its letter.
type prepared struct {
	channels []cancellation.Channel
	letter   cancellation.StoredLetter
	at       time.Time
	// today is the day where the recipient is, and end the one that the letter names.
	today, end deadline.Date
	cause      deadline.Reason
	form       deadline.Form
}

// prepare validates a request and writes its letter.
// inbox is where the answer is received.
func (s *Requests) prepare(
	ctx context.Context, user owner.User, r Request, inbox string,
) (catalogue.Product, prepared, error) {
	if err := s.Gate.AdmitCancelling(ctx, user); err != nil {
		return catalogue.Product{}, prepared{}, err
	}
	organization, product, err := s.Product(ctx, r.OrganizationID, r.ProductID)
	if errors.Is(err, outcome.ErrNotFound) {
		return catalogue.Product{}, prepared{}, apierror.New(apierror.NotFound,
			"The organization has no product with this ID.")
	}
	if err != nil {
		return catalogue.Product{}, prepared{}, fmt.Errorf("read product: %w", err)
	}
	if err := r.check(organization, product); err != nil {
		return catalogue.Product{}, prepared{}, err
	}
	letter, err := s.Compose(ctx, r, organization, product)
	if err != nil {
		return catalogue.Product{}, prepared{}, err
	}
	if err := s.checkContract(ctx, user, r.SubscriptionID); err != nil {
		return catalogue.Product{}, prepared{}, err
	}
	at := clock.Now(ctx, s.Now)
	facts := deadline.Facts{CancelledOn: deadline.Today(at, product.Country(r.Locale))}
	cause, err := r.cause(product, s.Writer.Check, facts)
	if err != nil {
		return catalogue.Product{}, prepared{}, err
	}
	if cause.Kind == deadline.ReasonWithdrawal {
		product.Form = catalogue.FormText
	}
	form := r.form(product, facts)
	channels := product.Allowed(form, s.Enabled)
	if cause.Kind == deadline.ReasonWithdrawal { // it must leave in time, and an e-mail leaves at once
		slices.SortStableFunc(channels, fastest)
	}
	end, err := s.end(product, r, channels, facts)
	if err != nil {
		return catalogue.Product{}, prepared{}, err
	}
	if product.Form == catalogue.FormWetInk {
		letter.Signature, letter.SignByHand = cancellation.Signature{}, true
	}
	letter.Inbox = inbox
	letter.Date, letter.End, letter.Reason = facts.CancelledOn.Day(), end.Day(), cause
	letter.Registered = len(channels) > 0 && channels[0].Kind == cancellation.ChannelRegisteredMail
	written, err := s.Write(letter)
	return product, prepared{
		channels: channels, at: at, today: facts.CancelledOn, end: end, cause: cause, form: form, letter: written,
	}, err
}

// checkContract validates the optional recurring contract.
func (s *Requests) checkContract(ctx context.Context, user owner.User, id string) error {
	if id == "" {
		return nil
	}
	err := s.Contract(ctx, user, id)
	if errors.Is(err, outcome.ErrNotFound) {
		return apierror.Invalid(apierror.Field{
			Pointer: "/subscriptionId", Code: "unknown", Detail: "The user has no recurring contract with this ID.",
		})
	}
	if err != nil {
		return fmt.Errorf("read contract: %w", err)
	}
	return nil
}

// Compose returns the letter with the values of a request, which it validates.
func (s *Requests) Compose(
	ctx context.Context, r Request, o catalogue.Organization, p catalogue.Product,
) (cancellation.Letter, error) {
	values, err := r.match(p.Fields, s.Writer.Check, deadline.Today(clock.Now(ctx, s.Now), p.Country(r.Locale)))
	if err != nil {
		return cancellation.Letter{}, err
	}
	return r.letter(o, p, values, s.ReplyAddress), nil
}

// Details checks values for fields that an organization asks for, and returns them as a letter shows them. Other fields
// of the template may be sent along.
func (s *Requests) Details(
	ctx context.Context, p catalogue.Product, needed []string, r Request,
) ([]cancellation.Reference, error) {
	r = r.Cleaned()
	var fields []catalogue.Field
	for _, key := range needed {
		if f := p.Field(key, r.Locale); f.Labels[r.Locale] != "" { // nobody can send a signature or a proof as text
			fields = append(fields, f)
		}
	}
	for _, f := range p.Fields {
		if !slices.Contains(needed, f.Key) && f.Key != catalogue.FieldDeleteData && r.has(f.Key) {
			fields = append(fields, f)
		}
	}
	values, err := r.match(fields, s.Writer.Check, deadline.Today(clock.Now(ctx, s.Now), p.Country(r.Locale)))
	if err != nil {
		return nil, err
	}
	var details []cancellation.Reference
	for _, f := range fields {
		if value := strings.TrimSpace(values[f.Key]); value != "" {
			details = append(details, reference(f, r.Locale, value))
		}
	}
	if len(details) == 0 {
		return nil, apierror.Invalid(apierror.Field{
			Pointer: "/parameters", Code: "missing", Detail: "Send at least one field that the organization asks for.",
		})
	}
	return details, nil
}

// Sends reports whether a channel has a carrier.
func (s *Requests) Sends(kind cancellation.ChannelKind) bool { return slices.Contains(s.Enabled, kind) }

// Write writes a letter. It refuses an image that cannot be a signature. Any other error is
// internal, because Compose has validated everything else.
func (s *Requests) Write(l cancellation.Letter) (cancellation.StoredLetter, error) {
	document, err := s.Writer.Write(l)
	if image, ok := errors.AsType[*cancellation.ImageError](err); ok {
		return cancellation.StoredLetter{}, badSignature("invalid", "The image "+image.Reason+".")
	}
	if err != nil {
		return cancellation.StoredLetter{}, fmt.Errorf("write letter: %w", err)
	}
	return cancellation.StoredLetter{Document: document, SenderName: l.Sender.Name, ReplyTo: l.ReplyTo()}, nil
}

// Preview returns the letter that the request would send. It stores and sends
// nothing. A product that needs an original signature has a preview too: the user
// can print and sign it.
func (s *Requests) Preview(ctx context.Context, user owner.User, r Request) (Draft, error) {
	r = r.Cleaned()
	product, p, err := s.prepare(ctx, user, r, "")
	if err != nil {
		return Draft{}, err
	}
	channels := slices.Concat(p.channels, product.Counting(p.form),
		[]cancellation.Channel{{Kind: cancellation.ChannelMail}})
	return Draft{
		Channel: channels[0].Kind, Locale: r.Locale, EndDate: p.end,
		Document: p.letter.Document, SHA256: digest(p.letter.PDF), ReplyTo: p.letter.ReplyTo,
	}, nil
}

// Create creates a cancellation, whose letter is then sent asynchronously. If the
// user already has a cancellation with the same external identifier and content,
// Create returns that one, and created is false.
func (s *Requests) Create(
	ctx context.Context, user owner.User, r Request, also idempotency.Effect[cancellation.Cancellation],
) (c cancellation.Cancellation, created bool, err error) {
	r = r.Cleaned()
	content, err := r.content()
	if err != nil {
		return cancellation.Cancellation{}, false, err
	}
	inbox := ""
	if s.NewInbox != nil {
		inbox = s.NewInbox()
	}
	product, p, err := s.prepare(ctx, user, r, inbox)
	if refusesEnd(err) && r.ExternalID != "" { // the day was possible when the first request came
		if c, found := s.existing(ctx, user, r.ExternalID, content); found == nil {
			return c, false, nil
		}
	}
	if err != nil {
		return cancellation.Cancellation{}, false, err
	}
	if product.Form == catalogue.FormWetInk {
		return cancellation.Cancellation{}, false, apierror.New(apierror.FormNotSupported,
			"The law requires the user's original signature. Request the letter with dryRun=true to print and sign it.")
	}
	if len(product.Counting(p.form)) == 0 {
		return cancellation.Cancellation{}, false, apierror.New(apierror.FormNotSupported, strings.TrimSpace(p.form.Reason+
			" None of the product's addresses takes that form. Request the letter with dryRun=true to send it yourself."))
	}
	if len(p.channels) == 0 {
		return cancellation.Cancellation{}, false, NoChannel()
	}
	c = cancellation.Cancellation{
		ID: s.NewID(), Owner: user, ExternalID: r.ExternalID, OrganizationID: r.OrganizationID, ProductID: r.ProductID,
		SubscriptionID: r.SubscriptionID, Locale: r.Locale, EndDate: p.end, Cause: p.cause,
		LetterSHA256: digest(p.letter.PDF), Channels: p.channels, ReplyAddress: inbox,
	}
	c = c.Begun(p.at, evidence.Fact{
		Actor: evidence.ActorPartner, Event: evidence.EventRequested, Reason: string(p.cause.Kind),
		Proofs: []evidence.Proof{
			{Kind: evidence.ProofRequest, SHA256: evidence.Hex(content)},
			{Kind: evidence.ProofLetter, SHA256: evidence.Hex(c.LetterSHA256)},
		},
	})
	err = s.createOnce(ctx, c, p.letter, content, Earlier{Contract: r.contract(), Any: r.Repeat}, p.today, also)
	if errors.Is(err, ErrExternalIDTaken) {
		c, err = s.existing(ctx, user, r.ExternalID, content)
		return c, false, err
	}
	if errors.Is(err, outcome.ErrNotFound) { // erased since the gate admitted the call
		return cancellation.Cancellation{}, false, apierror.NoUser()
	}
	if err != nil {
		return cancellation.Cancellation{}, false, fmt.Errorf("create cancellation: %w", err)
	}
	return c, true, nil
}

// NoChannel returns the refusal of a letter that no channel can take now.
func NoChannel() error {
	return &apierror.Error{
		Code:   apierror.TemporarilyUnavailable,
		Detail: "None of the product's channels is available at present.", RetryAfter: time.Hour,
	}
}

// existing returns the cancellation with the external identifier, if its content
// is the same.
func (s *Requests) existing(
	ctx context.Context, user owner.User, externalID, content string,
) (cancellation.Cancellation, error) {
	id, was, err := s.Store.ByExternalID(ctx, user, externalID)
	if err != nil {
		return cancellation.Cancellation{}, fmt.Errorf("find by external identifier: %w", err)
	}
	if was != content {
		return cancellation.Cancellation{}, apierror.WithFields(
			apierror.ExternalIDReused, "Another cancellation of this user has this identifier.",
			apierror.Field{
				Pointer: "/externalCancellationRequestIdentifier", Code: "reused",
				Detail: "Use a new identifier for different content.",
			},
		)
	}
	c, err := s.Store.Cancellation(ctx, user, id)
	if err != nil {
		return cancellation.Cancellation{}, fmt.Errorf("read cancellation: %w", err)
	}
	return c, nil
}

// Page is a page of cancellations. Next is the position of the next page.
type Page struct {
	Cancellations []cancellation.Cancellation
	Next          string
}

// List returns a page of the user's cancellations, newest first.
func (s *Requests) List(ctx context.Context, user owner.User, f Filter, limit int, position string) (Page, error) {
	return owner.Read(ctx, s.Gate, user, func(ctx context.Context) (Page, error) {
		list, next, err := s.Store.Cancellations(ctx, user, f, limit, position)
		if err != nil {
			return Page{}, fmt.Errorf("read cancellations: %w", err)
		}
		return Page{Cancellations: list, Next: next}, nil
	})
}

// Get returns one of the user's cancellations.
func (s *Requests) Get(ctx context.Context, user owner.User, id string) (cancellation.Cancellation, error) {
	return owner.Read(ctx, s.Gate, user, func(ctx context.Context) (cancellation.Cancellation, error) {
		return s.read(ctx, user, id)
	})
}

// read reads a cancellation. An objection is none.
func (s *Requests) read(ctx context.Context, user owner.User, id string) (cancellation.Cancellation, error) {
	c, err := s.Store.Cancellation(ctx, user, id)
	if err == nil && c.Objects != nil {
		err = outcome.ErrNotFound
	}
	return c, asAPIError(err)
}

// Letter returns the letter of a cancellation or an objection.
func (s *Requests) Letter(ctx context.Context, user owner.User, id string) (cancellation.StoredLetter, error) {
	return owner.Read(ctx, s.Gate, user, func(ctx context.Context) (cancellation.StoredLetter, error) {
		letter, err := s.Store.Letter(ctx, user, id)
		return letter, asAPIError(err)
	})
}

// changeTries is how often a change is tried when the cancellation changes concurrently.
const changeTries = 5

// Withdraw withdraws a cancellation whose letter has not been sent.
func (s *Requests) Withdraw(ctx context.Context, user owner.User, id string) (cancellation.Cancellation, error) {
	if err := s.Gate.Admit(ctx, user); err != nil {
		return cancellation.Cancellation{}, err
	}
	return UnlessChanging(func() (cancellation.Cancellation, error) {
		c, err := s.read(ctx, user, id)
		if err != nil || c.Status == cancellation.StatusWithdrawn {
			return c, err
		}
		if !c.Move(cancellation.StatusWithdrawn, cancellation.ReasonNone, clock.Now(ctx, s.Now)) {
			return c, apierror.New(apierror.NotWithdrawable, "The letter is being sent or has already been sent.")
		}
		c.Prove(c.UpdatedAt, evidence.Fact{Actor: evidence.ActorPartner, Event: evidence.EventWithdrawn})
		if c, err = s.Store.SaveCancellation(ctx, c, c.EraseJobs()...); err != nil {
			return c, fmt.Errorf("save cancellation: %w", err)
		}
		return c, nil
	})
}

// UnlessChanging tries do again if the cancellation changes concurrently.
func UnlessChanging[T any](do func() (T, error)) (c T, err error) {
	err = outcome.ErrChanged
	for try := 0; try < changeTries && errors.Is(err, outcome.ErrChanged); try++ {
		c, err = do()
	}
	if errors.Is(err, outcome.ErrChanged) {
		return c, &apierror.Error{
			Code: apierror.TemporarilyUnavailable, RetryAfter: time.Second,
			Detail: "The cancellation is being changed. Try again.",
		}
	}
	return c, err
}

// asAPIError converts an error of reading a cancellation for the partner.
func asAPIError(err error) error {
	if errors.Is(err, outcome.ErrNotFound) {
		return apierror.New(apierror.NotFound, "The user has no cancellation with this ID.")
	}
	if err != nil {
		return fmt.Errorf("read cancellation: %w", err)
	}
	return nil
}

func digest(b []byte) string { return evidence.Of(b).String() }
