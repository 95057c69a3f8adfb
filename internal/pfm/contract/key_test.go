package contract_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/money"
	"aviso/internal/pfm"
	"aviso/internal/pfm/contract"
	"aviso/internal/pfm/transaction"
)

func TestKeyOf(t *testing.T) {
	payment := transaction.Transaction{
		Amount: money.MustParse("-9.99"), Currency: "EUR", State: transaction.Cleared,
		Merchant: pfm.Merchant{ID: "m1"}, Payee: "DE89370400440532013000", Counterparty: "Müller GmbH", CreditorID: "DE98ZZZ09999999999",
	}
	key := func(change func(*transaction.Transaction)) string {
		p := payment
		change(&p)
		k, ok := contract.KeyOf(p)
		require.True(t, ok)
		return k
	}
	noMerchant := func(p *transaction.Transaction) { p.Merchant = pfm.Merchant{} }
	onlyName := func(p *transaction.Transaction) { noMerchant(p); p.Payee = "" }

	t.Run("follows the merchant if it is known", func(t *testing.T) {
		assert.Equal(
			t, key(func(*transaction.Transaction) {}),
			key(func(p *transaction.Transaction) { p.Payee, p.Counterparty, p.Amount = "", "", money.MustParse("-1") }),
		)
	})
	t.Run("otherwise follows the account", func(t *testing.T) {
		assert.Equal(t, key(noMerchant), key(func(p *transaction.Transaction) {
			noMerchant(p)
			p.Payee, p.Counterparty = "de89 3704 0044 0532 0130 00", "x"
		}))
		assert.NotEqual(t, key(noMerchant), key(func(*transaction.Transaction) {}))
	})
	t.Run("otherwise follows the name in any spelling", func(t *testing.T) {
		assert.Equal(t, key(onlyName), key(func(p *transaction.Transaction) { onlyName(p); p.Counterparty = "MULLER  GMBH." }))
		assert.NotContains(t, key(onlyName), "muller")
	})
	t.Run("otherwise follows the creditor", func(t *testing.T) {
		assert.Len(t, key(func(p *transaction.Transaction) { onlyName(p); p.Counterparty = "" }), 32)
	})
	t.Run("differs by currency and direction", func(t *testing.T) {
		assert.NotEqual(t, key(func(*transaction.Transaction) {}), key(func(p *transaction.Transaction) { p.Currency = "CHF" }))
		assert.NotEqual(
			t, key(func(*transaction.Transaction) {}), key(func(p *transaction.Transaction) { p.Amount = money.MustParse("9.99") }),
		)
	})
	t.Run("does not exist without a counterparty or a payment", func(t *testing.T) {
		void, zero := payment, payment
		void.State, zero.Amount = transaction.Void, money.Amount{}
		for _, p := range []transaction.Transaction{void, zero, {Amount: payment.Amount, Note: "x"}} {
			_, ok := contract.KeyOf(p)
			assert.False(t, ok)
		}
	})
}

func TestRowOf(t *testing.T) {
	base := transaction.Transaction{
		ID: "t1", RecordDate: "2025-01-02", Amount: money.MustParse("-5"),
		Category: pfm.Category{SubcategoryID: 571}, Merchant: pfm.Merchant{ID: "m"},
	}
	want := contract.Row{ID: "t1", Date: "2025-01-02", Amount: base.Amount, Category: 571, Merchant: true}
	assert.Equal(t, want, contract.RowOf(base))

	for code, change := range map[string]func(*contract.Row){
		"PMNT-RDDT-ESDD": func(r *contract.Row) { r.Mandate = true },
		"pmnt-icdt-stdo": func(r *contract.Row) { r.StandingOrder = true },
		"PMNT-CCRD-POSD": func(*contract.Row) {},
		"RDDT":           func(*contract.Row) {},
	} {
		coded, expected := base, want
		coded.BankTransactionCode = code
		change(&expected)
		assert.Equal(t, expected, contract.RowOf(coded), code)
	}

	debit, expected := base, want
	debit.MandateID, expected.Mandate = "MREF1", true
	assert.Equal(t, expected, contract.RowOf(debit))
}
