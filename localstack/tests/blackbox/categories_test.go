package blackbox_test

import (
	"net/http"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type categorised struct {
	ID       string
	Category struct{ CategoryID, SubcategoryID int }
	Merchant struct{ ID, Name string }
}

// What a bank tells gets category and merchant, can be found by them, is summed
// up, and goes where the user says.
func TestCategories(t *testing.T) {
	t.Parallel()
	p := newPartner(t, "sandbox")
	l := p.connect(t, p.bank(t, "lindenmark").ID)
	status, _ := outcome(t, visit(t, l.RedirectURL, "anna", "approve"))
	require.Equal(t, "success", status)
	p.until(t, l.ConnectionID, synced)

	list := func(query string) []categorised {
		var out struct {
			Data struct{ Transactions []categorised }
		}
		p.send(t, http.MethodGet, "/openbanking/v1/transactions?limit=200"+query, nil).decode(t, &out)
		return out.Data.Transactions
	}
	placed := 0
	for _, row := range list("") {
		if row.Category.CategoryID != 610 {
			placed++
		}
	}
	assert.Greater(t, placed, 180, "of the last 200")
	groceries := list("&categoryId=521")
	require.NotEmpty(t, groceries)
	for _, row := range groceries {
		assert.Equal(t, 521, row.Category.SubcategoryID)
	}
	shop := groceries[0]
	for _, row := range list("&merchantId=" + shop.Merchant.ID) {
		assert.Equal(t, shop.Merchant, row.Merchant)
	}

	sums := func() map[int]int {
		var out struct {
			Data struct {
				Granularity string
				Insights    []struct {
					Category             struct{ ID int }
					NumberOfTransactions int
				}
			}
		}
		p.send(t, http.MethodGet, "/openbanking/v1/insights/categories?transactionType=Expense&categoryLevel=L2", nil).decode(t, &out)
		assert.Equal(t, "alltime", out.Data.Granularity)
		numbers := map[int]int{}
		for _, i := range out.Data.Insights {
			numbers[i.Category.ID] = i.NumberOfTransactions
		}
		return numbers
	}
	before := sums()
	var one struct {
		Data struct {
			Transaction struct {
				CategorySource, RuleID string
				Category               struct{ SubcategoryID int }
			}
		}
	}
	path := "/openbanking/v1/transactions/" + shop.ID
	p.send(t, http.MethodGet, path, nil).decode(t, &one)
	assert.Contains(t, []string{"Merchant", "Mcc", "Keyword"}, one.Data.Transaction.CategorySource)
	assert.NotEmpty(t, one.Data.Transaction.RuleID)
	a := p.send(t, http.MethodPatch, path, map[string]any{"categoryId": 568})
	require.Equal(t, http.StatusOK, a.status, string(a.body))
	a.decode(t, &one)
	assert.Equal(t, "Override", one.Data.Transaction.CategorySource)
	assert.Equal(t, 568, one.Data.Transaction.Category.SubcategoryID)
	after := sums()
	assert.Equal(t, before[521]-1, after[521])
	assert.Equal(t, before[568]+1, after[568])

	var changes struct {
		Data struct {
			Since   string
			Changes []struct{ Change, TransactionID string }
		}
	}
	seen, since := map[string]string{}, ""
	for {
		p.send(t, http.MethodGet, "/openbanking/v1/transactions/changes?limit=200&since="+since, nil).decode(t, &changes)
		if len(changes.Data.Changes) == 0 {
			break
		}
		for _, c := range changes.Data.Changes {
			seen[c.TransactionID] = c.Change
		}
		since = changes.Data.Since
	}
	assert.Greater(t, len(seen), 1000)
	assert.Equal(t, "Added", seen[shop.ID])
	p.send(t, http.MethodPatch, path, map[string]any{"categoryId": 520})
	p.send(t, http.MethodGet, "/openbanking/v1/transactions/changes?since="+since, nil).decode(t, &changes)
	require.Len(t, changes.Data.Changes, 1)
	assert.Equal(t, "Modified", changes.Data.Changes[0].Change)

	for _, id := range []string{"508", "699"} {
		n, err := strconv.Atoi(id)
		require.NoError(t, err)
		assert.Equal(t, http.StatusUnprocessableEntity, p.send(t, http.MethodPatch, path, map[string]any{"categoryId": n}).status)
		assert.Equal(
			t,
			http.StatusUnprocessableEntity,
			p.send(t, http.MethodGet, "/openbanking/v1/transactions?categoryId="+id, nil).status,
		)
	}

	atShop := list("&merchantId=" + shop.Merchant.ID)
	require.Greater(t, len(atShop), 1)
	all := func(subcategory int) func() bool {
		return func() bool {
			return !slices.ContainsFunc(list("&merchantId="+shop.Merchant.ID), func(c categorised) bool {
				return c.Category.SubcategoryID != subcategory
			})
		}
	}
	choice := map[string]any{"categoryId": 568, "applyTo": "Merchant"}
	require.Equal(t, http.StatusOK, p.send(t, http.MethodPatch, path, choice).status)
	require.Eventually(t, all(568), time.Minute, time.Second, "the choice reaches all rows")
	taken := p.send(t, http.MethodDelete, "/openbanking/v1/transactions/"+atShop[1].ID+"/category", nil)
	require.Equal(t, http.StatusNoContent, taken.status)
	require.Eventually(t, all(521), time.Minute, time.Second, "and is taken back as a whole")
}
