package bankcheck

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"aviso/internal/pfm"
	"aviso/internal/pfm/xs2a"
)

// sentRow is a row as the bank sent it.
type sentRow struct {
	object
	account string // the path of its list
	booked  bool
}

// sentRows returns the rows of an answer.
func sentRows(e xs2a.Exchange) (rows []sentRow) {
	answer := parse(e.Body)
	for _, name := range []string{"transactions", "cardTransactions"} {
		report := answer.inner(name)
		for _, list := range []string{"booked", "pending"} {
			for _, o := range report.list(list) {
				rows = append(rows, sentRow{o, e.URL.Path, list == "booked"})
			}
		}
	}
	return rows
}

// checkRows looks at the lists of rows, and at the rows.
func (c *Checker) checkRows(r *Report, found pfm.Inspection) {
	pages := c.of("read transactions")
	var rows []sentRow
	for _, e := range pages {
		if isOK(e) {
			rows = append(rows, sentRows(e)...)
		}
	}
	c.checkRequests(r, pages)
	c.checkPaging(r, pages)
	seen := newTally(len(rows))
	for _, row := range rows {
		c.checkDates(seen, row)
		checkAmount(seen, row)
		checkTexts(seen, row)
	}
	seen.report(r)
	checkIDs(r, rows)
	for _, a := range found.Accounts {
		checkRead(r, c.Provider.Profile, a, rows)
	}
	c.summarise(r, found, rows)
}

func (c *Checker) summarise(r *Report, found pfm.Inspection, rows []sentRow) {
	booked, total, unreadable, guessed := 0, 0, 0, 0
	first := pfm.Date("")
	for _, row := range rows {
		if row.booked {
			booked++
		}
	}
	for _, a := range found.Accounts {
		unreadable += a.Unreadable
		total += len(a.Rows) + a.Unreadable
		for _, row := range a.Rows {
			if first == "" || row.RecordDate < first {
				first = row.RecordDate
			}
			if row.DayGuessed {
				guessed++
			}
		}
	}
	if first != "" {
		days := int(pfm.DateOf(c.now()).Time().Sub(first.Time()).Hours() / 24)
		r.fact(fmt.Sprintf("Rows: %d booked, %d pending, since %d days ago.", booked, len(rows)-booked, days))
	}
	if unreadable > 0 {
		r.add(rowUnreadable, fmt.Sprintf("%d of %d rows", unreadable, total), nil)
	}
	if guessed > 0 {
		r.add(dateGuessed, fmt.Sprintf("%d of %d rows have no day that has come", guessed, total), nil)
	}
}

// checkRequests looks at what the bank refuses of the requests for rows.
func (c *Checker) checkRequests(r *Report, pages []xs2a.Exchange) {
	asked := map[string]xs2a.Exchange{} // the first request of a list
	for _, e := range pages {
		first, known := asked[e.URL.Path]
		if !known {
			asked[e.URL.Path] = e
			first = e
		}
		if e.Status >= http.StatusBadRequest && !isOK(first) {
			continue
		}
		got, wanted := e.URL.Query(), first.URL.Query()
		if isOK(e) && !isOK(first) {
			if wanted.Get("bookingStatus") == "both" && got.Get("bookingStatus") == "booked" {
				r.add(bothRefused, fmt.Sprintf("bookingStatus=both is refused with %d", first.Status), nil)
			}
		}
		from := got.Get("dateFrom")
		if slices.ContainsFunc(sentRows(e), func(row sentRow) bool {
			day := row.text("bookingDate")
			return row.booked && isDay(day) && from != "" && day < from
		}) {
			r.add(dateFromIgnored, "rows from before dateFrom are in the list", nil)
		}
	}
}

// checkPaging looks at the links from page to page.
func (c *Checker) checkPaging(r *Report, pages []xs2a.Exchange) {
	seen := map[string]bool{}
	for _, e := range pages {
		if !isOK(e) {
			continue
		}
		seen[e.URL.String()] = true
		answer := parse(e.Body)
		report := answer.inner("transactions")
		if report == nil {
			report = answer.inner("cardTransactions")
		}
		if report == nil && answer.href("download") != "" {
			r.add(reportDownload, "the answer links the report instead of having it", nil)
		}
		next := orWord(report.href("next"), answer.href("next"))
		to, err := url.Parse(next)
		if next == "" || err != nil {
			continue
		}
		if to.Host != "" && !strings.EqualFold(to.Host, e.URL.Host) {
			r.add(nextElsewhere, "the next page is linked at another host", nil)
		}
		if resolved := e.URL.ResolveReference(to); seen[resolved.String()] {
			r.add(nextRepeats, "a page leads to itself, or back to an earlier one", nil)
		}
	}
}

// tally counts deviations of rows, with an example of each.
type tally struct {
	of     int
	counts map[Code]int
	forms  map[Code]string
}

func newTally(of int) *tally {
	return &tally{of: of, counts: map[Code]int{}, forms: map[Code]string{}}
}

func (t *tally) count(code Code, form string) {
	t.counts[code]++
	t.forms[code] = form
}

func (t *tally) report(r *Report) {
	for _, code := range []Code{
		dateForm, dateMissing, dateAhead, amountForm, signInField, textElsewhere, textMissing, namesMissing,
	} {
		n := t.counts[code]
		if n > 0 && (code != namesMissing || 2*n > t.of) { // fees and interest have no counterparty
			r.add(code, fmt.Sprintf("%d of %d rows: %s", n, t.of, t.forms[code]), nil)
		}
	}
}

func isDay(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

func (c *Checker) checkDates(t *tally, row sentRow) {
	for _, name := range []string{"bookingDate", "valueDate", "transactionDate"} {
		if day := row.text(name); day != "" && !isDay(day) {
			t.count(dateForm, name+" as "+shape(day))
			return
		}
	}
	booking := row.text("bookingDate")
	if row.booked && booking == "" {
		t.count(dateMissing, "booked, without bookingDate")
	}
	if isDay(booking) && pfm.Date(booking) > pfm.DateOf(c.now()).AddDays(1) {
		t.count(dateAhead, "bookingDate has not come yet")
	}
}

func checkAmount(t *tally, row sentRow) {
	amount := row.inner("transactionAmount")
	if raw := string(amount["amount"]); raw != "" {
		text := amount.text("amount")
		switch {
		case text == "" && raw[0] != '"':
			t.count(amountForm, "a number instead of a text")
		case strings.ContainsAny(text, ",+"):
			t.count(amountForm, "as "+shape(text[:min(1, len(text))])+"…, with a comma or a plus sign")
		}
	}
	if row.text("creditDebitIndicator") == "DBIT" && amount.text("amount") != "" &&
		!strings.HasPrefix(amount.text("amount"), "-") {
		t.count(signInField, "creditDebitIndicator has the sign")
	}
}

func checkTexts(t *tally, row sentRow) {
	has := func(names ...string) bool {
		return slices.ContainsFunc(names, row.has)
	}
	named := has("creditorName", "debtorName", "ultimateCreditor", "ultimateDebtor", "cardAcceptorId", "entryDetails")
	usual := has("remittanceInformationUnstructured", "remittanceInformationUnstructuredArray", "transactionDetails")
	other := has("remittanceInformationStructured", "remittanceInformationStructuredArray", "additionalInformation",
		"proprietaryBankTransactionCode")
	switch {
	case !usual && !named && !other:
		t.count(textMissing, "neither a text nor a name")
	case !usual && !named:
		t.count(textElsewhere, "the text is in another field")
	case !named:
		t.count(namesMissing, "no name of a counterparty")
	}
}
