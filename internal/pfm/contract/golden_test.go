package contract_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/money"
	"aviso/internal/pfm/contract"
)

// Records are stored as this text, with all fields or only the required ones. Records
// that were written before must stay readable.
func TestGoldenRecords(t *testing.T) {
	t.Parallel()
	const golden = "7b1f0c52-5f0e-5b8e-9a4e-1d6f1f0b7a10"
	label := contract.Label{Frequency: "Monthly", Subscription: true}
	for text, want := range map[string]contract.Record{
		`{"group":{"held":[{"id":"a","date":"2026-03-02","amount":-9.99,"category":611,` +
			`"merchant":true,"mandate":true,"standing":true,"frequency":"Monthly",` +
			`"subscription":true,"since":"2024-01-01","before":3,"of":1}],"first":"2023-12-01",` +
			`"contracts":["7b1f0c52-5f0e-5b8e-9a4e-1d6f1f0b7a10"]},` +
			`"merchantId":"m","name":"Lampe","currency":"EUR",` +
			`"due":{"a":{"frequency":"Monthly","subscription":true,"date":"2026-03-02"}},` +
			`"told":[{"contract":"7b1f0c52-5f0e-5b8e-9a4e-1d6f1f0b7a10","price":-9.99,"transactionId":"a"}]}`: {
			Group: contract.Group{First: "2023-12-01", Contracts: []string{golden}, Held: []contract.Entry{{
				Row: contract.Row{
					ID: "a", Date: "2026-03-02", Amount: money.MustParse("-9.99"), Category: 611, Merchant: true,
					Mandate: true, StandingOrder: true,
				},
				Label: label, Since: "2024-01-01", Before: 3, Contract: 1,
			}}},
			MerchantID: "m", Name: "Lampe", Currency: "EUR",
			Due:  map[string]contract.Due{"a": {Label: label, Date: "2026-03-02"}},
			Told: []contract.ToldRise{{Contract: golden, Price: money.MustParse("-9.99"), TransactionID: "a"}},
		},
		`{"group":{"held":[{"id":"a","date":"","amount":0,"frequency":""}]},"currency":""}`: {
			Group: contract.Group{
				Held: []contract.Entry{{Row: contract.Row{ID: "a", Amount: money.MustParse("0")}}},
			},
		},
	} {
		written, err := json.Marshal(want)
		require.NoError(t, err)
		assert.Equal(t, text, string(written))
		var read contract.Record
		require.NoError(t, json.Unmarshal([]byte(text), &read))
		assert.Equal(t, want, read)
	}
}
