package bank

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"aviso/internal/sandbox/persona"
)

// pageSize is the maximum number of rows in a response.
const pageSize = 100

// period is a parsed query for transactions.
type period struct {
	from, to        persona.Day
	booked, pending bool
	// after is the identity of the last row on the previous page; 0 on the first page.
	after uint64
}

func (s *session) getTransactions() (any, error) {
	acc, g, err := s.account()
	if err != nil {
		return nil, err
	}
	want, err := s.readPeriod()
	switch {
	case err != nil:
		return nil, err
	case !g.Transactions:
		return nil, unauthorised("CONSENT_INVALID", "The consent does not cover transactions of this account.")
	case want.after == 0: // further pages of one list do not count as calls
		if err := s.count(acc.Key, "transactions"); err != nil {
			return nil, err
		}
	}
	rows, next, err := want.page(s.statements()[acc.Key])
	if err != nil {
		return nil, err
	}
	account, list := "account", "transactions"
	if s.isCard(acc) {
		account, list = "cardAccount", "cardTransactions"
	}
	on := links{account: s.href(s.self(acc))}
	report := map[string]any{"_links": on}
	for status, wanted := range map[string]bool{"booked": want.booked, "pending": want.pending} {
		if wanted {
			some := []any{}
			for _, e := range rows {
				if s.isBooked(e) == (status == "booked") {
					some = append(some, s.row(acc, e))
				}
			}
			report[status] = some
		}
	}
	if next != 0 {
		q := url.Values{"dateFrom": {want.from.String()}, "dateTo": {want.to.String()},
			"bookingStatus": {s.r.URL.Query().Get("bookingStatus")}, "page": {strconv.FormatUint(next, 36)}}
		on["next"] = s.href(s.self(acc) + "/transactions?" + q.Encode())
	}
	return map[string]any{account: reference(acc), list: report}, nil
}

func (s *session) isBooked(e persona.Entry) bool { return e.Vanishes == 0 && e.Booked <= s.today }

func (s *session) readPeriod() (p period, err error) {
	q := s.r.URL.Query()
	p.to = s.today
	for _, name := range []string{"deltaList", "entryReferenceFrom"} {
		if q.Has(name) {
			return p, badRequest("PARAMETER_NOT_SUPPORTED", name, "The bank does not support delta access.")
		}
	}
	switch status := q.Get("bookingStatus"); {
	case status == "information" || status == "all":
		return p, badRequest("PARAMETER_NOT_SUPPORTED", "bookingStatus", "The bank does not report standing orders.")
	case status != "booked" && status != "pending" && status != "both":
		return p, formatError("bookingStatus", "The parameter is required and must be booked, pending or both.")
	case status != "booked" && s.Traits.BookedOnly:
		return p, badRequest("PARAMETER_NOT_SUPPORTED", "bookingStatus", "The bank reports only booked transactions.")
	default:
		p.booked, p.pending = status != "pending", status != "booked"
	}
	if p.from, err = persona.ParseDay(q.Get("dateFrom")); err != nil {
		return p, formatError("dateFrom", "The parameter is required and must be a day as YYYY-MM-DD.")
	}
	if q.Has("dateTo") {
		if p.to, err = persona.ParseDay(q.Get("dateTo")); err != nil {
			return p, formatError("dateTo", "The parameter must be a day as YYYY-MM-DD.")
		}
		if p.to < p.from {
			return p, badRequest("PERIOD_INVALID", "dateTo", "The period ends before it begins.")
		}
	}
	if q.Has("page") {
		if p.after, err = strconv.ParseUint(q.Get("page"), 36, 64); err != nil || p.after == 0 {
			return p, formatError("page", "The parameter must come from a link of this bank.")
		}
	} else if p.from < s.today-persona.Day(s.MaxFetchInterval)-1 {
		// Days are in the bank's time zone; a caller that counts in UTC may be a day behind.
		// A further page may be requested after midnight and is not rejected for that.
		return p, badRequest("PERIOD_INVALID", "dateFrom",
			"The bank returns "+strconv.Itoa(s.MaxFetchInterval)+" days of history.")
	}
	return p, nil
}

// page returns the rows of one page, newest first, with pending rows on the first page
// only, and the booked row after which the next page begins. A page begins after a row
// rather than at an offset, so that rows which arrive between two pages move nothing.
func (p period) page(st persona.Statement) (rows []persona.Entry, next uint64, err error) {
	if p.pending && p.after == 0 {
		for _, e := range slices.Backward(st.Pending) {
			if p.from <= e.Entered && e.Entered <= p.to {
				rows = append(rows, e)
			}
		}
	}
	if !p.booked {
		return rows, 0, nil
	}
	begin := len(st.Booked)
	if p.after != 0 {
		begin = slices.IndexFunc(st.Booked, func(e persona.Entry) bool { return e.Identity == p.after })
		if begin < 0 {
			return nil, 0, formatError("page", "The parameter must come from a link of this bank.")
		}
	}
	for _, e := range slices.Backward(st.Booked[:begin]) {
		switch {
		case e.Booked < p.from:
			return rows, 0, nil
		case e.Booked > p.to:
		case len(rows) == pageSize:
			return rows, next, nil
		default:
			rows, next = append(rows, e), e.Identity
		}
	}
	return rows, 0, nil
}

// row returns a row as the bank reports it, without what it does not know. Booked and pending rows
// have nearly everything in common, so that a client can recognise that they are the same. Half of
// the rows get another transactionId when they are booked.
func (s *session) row(acc persona.Account, e persona.Entry) map[string]any {
	identity := s.consent.Ledger.identity(e)
	state, day, booked, id, reference := "booked", e.Entered.String(), "", "", ""
	switch {
	case s.isBooked(e):
		day, booked = e.Booked.String(), e.Booked.String()
		if s.Traits.IDs != noIDs {
			reference = e.Entered.String()[:4] + strings.ToUpper(strconv.FormatUint(identity, 36))
		}
	case e.Identity%2 == 0:
		state = "pending"
	}
	if s.Traits.IDs == fullIDs {
		id = uuid.NewSHA1(uuid.NameSpaceURL, fmt.Appendf(nil, "%s/%d", state, identity)).String()
	}
	t := map[string]any{"bookingDate": booked, "transactionAmount": amount{acc.Currency, e.Amount.String()}}
	if codes := s.Traits.Proprietary; codes != nil {
		t["proprietaryBankTransactionCode"] = cmp.Or(codes[e.Code], codes[""])
	}
	if s.Traits.MCC || s.isCard(acc) {
		t["merchantCategoryCode"] = e.MCC
	}
	if x := e.Exchange; x != nil {
		t["currencyExchange"] = []any{map[string]string{"sourceCurrency": x.Currency, "exchangeRate": x.Rate,
			"unitCurrency": x.Currency, "targetCurrency": acc.Currency, "quotationDate": x.Day.String()}}
	}
	name, party := e.Party, "debtor"
	if s.Traits.Sparse && e.MCC != "" {
		name = ""
	}
	if e.Amount < 0 {
		party = "creditor"
	}
	if s.isCard(acc) {
		letters := []rune(name)
		// The standard allows 35 characters.
		t["cardTransactionId"] = strings.ReplaceAll(id, "-", "")
		t["cardAcceptorId"] = string(letters[:min(len(letters), 35)])
		t["transactionDate"], t["transactionDetails"], t["invoiced"] = day, e.Text, false
	} else {
		t["transactionId"], t["entryReference"], t["endToEndId"] = id, reference, e.EndToEnd
		t["mandateId"], t["creditorId"], t["valueDate"] = e.Mandate, e.Creditor, day
		t["purposeCode"], t["bankTransactionCode"] = e.Purpose, e.Code
		t["remittanceInformationUnstructured"], t[party+"Name"] = e.Text, name
		if e.PartyIBAN != "" {
			t[party+"Account"] = Reference{IBAN: e.PartyIBAN}
		}
		if e.Reference != "" {
			t["remittanceInformationStructured"] = map[string]string{"reference": e.Reference, "referenceType": "SCOR"}
		}
	}
	maps.DeleteFunc(t, func(_ string, v any) bool { return v == "" })
	return t
}
