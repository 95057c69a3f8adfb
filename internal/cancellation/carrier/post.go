package carrier

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"aviso/internal/cancellation"
	"aviso/internal/observe"
)

var (
	_ cancellation.Carrier       = (*Post)(nil)
	_ cancellation.CarrierEraser = (*Post)(nil)
)

// recheckAfter is how long to wait while Pingen checks a letter, which takes
// seconds.
const recheckAfter = 5 * time.Second

// The names of the operations.
const (
	requestUpload = "request upload"
	uploadLetter  = "upload letter"
	createLetter  = "create letter"
	readLetter    = "read letter"
	sendLetter    = "send letter"
	cancelLetter  = "cancel letter"
	deleteLetter  = "delete letter"
)

// PostOptions are the options of Post. An operator enters our account as JSON.
type PostOptions struct {
	Common `json:"-"`

	// BaseURL is the URL of the API, https://api.pingen.com, and IdentityURL the URL
	// of the host that issues tokens, https://identity.pingen.com; required.
	BaseURL     string `json:"-"`
	IdentityURL string `json:"-"`
	// OrganisationID identifies us at Pingen; required.
	OrganisationID string
	// ClientID and ClientSecret belong to an application that may use client
	// credentials; required.
	ClientID     string
	ClientSecret observe.Secret
	// WebhookSecret is the signing key of our webhooks; required.
	// PreviousWebhookSecret is accepted too, while webhooks switch to a new key;
	// optional.
	WebhookSecret, PreviousWebhookSecret observe.Secret
	// ReturnAddress receives undeliverable registered letters. Without it, registered
	// mail is refused, because Pingen requires a sender.
	ReturnAddress cancellation.PostalAddress
}

// Post sends letters on paper by Pingen.
type Post struct {
	PostOptions
	client  *client
	letters string // the URL
	tokens  tokens
}

// NewPost returns the postal carrier. It fails if a required part of our account is missing.
func NewPost(o PostOptions) (*Post, error) {
	if !idPattern.MatchString(o.OrganisationID) || o.ClientID == "" || o.ClientSecret == "" || o.WebhookSecret == "" {
		return nil, errors.New("post carrier: organisation, client and webhook secret are required")
	}
	letters := o.BaseURL + "/organisations/" + o.OrganisationID + "/deliveries/letters"
	return &Post{PostOptions: o, client: newClient(o.Common), letters: letters}, nil
}

// Send creates the letter unsent, notes its ID and sends it once Pingen has checked
// it. The receipt's reference is Pingen's ID of the letter.
func (p *Post) Send(ctx context.Context, s cancellation.Shipment) (cancellation.Receipt, error) {
	if !s.Channel.Kind.OnPaper() {
		return cancellation.Receipt{}, fmt.Errorf("send letter: channel is %s", s.Channel.Kind)
	}
	if s.Channel.Kind == cancellation.ChannelRegisteredMail && p.ReturnAddress.IsZero() {
		return cancellation.Receipt{}, refused("NoReturnAddress")
	}
	if s.Reference != "" {
		// An earlier try may have sent it. Only its status shows that.
		l, failure := p.read(ctx, s.Reference)
		if failure != nil {
			return cancellation.Receipt{}, failure
		}
		return p.proceed(ctx, s, l)
	}
	l, failure := p.create(ctx, s)
	if failure != nil {
		return cancellation.Receipt{}, failure
	}
	if err := s.Note(ctx, l.ID); err != nil {
		// The next try finds the same letter by its idempotency key.
		return cancellation.Receipt{}, notNoted(err)
	}
	return p.proceed(ctx, s, l)
}

// proceed takes the next step for the letter's status.
func (p *Post) proceed(ctx context.Context, s cancellation.Shipment, l letter) (cancellation.Receipt, error) {
	stage := l.stage()
	if s.LookOnly && (stage == stageChecking || stage == stageReady) {
		return cancellation.Receipt{}, notSent()
	}
	switch stage {
	case stageSent:
		return l.receipt(), nil
	case stageFailed:
		return cancellation.Receipt{}, refused(safeCode(l.Attributes.Status))
	case stageChecking:
		checking := busy(safeCode(l.Attributes.Status), recheckAfter)
		checking.Normal = true
		return cancellation.Receipt{}, checking
	case stageReady:
		return p.dispatch(ctx, s, l.ID)
	default:
		return cancellation.Receipt{}, unclear("UnknownStatus", time.Minute)
	}
}

// dispatch sends a letter that is ready. If Pingen refuses, dispatch reads the
// status again, because it may just have changed.
func (p *Post) dispatch(ctx context.Context, s cancellation.Shipment, id string) (cancellation.Receipt, error) {
	sent, failure := p.letterCall(ctx, request{
		operation: sendLetter, method: http.MethodPatch, url: p.letters + "/" + id + "/send",
		body: document{Data: resource{ID: id, Type: typeLetters, Attributes: p.product(s)}},
	}, id)
	switch {
	case failure == nil && sent.stage() == stageFailed:
		return cancellation.Receipt{}, refused(safeCode(sent.Attributes.Status))
	case failure == nil:
		return sent.receipt(), nil
	case failure.Failure != cancellation.CarrierRefused:
		return cancellation.Receipt{}, failure
	}
	now, unread := p.read(ctx, id)
	switch {
	case unread != nil:
		return cancellation.Receipt{}, unread
	case now.stage() == stageReady:
		return cancellation.Receipt{}, failure
	default:
		return p.proceed(ctx, s, now)
	}
}

// read reads a letter. Its failures are Unclear, because an earlier try may have sent
// the letter and only its status shows that.
func (p *Post) read(ctx context.Context, id string) (letter, *cancellation.CarrierError) {
	if !idPattern.MatchString(id) {
		return letter{}, unclear("BadReference", 0)
	}
	l, failure := p.letterCall(ctx, request{
		operation: readLetter, method: http.MethodGet, url: p.letters + "/" + id,
	}, id)
	if failure != nil {
		failure.Failure = cancellation.CarrierUnclear
	}
	return l, failure
}

// Delete stops the letter if possible and deletes it. It fails with Busy while Pingen
// processes the letter, and with Refused if Pingen has sent it and keeps it for the
// configured time.
func (p *Post) Delete(ctx context.Context, reference string) error {
	if !idPattern.MatchString(reference) {
		return refused("BadReference")
	}
	cancelled, failure := p.call(ctx, request{
		operation: cancelLetter, method: http.MethodPatch, url: p.letters + "/" + reference + "/cancel",
	})
	switch {
	case cancelled.gone():
		return nil
	case failure != nil && !tooLate(cancelled.status):
		return failure
	}
	deleted, failure := p.call(ctx, request{
		operation: deleteLetter, method: http.MethodDelete, url: p.letters + "/" + reference,
	})
	switch {
	case failure == nil, deleted.gone():
		return nil
	case !tooLate(deleted.status):
		return failure
	}
	l, failure := p.read(ctx, reference)
	switch {
	case failure != nil:
		return failure
	case l.isFinal():
		return refused("NotDeletable")
	default:
		return busy(safeCode(l.Attributes.Status), time.Minute)
	}
}

// tooLate reports whether Pingen refused because of the letter's state.
func tooLate(status int) bool {
	return slices.Contains([]int{
		http.StatusBadRequest, http.StatusForbidden, http.StatusMethodNotAllowed, http.StatusConflict,
		http.StatusUnprocessableEntity, http.StatusLocked,
	}, status)
}
