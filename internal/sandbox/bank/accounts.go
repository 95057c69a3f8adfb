package bank

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"aviso/internal/clock"
	"aviso/internal/sandbox/layout"
	"aviso/internal/sandbox/persona"
)

// accountsHandler handles a read of accounts. It reads the query first, then the consent.
func accountsHandler[Q any](s *server, query func(*http.Request, localBank) (Q, error),
	answer func(*http.Request, *session, Q) (any, error)) handler {
	return func(w http.ResponseWriter, r *http.Request, lb localBank) error {
		q, err := query(r, lb)
		if err != nil {
			return err
		}
		ses, err := s.open(w, r, lb)
		if err != nil || ses == nil {
			return err
		}
		body, err := answer(r, ses, q)
		if err != nil {
			return err
		}
		return layout.WriteJSON(w, http.StatusOK, body)
	}
}

// accountHandler handles a read of the account in the path.
func accountHandler[Q any](s *server, query func(*http.Request, localBank) (Q, error),
	answer func(*http.Request, *session, persona.Account, Grant, Q) (any, error),
) handler {
	return accountsHandler(s, query, func(r *http.Request, ses *session, q Q) (any, error) {
		acc, g, err := ses.account(r)
		if err != nil {
			return nil, err
		}
		return answer(r, ses, acc, g, q)
	})
}

func withBalance(r *http.Request, _ localBank) (bool, error) { return flag(r, "withBalance") }

func noQuery(*http.Request, localBank) (struct{}, error) { return struct{}{}, nil }

func (s *server) listAccounts(r *http.Request, ses *session, withBalance bool) (any, error) {
	if err := s.count(r, ses, "", "accounts"); err != nil {
		return nil, err
	}
	return map[string]any{"accounts": s.listed(r, ses, "accounts", withBalance)}, nil
}

// listed returns the accounts that are in a list.
func (s *server) listed(r *http.Request, ses *session, list string, withBalance bool) []accountDetails {
	accounts := []accountDetails{}
	for acc, g := range ses.granted() {
		if ses.listOf(acc) == list {
			accounts = append(accounts, s.details(r, ses, acc, g, withBalance))
		}
	}
	return accounts
}

func (s *server) getAccount(r *http.Request, ses *session, acc persona.Account, g Grant,
	withBalance bool) (any, error) {
	return map[string]any{"account": s.details(r, ses, acc, g, withBalance)}, s.count(r, ses, acc.Key, "account")
}

func (s *server) getBalances(r *http.Request, ses *session, acc persona.Account, g Grant, _ struct{}) (any, error) {
	if !g.Balances {
		return nil, unauthorised("CONSENT_INVALID", "The consent does not cover balances of this account.")
	}
	name := "account"
	if ses.listOf(acc) != "accounts" {
		name = "cardAccount"
	}
	return map[string]any{name: reference(acc), "balances": ses.balances(acc)},
		s.count(r, ses, acc.Key, "balances")
}

func (s *server) details(r *http.Request, ses *session, acc persona.Account, g Grant, withBalance bool) accountDetails {
	id := ses.resourceID(acc)
	self := "/v1/" + ses.listOf(acc) + "/" + id
	d := accountDetails{
		ResourceID: id, IBAN: acc.IBAN, MaskedPAN: acc.MaskedPAN, Currency: acc.Currency,
		Name: acc.Name, Product: acc.Product,
		CashAccountType: string(acc.Kind), Status: "enabled", Usage: "PRIV", Links: links{},
	}
	if ses.consent.Access.ownerNames() {
		d.OwnerName = ses.persona.Name
	}
	if g.Balances {
		d.Links["balances"] = s.href(r, ses.localBank, self+"/balances")
		if withBalance {
			d.Balances = ses.balances(acc)
		}
	}
	if g.Transactions {
		d.Links["transactions"] = s.href(r, ses.localBank, self+"/transactions")
	}
	return d
}

// balances returns three balances: what is booked; what the customer can spend, which
// subtracts pending rows and includes the credit limit; and what will be booked.
func (s *session) balances(acc persona.Account) []balance {
	st := s.statements()[acc.Key]
	report := func(kind string, c persona.Cents, limit bool) balance {
		return balance{amount{acc.Currency, c.String()}, kind, limit, s.today.String()}
	}
	return []balance{
		report("closingBooked", st.BookedBalance(), false),
		report("interimAvailable", st.ExpectedBalance()+acc.Limit, acc.Limit > 0),
		report("expected", st.ExpectedBalance(), false),
	}
}

// flag reads an optional boolean from the query.
func flag(r *http.Request, name string) (bool, error) {
	switch value := r.URL.Query().Get(name); value {
	case "":
		return false, nil
	case "true", "false":
		return strconv.ParseBool(value)
	default:
		return false, formatError(name, "The parameter must be true or false.")
	}
}

// listOf returns the list that has the account, as it is named in paths.
func (lb localBank) listOf(acc persona.Account) string {
	if lb.Traits.CardAccounts && acc.Kind == persona.Card {
		return "card-accounts"
	}
	return "accounts"
}

func (s *server) listCards(r *http.Request, ses *session, _ struct{}) (any, error) {
	if !ses.Traits.CardAccounts {
		return nil, newTPPError(http.StatusForbidden, "SERVICE_BLOCKED", "The bank lists cards among the other accounts.")
	}
	if err := s.count(r, ses, "", "card-accounts"); err != nil {
		return nil, err
	}
	return map[string]any{"cardAccounts": s.listed(r, ses, "card-accounts", true)}, nil
}

func (s *server) getCard(r *http.Request, ses *session, acc persona.Account, g Grant, _ struct{}) (any, error) {
	return map[string]any{"cardAccount": s.details(r, ses, acc, g, false)}, s.count(r, ses, acc.Key, "account")
}

// cardReport is the report of a card account, which names the same things otherwise.
type cardReport struct {
	Account      Reference         `json:"cardAccount"`
	Transactions cardAccountReport `json:"cardTransactions"`
	Balances     []balance         `json:"balances,omitempty"`
}

type cardAccountReport struct {
	Booked  []cardTransaction `json:"booked,omitzero"`
	Pending []cardTransaction `json:"pending,omitzero"`
	Links   links             `json:"_links"`
}

type cardTransaction struct {
	CardTransactionID              string         `json:"cardTransactionId,omitempty"`
	TransactionDate                string         `json:"transactionDate"`
	BookingDate                    string         `json:"bookingDate,omitempty"`
	TransactionAmount              amount         `json:"transactionAmount"`
	CurrencyExchange               []exchangeRate `json:"currencyExchange,omitempty"`
	CardAcceptorID                 string         `json:"cardAcceptorId,omitempty"`
	MerchantCategoryCode           string         `json:"merchantCategoryCode,omitempty"`
	TransactionDetails             string         `json:"transactionDetails,omitempty"`
	Invoiced                       bool           `json:"invoiced"`
	ProprietaryBankTransactionCode string         `json:"proprietaryBankTransactionCode,omitempty"`
}

func (t transactionReport) ofCard() cardReport {
	report := t.Transactions
	report.Links["cardAccount"] = report.Links["account"]
	delete(report.Links, "account")
	return cardReport{t.Account, cardAccountReport{
		cardTransactions(report.Booked), cardTransactions(report.Pending), report.Links,
	}, t.Balances}
}

// cardTransactions keeps a nil list, which was not requested.
func cardTransactions(rows []transaction) []cardTransaction {
	var cards []cardTransaction
	if rows != nil {
		cards = []cardTransaction{}
	}
	for _, t := range rows {
		name := []rune(t.CreditorName + t.DebtorName)
		cards = append(cards, cardTransaction{
			// The standard allows 35 characters.
			CardTransactionID: strings.ReplaceAll(t.TransactionID, "-", ""),
			TransactionDate:   t.ValueDate, BookingDate: t.BookingDate,
			TransactionAmount: t.TransactionAmount, CurrencyExchange: t.CurrencyExchange,
			CardAcceptorID: string(name[:min(len(name), 35)]), MerchantCategoryCode: t.MerchantCategoryCode,
			TransactionDetails:             t.RemittanceInformationUnstructured,
			ProprietaryBankTransactionCode: t.ProprietaryBankTransactionCode,
		})
	}
	return cards
}

// session holds what one account read may see.
type session struct {
	localBank
	consent  Consent
	persona  persona.Persona
	today    persona.Day
	attended bool
	// statements returns the customer's accounts as they are now.
	statements func() map[string]persona.Statement
}

// open checks the consent of an account read and simulates the persona's faults. It
// returns a nil session if the response has already been written.
func (s *server) open(w http.ResponseWriter, r *http.Request, lb localBank) (*session, error) {
	id := header(r, "Consent-ID")
	if id == "" {
		return nil, formatError("Consent-ID", "The header is required.")
	}
	attended, err := psuAddress(r)
	if err != nil {
		return nil, err
	}
	r, c, err := s.consent(r, lb, id)
	if err != nil {
		return nil, err
	}
	if err := s.checkToken(r, lb, c); err != nil {
		return nil, err
	}
	now := s.now(r)
	today := lb.today(now)
	switch c.status(now, today) {
	case Valid:
	case Expired:
		return nil, unauthorised("CONSENT_EXPIRED", "The consent has expired and needs to be renewed.")
	default:
		return nil, unauthorised("CONSENT_INVALID", "The consent is not valid.")
	}
	if c.Overrides.SCADue {
		// The consent is still valid, and its status says so: the customer has to
		// authenticate again before the accounts can be read.
		return nil, unauthorised("CONSENT_INVALID", "The customer must authenticate again.")
	}
	p, found := persona.Find(c.Persona)
	if !found {
		return nil, fmt.Errorf("unknown persona %q", c.Persona)
	}
	if answered, err := s.misbehave(w, r, lb, p, c); answered || err != nil {
		return nil, err
	}
	own, err := s.ownRows(r.Context(), c)
	if err != nil {
		return nil, err
	}
	return s.newSession(lb, c, p, now, attended, own), nil
}

// newSession returns a session for a consent. own are the rows that a developer has added,
// by account.
func (s *server) newSession(
	lb localBank, c Consent, p persona.Persona, now time.Time, attended bool, own map[string][]persona.Entry,
) *session {
	today, local := lb.today(now), now.In(lb.zone)
	statements := sync.OnceValue(func() map[string]persona.Statement {
		all := map[string]persona.Statement{}
		for key, st := range lives.Statements(p, lb.branch(), today) {
			st = st.At(today, local.Hour()*60+local.Minute())
			all[key] = c.Ledger.amend(st, own[key], p, lb.branch(), today)
		}
		return all
	})
	return &session{lb, c, p, today, attended, statements}
}

// misbehave simulates the fault of the persona's bank or the one set on the control page.
// It reports whether it has answered the request.
func (s *server) misbehave(w http.ResponseWriter, r *http.Request, lb localBank, p persona.Persona,
	c Consent) (answered bool, err error) {
	switch c.Overrides.behaviour(p, s.now(r)) {
	case persona.Slow:
		clock.Wait(r.Context(), s.SlowAnswer)
		w.WriteHeader(http.StatusRequestTimeout)
	case persona.Failing:
		w.WriteHeader(http.StatusInternalServerError)
	case persona.Garbled:
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"accounts":[{"resourceId":"3dc3d5b3-7023-48`))
	case persona.Throttled:
		return true, &tppError{status: http.StatusTooManyRequests, code: "ACCESS_EXCEEDED", text: "The bank is busy.",
			retryAfter: 30 * time.Second}
	case persona.Blocked:
		return true, newTPPError(http.StatusForbidden, "SERVICE_BLOCKED", "The bank has blocked the customer's online access.")
	case persona.Revoked:
		c.State, c.LastAction = RevokedByPSU, lb.today(s.now(r))
		if err := s.save(r, c); err != nil {
			return true, err
		}
		return true, unauthorised("CONSENT_INVALID", "The customer has revoked the consent.")
	default:
		return false, nil
	}
	return true, nil
}

// account returns the granted account in the path.
func (s *session) account(r *http.Request) (persona.Account, Grant, error) {
	acc, g, err := s.accountWith(r.PathValue("account"))
	if err == nil && !strings.Contains(r.URL.Path, "/v1/"+s.listOf(acc)+"/") {
		err = newTPPError(http.StatusNotFound, "RESOURCE_UNKNOWN", "The account is in another list.")
	}
	return acc, g, err
}

// accountWith returns the granted account with a resource ID.
func (s *session) accountWith(resourceID string) (persona.Account, Grant, error) {
	for acc, g := range s.granted() {
		if s.resourceID(acc) == resourceID {
			return acc, g, nil
		}
	}
	return persona.Account{}, Grant{}, newTPPError(http.StatusNotFound, "RESOURCE_UNKNOWN",
		"The consent does not include this account.")
}

// granted yields the accounts that the customer picked.
func (s *session) granted() func(func(persona.Account, Grant) bool) {
	return func(yield func(persona.Account, Grant) bool) {
		for _, acc := range s.accounts(s.persona) {
			for _, g := range s.consent.Grants {
				if g.Account == acc.Key && !yield(acc, g) {
					return
				}
			}
		}
	}
}

// resourceID identifies an account within one consent only, as the standard requires: the
// same account has another ID under the next consent.
func (s *session) resourceID(acc persona.Account) string {
	name := s.consent.ID + "/" + acc.Key
	if issue := s.consent.Ledger.Issue; issue > 0 {
		name += "/" + strconv.Itoa(issue)
	}
	return uuid.NewSHA1(uuid.NameSpaceURL, []byte(name)).String()
}

// count rejects calls beyond the limit. There is no limit while the customer is present;
// otherwise each endpoint of each account allows the consent's number of calls a day. A
// consent for one access allows that number in total.
func (s *server) count(r *http.Request, ses *session, account, endpoint string) error {
	if ses.consent.Recurring && ses.attended {
		return nil
	}
	day, until := ses.today.String(), s.Now().Add(48*time.Hour)
	if !ses.consent.Recurring {
		day, until = "once", ses.consent.KeepUntil()
	}
	n, err := s.Store.Count(r.Context(), ses.consent.CallKey(day, endpoint, account), until)
	switch {
	case err != nil:
		return fmt.Errorf("count call: %w", err)
	case n <= ses.consent.FrequencyPerDay:
		return nil
	case !ses.consent.Recurring:
		return unauthorised("CONSENT_EXPIRED", "The consent was for one access.")
	default:
		return newTPPError(http.StatusTooManyRequests, "ACCESS_EXCEEDED",
			"The consent's daily limit of reads without the customer is used up for this account.")
	}
}
