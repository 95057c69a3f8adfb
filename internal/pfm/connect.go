package pfm

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"aviso/internal/apierror"
	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// What a user who opens a link may be told.
var (
	// ErrLinkUnknown: there is no such link.
	ErrLinkUnknown = errors.New("pfm: no such link")
	// ErrLinkExpired: the link's time is over.
	ErrLinkExpired = errors.New("pfm: the link has expired")
	// ErrLinkUsed: the link has served its purpose, or the answer of the bank
	// is not the one that was waited for.
	ErrLinkUsed = errors.New("pfm: the link has been used")
	// ErrBankUnavailable: the bank does not answer as it should at present.
	ErrBankUnavailable = errors.New("pfm: the bank is unavailable")
	// ErrBankRefused: the bank does not want to make a connection.
	ErrBankRefused = errors.New("pfm: the bank refused")
	// ErrNotConfirmed: the bank has yet to confirm the authorisation.
	ErrNotConfirmed = errors.New("pfm: the bank has not confirmed yet")
)

// Outcome is what the partner is told by the query of its return URL.
type Outcome string

// The outcomes of a user's way to the bank.
const (
	OutcomeSuccess   Outcome = "success"
	OutcomeFailed    Outcome = "failed"
	OutcomeCancelled Outcome = "cancelled"
)

// Create prepares a connection of the user to the provider. The bank is asked
// only when the user opens the link.
func (s *Connections) Create(ctx context.Context, user owner.User, providerID, returnURL string) (Connection, error) {
	if err := s.gate.Admit(ctx, user); err != nil {
		return Connection{}, err
	}
	provider, err := s.store.Provider(ctx, providerID)
	if errors.Is(err, outcome.ErrNotFound) {
		return Connection{}, apierror.WithFields(apierror.NotFound, "There is no provider of this id.",
			apierror.Field{Pointer: "/providerId", Code: "not_found", Detail: "GET /openbanking/v1/providers lists the providers."})
	}
	if err != nil {
		return Connection{}, fmt.Errorf("read provider: %w", err)
	}
	if err := s.mayConnect(ctx, user.Partner, provider, returnURL); err != nil {
		return Connection{}, err
	}
	now := clock.Read(s.now)
	c := Connection{ID: s.newID(), Owner: user, ProviderID: provider.ID, Status: ConnectionPending, CreatedAt: now}
	c.openLink(provider, returnURL, now)
	if err := s.store.CreateConnection(ctx, c); err != nil {
		return Connection{}, fmt.Errorf("create connection: %w", err)
	}
	return c, nil
}

// mayConnect refuses a way to a provider that is not to be connected, or back to
// a place that is not the partner's.
func (s *Connections) mayConnect(ctx context.Context, partner owner.PartnerID, p Provider, returnURL string) error {
	if p.Status != ProviderActive {
		return apierror.New(apierror.ProviderNotAvailable, "Connections to this provider cannot be made at present.")
	}
	allowed, err := s.mayReturn(ctx, partner, returnURL)
	if err != nil {
		return fmt.Errorf("check return URL: %w", err)
	}
	if !allowed {
		return apierror.WithFields(apierror.ReturnURLNotRegistered, "The return URL must lie under one that is registered for the partner.",
			apierror.Field{Pointer: "/returnUrl", Code: "not_registered", Detail: "Scheme, host and port must be the same; the path must begin with the registered one."})
	}
	return nil
}

// Visitor is the user's browser.
type Visitor struct{ IPAddress, UserAgent string }

// Visit is what a user's way to the bank led to. ReturnTo is where the user can
// go back to the partner, where that is known; it is set along with errors too.
type Visit struct {
	RedirectTo string
	ReturnTo   string
	BankName   string
}

// Open is a user opening the link: the bank is asked for a consent, and the
// user is to be sent on to Visit.RedirectTo. Opening it again leads to the same
// page of the bank.
func (s *Connections) Open(ctx context.Context, connectionID string, v Visitor, baseURL string) (Visit, error) {
	c, err := s.find(ctx, connectionID)
	if err != nil {
		return Visit{}, err
	}
	visit := visitOf(c)
	if err := s.usable(ctx, c); err != nil {
		return visit, err
	}
	if c.Authorisation.BankURL != "" {
		visit.RedirectTo = c.Authorisation.BankURL
		return visit, nil
	}
	provider, err := s.store.Provider(ctx, c.ProviderID)
	if err != nil {
		return visit, fmt.Errorf("read provider: %w", err)
	}
	state := c.ID + "." + s.newSecret()
	callback := baseURL + "/connect/callback?state=" + url.QueryEscape(state)
	consent, err := s.bank.RequestConsent(ctx, provider.Endpoint, ConsentRequest{
		PSUIPAddress: v.IPAddress, PSUUserAgent: v.UserAgent,
		RedirectURL: callback, RefusedURL: callback + "&refused=true",
		ValidUntil: DateOf(s.now()).AddDays(provider.ConsentDays()),
	})
	if err != nil {
		return visit, s.consentFailed(ctx, c, err)
	}
	c.Authorisation.ConsentID, c.Authorisation.BankURL, c.Authorisation.StateHash = consent.ID, consent.RedirectURL, stateHash(state)
	c.note(ReasonNone, clock.Read(s.now))
	err = s.store.SaveConnection(ctx, c)
	if errors.Is(err, outcome.ErrChanged) {
		// The link was opened twice at the same moment, and the other request
		// was first. Its consent is the one; ours is never to be authorised.
		_ = s.bank.EndConsent(ctx, provider.Endpoint, consent.ID)
		return s.reopened(ctx, connectionID)
	}
	if err != nil {
		return visit, fmt.Errorf("save connection: %w", err)
	}
	visit.RedirectTo = consent.RedirectURL
	return visit, nil
}

// reopened is the bank's page that a request at the same moment has got.
func (s *Connections) reopened(ctx context.Context, connectionID string) (Visit, error) {
	c, err := s.find(ctx, connectionID)
	if err != nil {
		return Visit{}, err
	}
	visit := visitOf(c)
	if c.Authorisation == nil {
		return visit, ErrLinkUsed
	}
	if c.Authorisation.BankURL == "" { // the other request got no consent
		return visit, ErrBankUnavailable
	}
	visit.RedirectTo = c.Authorisation.BankURL
	return visit, nil
}

// consentFailed notes why the bank made no consent. The user may try again
// while the link lives, unless the bank will not have it at all.
func (s *Connections) consentFailed(ctx context.Context, c Connection, cause error) error {
	var bank *SupplierError
	if !errors.As(cause, &bank) {
		return fmt.Errorf("request consent: %w", cause)
	}
	shown := ErrBankUnavailable
	if bank.Temporary() {
		c.note(StatusReason(bank.Kind), clock.Read(s.now))
	} else {
		shown = ErrBankRefused
		c.fail(StatusReason(bank.Kind), clock.Read(s.now))
	}
	if err := s.store.SaveConnection(ctx, c); err != nil && !errors.Is(err, outcome.ErrChanged) {
		return fmt.Errorf("save connection: %w", err)
	}
	return errors.Join(shown, cause)
}

// Finish is the bank sending the user back. Only the state given to the bank
// for the way that is open now has an effect, and only once. The consent itself
// is read from the bank: the address the user comes with proves nothing.
func (s *Connections) Finish(ctx context.Context, state string, refused bool, v Visitor) (Visit, error) {
	connectionID, _, _ := strings.Cut(state, ".")
	c, err := s.find(ctx, connectionID)
	if err != nil {
		return Visit{}, err
	}
	a := c.Authorisation
	if a == nil || a.StateHash == "" || subtle.ConstantTimeCompare([]byte(a.StateHash), []byte(stateHash(state))) != 1 {
		return Visit{}, ErrLinkUsed
	}
	visit := visitOf(c)
	if err := s.usable(ctx, c); err != nil {
		return visit, err
	}
	provider, err := s.store.Provider(ctx, c.ProviderID)
	if err != nil {
		return visit, fmt.Errorf("read provider: %w", err)
	}
	consent, err := s.bank.Consent(ctx, provider.Endpoint, a.ConsentID)
	if err != nil {
		return visit, s.consentFailed(ctx, c, err)
	}
	result, jobs := OutcomeFailed, []SyncJob(nil)
	was, now := c, clock.Read(s.now)
	switch {
	case consent.State == ConsentValid:
		result = OutcomeSuccess
		c.activate(consent, now)
		job := c.job(JobSync)
		job.PSUIPAddress = v.IPAddress
		jobs = append(was.endConsents(c), job)
	case consent.State == ConsentRejected:
		result = OutcomeCancelled
		c.fail(ReasonUserCancelled, now)
	case refused, consent.State != ConsentReceived && consent.State != ConsentPartiallyAuthorised:
		// Best effort: a consent that nobody authorised dies at the bank anyway.
		_ = s.bank.EndConsent(ctx, provider.Endpoint, a.ConsentID)
		c.fail(ReasonAuthorisationFailed, now)
	default:
		return visit, ErrNotConfirmed
	}
	err = s.store.SaveConnection(ctx, c, jobs...)
	if errors.Is(err, outcome.ErrChanged) {
		return Visit{}, ErrLinkUsed
	}
	if err != nil {
		return visit, fmt.Errorf("save connection: %w", err)
	}
	visit.RedirectTo = returnTo(c.ReturnURL, c.ID, result)
	return visit, nil
}

// maxConnectionID is more than our ids have. What comes from an address may be
// of any length, but no table takes such a key.
const maxConnectionID = 64

// find reads a connection by its id alone.
func (s *Connections) find(ctx context.Context, connectionID string) (Connection, error) {
	if len(connectionID) > maxConnectionID {
		return Connection{}, ErrLinkUnknown
	}
	user, err := s.store.ConnectionOwner(ctx, connectionID)
	if err == nil {
		var c Connection
		if c, err = s.store.Connection(ctx, user, connectionID); err == nil {
			return c, nil
		}
	}
	if errors.Is(err, outcome.ErrNotFound) {
		return Connection{}, ErrLinkUnknown
	}
	return Connection{}, fmt.Errorf("read connection: %w", err)
}

// usable tells whether the way to the bank is open; one whose time is over is
// closed here and now.
func (s *Connections) usable(ctx context.Context, c Connection) error {
	if c.Authorisation == nil {
		if c.Reason == ReasonLinkExpired {
			return ErrLinkExpired
		}
		return ErrLinkUsed
	}
	if s.now().Before(c.Authorisation.ExpiresAt) {
		return nil
	}
	if err := s.expire(ctx, c); err != nil {
		return err
	}
	return ErrLinkExpired
}

// expire closes a way to the bank whose time is over.
func (s *Connections) expire(ctx context.Context, c Connection) error {
	was := c
	c.fail(ReasonLinkExpired, clock.Read(s.now))
	if err := s.store.SaveConnection(ctx, c, was.endConsents(c)...); err != nil && !errors.Is(err, outcome.ErrChanged) {
		return fmt.Errorf("save connection: %w", err)
	}
	return nil
}

func visitOf(c Connection) Visit {
	result := OutcomeFailed
	if c.IsActive() && c.Authorisation == nil {
		result = OutcomeSuccess
	}
	return Visit{BankName: c.ProviderName, ReturnTo: returnTo(c.ReturnURL, c.ID, result)}
}

// returnTo adds the outcome to the query of the partner's URL. The rest of the
// query stays as it is to the letter: it may be signed, or no pairs at all.
func returnTo(returnURL, connectionID string, o Outcome) string {
	u, err := url.Parse(returnURL)
	if err != nil { // it was parsed when it was registered and when it was sent
		return returnURL
	}
	var query []string
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		name, _, _ := strings.Cut(pair, "=")
		if name, err := url.QueryUnescape(name); pair != "" && (err != nil || name != "connectionId" && name != "status") {
			query = append(query, pair)
		}
	}
	query = append(query, "connectionId="+url.QueryEscape(connectionID), "status="+string(o))
	u.RawQuery = strings.Join(query, "&")
	return u.String()
}

func stateHash(state string) string {
	sum := sha256.Sum256([]byte(state))
	return hex.EncodeToString(sum[:])
}
