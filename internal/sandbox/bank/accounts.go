package bank

import (
	"net/http"
	"strconv"

	"aviso/internal/sandbox/layout"
	"aviso/internal/sandbox/persona"
)

func (s *server) listAccounts(w http.ResponseWriter, r *http.Request, o office) error {
	withBalance, err := flag(r, "withBalance")
	if err != nil {
		return err
	}
	ses, err := s.open(w, r, o)
	if err != nil || ses == nil {
		return err
	}
	if err := s.count(r, ses, "", "accounts"); err != nil {
		return err
	}
	list := accountList{Accounts: []accountDetails{}}
	for acc, g := range ses.granted() {
		list.Accounts = append(list.Accounts, s.details(r, ses, acc, g, withBalance))
	}
	return layout.WriteJSON(w, http.StatusOK, list)
}

func (s *server) getAccount(w http.ResponseWriter, r *http.Request, o office) error {
	withBalance, err := flag(r, "withBalance")
	if err != nil {
		return err
	}
	ses, err := s.open(w, r, o)
	if err != nil || ses == nil {
		return err
	}
	acc, g, err := ses.account(r)
	if err != nil {
		return err
	}
	if err := s.count(r, ses, acc.Key, "account"); err != nil {
		return err
	}
	return layout.WriteJSON(w, http.StatusOK, accountEnvelope{s.details(r, ses, acc, g, withBalance)})
}

func (s *server) getBalances(w http.ResponseWriter, r *http.Request, o office) error {
	ses, err := s.open(w, r, o)
	if err != nil || ses == nil {
		return err
	}
	acc, g, err := ses.account(r)
	if err != nil {
		return err
	}
	if !g.Balances {
		return unauthorised("CONSENT_INVALID", "The consent does not cover balances of this account.")
	}
	if err := s.count(r, ses, acc.Key, "balances"); err != nil {
		return err
	}
	return layout.WriteJSON(w, http.StatusOK, balanceReport{reference(acc), ses.balances(acc)})
}

func (s *server) details(r *http.Request, ses *session, acc persona.Account, g Grant, withBalance bool) accountDetails {
	id := ses.resourceID(acc)
	d := accountDetails{
		ResourceID: id, IBAN: acc.IBAN, MaskedPAN: acc.MaskedPAN, Currency: acc.Currency, Name: acc.Name, Product: acc.Product,
		CashAccountType: string(acc.Kind), Status: "enabled", Usage: "PRIV", Links: links{},
	}
	if ses.consent.Access.ownerNames() {
		d.OwnerName = ses.persona.Name
	}
	if g.Balances {
		d.Links["balances"] = s.href(r, ses.office, "/v1/accounts/"+id+"/balances")
		if withBalance {
			d.Balances = ses.balances(acc)
		}
	}
	if g.Transactions {
		d.Links["transactions"] = s.href(r, ses.office, "/v1/accounts/"+id+"/transactions")
	}
	return d
}

// balances reports what is booked; what can be spent, which takes off what is
// pending and includes the credit limit; and what will be booked.
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

// flag reads an optional boolean of the query.
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
