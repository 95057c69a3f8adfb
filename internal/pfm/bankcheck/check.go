package bankcheck

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"aviso/internal/pfm"
	"aviso/internal/pfm/xs2a"
)

// Options configures a Checker.
type Options struct {
	Provider pfm.Provider
	// Client are the options of the client for the bank, as the service has them. The
	// Checker sets Inspect.
	Client xs2a.Options
	// RedirectURL is where the bank sends the user back.
	RedirectURL string
	// PSUIPAddress is the user's address.
	PSUIPAddress string
	// Keep leaves the consent as it is at the end. Otherwise a consent that the check has
	// requested is ended.
	Keep bool
}

// Checker checks one bank. It is not safe for concurrent use.
type Checker struct {
	Options
	client *xs2a.Client
	seen   []xs2a.Exchange
}

// New returns a Checker.
func New(o Options) *Checker {
	c := &Checker{Options: o}
	o.Client.Inspect = func(e xs2a.Exchange) { c.seen = append(c.seen, e) }
	c.client = xs2a.New(o.Client)
	return c
}

// State is how far a check has come. It holds what the next step needs, and may pass
// through the hands of the operator.
type State struct {
	// ConsentID alone makes the check begin with a consent that has been given already.
	ConsentID string `json:"consentId,omitempty"`
	Secret    string `json:"secret,omitempty"`
	// Next is what the user does next. Its Kind is empty before the first step and after
	// the last one.
	Next   Step   `json:"next"`
	Report Report `json:"report"`
	Done   bool   `json:"done"`
	// Kept: the consent is still valid and can be used again.
	Kept bool `json:"kept,omitempty"`
}

// Step is a pfm.Step as it passes through the operator's hands.
type Step struct {
	Kind      pfm.StepKind `json:"kind"`
	URL       string       `json:"url,omitempty"`
	Once      bool         `json:"once,omitempty"`
	Message   string       `json:"message,omitempty"`
	AsksPSUID bool         `json:"asksPsuId,omitempty"`
	AsksIBANs bool         `json:"asksIbans,omitempty"`
	Refused   bool         `json:"refused,omitempty"`
}

// connectionID is what a consent's secret is bound to.
const connectionID = "bank-check"

// Run goes on with a check until the user has something to do, which is then in Next, or
// until it is Done. Without an answer, it looks whether the user has confirmed.
func (c *Checker) Run(ctx context.Context, s State, a pfm.UserAnswer) State {
	c.seen = nil
	reused := s.ConsentID != "" && s.Next.Kind == ""
	progress, err := c.consent(ctx, s, a)
	if id := progress.Session.ConsentID; id != "" {
		s.ConsentID = id
	}
	if progress.Session.Secret != "" {
		s.Secret = progress.Session.Secret
	}
	c.checkConsent(&s.Report)
	c.checkAnswers(&s.Report)
	switch state := progress.Consent.State; {
	case err != nil:
		c.block(&s.Report, err)
	case progress.Next.Kind != "":
		s.Next = Step(progress.Next)
		return s
	case state == pfm.ConsentValid:
		c.read(ctx, &s, progress.Consent, reused || c.Keep)
		c.checkAnswers(&s.Report)
	case !reused && isOpen(state, s.Next, a):
		if a.Callback != nil {
			s.Report.add(consentLate, "the consent is "+string(state)+" when the user comes back", nil)
		}
		return s
	default:
		s.Report.add(consentRefused, "the consent is "+orWord(string(state), "not authorised"), nil)
	}
	s.Next, s.Done = Step{}, true
	return s
}

// isOpen reports whether the user may still confirm. A user at an authorization server has
// to come back first.
func isOpen(state pfm.ConsentState, next Step, a pfm.UserAnswer) bool {
	switch state {
	case pfm.ConsentReceived, pfm.ConsentPartiallyAuthorised:
		return true
	default:
		return state == "" && a.Callback == nil && next.Kind == pfm.StepRedirect
	}
}

// consent requests a consent, or goes on with one.
func (c *Checker) consent(ctx context.Context, s State, a pfm.UserAnswer) (pfm.ConsentProgress, error) {
	session := pfm.Session{ConnectionID: connectionID, ConsentID: s.ConsentID, Secret: s.Secret}
	bank := c.Provider.Endpoint
	switch {
	case s.Next.Kind != "":
		return c.client.ContinueConsent(ctx, bank, c.request(), session, a)
	case s.ConsentID != "":
		consent, err := c.client.Consent(ctx, bank, session)
		return pfm.ConsentProgress{Session: session, Consent: consent}, err
	default:
		return c.client.RequestConsent(ctx, bank, c.request())
	}
}

func (c *Checker) request() pfm.ConsentRequest {
	refused := c.RedirectURL
	if u, err := url.Parse(c.RedirectURL); err == nil {
		q := u.Query()
		q.Set("refused", "true")
		u.RawQuery = q.Encode()
		refused = u.String()
	}
	return pfm.ConsentRequest{
		ConnectionID: connectionID, PSUIPAddress: c.PSUIPAddress, PSUUserAgent: userAgent,
		PSUHeaders: c.Provider.Wants(samples()), RedirectURL: c.RedirectURL, RefusedURL: refused,
		CallbackURL: c.RedirectURL, State: connectionID,
		ValidUntil: pfm.DateOf(c.now()).AddDays(c.Provider.ConsentDays()),
	}
}

func (c *Checker) now() time.Time { return c.Client.Now() }

const userAgent = "Mozilla/5.0 (Aviso bank check)"

// samples are the headers of a user's browser.
func samples() map[string]string {
	return map[string]string{
		"PSU-Accept": "text/html", "PSU-Accept-Charset": "utf-8", "PSU-Accept-Encoding": "gzip",
		"PSU-Accept-Language": "en", "PSU-Device-ID": "99435c7e-ad88-49ec-a2ad-99ddcb1f5555",
		"PSU-Geo-Location": "GEO:52.506931;13.144558", "PSU-Http-Method": "GET", "PSU-IP-Port": "54321",
		"PSU-User-Agent": userAgent,
	}
}

// read reads the bank as a first sync does, and then once more what tells more about it.
func (c *Checker) read(ctx context.Context, s *State, consent pfm.Consent, keep bool) {
	session := pfm.Session{
		ConnectionID: connectionID, ConsentID: s.ConsentID, Secret: s.Secret, PSUIPAddress: c.PSUIPAddress,
		PSUHeaders: samples(), CardAccounts: consent.CardAccounts,
	}
	found, err := pfm.Inspect(ctx, c.client, c.Provider, session, c.now)
	s.Secret = found.Session.Secret
	c.checkAccounts(&s.Report, found)
	c.checkRows(&s.Report, found)
	if err != nil {
		c.block(&s.Report, err)
	} else {
		c.lookForHistory(ctx, &s.Report, found)
		c.readAgain(ctx, &s.Report, found)
		c.lookForCards(ctx, &s.Report, found.Session)
	}
	if bank, ok := errors.AsType[*pfm.SupplierError](err); keep || ok && bank.Temporary() {
		s.Kept = true
		return
	}
	if err := c.client.EndConsent(ctx, c.Provider.Endpoint, found.Session); err != nil {
		s.Report.add(consentNotEnded, "the consent cannot be deleted: "+inWords(err), nil)
	}
}

// inWords returns what may be shown of an error: the client's own words, the status and
// the standard's code.
func inWords(err error) string {
	e, ok := errors.AsType[*pfm.SupplierError](err)
	if !ok {
		return "it failed on our side"
	}
	text := e.Operation
	if e.Status != 0 {
		text += fmt.Sprintf(": %d", e.Status)
	}
	if e.BankCode != "" {
		text += " " + e.BankCode
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}
