package pfmapi_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/money"
	"aviso/internal/pfm"
)

func TestPriceChanges(t *testing.T) {
	s := newService(t)
	empty := s.ok("/insights/price-changes")
	assert.Equal(t, []any{}, empty.Member("data", "priceChanges"), "never null")

	fill(s)
	for i, price := range []string{"-39.95", "-39.95", "-39.95", "-39.95", "-41.95", "-41.95"} {
		day := pfm.DateOf(time.Date(2025, time.September+time.Month(i), 12, 0, 0, 0, 0, time.UTC))
		s.bank.Rows["r1"] = append(s.bank.Rows["r1"], pfm.BankTransaction{
			ID: string(day), Booked: true, BookingDate: day, Amount: money.MustParse(price), Currency: "EUR",
			CreditorName: "Fibrano", MandateID: "M-1",
		})
	}
	s.active()
	contract := s.call(http.MethodGet, "/insights/subscriptions", "").List("data", "subscriptions")[0]
	a := s.ok("/insights/price-changes?locale=de-DE")
	assert.LessOrEqual(t, s.calls(), 3, "two, and the user")
	list := a.List("data", "priceChanges")
	require.Len(t, list, 1)
	ids, _ := contract["transactionIds"].([]any)
	require.Len(t, ids, 6)
	assert.Equal(t, map[string]any{
		"subscriptionId": contract["subscriptionId"], "merchant": contract["merchant"],
		"recurrenceFrequency": "Monthly", "currencyCode": "EUR", "oldAmount": json.Number("-39.95"),
		"newAmount": json.Number("-41.95"), "since": "2026-01-12", "transactionId": ids[4], "percent": json.Number("5.01"),
		"yearlyDifference": json.Number("24.00"),
		"specialRight": map[string]any{
			"answer": "Unknown", "source": "", "missing": []any{"product"},
			"text": "Ob das Gesetz ein Recht zur vorzeitigen Kündigung dieses Vertrags gibt, ist nicht bekannt. " +
				"Der Vertrag kann eines geben.",
		},
	}, list[0])

	t.Run("of one contract", func(t *testing.T) {
		id, _ := contract["subscriptionId"].(string)
		a := s.ok("/insights/price-changes?subscriptionId=" + id + "&noticeDate=2025-12-01")
		assert.Len(t, a.List("data", "priceChanges"), 1)
		a = s.call(http.MethodGet, "/insights/price-changes?subscriptionId="+yearlyProduct, "")
		require.Equal(t, http.StatusOK, a.StatusCode, a.Body)
		assert.Empty(t, a.List("data", "priceChanges"))
	})

	for query, parameter := range map[string]string{
		"noticeDate=2025-12-01": "subscriptionId", "noticeDate=2025-02-30&subscriptionId=" + yearlyProduct: "noticeDate",
		"noticeDate=9999-12-31&subscriptionId=" + yearlyProduct: "noticeDate",
		"subscriptionId=none": "subscriptionId", "locale=german": "locale",
	} {
		t.Run("refuses "+query, func(t *testing.T) {
			a := s.call(http.MethodGet, "/insights/price-changes?"+query, "")
			require.Equal(t, http.StatusUnprocessableEntity, a.StatusCode, a.Body)
			assert.Contains(t, a.Body, parameter)
		})
	}
}
