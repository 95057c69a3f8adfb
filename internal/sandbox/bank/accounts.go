package bank

import (
	"net/http"
	"strconv"

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
