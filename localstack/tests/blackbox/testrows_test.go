package blackbox_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// testRow is a transaction as far as this test reads it.
type testRow struct {
	ID, Note    string
	RecordDate  time.Time
	Amount      json.Number
	RecordState string
	Category    struct{ CategoryName string }
}

// withNote returns the transactions with a note.
func (p partner) withNote(t *testing.T, note string) (found []testRow) {
	t.Helper()
	for next := ""; ; {
		var out struct {
			Data struct{ Transactions []testRow }
			Meta struct{ Pagination struct{ NextToken string } }
		}
		p.send(t, http.MethodGet, "/openbanking/v1/transactions?limit=200&nextToken="+next, nil).decode(t, &out)
		for _, row := range out.Data.Transactions {
			if row.Note == note {
				found = append(found, row)
			}
		}
		if next = out.Meta.Pagination.NextToken; next == "" {
			return found
		}
	}
}

// A partner adds rows of its own to a sandbox account, and the next refresh reads and
// categorises them, also those that are older than what a refresh usually reads again.
func TestOwnTestRows(t *testing.T) {
	t.Parallel()
	p := anotherPartner(t, "sandbox")
	l := p.connected(t, "lindenmark")
	path := "/sandbox/v1/users/" + p.user + "/transactions"
	day := func(ago int) string { return time.Now().UTC().AddDate(0, 0, -ago).Format(time.DateOnly) }
	row := func(amount, date, note string) map[string]any {
		return map[string]any{"amount": json.Number(amount), "bookingDate": date, "counterparty": "Kornblume Markt", "note": note}
	}
	account := p.accounts(t)[0].AccountID
	body := map[string]any{"accountId": account, "transactions": []any{
		row("-17.99", day(0), "KORNBLUME MARKT own row"), row("-17.99", day(61), "KORNBLUME MARKT own row"),
	}}
	key := uuid.NewString()
	for range 2 {
		a := p.send(t, http.MethodPost, path, body, "Idempotency-Key", key)
		require.Equal(t, http.StatusCreated, a.status, string(a.body))
		var out struct {
			Data struct {
				TestTransactions struct {
					AccountID, ConnectionID string
					Added                   int
				}
			}
		}
		a.decode(t, &out)
		assert.Equal(t, 2, out.Data.TestTransactions.Added)
		assert.Equal(t, l.ConnectionID, out.Data.TestTransactions.ConnectionID)
		assert.Equal(t, account, out.Data.TestTransactions.AccountID)
	}
	different := map[string]any{"accountId": account, "transactions": []any{row("-1", day(0), "KORNBLUME MARKT own row")}}
	reused := p.send(t, http.MethodPost, path, different, "Idempotency-Key", key)
	assert.Equal(t, http.StatusUnprocessableEntity, reused.status, "and the bank does not get the row: %s", reused.body)
	refresh := "/openbanking/v1/connections/" + l.ConnectionID + "/refresh"
	a := p.send(t, http.MethodPost, refresh, nil, "X-Psu-Ip-Address", "203.0.113.7")
	require.Equal(t, http.StatusAccepted, a.status, "test rows need not wait: %s", a.body)
	var found []testRow
	eventually(t, func() bool {
		found = p.withNote(t, "KORNBLUME MARKT own row")
		return len(found) == 2
	}, patience, 100*time.Millisecond, "the rows do not arrive")
	for _, r := range found {
		assert.Equal(t, "-17.99", r.Amount.String())
		assert.Equal(t, "Cleared", r.RecordState)
		assert.Equal(t, "FOOD_AND_DRINKS", r.Category.CategoryName)
	}
	assert.Equal(t, day(61), found[1].RecordDate.Format(time.DateOnly))

	invalid := func(change func(row map[string]any)) map[string]any {
		r := row("-1", day(0), "x")
		change(r)
		return map[string]any{"accountId": account, "transactions": []any{r}}
	}
	set := func(name string, value any) map[string]any {
		return invalid(func(row map[string]any) { row[name] = value })
	}
	many := make([]any, 101)
	for i := range many {
		many[i] = row("-1", day(0), "x")
	}
	for name, wrong := range map[string]map[string]any{
		"tomorrow":              set("bookingDate", day(-1)),
		"before the history":    set("bookingDate", day(2000)),
		"no date":               set("bookingDate", "2026-02-30"),
		"nothing":               set("amount", 0),
		"too much":              set("amount", 1_000_001),
		"three decimal places":  set("amount", json.Number("-1.001")),
		"a long counterparty":   set("counterparty", string(make([]byte, 71))),
		"no note":               set("note", ""),
		"a merchant in letters": set("merchantCategoryCode", "abcd"),
		"an unknown member":     set("iban", "DE"),
		"no rows":               {"accountId": account, "transactions": []any{}},
		"too many rows":         {"accountId": account, "transactions": many},
	} {
		a := p.send(t, http.MethodPost, path, wrong)
		assert.Equal(t, http.StatusUnprocessableEntity, a.status, "%s: %s", name, a.body)
	}
	digits := p.send(t, http.MethodPost, path, set("amount", json.Number("2.76e-26")))
	assert.Equal(t, http.StatusUnprocessableEntity, digits.status)
	assert.Contains(t, string(digits.body), `"pointer":"/transactions/0/amount"`)
	missing := map[string]any{"accountId": uuid.NewString(), "transactions": []any{row("-1", day(0), "x")}}
	assert.Equal(t, http.StatusNotFound, p.send(t, http.MethodPost, path, missing).status)
	other := anotherPartner(t, "sandbox-2")
	assert.Equal(t, http.StatusNotFound, other.send(t, http.MethodPost, path, body).status, "another partner's user")
	assert.Equal(t, http.StatusNotFound, other.send(t, http.MethodPost,
		"/sandbox/v1/users/"+other.user+"/transactions", body).status, "another partner's account")
}
