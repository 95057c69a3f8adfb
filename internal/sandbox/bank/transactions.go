package bank

import (
	"fmt"
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
	withBalance     bool
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
	report := accountReport{Links: links{"account": s.href(s.self(acc))}}
	if want.booked {
		report.Booked = []transaction{}
	}
	if want.pending {
		report.Pending = []transaction{}
	}
	for _, e := range rows {
		if e.Vanishes != 0 || e.Booked > s.today {
			report.Pending = append(report.Pending, s.pendingRow(acc, e))
		} else {
			report.Booked = append(report.Booked, s.bookedRow(acc, e))
		}
	}
	if next != 0 {
		q := url.Values{"dateFrom": {want.from.String()}, "dateTo": {want.to.String()},
			"bookingStatus": {s.r.URL.Query().Get("bookingStatus")}, "page": {strconv.FormatUint(next, 36)}}
		report.Links["next"] = s.href(s.self(acc) + "/transactions?" + q.Encode())
	}
	out := transactionReport{Account: reference(acc), Transactions: report}
	if want.withBalance && g.Balances {
		out.Balances = s.balances(acc)
	}
	if s.listOf(acc) != "accounts" {
		return out.ofCard(), nil
	}
	return out, nil
}

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
	p.withBalance, err = s.flag("withBalance")
	return p, err
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

func (s *session) bookedRow(acc persona.Account, e persona.Entry) transaction {
	t := s.row(acc, e)
	t.BookingDate, t.ValueDate = e.Booked.String(), e.Booked.String()
	switch s.Traits.IDs {
	case fullIDs:
		t.TransactionID, t.EntryReference = s.transactionID("booked", e), s.entryReference(e)
	case referenceOnly:
		t.EntryReference = s.entryReference(e)
	case noIDs:
	}
	return t
}

// pendingRow has no booking date yet. Half of the rows get another transactionId when
// they are booked.
func (s *session) pendingRow(acc persona.Account, e persona.Entry) transaction {
	t := s.row(acc, e)
	t.ValueDate = e.Entered.String()
	if s.Traits.IDs == fullIDs {
		state := "booked"
		if e.Identity%2 == 0 {
			state = "pending"
		}
		t.TransactionID = s.transactionID(state, e)
	}
	return t
}

func (s *session) transactionID(state string, e persona.Entry) string {
	return uuid.NewSHA1(uuid.NameSpaceURL, fmt.Appendf(nil, "%s/%d", state, s.consent.Ledger.identity(e))).String()
}

func (s *session) entryReference(e persona.Entry) string {
	return e.Entered.String()[:4] + strings.ToUpper(strconv.FormatUint(s.consent.Ledger.identity(e), 36))
}

// row returns what booked and pending rows have in common: nearly everything, so that a
// client can recognise that they are the same.
func (lb localBank) row(acc persona.Account, e persona.Entry) transaction {
	t := transaction{
		EndToEndID: e.EndToEnd, MandateID: e.Mandate, CreditorID: e.Creditor,
		TransactionAmount:                 amount{acc.Currency, e.Amount.String()},
		RemittanceInformationUnstructured: e.Text, PurposeCode: e.Purpose, BankTransactionCode: e.Code,
	}
	if e.Reference != "" {
		t.RemittanceInformationStructured = &structuredRemark{e.Reference, "SCOR"}
	}
	if lb.Traits.Proprietary {
		t.ProprietaryBankTransactionCode = proprietaryCode(e.Code)
	}
	if lb.Traits.MCC || lb.listOf(acc) != "accounts" {
		t.MerchantCategoryCode = e.MCC
	}
	if x := e.Exchange; x != nil {
		t.CurrencyExchange = []exchangeRate{{x.Currency, x.Rate, x.Currency, acc.Currency, x.Day.String()}}
	}
	name, account := e.Party, (*Reference)(nil)
	if e.PartyIBAN != "" {
		account = &Reference{IBAN: e.PartyIBAN}
	}
	if lb.Traits.Sparse && e.MCC != "" {
		name = ""
	}
	if e.Amount < 0 {
		t.CreditorName, t.CreditorAccount = name, account
	} else {
		t.DebtorName, t.DebtorAccount = name, account
	}
	return t
}

// proprietaryCode returns the German banks' business transaction code.
func proprietaryCode(code string) string {
	codes := map[string]string{
		"PMNT-RCDT-SALA": "NTRF+153", "PMNT-RDDT-ESDD": "NDDT+105", "PMNT-CCRD-POSD": "NDDT+106",
		"PMNT-CCRD-CWDL": "NMSC+106", "PMNT-ICDT-STDO": "NSTO+117", "PMNT-ICDT-ESCT": "NTRF+116",
		"PMNT-RCDT-ESCT": "NTRF+166", "ACMT-MDOP-CHRG": "NCHG+808", "ACMT-MDOP-INTR": "NINT+814",
		"ACMT-MCOP-INTR": "NINT+814",
	}
	if own, ok := codes[code]; ok {
		return own
	}
	return "NMSC+999"
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
