package blackbox_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Filters by content return the same as a partner that reads all rows and filters them.
func TestContentFilters(t *testing.T) {
	t.Parallel()
	p := newPartner(t, "sandbox")
	p.connected(t, "lindenmark")
	type row struct {
		ID, RecordType, Note string
		Amount               jsonNumber
		Merchant             struct{ Name string }
	}
	list := func(limit int, query string) (rows []row) {
		t.Helper()
		for next := ""; ; {
			var out struct {
				Data struct{ Transactions []row }
				Meta struct{ Pagination struct{ NextToken string } }
			}
			path := fmt.Sprintf("/openbanking/v1/transactions?limit=%d&%s&nextToken=%s", limit, query, next)
			a := p.send(t, http.MethodGet, path, nil)
			require.Equal(t, http.StatusOK, a.status, string(a.body))
			a.decode(t, &out)
			rows = append(rows, out.Data.Transactions...)
			if next = out.Meta.Pagination.NextToken; next == "" {
				return rows
			}
		}
	}
	all := list(200, "")
	word := strings.Fields(all[0].Note)[0]
	for query, keep := range map[string]func(row) bool{
		"recordType=Income":  func(r row) bool { return r.RecordType == "Income" },
		"recordType=Expense": func(r row) bool { return r.RecordType == "Expense" },
		"amountFrom=" + string(all[0].Amount) + "&amountTo=" + string(all[0].Amount): func(r row) bool { return r.Amount == all[0].Amount },
		"amountTo=-0.01": func(r row) bool { return strings.HasPrefix(string(r.Amount), "-") },
	} {
		var want []row
		for _, r := range all {
			if keep(r) {
				want = append(want, r)
			}
		}
		require.NotEmpty(t, want, query)
		assert.Equal(t, want, list(37, query), query)
	}
	found := list(50, "text="+url.QueryEscape(strings.ToLower(word)))
	assert.Contains(t, found, all[0], "by a word of the note, in another case")
	assert.Less(t, len(found), len(all))
	assert.Empty(t, list(50, "text=no-such-word-anywhere"))
}
