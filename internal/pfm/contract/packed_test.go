package contract_test

import (
	"encoding/hex"
	"encoding/json"
	"math"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"aviso/internal/money"
	"aviso/internal/pfm"
	"aviso/internal/pfm/contract"
	"aviso/internal/pfm/transaction"
)

func entries() *rapid.Generator[contract.Entry] {
	return rapid.Custom(func(t *rapid.T) contract.Entry {
		day := func(label string) pfm.Date {
			return pfm.Date("2026-01-01").AddDays(rapid.IntRange(-30_000, 30_000).Draw(t, label))
		}
		e := contract.Entry{Row: contract.Row{
			ID: uuid.NewString(), Date: day("day"), Category: rapid.IntRange(0, 699).Draw(t, "category"),
			Amount:   money.MustParse(rapid.StringMatching(`-?[1-9][0-9]{0,15}(\.[0-9]{1,3})?`).Draw(t, "amount")),
			Merchant: rapid.Bool().Draw(t, "merchant"), Mandate: rapid.Bool().Draw(t, "mandate"),
			StandingOrder: rapid.Bool().Draw(t, "standing order"),
		}}
		e.Frequency = rapid.SampledFrom([]transaction.Frequency{
			transaction.Once, contract.Weekly, contract.BiWeekly, contract.Monthly, contract.Quarterly,
			contract.SemiAnnually, contract.Annually,
		}).Draw(t, "frequency")
		e.Subscription, e.Contract = rapid.Bool().Draw(t, "subscription"), rapid.IntRange(0, 48).Draw(t, "contract")
		if rapid.Bool().Draw(t, "history") {
			e.Since, e.Before = day("since"), rapid.IntRange(1, math.MaxInt32).Draw(t, "before")
		}
		return e
	})
}

func TestPackedPaymentsAreTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		held := rapid.SliceOfN(entries(), 1, 48).Draw(t, "held")
		packed, err := contract.Pack(held)
		require.NoError(t, err)
		got, err := contract.Unpack(packed)
		require.NoError(t, err)
		assert.Equal(t, held, got)
		got, err = contract.Unpack(packed[:rapid.IntRange(0, len(packed)-1).Draw(t, "cut")])
		assert.True(t, err != nil || len(got) < len(held), "a part is an error, or has fewer payments")
	})
}

func TestPackedPaymentsAreSmall(t *testing.T) {
	var held []contract.Entry
	for i := range 24 {
		held = append(held, contract.Entry{
			Row: contract.Row{
				ID: uuid.NewString(), Date: pfm.Date("2024-01-01").AddDays(30 * i), Amount: money.MustParse("-123.90"),
				Category: pfm.FoodGroceries, Merchant: true, Mandate: true,
			},
			Label: contract.Label{Frequency: contract.Monthly, Subscription: true}, Contract: 1,
		})
	}
	packed, err := contract.Pack(held)
	require.NoError(t, err)
	assert.LessOrEqual(t, len(packed), 25*len(held)+2)

	held[3].ID = "not a UUID"
	_, err = contract.Pack(held)
	require.Error(t, err)
	held[3].ID, held[3].Frequency = held[2].ID, "Fortnightly"
	_, err = contract.Pack(held)
	require.Error(t, err)
	_, err = contract.Unpack([]byte{1, 2, 3})
	require.Error(t, err)
}

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
