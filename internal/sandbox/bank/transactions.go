package bank

import (
	"fmt"
	"net/http"
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

func (s *server) getTransactions(r *http.Request, ses *session, acc persona.Account, g Grant,
	want period) (any, error) {
	if !g.Transactions {
		return nil, unauthorised("CONSENT_INVALID", "The consent does not cover transactions of this account.")
	}
	// Further pages of one list do not count as calls.
	if want.after == 0 {
		if err := s.count(r, ses, acc.Key, "transactions"); err != nil {
			return nil, err
		}
	}
	st := ses.statements()[acc.Key]
	rows, next, err := want.page(st)
	if err != nil {
		return nil, err
	}
	self := "/v1/" + ses.listOf(acc) + "/" + ses.resourceID(acc)
	report := accountReport{Links: links{"account": s.href(r, ses.localBank, self)}}
	if want.booked {
		report.Booked = []transaction{}
	}
	if want.pending {
		report.Pending = []transaction{}
	}
	for _, e := range rows {
		if e.Vanishes != 0 || e.Booked > ses.today {
			report.Pending = append(report.Pending, ses.pendingRow(acc, e))
		} else {
			report.Booked = append(report.Booked, ses.bookedRow(acc, e))
		}
	}
	if next != 0 {
		q := url.Values{"dateFrom": {want.from.String()}, "dateTo": {want.to.String()},
			"bookingStatus": {r.URL.Query().Get("bookingStatus")}, "page": {strconv.FormatUint(next, 36)}}
		report.Links["next"] = s.href(r, ses.localBank, self+"/transactions?"+q.Encode())
	}
	out := transactionReport{Account: reference(acc), Transactions: report}
	if want.withBalance && g.Balances {
		out.Balances = ses.balances(acc)
	}
	if ses.listOf(acc) != "accounts" {
		return out.ofCard(), nil
	}
	return out, nil
}

func (s *server) readPeriod(r *http.Request, lb localBank) (period, error) {
	q := r.URL.Query()
	today := lb.today(s.now(r))
	p := period{to: today}
	for _, name := range []string{"deltaList", "entryReferenceFrom"} {
		if q.Has(name) {
			return p, badRequest("PARAMETER_NOT_SUPPORTED", name, "The bank does not support delta access.")
		}
	}
	switch status := q.Get("bookingStatus"); status {
	case "booked":
		p.booked = true
	case "pending", "both":
		if lb.Traits.BookedOnly {
			return p, badRequest("PARAMETER_NOT_SUPPORTED", "bookingStatus",
				"The bank reports only booked transactions.")
		}
		p.booked, p.pending = status == "both", true
	case "information", "all":
		return p, badRequest("PARAMETER_NOT_SUPPORTED", "bookingStatus", "The bank does not report standing orders.")
	default:
		return p, formatError("bookingStatus", "The parameter is required and must be booked, pending or both.")
	}
	var err error
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
	// Days are in the bank's time zone; a caller that counts in UTC may be a day behind.
	// A further page may be requested after midnight and is not rejected for that.
	if !q.Has("page") && p.from < today-persona.Day(lb.MaxFetchInterval)-1 {
		return p, badRequest("PERIOD_INVALID", "dateFrom",
			"The bank returns "+strconv.Itoa(lb.MaxFetchInterval)+" days of history.")
	}
	if q.Has("page") {
		if p.after, err = strconv.ParseUint(q.Get("page"), 36, 64); err != nil || p.after == 0 {
			return p, formatError("page", "The parameter must come from a link of this bank.")
		}
	}
	if p.withBalance, err = flag(r, "withBalance"); err != nil {
		return p, err
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

// These are the bodies of the standard, as far as this bank fills them.

type link struct {
	Href string `json:"href"`
}

type links map[string]link

type accountDetails struct {
	ResourceID      string    `json:"resourceId"`
	IBAN            string    `json:"iban,omitempty"`
	MaskedPAN       string    `json:"maskedPan,omitempty"`
	Currency        string    `json:"currency"`
	OwnerName       string    `json:"ownerName,omitempty"`
	Name            string    `json:"name"`
	Product         string    `json:"product"`
	CashAccountType string    `json:"cashAccountType"`
	Status          string    `json:"status"`
	Usage           string    `json:"usage"`
	Balances        []balance `json:"balances,omitempty"`
	Links           links     `json:"_links"`
}

type amount struct {
	Currency string `json:"currency"`
	Amount   string `json:"amount"`
}

type balance struct {
	BalanceAmount       amount `json:"balanceAmount"`
	BalanceType         string `json:"balanceType"`
	CreditLimitIncluded bool   `json:"creditLimitIncluded"`
	ReferenceDate       string `json:"referenceDate"`
}

type transactionReport struct {
	Account      Reference     `json:"account"`
	Transactions accountReport `json:"transactions"`
	Balances     []balance     `json:"balances,omitempty"`
}

type accountReport struct {
	// Nil lists were not requested.
	Booked  []transaction `json:"booked,omitzero"`
	Pending []transaction `json:"pending,omitzero"`
	Links   links         `json:"_links"`
}

type transaction struct {
	TransactionID                     string            `json:"transactionId,omitempty"`
	EntryReference                    string            `json:"entryReference,omitempty"`
	EndToEndID                        string            `json:"endToEndId,omitempty"`
	MandateID                         string            `json:"mandateId,omitempty"`
	CreditorID                        string            `json:"creditorId,omitempty"`
	BookingDate                       string            `json:"bookingDate,omitempty"`
	ValueDate                         string            `json:"valueDate,omitempty"`
	TransactionAmount                 amount            `json:"transactionAmount"`
	CurrencyExchange                  []exchangeRate    `json:"currencyExchange,omitempty"`
	CreditorName                      string            `json:"creditorName,omitempty"`
	CreditorAccount                   *Reference        `json:"creditorAccount,omitempty"`
	DebtorName                        string            `json:"debtorName,omitempty"`
	DebtorAccount                     *Reference        `json:"debtorAccount,omitempty"`
	RemittanceInformationUnstructured string            `json:"remittanceInformationUnstructured,omitempty"`
	RemittanceInformationStructured   *structuredRemark `json:"remittanceInformationStructured,omitempty"`
	PurposeCode                       string            `json:"purposeCode,omitempty"`
	BankTransactionCode               string            `json:"bankTransactionCode,omitempty"`
	ProprietaryBankTransactionCode    string            `json:"proprietaryBankTransactionCode,omitempty"`
	MerchantCategoryCode              string            `json:"merchantCategoryCode,omitempty"`
}

type structuredRemark struct {
	Reference     string `json:"reference"`
	ReferenceType string `json:"referenceType"`
}

type exchangeRate struct {
	SourceCurrency string `json:"sourceCurrency"`
	ExchangeRate   string `json:"exchangeRate"`
	UnitCurrency   string `json:"unitCurrency"`
	TargetCurrency string `json:"targetCurrency"`
	QuotationDate  string `json:"quotationDate"`
}
