package pfmapi_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/money"
	"aviso/internal/pfm"
)

func TestSubscriptions(t *testing.T) {
	s := newService(t)
	empty := s.call(http.MethodGet, "/insights/subscriptions", "")
	require.Equal(t, http.StatusOK, empty.StatusCode, empty.Body)
	assert.Equal(t, []any{}, empty.member("data", "subscriptions"), "never null")

	fill(s)
	for _, day := range []pfm.Date{"2025-12-03", "2026-01-05", "2026-02-03"} {
		s.bank.Rows["r1"] = append(s.bank.Rows["r1"], pfm.BankTransaction{
			ID:           string(day),
			Booked:       true,
			BookingDate:  day,
			Amount:       money.MustParse("-12.99"),
			Currency:     "EUR",
			CreditorName: "Flimmerkiste",
			MandateID:    "M-1",
		})
	}
	s.active()
	a := s.call(http.MethodGet, "/insights/subscriptions", "")
	require.Equal(t, http.StatusOK, a.StatusCode, a.Body)
	assert.Equal(t, 2, s.calls())
	list := a.objects("data", "subscriptions")
	require.Len(t, list, 1)
	shape(t, list[0], map[string]string{
		"merchant":            "object",
		"category":            "object",
		"amount":              "number",
		"currencyCode":        "string",
		"recurrenceFrequency": "string",
		"firstDate":           "string",
		"lastDate":            "string",
		"nextExpectedDate":    "string",
		"subscriptionId":      "string",
		"yearlyCost":          "number",
		"transactionIds":      "array",
		"cancellable":         "null",
	})
	assert.Equal(t, map[string]any{"id": "", "name": "Flimmerkiste"}, list[0]["merchant"])
	assert.Equal(t, json.Number("-12.99"), list[0]["amount"])
	assert.Equal(t, json.Number("155.88"), list[0]["yearlyCost"])
	assert.Equal(t, "Monthly", list[0]["recurrenceFrequency"])
	assert.Equal(t, "2025-12-03", list[0]["firstDate"])
	assert.Equal(t, "2026-02-03", list[0]["lastDate"])
	assert.Equal(t, "2026-03-03", list[0]["nextExpectedDate"])
	ids, _ := list[0]["transactionIds"].([]any)
	require.Len(t, ids, 3)
	for _, id := range ids {
		row, _ := s.call(http.MethodGet, "/transactions/"+id.(string), "").member("data", "transaction").(map[string]any)
		assert.Equal(t, "Monthly", row["recurrenceFrequency"])
		assert.Equal(t, true, row["subscription"])
	}
}
