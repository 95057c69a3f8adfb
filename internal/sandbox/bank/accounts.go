package bank

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"aviso/internal/clock"
	"aviso/internal/sandbox/persona"
)

// session holds what one account read may see.
type session struct {
	*call
	consent  Consent
	persona  persona.Persona
	attended bool
	// statements returns the customer's accounts as they are now.
	statements func() map[string]persona.Statement
}

// read handles a read of accounts.
func read(answer func(s *session) (any, error)) handler {
	return func(c *call) error {
		s, err := c.open()
		if err != nil || s == nil {
			return err
		}
		body, err := answer(s)
		if err != nil {
			return err
		}
		return c.json(http.StatusOK, body)
	}
}

// open checks the consent of an account read and simulates the persona's faults. It
// returns a nil session if the response has already been written.
func (c *call) open() (*session, error) {
	id := c.r.Header.Get("Consent-ID")
	if id == "" {
		return nil, formatError("Consent-ID", "The header is required.")
	}
	attended, err := c.psuAddress()
	if err != nil {
		return nil, err
	}
	consent, err := c.consent(id)
	if err != nil {
		return nil, err
	}
	if err := c.checkToken(consent); err != nil {
		return nil, err
	}
	switch status := consent.status(c.now, c.today); {
	case status == Expired:
		return nil, unauthorised("CONSENT_EXPIRED", "The consent has expired and needs to be renewed.")
	case status != Valid:
		return nil, unauthorised("CONSENT_INVALID", "The consent is not valid.")
	case consent.Overrides.SCADue:
		// The consent is still valid, and its status says so: the customer has to
		// authenticate again before the accounts can be read.
		return nil, unauthorised("CONSENT_INVALID", "The customer must authenticate again.")
	}
	s, err := c.session(consent, attended)
	if err != nil {
		return nil, err
	}
	if answered, err := s.misbehave(); answered || err != nil {
		return nil, err
	}
	return s, nil
}

// session returns the session of a consent.
func (c *call) session(consent Consent, attended bool) (*session, error) {
	p, found := persona.Find(consent.Persona)
	if !found {
		return nil, fmt.Errorf("unknown persona %q", consent.Persona)
	}
	own, err := c.ownRows(consent)
	if err != nil {
		return nil, err
	}
	branch, today, local := c.branch(), c.today, c.now.In(c.zone)
	statements := sync.OnceValue(func() map[string]persona.Statement {
		all := map[string]persona.Statement{}
		for key, st := range lives.Statements(p, branch, today) {
			st = st.At(today, local.Hour()*60+local.Minute())
			all[key] = consent.Ledger.amend(st, own[key].entries(), p, branch, today)
		}
		return all
	})
	return &session{c, consent, p, attended, statements}, nil
}

// misbehave simulates the fault of the persona's bank or the one set on the control page.
// It reports whether it has answered the request.
func (s *session) misbehave() (answered bool, err error) {
	switch s.consent.Overrides.behaviour(s.persona, s.now) {
	case persona.Slow:
		clock.Wait(s.r.Context(), s.SlowAnswer)
		s.w.WriteHeader(http.StatusRequestTimeout)
	case persona.Failing:
		s.w.WriteHeader(http.StatusInternalServerError)
	case persona.Garbled:
		s.w.Header().Set("Content-Type", "application/json")
		_, _ = s.w.Write([]byte(`{"accounts":[{"resourceId":"3dc3d5b3-7023-48`))
	case persona.Throttled:
		return true, &tppError{status: http.StatusTooManyRequests, Category: "ERROR", Code: "ACCESS_EXCEEDED",
			Text: "The bank is busy.", busy: true}
	case persona.Blocked:
		return true, newTPPError(http.StatusForbidden, "SERVICE_BLOCKED",
			"The bank has blocked the customer's online access.")
	case persona.Revoked:
		s.consent.State, s.consent.LastAction = RevokedByPSU, s.today
		if err := s.save(s.consent); err != nil {
			return true, err
		}
		return true, unauthorised("CONSENT_INVALID", "The customer has revoked the consent.")
	default:
		return false, nil
	}
	return true, nil
}

// isCard reports whether an account is in the list of card accounts.
func (lb localBank) isCard(acc persona.Account) bool {
	return lb.Traits.CardAccounts && acc.Kind == persona.Card
}

// listOf returns the list that has the account, as it is named in paths.
func (lb localBank) listOf(acc persona.Account) string {
	if lb.isCard(acc) {
		return "card-accounts"
	}
	return "accounts"
}

// account returns the granted account in the path.
func (s *session) account() (persona.Account, Grant, error) {
	acc, g, err := s.accountWith(s.r.PathValue("account"))
	if err == nil && !strings.Contains(s.r.URL.Path, "/v1/"+s.listOf(acc)+"/") {
		err = newTPPError(http.StatusNotFound, "RESOURCE_UNKNOWN", "The account is in another list.")
	}
	return acc, g, err
}

// accountWith returns the granted account with a resource ID.
func (s *session) accountWith(resourceID string) (persona.Account, Grant, error) {
	for acc, g := range s.granted(s.persona, s.consent) {
		if s.resourceID(acc) == resourceID {
			return acc, g, nil
		}
	}
	return persona.Account{}, Grant{}, newTPPError(http.StatusNotFound, "RESOURCE_UNKNOWN",
		"The consent does not include this account.")
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

// self returns the path of an account in the interface.
func (s *session) self(acc persona.Account) string {
	return "/v1/" + s.listOf(acc) + "/" + s.resourceID(acc)
}

// count rejects calls beyond the limit. There is no limit while the customer is present;
// otherwise each endpoint of each account allows the consent's number of calls a day.
func (s *session) count(account, endpoint string) error {
	if s.attended {
		return nil
	}
	key := s.consent.CallKey(s.today.String(), endpoint, account)
	n, err := s.Store.Count(s.r.Context(), key, s.Now().Add(48*time.Hour))
	switch {
	case err != nil:
		return fmt.Errorf("count call: %w", err)
	case n <= s.consent.FrequencyPerDay:
		return nil
	}
	return newTPPError(http.StatusTooManyRequests, "ACCESS_EXCEEDED",
		"The consent's daily limit of reads without the customer is used up for this account.")
}

// listAccounts returns the accounts that are in a list.
func (s *session) listAccounts(list, name string) (any, error) {
	isCards := list == "card-accounts"
	if isCards && !s.Traits.CardAccounts {
		return nil, newTPPError(http.StatusForbidden, "SERVICE_BLOCKED", "The bank lists cards among the other accounts.")
	}
	withBalance, err := strconv.ParseBool(cmp.Or(s.r.URL.Query().Get("withBalance"), "false"))
	if err != nil {
		return nil, formatError("withBalance", "The parameter must be true or false.")
	}
	accounts := []any{}
	for acc, g := range s.granted(s.persona, s.consent) {
		if s.isCard(acc) == isCards {
			accounts = append(accounts, s.details(acc, g, withBalance || isCards))
		}
	}
	return map[string]any{name: accounts}, s.count("", list)
}

func (s *session) details(acc persona.Account, g Grant, withBalance bool) any {
	on := links{}
	d := map[string]any{
		"resourceId": s.resourceID(acc), "iban": acc.IBAN, "maskedPan": acc.MaskedPAN, "currency": acc.Currency,
		"name": acc.Name, "product": acc.Product, "cashAccountType": acc.Kind, "status": "enabled", "usage": "PRIV",
		"_links": on,
	}
	maps.DeleteFunc(d, func(_ string, v any) bool { return v == "" })
	if g.Balances {
		on["balances"] = s.href(s.self(acc) + "/balances")
	}
	if g.Balances && withBalance {
		d["balances"] = s.balances(acc)
	}
	if g.Transactions {
		on["transactions"] = s.href(s.self(acc) + "/transactions")
	}
	return d
}

func (s *session) getBalances() (any, error) {
	acc, g, err := s.account()
	if err != nil {
		return nil, err
	}
	if !g.Balances {
		return nil, unauthorised("CONSENT_INVALID", "The consent does not cover balances of this account.")
	}
	name := "account"
	if s.isCard(acc) {
		name = "cardAccount"
	}
	return map[string]any{name: reference(acc), "balances": s.balances(acc)}, s.count(acc.Key, "balances")
}

// balances returns three balances: what is booked; what the customer can spend, which
// subtracts pending rows and includes the credit limit; and what will be booked.
func (s *session) balances(acc persona.Account) []any {
	st := s.statements()[acc.Key]
	report := func(kind string, c persona.Cents, limit bool) any {
		return map[string]any{"balanceAmount": amount{acc.Currency, c.String()}, "balanceType": kind,
			"creditLimitIncluded": limit, "referenceDate": s.today.String()}
	}
	return []any{
		report("closingBooked", st.BookedBalance(), false),
		report("interimAvailable", st.ExpectedBalance()+acc.Limit, acc.Limit > 0),
		report("expected", st.ExpectedBalance(), false),
	}
}

type amount struct {
	Currency string `json:"currency"`
	Amount   string `json:"amount"`
}
