package connection

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"aviso/internal/api/apierror"
	"aviso/internal/api/idempotency"
	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/owner"
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
	// ErrPartnerDisabled is returned while the operator has disabled the partner. The link keeps its state.
	ErrPartnerDisabled = errors.New("pfm: the partner is disabled")
	// ErrBankUnavailable is returned when the bank is temporarily failing.
	ErrBankUnavailable = errors.New("pfm: the bank is unavailable")
	// ErrBankRefused is returned when the bank rejects the connection.
	ErrBankRefused = errors.New("pfm: the bank refused")
	// ErrOtherMustSign is returned when the bank waits for another person to authorise the consent, too.
	ErrOtherMustSign = errors.New("pfm: another person must sign")
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
func (s *Connections) Create(
	ctx context.Context, user owner.User, providerID, returnURL string, also idempotency.Effect[Connection],
) (Connection, error) {
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
	to, err := s.mayConnect(ctx, user.Partner, provider, returnURL)
	if err != nil {
		return Connection{}, err
	}
	now := clock.Now(ctx, s.Now)
	c := Connection{ID: s.NewID(), Owner: user, ProviderID: provider.ID, Status: Pending, CreatedAt: now}
	c.openLink(provider, to, s.NewSecret(), now)
	err = s.Store.CreateConnection(ctx, c, also)
	if errors.Is(err, outcome.ErrNotFound) {
		return Connection{}, apierror.NoUser() // erased since the gate admitted the call
	}
	if err != nil {
		return Connection{}, fmt.Errorf("create connection: %w", err)
	}
	return c, nil
}

// saidRegistered says which URLs are registered. Only their partner reads it.
func saidRegistered(urls []string) string {
	const most = 10
	switch {
	case len(urls) == 0:
		return "None is registered."
	case len(urls) > most:
		return fmt.Sprintf("Registered are %s and %d more.", strings.Join(urls[:most], ", "), len(urls)-most)
	}
	return "Registered: " + strings.Join(urls, ", ") + "."
}

// mayConnect returns where the user returns to, or an error if the provider does not accept
// connections, or if the return URL does not belong to the partner.
func (s *Connections) mayConnect(
	ctx context.Context, partner owner.PartnerID, p pfm.Provider, wanted string,
) (owner.Destination, error) {
	if p.Status != pfm.ProviderActive {
		return owner.Destination{}, apierror.New(apierror.ProviderNotAvailable,
			"This provider does not accept connections at present.")
	}
	d, err := s.ReturnURL(ctx, partner, wanted)
	if err != nil {
		return d, fmt.Errorf("check return URL: %w", err)
	}
	if d.To == "" {
		return d, apierror.WithFields(apierror.ReturnURLNotRegistered,
			"The return URL must be under a URL registered for the partner.", apierror.Field{
				Pointer: "/returnUrl", Code: "not_registered",
				Detail: "Scheme, host and port must match a registered URL, and the path must start with its path. " +
					saidRegistered(d.Registered),
			})
	}
	return d, nil
}

// Visitor is the user's browser.
type Visitor struct {
	IPAddress, UserAgent string
	// Headers are those about the visitor that a bank may want; see Profile.
	Headers map[string]string
	// BrowserKey is the key that the browser got when it opened the connection's link;
	// empty if it did not.
	BrowserKey string
	// BaseURL is our address.
	BaseURL string
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
	// as long as the link works.
	BrowserKey string
	// Step is what the user does on our own page, if there is no RedirectTo. Left is how long
	// the link still works.
	Step pfm.Step
	Left time.Duration
	// Question has the contents of our consent page. It is nil if no page is shown.
	Question *ConsentQuestion
}

// Open handles a user who opens the link: it requests a consent from the bank and
// returns where the user goes next in Visit.RedirectTo. Opening the link again leads to
// the same page, in another browser too. link is the link's secret.
func (s *Connections) Open(ctx context.Context, connectionID, link string, v Visitor) (Visit, error) {
	v.BrowserKey = digest(link)
	return s.attempt(ctx, connectionID, v, func(ctx context.Context, a *attempt) error {
		if err := a.openAgain(ctx); !errors.Is(err, ErrBankUnavailable) {
			return err
		}
		if a.asksConsent() {
			a.RedirectTo = a.c.nextAddress(v.BaseURL)
			return nil
		}
		return s.begin(ctx, a)
	})
}

// begin requests a consent from the bank.
func (s *Connections) begin(ctx context.Context, a *attempt) error {
	provider, req, err := a.consentRequest(ctx)
	if err != nil {
		return err
	}
	bank := s.Bank(provider.Endpoint)
	progress, err := bank.RequestConsent(ctx, provider.Endpoint, req)
	if err != nil {
		return a.failed(ctx, err)
	}
	err = a.proceed(ctx, progress, req)
	isLost := errors.Is(err, ErrLinkUnknown) || errors.Is(err, ErrLinkUsed)
	if isLost && progress.Session.ConsentID != "" {
		_ = bank.EndConsent(ctx, provider.Endpoint, progress.Session)
	}
	if errors.Is(err, ErrLinkUsed) {
		// The link was opened twice at the same time, and the other request won. The user
		// authorises its consent.
		a.Visit, err = s.attempt(ctx, a.c.ID, a.visitor, func(ctx context.Context, again *attempt) error {
			return again.openAgain(ctx)
		})
	}
	return err
}

// openAgain sends the user to where the first request for the link sent them. It returns
// ErrBankUnavailable if no request has got a consent.
func (a *attempt) openAgain(ctx context.Context) error {
	if !a.c.accepts(a.visitor.BrowserKey) {
		return ErrLinkUnknown
	}
	if err := a.checkOpen(ctx); err != nil {
		return err
	}
	a.BrowserKey = a.visitor.BrowserKey
	if a.Step.Kind == "" {
		return ErrBankUnavailable
	}
	a.RedirectTo = a.c.nextAddress(a.visitor.BaseURL)
	return nil
}

// attempt is what a user's browser does on the way through an authorisation.
type attempt struct {
	*Deps
	Visit

	visitor Visitor
	c       Connection
}

// maxConnectionID is longer than any of our IDs. An ID from an address may have any
// length, and DynamoDB rejects a key that is too long.
const maxConnectionID = 64

// attempt reads a connection by its ID alone, and calls do with its user's clock.
func (s *Connections) attempt(
	ctx context.Context, connectionID string, v Visitor, do func(context.Context, *attempt) error,
) (Visit, error) {
	if len(connectionID) > maxConnectionID {
		return Visit{}, ErrLinkUnknown
	}
	a := &attempt{Deps: &s.Deps, visitor: v}
	user, err := s.Store.ConnectionOwner(ctx, connectionID)
	if err == nil {
		a.c, err = s.Store.Connection(ctx, user, connectionID)
	}
	if errors.Is(err, outcome.ErrNotFound) {
		return Visit{}, ErrLinkUnknown
	}
	if err != nil {
		return Visit{}, fmt.Errorf("read connection: %w", err)
	}
	if ctx, err = clock.For(ctx, s.Clocks, user); err != nil {
		return Visit{}, err
	}
	err = do(ctx, a)
	return a.Visit, err
}

// checkOpen returns an error if the partner is disabled or no authorisation is in progress. It closes
// one that has expired.
func (a *attempt) checkOpen(ctx context.Context) error {
	if shut, err := a.Disabled.Has(ctx, a.c.Owner.Partner); err != nil || shut {
		a.Visit = Visit{Owner: a.c.Owner, BankName: a.c.ProviderName} // without the way back
		return cmp.Or(err, ErrPartnerDisabled)
	}
	a.Visit = visitOf(a.c)
	if a.c.Authorisation == nil {
		if a.c.Reason == ReasonLinkExpired {
			return ErrLinkExpired
		}
		return ErrLinkUsed
	}
	now := clock.Now(ctx, a.Now)
	a.Step, a.Left = a.c.Authorisation.Next, a.c.Authorisation.ExpiresAt.Sub(now)
	if a.Left > 0 {
		return nil
	}
	old := a.c
	a.c.fail(ReasonLinkExpired, now)
	if err := a.save(ctx, nil, old.endConsents(a.c)...); err != nil {
		return err
	}
	return ErrLinkExpired
}

// consentRequest returns a request with a new secret, which the bank must return.
func (a *attempt) consentRequest(ctx context.Context) (pfm.Provider, pfm.ConsentRequest, error) {
	p, err := a.Store.Provider(ctx, a.c.ProviderID)
	if err != nil {
		return p, pfm.ConsentRequest{}, fmt.Errorf("read provider: %w", err)
	}
	state := a.c.ID + "." + a.NewSecret()
	callback := a.visitor.BaseURL + callbackPath(p)
	redirect := callback + "?state=" + url.QueryEscape(state)
	brand := ""
	if a.Brand != nil {
		brand = a.Brand(ctx, a.c.Owner)
	}
	return p, pfm.ConsentRequest{
		Brand: brand, ConnectionID: a.c.ID, PSUIPAddress: a.visitor.IPAddress, PSUUserAgent: a.visitor.UserAgent,
		PSUHeaders: p.Wants(a.visitor.Headers), RedirectURL: redirect, RefusedURL: redirect + "&refused=true",
		CallbackURL: callback, State: state, ValidUntil: pfm.DateOf(clock.Now(ctx, a.Now)).AddDays(p.ConsentDays() - 1),
	}, nil
}

// callbackPath returns where the bank's users come back. Each bank has an address of its own, so
// that no bank can bring the answer of another (RFC 9700, section 4.4.2). An aggregator is one
// server for all its banks, at which one address is registered; links of older versions have it too.
func callbackPath(p pfm.Provider) string {
	if p.Endpoint.Supplier() == pfm.SupplierAggregator {
		return sharedCallback
	}
	return sharedCallback + "/" + p.ID
}

const sharedCallback = "/connect/callback"

// returnHash returns the digest of what the user must come back with: the state, at this path.
func returnHash(path, state string) string {
	if path == sharedCallback {
		return digest(state)
	}
	return digest(path + "?" + state)
}

// stateHash is the returnHash of a request.
func (a *attempt) stateHash(req pfm.ConsentRequest) string {
	return returnHash(strings.TrimPrefix(req.CallbackURL, a.visitor.BaseURL), req.State)
}

// failed records why a call about the consent failed. The user may try again until the
// link expires, unless the bank has rejected the connection for good. While the user
// confirms in the bank's app, we ask again.
func (a *attempt) failed(ctx context.Context, cause error) error {
	bank, now, old := pfm.FailureOf(cause), clock.Now(ctx, a.Now), a.c
	if bank.Kind == "" {
		return fmt.Errorf("request consent: %w", cause)
	}
	a.c.Refusal = refusalIn(cause, now)
	shown, waits := ErrBankRefused, false
	if bank.Temporary() {
		next := a.c.change()
		shown, waits, next.TriedAt = ErrBankUnavailable, next.Next.Kind == pfm.StepWait, time.Time{}
		if waits {
			next.TriedAt = now.Add(min(bank.RetryAfter, time.Minute))
		}
		a.c.setPendingReason(StatusReason(bank.Kind), now)
	} else {
		a.c.fail(StatusReason(bank.Kind), now)
	}
	if err := a.save(ctx, nil, old.endConsents(a.c)...); err != nil || waits {
		return err
	}
	return errors.Join(shown, cause)
}

// save stores the connection. It returns lost if somebody else has changed it.
func (a *attempt) save(ctx context.Context, lost error, jobs ...SyncJob) error {
	switch err := a.Store.SaveConnection(ctx, a.c, nil, jobs...); {
	case errors.Is(err, outcome.ErrNotFound): // the user has been erased, and the erasure ends the consent
		a.Visit = Visit{}
		return ErrLinkUnknown
	case errors.Is(err, outcome.ErrChanged):
		return lost
	case err != nil:
		return fmt.Errorf("save connection: %w", err)
	}
	return nil
}

// leave stores the connection and sends the user there.
func (a *attempt) leave(ctx context.Context, to string, jobs ...SyncJob) error {
	err := a.save(ctx, ErrLinkUsed, jobs...)
	if errors.Is(err, ErrLinkUsed) {
		a.Visit = Visit{}
	}
	if err == nil {
		a.RedirectTo = to
	}
	return err
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

// A link contains a secret. A browser that opens the link gets a key, which is the
// digest of the secret, and only such a browser can finish. We store the digest of the
// key. So neither the stored digest nor the key reveals the link, and every browser in
// which the user opens the link can finish.

// accepts reports whether the key belongs to the connection's latest link.
func (c Connection) accepts(key string) bool { return isDigest(c.LinkHash, key) }

// IDOf returns the ID of the connection that the state belongs to, if it is
// one of ours.
func IDOf(state string) string {
	connectionID, _, _ := strings.Cut(state, ".")
	return connectionID
}

func digest(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// isDigest reports whether stored is the digest of the secret. Its duration does not
// depend on how much of the secret is right.
func isDigest(stored, secret string) bool { return isEqual(stored, digest(secret)) }

func isEqual(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }
