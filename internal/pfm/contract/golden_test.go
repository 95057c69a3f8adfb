package contract_test

import (
	"encoding/hex"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/money"
	"aviso/internal/pfm/contract"
)

// Records are stored as this text, with all fields or only the required ones. Payments are packed.
func TestGoldenRecords(t *testing.T) {
	t.Parallel()
	const golden = "7b1f0c52-5f0e-5b8e-9a4e-1d6f1f0b7a10"
	label := contract.Label{Frequency: "Monthly", Subscription: true}
	for text, want := range map[string]contract.Record{
		`{"group":{"first":"2023-12-01","contracts":["7b1f0c52-5f0e-5b8e-9a4e-1d6f1f0b7a10"]},` +
			`"merchantId":"m","name":"Lampe","currency":"EUR",` +
			`"due":{"a":{"frequency":"Monthly","subscription":true,"date":"2026-03-02"}},` +
			`"told":[{"contract":"7b1f0c52-5f0e-5b8e-9a4e-1d6f1f0b7a10","price":-9.99,"transactionId":"a"}]}`: {
			Group: contract.Group{First: "2023-12-01", Contracts: []string{golden}}, MerchantID: "m",
			Name: "Lampe", Currency: "EUR", Due: map[string]contract.Due{"a": {Label: label, Date: "2026-03-02"}},
			Told: []contract.ToldRise{{Contract: golden, Price: money.MustParse("-9.99"), TransactionID: "a"}},
		},
		`{"group":{},"currency":""}`: {},
	} {
		written, err := json.Marshal(want)
		require.NoError(t, err)
		assert.Equal(t, text, string(written))
		var read contract.Record
		require.NoError(t, json.Unmarshal([]byte(text), &read))
		assert.Equal(t, want, read)
	}
}

func TestGoldenPayments(t *testing.T) {
	t.Parallel()
	held := []contract.Entry{{
		Row: contract.Row{
			ID: "7b1f0c52-5f0e-5b8e-9a4e-1d6f1f0b7a10", Date: "2026-03-02", Amount: money.MustParse("-9.99"), Category: 611,
			Merchant: true, Mandate: true, StandingOrder: true,
		},
		Label: contract.Label{Frequency: contract.Monthly, Subscription: true}, Since: "2024-01-01", Before: 3, Contract: 1,
	}}
	written, err := contract.Pack(held)
	require.NoError(t, err)
	assert.Equal(t, "7b1f0c525f0e5b8e9a4e1d6f1f0b7a10c4c002e70705c6091f030296b40206", hex.EncodeToString(written))
	read, err := contract.Unpack(written)
	require.NoError(t, err)
	assert.Equal(t, held, read)
}
