package pfmapi_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/money"
	"aviso/internal/pfm"
	"aviso/internal/pfm/transaction"
	"aviso/localstack/tests/pfmtest"
)

func TestInsights(t *testing.T) {
	s := newService(t)
	greengrocer, landlord := pfm.Merchant{ID: pfmtest.ID(7), Name: "Grünkorb"}, pfm.Merchant{ID: pfmtest.ID(8), Name: "Altbau"}
	s.enrich = func(row transaction.Transaction, _ string) transaction.Transaction {
		for name, found := range map[string]struct {
			category int
			merchant pfm.Merchant
		}{"shop": {pfm.FoodGroceries, greengrocer}, "rent": {pfm.HousingRent, landlord}, "pay": {pfm.IncomeSalary, pfm.Merchant{}}} {
			if strings.HasPrefix(row.BankID, name) {
				row.Category, _ = pfm.CategoryOf(found.category)
				row.Merchant, row.Source, row.RuleID = found.merchant, pfm.SourceMerchant, "test"
			}
		}
		return row
	}
	fill(s)
	booked := func(id string, day pfm.Date, amount string) pfm.BankTransaction {
		return pfm.BankTransaction{ID: id, Booked: true, Amount: money.MustParse(amount), Currency: "EUR", BookingDate: day}
	}
	s.bank.Rows = map[string][]pfm.BankTransaction{"r1": {
		booked("shop1", "2026-02-10", "-12.10"), booked("shop2", "2026-02-11", "-7.90"),
		booked("rent", "2026-02-01", "-900.00"), booked("pay", "2026-02-27", "2500.00"),
	}}
	s.active()

	category := func(id, name string) map[string]any {
		return map[string]any{"category": map[string]any{"id": json.Number(id), "name": name}}
	}
	merchant := func(m pfm.Merchant) map[string]any {
		return map[string]any{"merchant": map[string]any{"id": m.ID, "name": m.Name}}
	}
	sum := func(of map[string]any, amount, count, start string) map[string]any {
		of["amount"], of["currencyCode"], of["numberOfTransactions"] = json.Number(amount), "EUR", json.Number(count)
		if start != "" {
			of["periodStart"] = start
		}
		return of
	}
	for query, want := range map[string]struct {
		granularity string
		insights    []any
	}{
		"categories": {"alltime", []any{
			sum(category("500", "HOUSING"), "-900.00", "1", ""), sum(category("520", "FOOD_AND_DRINKS"), "-20.00", "2", ""),
		}},
		"categories?transactionType=Income&categoryLevel=L1": {"alltime", []any{
			sum(category("600", "INCOME"), "2500.00", "1", ""),
		}},
		"categories?transactionType=Expense&categoryLevel=L2&orderBy=numberOfTransactions": {"alltime", []any{
			sum(category("521", "FOOD_AND_DRINKS__Groceries"), "-20.00", "2", ""),
			sum(category("501", "HOUSING__Rent"), "-900.00", "1", ""),
		}},
		"merchants": {"alltime", []any{sum(merchant(landlord), "-900.00", "1", ""), sum(merchant(greengrocer), "-20.00", "2", "")}},
		"merchants?granularity=daily&orderBy=amount&transactionType=Expense": {"daily", []any{
			sum(merchant(landlord), "-900.00", "1", "2026-02-01"), sum(merchant(greengrocer), "-12.10", "1", "2026-02-10"),
			sum(merchant(greengrocer), "-7.90", "1", "2026-02-11"),
		}},
	} {
		t.Run(query, func(t *testing.T) {
			a := s.ok("/insights/" + query)
			assert.Equal(t, map[string]any{
				"data": map[string]any{"granularity": want.granularity, "insights": want.insights},
				"meta": map[string]any{"pagination": map[string]any{}},
			}, a.Member())
		})
	}
	for _, query := range []string{"merchants?granularity=daily", "categories?categoryLevel=L2&orderBy=name"} {
		all := s.call(http.MethodGet, "/insights/"+query, "").List("data", "insights")
		require.Greater(t, len(all), 1)
		var paged []map[string]any
		next := ""
		for range all {
			a := s.call(http.MethodGet, "/insights/"+query+"&limit=1&nextToken="+next, "")
			paged = append(paged, a.List("data", "insights")...)
			next, _ = a.Member("meta", "pagination", "nextToken").(string)
		}
		assert.Equal(t, all, paged, query)
		assert.Empty(t, next, query)
		first := s.call(http.MethodGet, "/insights/"+query+"&limit=1", "").Member("meta", "pagination", "nextToken")
		a := s.call(http.MethodGet, "/insights/"+query+"&limit=1&transactionType=Income&nextToken="+first.(string), "")
		assert.Equal(t, "invalid_next_token", a.Member("code"), "of other filters")
	}
	for _, query := range []string{"transactionType=Both", "categoryLevel=L3", "granularity=hourly", "orderBy=size"} {
		a := s.call(http.MethodGet, "/insights/categories?"+query, "")
		assert.Equal(t, "validation_failed", a.Member("code"), query)
	}
}

func TestCategoriesOfTransactions(t *testing.T) {
	s := newService(t)
	names := map[string]any{}
	for _, top := range s.call(http.MethodGet, "/categories", "").List("data", "categories") {
		names[top["categoryId"].(json.Number).String()] = top["categoryName"]
		subcategories, _ := top["subcategories"].([]any)
		require.NotEmpty(t, subcategories)
		for _, sub := range subcategories {
			assert.Regexp(t, "^"+top["categoryName"].(string)+"__[A-Z][a-z]*(_[A-Za-z]+)*$", sub.(map[string]any)["subcategoryName"])
		}
	}
	assert.Equal(t, map[string]any{
		"500": "HOUSING", "520": "FOOD_AND_DRINKS", "530": "SHOPPING", "540": "TRANSPORT", "550": "HEALTH_AND_BEAUTY",
		"560": "LIFE_AND_LEISURE", "570": "MEDIA", "580": "FINANCE", "590": "TRANSFERS", "600": "INCOME", "610": "UNKNOWN",
	}, names)
}
