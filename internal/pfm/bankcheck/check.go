// Package bankcheck is for somebody who attaches banks. It reads files of providers, and walks
// through a bank's interface (consent, accounts, balances, transactions) with the code that a sync
// uses. It reports what a first sync would read, what it could not, and which setting of the
// provider file helps. Reports have no personal data: no numbers of accounts, names, amounts or
// texts.
package bankcheck

import (
	"cmp"
	"context"
	"errors"
	"time"

	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/xs2a"
)

// Options configures a Checker.
type Options struct {
	Provider pfm.Provider
	// Client are the options of the client for the bank, as the service has them.
	Client xs2a.Options
	// RedirectURL is where the bank sends the user back.
	RedirectURL string
	// PSUIPAddress is the user's address.
	PSUIPAddress string
	// Keep leaves the consent as it is at the end. Otherwise a consent that the check has
	// requested is ended.
	Keep bool
}

// Checker checks one bank.
type Checker struct {
	Options
	client *xs2a.Client
}

// New returns a Checker.
func New(o Options) *Checker { return &Checker{o, xs2a.New(o.Client)} }

// State is how far a check has come. It holds what the next step needs, and may pass
// through the hands of the operator.
type State struct {
	// ConsentID alone makes the check begin with a consent that has been given already.
	ConsentID string `json:"consentId,omitempty"`
	Secret    string `json:"secret,omitempty"`
	// Next is what the user does next. Its Kind is empty before the first step and after
	// the last one.
	Next   pfm.Step `json:"next"`
	Report Report   `json:"report"`
	Done   bool     `json:"done"`
	// Kept: the consent is still valid and can be used again.
	Kept bool `json:"kept,omitempty"`
}

// connectionID is what a consent's secret is bound to.
const connectionID = "bank-check"

// Run goes on with a check until the user has something to do, which is then in Next, or
// until it is Done. Without an answer, it looks whether the user has confirmed.
func (c *Checker) Run(ctx context.Context, s State, a pfm.UserAnswer) State {
	reused := s.ConsentID != "" && s.Next.Kind == ""
	progress, err := c.consent(ctx, s, a)
	s.ConsentID = cmp.Or(progress.Session.ConsentID, s.ConsentID)
	s.Secret = cmp.Or(progress.Session.Secret, s.Secret)
	switch state := progress.Consent.State; {
	case err != nil:
		s.Report.block(err)
	case progress.Next.Kind != "":
		s.Next = progress.Next
		return s
	case state == pfm.ConsentValid:
		c.read(ctx, &s, progress.Consent, reused || c.Keep)
	case !reused && isOpen(state, s.Next, a):
		return s
	default:
		s.Report.add(Blocks, "consent-not-given", "the consent is "+cmp.Or(string(state), "not authorised"),
			"The user refused, or the authorisation failed. Repeat the check.", nil)
	}
	s.Next, s.Done = pfm.Step{}, true
	return s
}

// isOpen reports whether the user may still confirm. A user at an authorization server has
// to come back first.
func isOpen(state pfm.ConsentState, next pfm.Step, a pfm.UserAnswer) bool {
	return state == pfm.ConsentReceived || state == pfm.ConsentPartiallyAuthorised ||
		state == "" && a.Callback == nil && next.Kind == pfm.StepRedirect
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
	return pfm.ConsentRequest{
		ConnectionID: connectionID, PSUIPAddress: c.PSUIPAddress, PSUUserAgent: userAgent,
		PSUHeaders: c.Provider.Wants(samples()), RedirectURL: c.RedirectURL, RefusedURL: c.RedirectURL,
		CallbackURL: c.RedirectURL, State: connectionID, ValidUntil: c.today().AddDays(c.Provider.ConsentDays() - 1),
	}
}

func (c *Checker) today() pfm.Date { return pfm.DateOf(c.Client.Now()) }

// daysSince returns how long ago a day was; it is negative for one that has not come.
func (c *Checker) daysSince(d pfm.Date) int {
	return int(c.today().Time().Sub(d.Time()) / (24 * time.Hour))
}

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
	c.checkConsent(&s.Report, consent)
	found, err := connection.Inspect(ctx, c.client, c.Provider, session, c.Client.Now)
	s.Secret = found.Session.Secret
	c.checkAccounts(&s.Report, found)
	switch {
	case err != nil:
		s.Report.block(err)
	case found.Listed == 0:
		s.Report.add(Blocks, "no-accounts", "the list of accounts is empty", "There is nothing to read.", nil)
	default:
		c.lookForHistory(ctx, &s.Report, found)
		c.readAgain(ctx, &s.Report, found)
	}
	if bank, ok := errors.AsType[*pfm.SupplierError](err); keep || ok && bank.Temporary() {
		s.Kept = true
		return
	}
	if err := c.client.EndConsent(ctx, c.Provider.Endpoint, found.Session); err != nil {
		s.Report.add(Decide, "consent-not-ended", "the consent cannot be deleted: "+inWords(err),
			"A deleted connection leaves a consent at the bank until it expires. Tell the bank.", nil)
	}
}
