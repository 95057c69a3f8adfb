// Package bankcheck helps people who attach banks. It parses files of providers. It also checks a bank's interface
// (consent, accounts, balances, transactions) with the code of a sync. It reports what a first sync would read, what
// it could not, and which settings of the provider file help. Reports have no personal data: no account numbers,
// names, amounts or texts.
package bankcheck

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/transaction"
	"aviso/internal/pfm/xs2a"
)

// Options configures a Checker.
type Options struct {
	Provider pfm.Provider
	// Client has the options of the service's client for the bank.
	Client xs2a.Options
	// RedirectURL is the URL to which the bank sends the user back.
	RedirectURL string
	// PSUIPAddress is the user's address.
	PSUIPAddress string
	// Keep leaves the consent in force. Otherwise the check ends the consent that it requested.
	Keep bool
}

// Checker checks one bank.
type Checker struct {
	Options
	client *xs2a.Client
	said   []string
}

// New returns a Checker, for one check at a time.
func New(o Options) *Checker {
	c := &Checker{Options: o}
	o.Client.Said = func(operation string, status int, words string) {
		line := fmt.Sprintf("%s: %d: %.300s", operation, status, words)
		if words != "" && len(c.said) < maxSaid && !slices.Contains(c.said, line) {
			c.said = append(c.said, line)
		}
	}
	c.client = xs2a.New(o.Client)
	return c
}

// maxSaid is how many refusals are kept in the bank's own words.
const maxSaid = 20

// State is the state of a check between two steps. It may pass through the operator's hands.
type State struct {
	// ConsentID alone starts the check with an existing consent.
	ConsentID string `json:"consentId,omitempty"`
	Secret    string `json:"secret,omitempty"`
	// Next is the user's next step. Its Kind is empty before the first step and after the last one.
	Next   pfm.Step `json:"next"`
	Report Report   `json:"report"`
	Done   bool     `json:"done"`
	// SealSerial is the case of serial numbers that the bank accepts, if it refuses the usual one.
	SealSerial pfm.SealSerial `json:"sealSerial,omitempty"`
	// Kept is set if the consent is still valid and can be used again.
	Kept bool `json:"kept,omitempty"`
	// Said are the bank's refusals in its own words, which may have personal data. The report has none of them.
	Said []string `json:"said,omitempty"`
}

// connectionID is the binding of a consent's secret.
const connectionID = "bank-check"

// Run continues a check until the user must act, which is then in Next, or until it is Done. Without an answer, it
// polls the user's confirmation. The first answer has what the person knows before the bank asks.
func (c *Checker) Run(ctx context.Context, s State, a pfm.UserAnswer) State {
	c.said = s.Said
	s = c.run(ctx, s, a)
	s.Said = c.said
	return s
}

func (c *Checker) run(ctx context.Context, s State, a pfm.UserAnswer) State {
	session := pfm.Session{ConnectionID: connectionID, ConsentID: s.ConsentID, Secret: s.Secret}
	reused := s.ConsentID != "" && s.Next.Kind == ""
	var progress pfm.ConsentProgress
	var err error
	c.Provider.Endpoint.SealSerial = cmp.Or(s.SealSerial, c.Provider.Endpoint.SealSerial)
	if s.Next.Kind == "" && !reused {
		progress, err = c.client.RequestConsent(ctx, c.Provider.Endpoint, c.request())
		if c.refusesSeal(err) {
			c.Provider.Endpoint.SealSerial = pfm.SealSerialLower
			progress, err = c.client.RequestConsent(ctx, c.Provider.Endpoint, c.request())
			if !c.refusesSeal(err) {
				s.SealSerial = pfm.SealSerialLower
				s.Report.add("seal-serial", nil)
			}
		}
		if pfm.FailureOf(err).Kind == pfm.SupplierRejected {
			progress, err = c.requestWith(ctx, &s.Report, a, err)
		}
	} else {
		progress, err = c.client.ContinueConsent(ctx, c.Provider.Endpoint, c.request(), session, a)
	}
	s.ConsentID = cmp.Or(progress.Session.ConsentID, s.ConsentID)
	s.Secret = cmp.Or(progress.Session.Secret, s.Secret)
	state := progress.Consent.State
	isOpen := state == pfm.ConsentReceived || state == pfm.ConsentPartiallyAuthorised ||
		// A user at an authorization server must come back first.
		state == "" && a.Callback == nil && s.Next.Kind == pfm.StepRedirect
	switch {
	case err != nil:
		c.block(&s.Report, err)
	case progress.Next.Kind != "":
		s.Next = progress.Next
		if sca := c.Provider.Endpoint.SCA; s.Next.AsksPSUID && s.ConsentID == "" && !sca.AsksPSUID && !sca.AsksIBANs {
			s.Report.add("psu-id-wanted", nil)
		}
		return s
	case state == pfm.ConsentValid:
		c.read(ctx, &s, progress, reused || c.Keep)
	case state == pfm.ConsentPartiallyAuthorised && a.Callback != nil:
		s.Report.add("second-signer-wanted", nil)
		s.Kept = true
	case isOpen && !reused:
		return s
	default:
		s.Report.add("consent-not-given", nil, cmp.Or(string(state), "not authorised"))
	}
	s.Next, s.Done = pfm.Step{}, true
	return s
}

// requestWith requests a consent again with what the person has given, after a refusal without it. It returns the
// refusal if that does not help.
func (c *Checker) requestWith(
	ctx context.Context, r *Report, given pfm.UserAnswer, refusal error,
) (pfm.ConsentProgress, error) {
	sca := &c.Provider.Endpoint.SCA
	for _, known := range []pfm.UserAnswer{{PSUID: given.PSUID}, {IBANs: given.IBANs}, given} {
		sca.AsksPSUID, sca.AsksIBANs = known.PSUID != "", len(known.IBANs) > 0
		if !sca.AsksPSUID && !sca.AsksIBANs {
			continue
		}
		none := pfm.Session{ConnectionID: connectionID}
		progress, err := c.client.ContinueConsent(ctx, c.Provider.Endpoint, c.request(), none, known)
		if err != nil || progress.Next.Kind == pfm.StepAsk {
			continue
		}
		if sca.AsksPSUID {
			r.add("psu-id-wanted", nil)
		}
		if sca.AsksIBANs {
			r.add("accounts-wanted", nil)
		}
		return progress, nil
	}
	sca.AsksPSUID, sca.AsksIBANs = false, false
	return pfm.ConsentProgress{}, refusal
}

// refusesSeal reports whether the bank rejected our seal.
func (c *Checker) refusesSeal(err error) bool {
	return c.Provider.Endpoint.SealSecret != "" && strings.HasPrefix(pfm.FailureOf(err).BankCode, "SIGNATURE_")
}

// block adds the finding for an error that ends the check.
func (c *Checker) block(r *Report, err error) {
	foreign, ok := errors.AsType[*xs2a.ForeignServer](err)
	if !ok {
		r.block(err, c.Provider.Endpoint.SealSecret != "")
		return
	}
	all := slices.Concat(c.Provider.Endpoint.AuthorizationServers, foreign.Origins)
	r.add("authorization-server-elsewhere", map[string]any{"endpoint.authorizationServers": all},
		strings.Join(foreign.Origins, ", "))
}

func (c *Checker) request() pfm.ConsentRequest {
	return pfm.ConsentRequest{
		ConnectionID: connectionID, PSUIPAddress: c.PSUIPAddress, PSUUserAgent: samples()["PSU-User-Agent"],
		PSUHeaders: c.Provider.Wants(samples()), RedirectURL: c.RedirectURL, RefusedURL: c.RedirectURL,
		CallbackURL: c.RedirectURL, State: connectionID, ValidUntil: c.today().AddDays(c.Provider.ConsentDays() - 1),
	}
}

func (c *Checker) today() pfm.Date { return pfm.DateOf(c.Client.Now()) }

// daysSince returns how many days ago a day was; a future day is negative.
func (c *Checker) daysSince(d pfm.Date) int {
	return int(c.today().Time().Sub(d.Time()) / (24 * time.Hour))
}

// samples are sample headers of a user's browser.
func samples() map[string]string {
	return map[string]string{
		"PSU-Accept": "text/html", "PSU-Accept-Charset": "utf-8", "PSU-Accept-Encoding": "gzip",
		"PSU-Accept-Language": "en", "PSU-Device-ID": "99435c7e-ad88-49ec-a2ad-99ddcb1f5555",
		"PSU-Geo-Location": "GEO:52.506931;13.144558", "PSU-Http-Method": "GET", "PSU-IP-Port": "54321",
		"PSU-User-Agent": "Mozilla/5.0 (Aviso bank check)",
	}
}

// read reads the bank like a first sync, and then makes further reads that reveal more about the bank.
func (c *Checker) read(ctx context.Context, s *State, progress pfm.ConsentProgress, keep bool) {
	session, consent := progress.Session, progress.Consent
	session.PSUIPAddress, session.PSUHeaders = c.PSUIPAddress, samples()
	session.Access = consent.Access
	// Both today and the last day count.
	wanted, granted := c.Provider.ConsentDays(), 1-c.daysSince(consent.ValidUntil)
	if consent.ValidUntil != "" && granted < wanted {
		s.Report.add("consent-shorter", map[string]any{"maxConsentDays": granted}, wanted, granted)
	}
	found, err := connection.Inspect(ctx, c.client, c.Provider, session, c.Client.Now)
	s.Secret = found.Session.Secret
	c.checkAccounts(&s.Report, found)
	switch {
	case err != nil:
		c.block(&s.Report, err)
	case found.Listed == 0:
		s.Report.add("no-accounts", nil)
	case session.NoRows:
		s.Report.add("rows-not-granted", nil)
	case isUnread(found):
		c.block(&s.Report, found.Accounts[0].Err)
	default:
		c.lookForHistory(ctx, &s.Report, found)
		c.readAgain(ctx, &s.Report, found)
	}
	mayPass := func(err error) bool { e := pfm.FailureOf(err); return e.Temporary() }
	isBusy := func(a connection.InspectedAccount) bool { return mayPass(a.Err) }
	if keep || mayPass(err) || slices.ContainsFunc(found.Accounts, isBusy) {
		s.Kept = true
		return
	}
	if err := c.client.EndConsent(ctx, c.Provider.Endpoint, found.Session); err != nil {
		s.Report.add("consent-not-ended", nil, inWords(err))
	}
}

// isUnread reports whether the bank refused the rows of all accounts.
func isUnread(found connection.Inspection) bool {
	return len(found.Accounts) > 0 && !slices.ContainsFunc(found.Accounts, func(a connection.InspectedAccount) bool {
		return a.Err == nil || pfm.FailureOf(a.Err).Pages > 0
	})
}

// checkAccounts reports what a first sync reads, and what is missing.
func (c *Checker) checkAccounts(r *Report, found connection.Inspection) {
	r.addSome("account-unreadable", found.Incomplete, 1, found.Listed)
	checkBalances(r, found.Accounts)
	for _, a := range found.Accounts {
		switch pages := pfm.FailureOf(a.Err).Pages; {
		case pages > 0:
			r.add("pages-refused", nil, pages+1, inWords(a.Err))
		case found.Session.NoRows:
			continue
		case a.Err != nil:
			r.add("rows-refused", nil, inWords(a.Err))
			continue
		}
		checkRows(r, a, c.Provider.Profile)
	}
}

// standardBalances are the standard's types of balance.
const standardBalances = "closingBooked expected openingBooked interimAvailable interimBooked forwardAvailable nonInvoiced"

func checkBalances(r *Report, accounts []connection.InspectedAccount) {
	without, unknown, standard := 0, []string{}, strings.Fields(standardBalances)
	isType := regexp.MustCompile(`^[A-Za-z]{1,40}$`)
	for _, a := range accounts {
		if len(a.Balances) == 0 {
			without++
		}
		for _, b := range a.Balances {
			if isType.MatchString(b.Type) && !slices.Contains(standard, b.Type) {
				unknown = append(unknown, b.Type)
			}
		}
	}
	r.addSome("balance-missing", without, 1, len(accounts))
	slices.Sort(unknown)
	if unknown = slices.Compact(unknown); len(unknown) > 0 {
		r.add("balance-types", map[string]any{"profile.balances": unknown}, strings.Join(unknown, ", "))
	}
}

// checkRows checks the transactions that Aviso makes of an account's rows.
func checkRows(r *Report, a connection.InspectedAccount, profile pfm.Profile) {
	count := func(holds func(transaction.Transaction) bool) (n int) {
		for _, t := range a.Rows {
			if holds(t) {
				n++
			}
		}
		return n
	}
	isPending := func(t transaction.Transaction) bool { return t.State == transaction.Uncleared }
	isIncome := func(t transaction.Transaction) bool { return t.Amount.Sign() >= 0 }
	all, pending := len(a.Rows), count(isPending)
	r.Facts = append(r.Facts,
		fmt.Sprintf("%s in %s: %d rows since %s, %d of them pending.", a.Type, a.Currency, all, a.From, pending))
	r.addSome("row-unreadable", a.Unreadable, 1, all+a.Unreadable)
	isTextless := func(t transaction.Transaction) bool { return t.Note == "" && t.Counterparty == "" }
	r.addSome("text-missing", count(isTextless), 1, all)
	// Fees and interest have no counterparty.
	isNameless := func(t transaction.Transaction) bool { return t.Note != "" && t.Counterparty == "" }
	r.addSome("names-missing", count(isNameless), all/2+1, all)
	r.addSome("date-guessed", count(func(t transaction.Transaction) bool { return t.DayGuessed }), 1, all)
	if a.Type == pfm.AccountCreditCard && profile.CardSigns == "" && !a.SignsInverted {
		r.addSome("card-signs-unclear", count(isIncome), max(3, all*2/3+1), all)
	}
	if profile.PendingSigns == "" && !a.SignsInverted {
		both := count(func(t transaction.Transaction) bool { return isPending(t) && isIncome(t) })
		r.addSome("pending-signs-unclear", both, pending, all)
	}
}

// readAgain reads the rows of 30 days again, and compares the IDs. It includes card accounts that the bank does not
// link.
func (c *Checker) readAgain(ctx context.Context, r *Report, found connection.Inspection) {
	said := c.said
	defer func() { c.said = said }() // the user did not ask for what is tried here
	p := c.Provider
	p.MaxFetchInterval, p.Profile.CardAccounts = min(30, p.MaxFetchInterval), true
	again, err := connection.Inspect(ctx, c.client, p, found.Session, c.Client.Now)
	if err != nil {
		r.Facts = append(r.Facts, "A second read was refused: "+inWords(err)+".")
		return
	}
	c.lookForPending(ctx, r, again)
	if more := again.Listed - found.Listed; more > 0 {
		r.add("card-accounts-apart", nil, more)
	}
	before, both, changed, stable := contents(found), 0, 0, pfm.IDEntry
	for content, row := range contents(again) {
		old := before[content]
		if old.BankID == "" || row.BankID == "" {
			continue
		}
		both++
		if old.BankID != row.BankID {
			changed++
		}
		if row.EntryReference == "" || row.EntryReference != old.EntryReference {
			stable = pfm.IDNone
		}
	}
	if changed > 0 {
		r.add("row-id-changes", map[string]any{"profile.rowId": string(stable)}, changed, both)
	}
}

// lookForPending reports what a bank does with pending rows, if it does not list them with the booked ones.
func (c *Checker) lookForPending(ctx context.Context, r *Report, found connection.Inspection) {
	i := slices.IndexFunc(found.Accounts, func(a connection.InspectedAccount) bool { return a.Err == nil })
	if i < 0 {
		return
	}
	a := found.Accounts[i]
	switch lists, apart := c.client.ListsPending(ctx, c.Provider.Endpoint, found.Session, a.ResourceID, a.From); {
	case lists && apart:
		r.Facts = append(r.Facts, "Pending rows are listed only apart (bookingStatus=pending): Aviso reads them apart.")
	case apart:
		r.Facts = append(r.Facts, "Pending rows are not listed (bookingStatus=both and pending are refused).")
	}
}

// contents returns the booked rows by their content, without those whose content is not unique.
func contents(found connection.Inspection) map[string]transaction.Transaction {
	rows := map[string]transaction.Transaction{}
	for _, a := range found.Accounts {
		for _, row := range a.Rows {
			content := strings.Join([]string{a.ResourceID, row.Content, string(row.RecordDate), row.BalanceAfter}, "\n")
			if _, twice := rows[content]; twice || row.State != transaction.Cleared {
				row = transaction.Transaction{}
			}
			rows[content] = row
		}
	}
	return rows
}

// lookForHistory is for an account whose requested history the bank refused. It finds the longest accepted one among
// the usual lengths, counted in both ways.
func (c *Checker) lookForHistory(ctx context.Context, r *Report, found connection.Inspection) {
	for _, a := range found.Accounts {
		longest, wanted := c.daysSince(a.From), c.Provider.MaxFetchInterval
		if pfm.FailureOf(a.Err).Kind != "" && pfm.FailureOf(a.Err).Pages == 0 || longest >= wanted {
			continue
		}
		for _, days := range []int{730, 729, 547, 365, 364, 180, 179} {
			if days < wanted && days > longest && c.accepts(ctx, found.Session, a.ResourceID, days) {
				longest = days
			}
		}
		r.add("history-short", map[string]any{"maxFetchInterval": longest}, wanted, longest)
		return
	}
}

// accepts reports whether the bank lists an account's rows of so many days.
func (c *Checker) accepts(ctx context.Context, s pfm.Session, resourceID string, days int) bool {
	for _, err := range c.client.Transactions(ctx, c.Provider.Endpoint, s, resourceID, c.today().AddDays(-days)) {
		return err == nil || pfm.FailureOf(err).Pages > 0
	}
	return true // an empty list
}
