package connection

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"aviso/internal/api/apierror"
	"aviso/internal/clock"
	"aviso/internal/dynamo/outcome"
	"aviso/internal/dynamo/owner"
	"aviso/internal/pfm"
)

// The errors that a user who opens a link may see.
var (
	// ErrLinkUnknown is returned when the link does not exist, or its secret is wrong.
	ErrLinkUnknown = errors.New("pfm: no such link")
	// ErrLinkExpired is returned when the link has expired.
	ErrLinkExpired = errors.New("pfm: the link has expired")
	// ErrLinkUsed is returned when the link was already used, or when the user comes
	// back from the bank with a state other than the expected one.
	ErrLinkUsed = errors.New("pfm: the link has been used")
	// ErrOtherBrowser is returned when the user comes back from the bank in a browser that
	// has not opened the link.
	ErrOtherBrowser = errors.New("pfm: another browser opened the link")
	// ErrBankUnavailable is returned when the bank is temporarily failing.
	ErrBankUnavailable = errors.New("pfm: the bank is unavailable")
	// ErrBankRefused is returned when the bank rejects the connection.
	ErrBankRefused = errors.New("pfm: the bank refused")
	// ErrNotConfirmed is returned when the bank has not confirmed the authorisation yet.
	ErrNotConfirmed = errors.New("pfm: the bank has not confirmed yet")
)

// Outcome is the result of an authorisation. The partner gets it in the query of its
// return URL.
type Outcome string

// The outcomes of an authorisation.
const (
	OutcomeSuccess   Outcome = "success"
	OutcomeFailed    Outcome = "failed"
	OutcomeCancelled Outcome = "cancelled"
)

// Create prepares a connection of the user to the provider. It does not call the
// bank; that happens when the user opens the link.
func (s *Connections) Create(ctx context.Context, user owner.User, providerID, returnURL string) (Connection, error) {
	if err := s.Gate.Admit(ctx, user); err != nil {
		return Connection{}, err
	}
	provider, err := s.Store.Provider(ctx, providerID)
	if errors.Is(err, outcome.ErrNotFound) {
		return Connection{}, apierror.WithFields(apierror.NotFound,
			"There is no provider with this ID.", apierror.Field{
				Pointer: "/providerId", Code: "not_found",
				Detail: "Send an ID that GET /openbanking/v1/providers lists.",
			})
	}
	if err != nil {
		return Connection{}, fmt.Errorf("read provider: %w", err)
	}
	if returnURL, err = s.mayConnect(ctx, user.Partner, provider, returnURL); err != nil {
		return Connection{}, err
	}
	now := clock.Now(ctx, s.Now)
	c := Connection{ID: s.NewID(), Owner: user, ProviderID: provider.ID, Status: Pending, CreatedAt: now}
	c.openLink(provider, returnURL, s.NewSecret(), now)
	err = s.Store.CreateConnection(ctx, c)
	if errors.Is(err, outcome.ErrNotFound) {
		return Connection{}, apierror.NoUser() // erased since the gate admitted the call
	}
	if err != nil {
		return Connection{}, fmt.Errorf("create connection: %w", err)
	}
	return c, nil
}

// mayConnect returns where the user returns to, or an error if the provider does not accept
// connections, or if the return URL does not belong to the partner.
func (s *Connections) mayConnect(ctx context.Context, partner owner.PartnerID, p pfm.Provider, wanted string) (string, error) {
	if p.Status != pfm.ProviderActive {
		return "", apierror.New(apierror.ProviderNotAvailable, "This provider does not accept connections at present.")
	}
	returnURL, err := s.ReturnURL(ctx, partner, wanted)
	if err != nil {
		return "", fmt.Errorf("check return URL: %w", err)
	}
	if returnURL == "" {
		return "", apierror.WithFields(apierror.ReturnURLNotRegistered,
			"The return URL must be under a URL registered for the partner.", apierror.Field{
				Pointer: "/returnUrl", Code: "not_registered",
				Detail: "Scheme, host and port must match a registered URL, and the path must start with its path.",
			})
	}
	return returnURL, nil
}

// Visitor is the user's browser.
type Visitor struct {
	IPAddress, UserAgent string
	// Headers are those about the visitor that a bank may want; see Profile.
	Headers map[string]string
	// BrowserKey is the key that the browser got when it opened the connection's link;
	// empty if it did not.
	BrowserKey string
}

// Visit says where to send the user next, or what to show. ReturnTo is the partner's
// return URL, if known; it is also set when there is an error.
type Visit struct {
	// Owner is the user, if the link is one of ours; also set when there is an error.
	Owner      owner.User
	RedirectTo string
	ReturnTo   string
	BankName   string
	// BrowserKey is the key for the browser that opens the link. The browser must keep it
	// for KeyLifetime.
	BrowserKey  string
	KeyLifetime time.Duration
	// Step is what the user does on our own page, if there is no RedirectTo. Left is how long
	// the link still works.
	Step pfm.Step
	Left time.Duration
}

// Open handles a user who opens the link: it requests a consent from the bank and
// returns where the user goes next in Visit.RedirectTo. Opening the link again leads to
// the same page, in another browser too. link is the link's secret.
func (s *Connections) Open(
	ctx context.Context, connectionID, link string, v Visitor, baseURL string,
) (Visit, error) {
	ctx, c, err := s.find(ctx, connectionID)
	if err != nil {
		return Visit{}, err
	}
	key := browserKey(link)
	if !c.accepts(key) {
		return Visit{}, ErrLinkUnknown
	}
	visit := visitOf(c)
	if err := s.checkOpen(ctx, c); err != nil {
		return visit, err
	}
	visit.BrowserKey, visit.KeyLifetime = key, c.Authorisation.ExpiresAt.Sub(clock.Now(ctx, s.Now))
	if c.Authorisation.Next.Kind != "" {
		visit.RedirectTo = c.nextAddress(baseURL)
		return visit, nil
	}
	provider, err := s.Store.Provider(ctx, c.ProviderID)
	if err != nil {
		return visit, fmt.Errorf("read provider: %w", err)
	}
	req := s.consentRequest(ctx, c, provider, v, baseURL)
	progress, err := s.Bank(provider.Endpoint).RequestConsent(ctx, provider.Endpoint, req)
	if err != nil {
		return visit, s.consentFailed(ctx, c, err)
	}
	c.proceed(progress, req, clock.Now(ctx, s.Now))
	err = s.Store.SaveConnection(ctx, c)
	if isLost(err) && progress.Session.ConsentID != "" {
		_ = s.Bank(provider.Endpoint).EndConsent(ctx, provider.Endpoint, progress.Session)
	}
	if errors.Is(err, outcome.ErrNotFound) { // the user has been erased
		return Visit{}, ErrLinkUnknown
	}
	if errors.Is(err, outcome.ErrChanged) {
		// The link was opened twice at the same time, and the other request won. The user
		// authorises its consent.
		return s.openedConcurrently(ctx, c, visit, baseURL)
	}
	if err != nil {
		return visit, fmt.Errorf("save connection: %w", err)
	}
	visit.RedirectTo = c.nextAddress(baseURL)
	return visit, nil
}

// consentRequest returns a request with a new secret, which the bank must return.
func (s *Connections) consentRequest(
	ctx context.Context, c Connection, p pfm.Provider, v Visitor, baseURL string,
) pfm.ConsentRequest {
	state := c.ID + "." + s.NewSecret()
	callback := baseURL + "/connect/callback"
	redirect := callback + "?state=" + url.QueryEscape(state)
	brand := ""
	if s.Brand != nil {
		brand = s.Brand(ctx, c.Owner)
	}
	return pfm.ConsentRequest{
		Brand:        brand,
		ConnectionID: c.ID, PSUIPAddress: v.IPAddress, PSUUserAgent: v.UserAgent,
		PSUHeaders:  p.Wants(v.Headers),
		RedirectURL: redirect, RefusedURL: redirect + "&refused=true", CallbackURL: callback, State: state,
		ValidUntil: pfm.DateOf(clock.Now(ctx, s.Now)).AddDays(p.ConsentDays() - 1),
	}
}

// openedConcurrently adds the page that a concurrent request received to the visit. old is
// the connection as this request read it.
func (s *Connections) openedConcurrently(
	ctx context.Context, old Connection, visit Visit, baseURL string,
) (Visit, error) {
	_, c, err := s.find(ctx, old.ID)
	if err != nil {
		return Visit{}, err
	}
	if c.LinkHash != old.LinkHash { // replaced by a reconnect
		return Visit{}, ErrLinkUnknown
	}
	if c.Authorisation == nil {
		return visitOf(c), ErrLinkUsed
	}
	if c.Authorisation.Next.Kind == "" { // the other request got no consent
		return visit, ErrBankUnavailable
	}
	visit.RedirectTo = c.nextAddress(baseURL)
	return visit, nil
}

// consentFailed records why a call about the consent failed. The user may try again
// until the link expires, unless the bank has rejected the connection for good.
func (s *Connections) consentFailed(ctx context.Context, c Connection, cause error) error {
	bank := pfm.FailureOf(cause)
	if bank.Kind == "" {
		return fmt.Errorf("request consent: %w", cause)
	}
	shown := ErrBankUnavailable
	if bank.Temporary() {
		c.setPendingReason(StatusReason(bank.Kind), clock.Now(ctx, s.Now))
	} else {
		shown = ErrBankRefused
		c.fail(StatusReason(bank.Kind), clock.Now(ctx, s.Now))
	}
	if err := s.Store.SaveConnection(ctx, c); err != nil && !isLost(err) {
		return fmt.Errorf("save connection: %w", err)
	}
	return errors.Join(shown, cause)
}

// maxConnectionID is longer than any of our IDs. An ID from an address may have any
// length, and DynamoDB rejects a key that is too long.
const maxConnectionID = 64

// find reads a connection by its ID alone, and returns ctx with its user's clock.
func (s *Connections) find(ctx context.Context, connectionID string) (context.Context, Connection, error) {
	if len(connectionID) > maxConnectionID {
		return ctx, Connection{}, ErrLinkUnknown
	}
	user, err := s.Store.ConnectionOwner(ctx, connectionID)
	if err == nil {
		var c Connection
		if c, err = s.Store.Connection(ctx, user, connectionID); err == nil {
			ctx, err = clock.For(ctx, s.Clocks, user)
			return ctx, c, err
		}
	}
	if errors.Is(err, outcome.ErrNotFound) {
		return ctx, Connection{}, ErrLinkUnknown
	}
	return ctx, Connection{}, fmt.Errorf("read connection: %w", err)
}

// checkOpen returns an error if no authorisation is in progress. It closes one that
// has expired.
func (s *Connections) checkOpen(ctx context.Context, c Connection) error {
	if c.Authorisation == nil {
		if c.Reason == ReasonLinkExpired {
			return ErrLinkExpired
		}
		return ErrLinkUsed
	}
	if clock.Now(ctx, s.Now).Before(c.Authorisation.ExpiresAt) {
		return nil
	}
	if err := s.expire(ctx, c); err != nil {
		return err
	}
	return ErrLinkExpired
}

// expire closes an authorisation that has expired.
func (s *Connections) expire(ctx context.Context, c Connection) error {
	old := c
	c.fail(ReasonLinkExpired, clock.Now(ctx, s.Now))
	err := s.Store.SaveConnection(ctx, c, old.endConsents(c)...)
	if err != nil && !isLost(err) {
		return fmt.Errorf("save connection: %w", err)
	}
	return nil
}

// isLost reports whether a write came too late: the connection has changed, or its user
// has been erased.
func isLost(err error) bool {
	return errors.Is(err, outcome.ErrChanged) || errors.Is(err, outcome.ErrNotFound)
}

func visitOf(c Connection) Visit {
	result := OutcomeFailed
	switch {
	case c.IsActive() && c.Authorisation == nil:
		result = OutcomeSuccess
	case c.Reason == ReasonUserCancelled:
		result = OutcomeCancelled
	}
	return Visit{Owner: c.Owner, BankName: c.ProviderName, ReturnTo: returnTo(c.ReturnURL, c.ID, result)}
}

// returnTo adds the outcome to the query of the partner's URL. It leaves the rest of
// the query exactly as it is, because the query may be signed, or not consist of pairs.
func returnTo(returnURL, connectionID string, o Outcome) string {
	u, err := url.Parse(returnURL)
	if err != nil { // not expected: the URL was checked when it was registered and when it was sent
		return returnURL
	}
	var query []string
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		name, _, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(name)
		if ours := err == nil && (name == "connectionId" || name == "status"); pair != "" && !ours {
			query = append(query, pair)
		}
	}
	query = append(query, "connectionId="+url.QueryEscape(connectionID), "status="+string(o))
	u.RawQuery = strings.Join(query, "&")
	return u.String()
}
