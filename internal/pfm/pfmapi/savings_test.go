package pfmapi_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/money"
	"aviso/internal/pfm"
	"aviso/internal/pfm/contract"
	"aviso/internal/pfm/pfmtest"
)

func TestSavings(t *testing.T) {
	s := newService(t)
	empty := s.ok("/insights/savings")
	assert.Equal(t, []any{}, empty.Member("data", "savings"), "never null")

	watch := func(id, of int, outcome contract.WatchOutcome) {
		require.NoError(t, s.store.SaveWatch(t.Context(), contract.Watch{
			CancellationID: pfmtest.ID(id), Owner: pfmtest.User(), End: "2025-12-31", Outcome: outcome,
			Contract: contract.WatchedContract{
				SubscriptionID: pfmtest.ID(of), Merchant: pfm.Merchant{Name: "Flimmerkiste"}, Frequency: "Monthly",
				Amount: money.MustParse("-12.99"), YearlyCost: money.MustParse("155.88"), Currency: "EUR", TimesPerYear: 12,
			},
			Last: contract.Debit{TransactionID: pfmtest.ID(3), Date: "2025-12-03", Amount: money.MustParse("-12.99"), Currency: "EUR"},
		}, nil))
	}
	watch(1, 11, contract.WatchEnded)
	watch(2, 11, contract.WatchEnded) // of the same contract
	watch(4, 12, contract.WatchStillDebited)
	a := s.ok("/insights/savings")
	list := a.List("data", "savings")
	require.Len(t, list, 1)
	assert.Equal(t, "EUR", list[0]["currencyCode"])
	assert.Equal(t, json.Number("155.88"), list[0]["yearlySaving"])
	assert.Equal(t, json.Number("25.98"), list[0]["savedSoFar"], "January and February")
	contracts, _ := list[0]["contracts"].([]any)
	require.Len(t, contracts, 1)
	one, _ := contracts[0].(map[string]any)
	assert.Equal(t, pfmtest.ID(1), one["cancellationId"])
	assert.Equal(t, "2025-12-31", one["endDate"])
	assert.Equal(t, map[string]any{
		"transactionId": pfmtest.ID(3), "date": "2025-12-03", "amount": json.Number("-12.99"),
	}, one["lastDebit"])
}
