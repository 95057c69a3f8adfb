package carrier

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/dispatch"
	"aviso/internal/observe"
)

var (
	_ dispatch.Carrier       = (*Post)(nil)
	_ dispatch.CarrierEraser = (*Post)(nil)
)

// recheckAfter is the wait between two looks while Pingen checks a letter, which takes seconds.
const recheckAfter = 5 * time.Second

// The names of the operations.
const (
	requestUpload = "request upload"
	createLetter  = "create letter"
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
func (p *Post) Send(ctx context.Context, s dispatch.Shipment) (dispatch.Receipt, error) {
	if !s.Channel.Kind.OnPaper() {
		return dispatch.Receipt{}, fmt.Errorf("send letter: channel is %s", s.Channel.Kind)
	}
	if s.Channel.Kind == cancellation.ChannelRegisteredMail && p.ReturnAddress.IsZero() {
		return dispatch.Receipt{}, refused("NoReturnAddress")
	}
	if s.Reference != "" {
		// An earlier try may have sent the letter. Only its status shows that.
		l, failure := p.read(ctx, s.Reference)
		if failure != nil {
			return dispatch.Receipt{}, failure
		}
		return p.proceed(ctx, s, l)
	}
	l, failure := p.create(ctx, s)
	if failure != nil {
		return dispatch.Receipt{}, failure
	}
	if err := s.Note(ctx, l.ID); err != nil {
		// The next try finds this letter by its idempotency key.
		return dispatch.Receipt{}, notSaved(err)
	}
	return p.proceed(ctx, s, l)
}

// proceed takes the next step for the letter's status.
func (p *Post) proceed(ctx context.Context, s dispatch.Shipment, l letter) (dispatch.Receipt, error) {
	stage := l.stage()
	if s.LookOnly && (stage == stageChecking || stage == stageReady) {
		return dispatch.Receipt{}, notSent()
	}
	switch stage {
	case stageSent:
		return l.receipt(), nil
	case stageFailed:
		return dispatch.Receipt{}, refused(safeCode(l.Attributes.Status))
	case stageChecking:
		checking := busy(safeCode(l.Attributes.Status), recheckAfter)
		checking.Normal = true
		return dispatch.Receipt{}, checking
	case stageReady:
		return p.dispatch(ctx, s, l.ID)
	default:
		return dispatch.Receipt{}, unclear("UnknownStatus", time.Minute)
	}
}

// dispatch sends a letter that is ready. If Pingen refuses, dispatch reads the status again, because it may have just
// changed.
func (p *Post) dispatch(ctx context.Context, s dispatch.Shipment, id string) (dispatch.Receipt, error) {
	sent, failure := p.letterCall(ctx, request{
		operation: "send letter", method: http.MethodPatch, url: p.letters + "/" + id + "/send",
		body: document{Data: resource{ID: id, Type: typeLetters, Attributes: p.product(s)}},
	}, id)
	switch {
	case failure == nil && sent.stage() == stageFailed:
		return dispatch.Receipt{}, refused(safeCode(sent.Attributes.Status))
	case failure == nil:
		return sent.receipt(), nil
	case failure.Failure != dispatch.CarrierRefused:
		return dispatch.Receipt{}, failure
	}
	now, unread := p.read(ctx, id)
	switch {
	case unread != nil:
		return dispatch.Receipt{}, unread
	case now.stage() == stageReady:
		return dispatch.Receipt{}, failure
	default:
		return p.proceed(ctx, s, now)
	}
}

// read reads a letter. Its failures are Unclear, because an earlier try may have sent
// the letter and only its status shows that.
func (p *Post) read(ctx context.Context, id string) (letter, *dispatch.CarrierError) {
	if !idPattern.MatchString(id) {
		return letter{}, unclear("BadReference", 0)
	}
	l, failure := p.letterCall(ctx, request{
		operation: "read letter", method: http.MethodGet, url: p.letters + "/" + id,
	}, id)
	if failure != nil {
		failure.Failure = dispatch.CarrierUnclear
	}
	return l, failure
}

// Delete stops the letter if possible and deletes it. It fails with Busy while Pingen processes the letter. It fails
// with Refused if Pingen has sent the letter: Pingen then keeps it for the configured time.
func (p *Post) Delete(ctx context.Context, reference string) error {
	if !idPattern.MatchString(reference) {
		return refused("BadReference")
	}
	cancelled, failure := p.call(ctx, request{
		operation: "cancel letter", method: http.MethodPatch, url: p.letters + "/" + reference + "/cancel",
	})
	switch {
	case cancelled.gone():
		return nil
	case failure != nil && !tooLate(cancelled.status):
		return failure
	}
	deleted, failure := p.call(ctx, request{
		operation: "delete letter", method: http.MethodDelete, url: p.letters + "/" + reference,
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

// create uploads the document and creates the letter. It sends nothing, so a failure never makes the letter unclear.
//
// The shipment's ID is the idempotency key. It finds a letter whose ID was not saved, because Pingen repeats its
// response for 24 hours.
func (p *Post) create(ctx context.Context, s dispatch.Shipment) (letter, *dispatch.CarrierError) {
	file, failure := p.upload(ctx, s.Document.PDF)
	if failure != nil {
		return letter{}, failure
	}
	attributes := p.product(s)
	// Pingen's only field for our IDs is the file name, which the recipient does not see. A partner's ID has no dot.
	attributes.FileName = s.CancellationID + "." + string(s.Partner) + "." + fileName(s.Document.FileName)
	attributes.FileURL, attributes.FileSignature = file.URL, file.Signature
	attributes.AddressPosition, attributes.AutoSend = "left", new(bool)
	if s.Document.AddressOnTheRight {
		attributes.AddressPosition = "right"
	}
	call := request{
		operation: createLetter, method: http.MethodPost, url: p.letters,
		header: map[string]string{"Idempotency-Key": s.ID},
		body:   document{Data: resource{Type: typeLetters, Attributes: attributes}},
	}
	a, failure := p.call(ctx, call)
	if failure != nil && keyMayBeUsedUp(a) {
		call.header = map[string]string{"Idempotency-Key": fmt.Sprintf("%s-%d", s.ID, p.Now().Unix())}
		a, failure = p.call(ctx, call)
	}
	var l letter
	if failure == nil {
		l, failure = parseLetter(createLetter, a, "")
	}
	if failure != nil && failure.Failure == dispatch.CarrierUnclear {
		failure.Failure = dispatch.CarrierBusy // nothing was handed over
	}
	if failure != nil {
		return letter{}, failure
	}
	if replayed(a) {
		// The response may be out of date.
		return p.read(ctx, l.ID)
	}
	return l, nil
}

// keyMayBeUsedUp reports whether a failure may be about the key instead of the letter. Pingen repeats an earlier
// failure, and rejects an upload that differs from the earlier one. Only a try with a new key can tell.
func keyMayBeUsedUp(a response) bool {
	return replayed(a) || a.status == http.StatusBadRequest || a.status == http.StatusConflict ||
		a.status == http.StatusUnprocessableEntity
}

// replayed reports whether Pingen repeated an earlier response.
func replayed(a response) bool { return a.header.Get("Idempotent-Replayed") == "true" }

// upload uploads the document for Pingen.
func (p *Post) upload(ctx context.Context, pdf []byte) (fileUpload, *dispatch.CarrierError) {
	var answered struct {
		Data struct {
			Attributes fileUpload `json:"attributes"`
		} `json:"data"`
	}
	_, failure := p.call(ctx, request{
		operation: requestUpload, method: http.MethodGet, url: p.BaseURL + "/file-upload", into: &answered,
	})
	file := answered.Data.Attributes
	target, err := url.Parse(file.URL)
	if failure == nil && (file.Signature == "" || err != nil || target.Host == "" || target.User != nil ||
		target.Scheme != "https" && !strings.HasPrefix(p.BaseURL, target.Scheme+":")) {
		failure = malformed(requestUpload)
	}
	if failure == nil {
		// The URL itself is the credential, so the token is not sent.
		_, failure = p.client.do(ctx, request{
			operation: "upload letter", method: http.MethodPut, url: file.URL, body: pdf, media: "application/pdf",
		})
	}
	if failure != nil {
		return fileUpload{}, asBusy(failure)
	}
	return file, nil
}

const jsonAPI = "application/vnd.api+json"

// call makes a call with a token. If the API rejects the token, call retries once with a new one: tokens become
// invalid early when the secret changes. It returns the response's status even with a failure.
func (p *Post) call(ctx context.Context, r request) (response, *dispatch.CarrierError) {
	r.media = jsonAPI
	for attempt := 0; ; attempt++ {
		token, failure := p.token(ctx)
		if failure != nil {
			return response{}, failure
		}
		r.authorization = "Bearer " + token
		a, failure := p.client.do(ctx, r)
		if a.status != http.StatusUnauthorized || attempt > 0 {
			return a, failure
		}
		p.tokens.forget(token)
	}
}

// letterCall makes a call that returns a letter. If id is set, the letter must have
// that ID.
func (p *Post) letterCall(ctx context.Context, r request, id string) (letter, *dispatch.CarrierError) {
	a, failure := p.call(ctx, r)
	if failure != nil {
		return letter{}, failure
	}
	return parseLetter(r.operation, a, id)
}

func parseLetter(operation string, a response, id string) (letter, *dispatch.CarrierError) {
	var answered struct {
		Data letter `json:"data"`
	}
	l := &answered.Data
	if json.Unmarshal(a.body, &answered) != nil || l.Type != typeLetters || !idPattern.MatchString(l.ID) || id != "" && l.ID != id {
		return letter{}, malformed(operation)
	}
	return *l, nil
}

// tokenMargin is how long before its expiry a token is no longer used, so that it does not expire in transit.
const tokenMargin = time.Minute

const fetchToken = "fetch token"

// tokens caches the last access token until it expires.
type tokens struct {
	mu    sync.Mutex
	last  observe.Secret
	until time.Time
}

// token returns the cached token or a new one (OAuth 2.0 client credentials, RFC 6749, 4.4). It
// waits for a call in progress, so that concurrent letters share one token.
func (p *Post) token(ctx context.Context) (observe.Secret, *dispatch.CarrierError) {
	p.tokens.mu.Lock()
	defer p.tokens.mu.Unlock()
	if p.tokens.last != "" && p.Now().Before(p.tokens.until) {
		return p.tokens.last, nil
	}
	var body struct {
		Token     string `json:"access_token"`
		ExpiresIn int64  `json:"expires_in"`
	}
	asked := p.Now()
	_, failure := p.client.do(ctx, request{
		operation: fetchToken, method: http.MethodPost, url: p.IdentityURL + "/auth/access-tokens",
		header: map[string]string{"Accept": "application/json"},
		media:  "application/x-www-form-urlencoded", body: []byte(url.Values{
			"grant_type": {"client_credentials"}, "scope": {"letter"},
			"client_id": {p.ClientID}, "client_secret": {string(p.ClientSecret)},
		}.Encode()), into: &body,
	})
	if failure == nil && !tokenPattern.MatchString(body.Token) {
		failure = malformed(fetchToken)
	}
	if failure != nil {
		return "", asBusy(failure)
	}
	// The documented maximum is twelve hours.
	life := time.Duration(min(max(body.ExpiresIn, 0), int64(12*time.Hour/time.Second))) * time.Second
	p.tokens.last, p.tokens.until = observe.Secret(body.Token), asked.Add(life-tokenMargin)
	return p.tokens.last, nil
}

// forget removes a token that the API rejected from the cache.
func (t *tokens) forget(token observe.Secret) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.last == token {
		t.last = ""
	}
}
