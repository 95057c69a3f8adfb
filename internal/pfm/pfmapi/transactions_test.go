package pfmapi_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTransactions(t *testing.T) {
	s := newService(t)
	assert.Equal(t, []any{}, s.call(http.MethodGet, "/transactions", "").Member("data", "transactions"), "never null")
	fill(s)
	s.active()
	a := s.ok("/transactions")
	rows := a.List("data", "transactions")
	require.Len(t, rows, 3)

	t.Run("have every member", func(t *testing.T) {
		for _, row := range rows {
			shape(t, row, map[string]string{
				"id": "string", "account": "object", "category": "object", "merchant": "object", "createdAt": "string",
				"updatedAt": "string", "recordDate": "string", "amount": "number", "currencyCode": "string",
				"note": "string", "paymentType": "string", "recordState": "string", "recordType": "string",
				"recurrenceFrequency": "string", "subscription": "boolean", "payee": "string",
			})
			category, _ := row["category"].(map[string]any)
			shape(t, category, map[string]string{
				"categoryId": "integer", "categoryName": "string", "subcategoryId": "integer",
				"subcategoryName": "string",
			})
			account, _ := row["account"].(map[string]any)
			assert.NoError(t, uuid.Validate(account["id"].(string)))
			assert.Equal(t, []string{"id", "name"}, slices.Sorted(maps.Keys(account)))
			merchant, _ := row["merchant"].(map[string]any)
			assert.NoError(t, uuid.Validate(merchant["id"].(string)), "though the merchant is not known")
			assert.Equal(t, []string{"id", "name"}, slices.Sorted(maps.Keys(merchant)))
			isUTC(t, row["createdAt"])
			isUTC(t, row["updatedAt"])
		}
	})

	t.Run("are ordered newest first, with the day at midnight", func(t *testing.T) {
		var days []any
		for _, row := range rows {
			days = append(days, row["recordDate"])
		}
		assert.Equal(t, []any{"2026-03-01T00:00:00Z", "2026-02-27T00:00:00Z", "2026-02-26T00:00:00Z"}, days)
	})

	t.Run("have exact amounts", func(t *testing.T) {
		for _, want := range []string{`"amount":12345678901234567.89,`, `"amount":-0.10,`, `"amount":-980,`} {
			assert.Contains(t, a.Body, want)
		}
	})

	t.Run("show the bank's details", func(t *testing.T) {
		assert.Equal(
			t, []any{"Uncleared", "Income", "Transfer", "", "Firma"},
			[]any{rows[0]["recordState"], rows[0]["recordType"], rows[0]["paymentType"], rows[0]["payee"], rows[0]["note"]},
		)
		assert.Equal(t, []any{"Cleared", "Expense", "DebitCard", "DE67100100101306118605", "<b>KARTENZAHLUNG</b> & mehr"},
			[]any{rows[1]["recordState"], rows[1]["recordType"], rows[1]["paymentType"], rows[1]["payee"], rows[1]["note"]})
		assert.Equal(t, "Once", rows[0]["recurrenceFrequency"])
	})

	t.Run("are found by content", func(t *testing.T) {
		// The rows are 12345678901234567.89, -0.10 and -980.
		for query, want := range map[string][]int{
			"recordType=Income": {0}, "recordType=Expense": {1, 2},
			"amountFrom=-0.1": {0, 1}, "amountTo=-0.10": {1, 2}, "amountFrom=-980.00&amountTo=-980": {2},
			"amountFrom=12345678901234567.88": {0}, "amountFrom=12345678901234567.9": {}, "amountTo=0&recordType=Income": {},
			"text=FIRMA": {0}, "text=kartenzahl%20mehr": {1}, "text=de6710010010": {1}, "text=firma%20mehr": {},
		} {
			got := s.ok("/transactions?" + query)
			ids := []any{}
			for _, row := range got.List("data", "transactions") {
				ids = append(ids, row["id"])
			}
			wanted := []any{}
			for _, i := range want {
				wanted = append(wanted, rows[i]["id"])
			}
			assert.Equal(t, wanted, ids, query)
		}
	})

	t.Run("are not found by what makes no sense", func(t *testing.T) {
		for query, parameter := range map[string]string{
			"recordType=income": "recordType", "amountFrom=1e3": "amountFrom", "amountTo=%2B1": "amountTo", "amountFrom=1,5": "amountFrom",
			"amountFrom=.5": "amountFrom", "amountFrom=12345678901234567890": "amountFrom", "amountTo=0.123456789012345678901": "amountTo",
			"amountFrom=1&amountTo=0.99": "amountTo",
			"text=%2A%2A":                "text", "text=" + strings.Repeat("x", 101): "text", "amountFrom=NaN": "amountFrom",
		} {
			got := s.call(http.MethodGet, "/transactions?"+query, "")
			assert.Equal(t, http.StatusUnprocessableEntity, got.StatusCode, query)
			assert.Equal(t, parameter, got.List("errors")[0]["parameter"], got.Body)
			assert.Len(t, got.List("errors"), 1)
		}
	})

	t.Run("have page tokens that belong to their filters", func(t *testing.T) {
		first := s.call(http.MethodGet, "/transactions?limit=1&recordType=Expense", "")
		token, _ := first.Member("meta", "pagination", "nextToken").(string)
		require.NotEmpty(t, token)
		for query, status := range map[string]int{
			"recordType=Expense": 200, "": 400, "recordType=Income": 400, "recordType=Expense&amountTo=0": 400,
			"recordType=Expense&amountFrom=0": 400, "recordType=Expense&text=x": 400,
		} {
			assert.Equal(t, status, s.call(http.MethodGet, "/transactions?"+query+"&nextToken="+token, "").StatusCode, query)
		}
	})

	t.Run("are returned in pages", func(t *testing.T) {
		var ids []any
		for path := "/transactions?limit=1"; ; {
			page := s.call(http.MethodGet, path, "")
			ids = append(ids, page.List("data", "transactions")[0]["id"])
			token, more := page.Member("meta", "pagination", "nextToken").(string)
			if !more {
				break
			}
			path = "/transactions?limit=1&nextToken=" + token
		}
		assert.Equal(t, []any{rows[0]["id"], rows[1]["id"], rows[2]["id"]}, ids)
	})

	t.Run("change in pages", func(t *testing.T) {
		since := ""
		for _, want := range []int{2, 1, 0} {
			page := s.call(http.MethodGet, "/transactions/changes?limit=2&since="+since, "")
			assert.Len(t, page.List("data", "changes"), want)
			since, _ = page.Member("data", "since").(string)
		}
	})
}
