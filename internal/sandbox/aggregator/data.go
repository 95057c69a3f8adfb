package aggregator

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"aviso/internal/sandbox/layout"
	"aviso/internal/sandbox/persona"
)

const (
	// callsPerDay is how often a day the accounts may be read without the user.
	callsPerDay = 4
	// recentDays is how many days of history the bank tells, and longestDays in the first
	// hour of a session.
	recentDays, longestDays = 90, 365
	longestFor              = time.Hour
)

// errGarbled makes the answer a proxy's page.
var errGarbled = errors.New("garbled")

// access is a call that reads an account.
type access struct {
	session
	bank    ASPSP
	persona persona.Persona
	account persona.Account
	now     time.Time
	today   persona.Day
	query   url.Values
}

// data handles a call that reads an account.
func (s *server) data(call string, handle func(a access) (any, error)) http.Handler {
	return s.api(func(r *http.Request, app Application) (any, error) {
		uid := r.PathValue("account")
		at, err := read(r.Context(), s, lookup{UID: uid},
			refuse(http.StatusNotFound, "ACCOUNT_DOES_NOT_EXIST", "Account does not exist"))
		if err != nil {
			return nil, err
		}
		found, err := s.session(r, app, at.Session)
		if err != nil {
			return nil, err
		}
		if err := found.ended(http.StatusUnauthorized); err != nil {
			return nil, err
		}
		bank, _ := find(found.Name, found.Country)
		p, _ := persona.Find(found.Persona)
		if err := s.misbehave(r, found, p); err != nil {
			return nil, err
		}
		now := s.now(r)
		today := persona.DayOf(now)
		if err := s.limit(r, bank, uid, call, today); err != nil {
			return nil, err
		}
		accounts := found.accounts()
		i := slices.IndexFunc(accounts, func(a persona.Account) bool { return a.Key == at.Account })
		return handle(access{found, bank, p, accounts[i], now, today, r.URL.Query()})
	})
}

// limit refuses the fifth call of a day without the user. Further pages do not count.
func (s *server) limit(r *http.Request, bank ASPSP, uid, call string, today persona.Day) error {
	present, err := bank.hasUser(r.Header)
	if err != nil || present || r.URL.Query().Has("continuation_key") {
		return err
	}
	n, err := s.Store.Count(r.Context(), callKey(uid, call, today), s.Now().Add(48*time.Hour))
	if err == nil && n > callsPerDay {
		err = refuse(http.StatusTooManyRequests, "ASPSP_RATE_LIMIT_EXCEEDED", "ASPSP rate limit exceeded")
	}
	return err
}

// misbehave simulates the fault of the persona's bank.
func (s *server) misbehave(r *http.Request, found session, p persona.Persona) error {
	switch p.Behaviour {
	case persona.Slow:
		return refuse(http.StatusRequestTimeout, "ASPSP_TIMEOUT", "Timeout from ASPSP")
	case persona.Failing:
		return refuse(http.StatusBadRequest, "ASPSP_ERROR", "Error interacting with ASPSP")
	case persona.Garbled:
		return errGarbled
	case persona.Throttled:
		return refuse(http.StatusTooManyRequests, "ASPSP_RATE_LIMIT_EXCEEDED", "ASPSP rate limit exceeded")
	case persona.Blocked:
		return refuse(http.StatusUnauthorized, "ASPSP_PSU_ACTION_REQUIRED", "The user has to act at the bank")
	case persona.Revoked:
		if err := s.end(r, found, "REVOKED"); err != nil {
			return err
		}
		found.Status = "REVOKED"
		return found.ended(http.StatusUnauthorized)
	default:
		return nil
	}
}

func (s *server) getDetails(a access) (any, error) { return a.wire(a.account), nil }

// statement returns the account as it is now.
func (s *server) statement(a access) persona.Statement {
	all := s.simulations.Statements(a.persona, a.bank.Branch, a.today)
	return all[a.account.Key].At(a.today, a.now.Hour()*60+a.now.Minute())
}

// amount is an amount in the account's currency.
func (a access) amount(c persona.Cents) map[string]string {
	return map[string]string{"currency": a.account.Currency, "amount": c.String()}
}

func (s *server) getBalances(a access) (any, error) {
	st := s.statement(a)
	balance := func(kind string, amount persona.Cents) map[string]any {
		return map[string]any{
			"name": kind, "balance_amount": a.amount(amount), "balance_type": kind,
			"reference_date": a.today.String(), "last_change_date_time": nil, "last_committed_transaction": nil,
		}
	}
	return map[string]any{"balances": []any{
		balance("ITAV", st.ExpectedBalance()+a.account.Limit), balance("ITBD", st.BookedBalance()),
	}}, nil
}

func (s *server) getTransactions(a access) (any, error) {
	from, err := a.from()
	if err != nil {
		return nil, err
	}
	at, err := a.place()
	if err != nil {
		return nil, err
	}
	rows, list, place := a.rows(s.statement(a), from), []map[string]any{}, at.Place
	if !at.IsEmpty {
		// Pages differ in size: two to ten rows.
		end := min(place+2+place%9, len(rows))
		list, place = rows[min(place, end):end], end
	}
	page := map[string]any{"transactions": list, "continuation_key": nil}
	if place < len(rows) {
		page["continuation_key"], err = a.continuation(place, !at.IsEmpty && place < 20).key() // the second page is empty
	}
	return page, err
}

// from returns the first day of the list.
func (a access) from() (persona.Day, error) {
	earliest := a.today - recentDays + 1
	isLongest := a.query.Get("strategy") == "longest"
	if isLongest && a.now.Before(a.Created.Add(longestFor)) {
		earliest = a.today - longestDays
	}
	if !a.query.Has("date_from") {
		return earliest, nil
	}
	from, err := persona.ParseDay(a.query.Get("date_from"))
	switch {
	case err != nil:
		return 0, refuse(http.StatusUnprocessableEntity, "WRONG_REQUEST_PARAMETERS", "Wrong request parameters provided")
	case from > a.today:
		return 0, refuse(http.StatusUnprocessableEntity, "DATE_FROM_IN_FUTURE", "date_from is in the future")
	case from < earliest && !isLongest:
		return 0, &refusal{
			Status: http.StatusUnprocessableEntity, Code: "WRONG_TRANSACTIONS_PERIOD", Message: "Wrong transactions period requested",
			Detail: map[string]any{"date_from": earliest.String()},
		}
	}
	return max(from, earliest), nil
}

// continuation is where a list goes on: it belongs to the account and the parameters.
type continuation struct {
	Place           int
	IsEmpty         bool
	UID, Parameters string
}

func (a access) continuation(place int, isEmpty bool) continuation {
	q := maps.Clone(a.query)
	q.Del("continuation_key")
	return continuation{place, isEmpty, a.uid(a.account), q.Encode()}
}

// key returns the continuation key.
func (c continuation) key() (string, error) {
	text, err := json.Marshal(c)
	return base64.StdEncoding.EncodeToString(text), err
}

// place reads the continuation key.
func (a access) place() (continuation, error) {
	if !a.query.Has("continuation_key") {
		return continuation{}, nil
	}
	var c continuation
	text, err := base64.StdEncoding.DecodeString(a.query.Get("continuation_key"))
	switch {
	case err != nil || json.Unmarshal(text, &c) != nil || c.UID != a.uid(a.account):
		return c, refuse(http.StatusUnprocessableEntity, "WRONG_CONTINUATION_KEY", "Wrong continuation key provided")
	case c != a.continuation(c.Place, c.IsEmpty):
		return c, refuse(http.StatusUnprocessableEntity, "WRONG_REQUEST_PARAMETERS",
			"A parameter is not the same as in continuationKey")
	}
	return c, nil
}

// rows returns the rows since a day, newest first: pending ones, then booked ones.
func (a access) rows(st persona.Statement, from persona.Day) []map[string]any {
	rows := []map[string]any{}
	for _, e := range slices.Backward(st.Pending) {
		if e.Entered >= from {
			rows = append(rows, a.row(e))
		}
	}
	for _, e := range slices.Backward(st.Booked) {
		if e.Booked >= from {
			rows = append(rows, a.row(e))
		}
	}
	return rows
}

// row returns a row of an account. Unknown members are null.
func (a access) row(e persona.Entry) map[string]any {
	entered, booked := e.Entered.String(), e.Booked.String()
	w := map[string]any{
		"entry_reference": nil, "merchant_category_code": layout.OrNull(e.MCC), "creditor": nil, "creditor_account": nil,
		"debtor": nil, "debtor_account": nil, "bank_transaction_code": nil, "credit_debit_indicator": "CRDT",
		"booking_date": nil, "value_date": nil, "transaction_date": entered, "balance_after_transaction": nil,
		"reference_number": nil, "reference_number_schema": nil, "remittance_information": []string{e.Text},
		"exchange_rate": nil, "note": nil, "transaction_id": base64.StdEncoding.EncodeToString([]byte(a.ID + entered)),
	}
	switch {
	case e.Vanishes != 0:
		w["status"] = "HOLD"
	case e.Booked > a.today:
		w["status"] = "PDNG"
	default:
		w["status"], w["booking_date"], w["value_date"], w["transaction_date"] = "BOOK", booked, booked, nil
		w["entry_reference"] = "R" + strconv.FormatUint(e.Identity, 36)
	}
	if e.Text == "" {
		w["remittance_information"], w["reference_number_schema"] = nil, "INTL"
		w["reference_number"] = layout.OrNull(e.Reference)
	}
	if domain := strings.Split(e.Code, "-"); len(domain) == 3 {
		w["bank_transaction_code"] = map[string]any{"code": domain[1], "sub_code": domain[2], "description": nil}
	}
	party, amount := "debtor", e.Amount
	if amount < 0 {
		party, amount, w["credit_debit_indicator"] = "creditor", -amount, "DBIT"
	}
	w["transaction_amount"] = a.amount(amount)
	w[party] = map[string]any{"name": layout.OrNull(e.Party), "postal_address": nil}
	w[party+"_account"] = map[string]any{"iban": layout.OrNull(e.PartyIBAN), "other": nil}
	return w
}
