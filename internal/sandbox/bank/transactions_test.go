package bank_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/sandbox/persona"
)

type row struct {
	TransactionID, EntryReference, BookingDate, ValueDate                string
	CreditorName, DebtorName, BankTransactionCode, MandateID, CreditorID string
	RemittanceInformationUnstructured                                    string
	MerchantCategoryCode                                                 string
	TransactionAmount                                                    struct{ Currency, Amount string }
	CurrencyExchange                                                     []map[string]string
}

type rows struct {
	booked, pending []row
	pages           int
}

// everything reads all pages.
func everything(t *testing.T, p *TPP, consentID string, a account, bookingStatus, from string) rows {
	t.Helper()
	var all rows
	next := "/v1/accounts/" + a.ResourceID + "/transactions?bookingStatus=" + bookingStatus + "&dateFrom=" + from
	for next != "" {
		res := p.Do(t, "GET", next, With(consentID, Attended), "")
		require.Equal(t, http.StatusOK, res.StatusCode)
		var body struct {
			Transactions struct {
				Booked, Pending []row
				Links           map[string]struct{ Href string } `json:"_links"`
			}
		}
		Decode(t, res, &body)
		require.LessOrEqual(t, len(body.Transactions.Booked)+len(body.Transactions.Pending), 100)
		all.booked = append(all.booked, body.Transactions.Booked...)
		all.pending = append(all.pending, body.Transactions.Pending...)
		all.pages++
		next = body.Transactions.Links["next"].Href
	}
	return all
}

func open(t *testing.T, slug string) (*TPP, string, account) {
	t.Helper()
	p := newTPP(t, slug, noon)
	id := p.Authorise(t, ConsentBody, "anna", "current")
	return p, id, accounts(t, p, id, "")[0]
}

func TestPaginationNeitherSkipsNorRepeatsRows(t *testing.T) {
	pending := 0
	for _, slug := range []string{"lindenmark", "waterkant", "caja-olivar"} {
		p, id, a := open(t, slug)
		from := noon.AddDate(0, 0, -365)
		got := everything(t, p, id, a, "both", from.Format(time.DateOnly))
		assert.Greater(t, got.pages, 4)

		branches := map[string]persona.Branch{
			"lindenmark":  {Bank: "lindenmark", Country: "DE", Currency: "EUR", Language: "de"},
			"waterkant":   {Bank: "waterkant", Country: "NL", Currency: "EUR", Language: "nl"},
			"caja-olivar": {Bank: "caja-olivar", Country: "ES", Currency: "EUR", Language: "es"},
		}
		st := persona.All()[0].Statements(branches[slug], persona.DayOf(noon))["current"].At(
			persona.DayOf(noon), minuteInCentralEurope)
		want, wantText := 0, []string{}
		for _, v := range slices.Backward(st.Booked) {
			if e := v; e.Booked >= persona.DayOf(from) {
				want++
				wantText = append(wantText, e.Booked.String()+e.Amount.String()+e.Text)
			}
		}
		var gotText []string
		for _, r := range got.booked {
			gotText = append(gotText, r.BookingDate+r.TransactionAmount.Amount+r.RemittanceInformationUnstructured)
		}
		assert.Equal(t, wantText, gotText)
		assert.Len(t, got.pending, len(st.Pending))
		pending += len(got.pending)
	}
	assert.Greater(t, pending, 4)
}

// Days pass between two pages; the next page continues where the previous one ended.
func TestPaginationIsStableWhileRowsArrive(t *testing.T) {
	p, id, a := open(t, "lindenmark")
	before := everything(t, p, id, a, "booked", "2026-05-01")
	next := "/v1/accounts/" + a.ResourceID + "/transactions?bookingStatus=booked&dateFrom=2026-05-01"
	var seen []string
	for next != "" {
		res := p.Do(t, "GET", next, With(id, Attended), "")
		var body struct {
			Transactions struct {
				Booked []row
				Links  map[string]struct{ Href string } `json:"_links"`
			}
		}
		Decode(t, res, &body)
		for _, r := range body.Transactions.Booked {
			seen = append(seen, r.TransactionID)
		}
		next = body.Transactions.Links["next"].Href
		p.Now = p.Now.AddDate(0, 0, 1)
	}
	var want []string
	for _, r := range before.booked {
		want = append(want, r.TransactionID)
	}
	assert.Equal(t, want, seen)
}

func TestPagesOfOneListCountAsOneCall(t *testing.T) {
	p, id, a := open(t, "lindenmark")
	for range 4 {
		next := "/v1/accounts/" + a.ResourceID + "/transactions?bookingStatus=booked&dateFrom=2026-03-01"
		for next != "" {
			res := p.Do(t, "GET", next, With(id), "")
			require.Equal(t, http.StatusOK, res.StatusCode)
			var body struct {
				Transactions struct {
					Links map[string]struct{ Href string } `json:"_links"`
				}
			}
			Decode(t, res, &body)
			next = body.Transactions.Links["next"].Href
		}
	}
}

func TestPendingRowsAreBookedWithTheSameContent(t *testing.T) {
	p, id, a := open(t, "lindenmark")
	same, changed, vanished := 0, 0, 0
	for range 30 {
		pending := everything(t, p, id, a, "pending", "2026-10-01")
		require.Empty(t, pending.booked)
		p.Now = p.Now.AddDate(0, 0, 5)
		booked := everything(t, p, id, a, "booked", "2026-10-01").booked
		for _, was := range pending.pending {
			require.Empty(t, was.BookingDate)
			require.NotEmpty(t, was.ValueDate)
			found := false
			for _, is := range booked {
				if is.RemittanceInformationUnstructured == was.RemittanceInformationUnstructured &&
					is.TransactionAmount == was.TransactionAmount {
					found = true
					if is.TransactionID == was.TransactionID {
						same++
					}
				}
			}
			if !found {
				vanished++
			}
		}
		changed += len(pending.pending)
	}
	assert.NotZero(t, same, "some rows keep their ID")
	assert.Less(t, same, changed, "some get another")
	assert.NotZero(t, vanished, "a hold is released without being booked")
	assert.Less(t, vanished, changed/4)
}

func TestBanksIdentifyRowsDifferently(t *testing.T) {
	t.Run("with all IDs", func(t *testing.T) {
		p, id, a := open(t, "lindenmark")
		seen := map[string]bool{}
		for _, r := range everything(t, p, id, a, "booked", "2026-06-01").booked {
			assert.NotEmpty(t, r.EntryReference)
			assert.False(t, seen[r.TransactionID])
			seen[r.TransactionID] = true
		}
	})
	t.Run("by entry reference, when booked", func(t *testing.T) {
		p, id, a := open(t, "caja-olivar")
		got := everything(t, p, id, a, "both", "2026-06-01")
		for _, r := range got.booked {
			assert.Empty(t, r.TransactionID)
			assert.NotEmpty(t, r.EntryReference)
			assert.LessOrEqual(t, len(r.EntryReference), 35)
		}
		for _, r := range got.pending {
			assert.Empty(t, r.TransactionID+r.EntryReference)
		}
	})
	t.Run("not at all, and merchants only in the text", func(t *testing.T) {
		p, id, a := open(t, "banque-des-saules")
		named := 0
		for _, r := range everything(t, p, id, a, "booked", "2026-10-01").booked {
			assert.Empty(t, r.TransactionID+r.EntryReference)
			if r.BankTransactionCode == "PMNT-CCRD-POSD" {
				assert.Empty(t, r.CreditorName)
			} else if r.CreditorName != "" {
				named++
			}
		}
		assert.NotZero(t, named)
	})
	t.Run("with merchant category codes", func(t *testing.T) {
		p, id, a := open(t, "waterkant")
		for _, r := range everything(t, p, id, a, "booked", "2026-10-01").booked {
			if r.BankTransactionCode == "PMNT-CCRD-POSD" {
				assert.Len(t, r.MerchantCategoryCode, 4)
			}
		}
	})
}

func TestTransactionQueriesAreValidatedStrictly(t *testing.T) {
	p, id, a := open(t, "lindenmark")
	q, qid, qa := open(t, "hansekontor")
	for name, c := range map[string]struct {
		p     *TPP
		id    string
		a     account
		query string
		code  string
	}{
		"no first day":              {p, id, a, "bookingStatus=booked", "FORMAT_ERROR"},
		"invalid first day":         {p, id, a, "bookingStatus=booked&dateFrom=20261101", "FORMAT_ERROR"},
		"invalid last day":          {p, id, a, "bookingStatus=booked&dateFrom=2026-11-01&dateTo=x", "FORMAT_ERROR"},
		"no booking status":         {p, id, a, "dateFrom=2026-11-01", "FORMAT_ERROR"},
		"unknown booking status":    {p, id, a, "dateFrom=2026-11-01&bookingStatus=maybe", "FORMAT_ERROR"},
		"standing orders":           {p, id, a, "dateFrom=2026-11-01&bookingStatus=all", "PARAMETER_NOT_SUPPORTED"},
		"delta access":              {p, id, a, "bookingStatus=booked&deltaList=true", "PARAMETER_NOT_SUPPORTED"},
		"ends before it begins":     {p, id, a, "bookingStatus=booked&dateFrom=2026-11-02&dateTo=2026-11-01", "PERIOD_INVALID"},
		"before the bank's history": {p, id, a, "bookingStatus=booked&dateFrom=2024-11-18", "PERIOD_INVALID"},
		"invented page":             {p, id, a, "bookingStatus=booked&dateFrom=2026-11-01&page=7", "FORMAT_ERROR"},
		"invalid page":              {p, id, a, "bookingStatus=booked&dateFrom=2026-11-01&page=!", "FORMAT_ERROR"},
		"pending without support":   {q, qid, qa, "bookingStatus=both&dateFrom=2026-11-01", "PARAMETER_NOT_SUPPORTED"},
	} {
		t.Run(name, func(t *testing.T) {
			res := c.p.Do(t, "GET", "/v1/accounts/"+c.a.ResourceID+"/transactions?"+c.query, With(c.id, Attended), "")
			assert.Equal(t, 400, res.StatusCode)
			assert.Equal(t, c.code, Code(t, res))
		})
	}
}

func TestPeriodIncludesBothItsDays(t *testing.T) {
	p, id, a := open(t, "lindenmark")
	all := everything(t, p, id, a, "booked", "2026-11-01").booked
	day := all[len(all)/2].BookingDate
	want := 0
	for _, r := range all {
		if r.BookingDate == day {
			want++
		}
	}
	got := everything(t, p, id, a, "booked", day+"&dateTo="+day)
	assert.Len(t, got.booked, want)
	for _, r := range got.booked {
		assert.Equal(t, day, r.BookingDate)
	}
}

func TestLongestPeriodContinuesAfterMidnight(t *testing.T) {
	p, id, a := open(t, "lindenmark")
	res := p.Do(t, "GET", "/v1/accounts/"+a.ResourceID+"/transactions?bookingStatus=booked&dateFrom=2024-11-19", With(id), "")
	var body struct {
		Transactions struct {
			Links map[string]struct{ Href string } `json:"_links"`
		}
	}
	Decode(t, res, &body)
	p.Now = p.Now.AddDate(0, 0, 2)
	assert.Equal(t, 200, p.Do(t, "GET", body.Transactions.Links["next"].Href, With(id), "").StatusCode)
}
