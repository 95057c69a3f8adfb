package transaction

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"aviso/internal/money"
	"aviso/internal/owner"
	"aviso/internal/pfm"
)

func TestPaymentType(t *testing.T) {
	for _, tt := range []struct {
		code, mcc string
		account   pfm.AccountType
		want      PaymentType
	}{
		{"", "", pfm.AccountCurrent, PaidTransfer},
		{"PMNT-ICDT-ESCT", "", pfm.AccountCurrent, PaidTransfer},
		{"PMNT-RDDT-ESDD", "", pfm.AccountCurrent, PaidTransfer},
		{"PMNT-CCRD-POSD", "", pfm.AccountCurrent, PaidDebitCard},
		{"pmnt-ccrd-posd", "", pfm.AccountCurrent, PaidDebitCard},
		{"PMNT-MCRD-POSP", "", pfm.AccountCurrent, PaidDebitCard},
		{"PMNT-CCRD-POSC", "", pfm.AccountCurrent, PaidCreditCard},
		{"PMNT-CCRD-POSD", "", pfm.AccountCreditCard, PaidCreditCard},
		{"", "", pfm.AccountCreditCard, PaidCreditCard},
		{"", "5411", pfm.AccountCurrent, PaidDebitCard},
		{"", "5411", pfm.AccountCreditCard, PaidCreditCard},
		{"PMNT-CCRD-CWDL", "", pfm.AccountCurrent, PaidCash},
		{"PMNT-CCRD-CWDL", "6011", pfm.AccountCreditCard, PaidCash},
		{"PMNT-CNTR-BCDP", "", pfm.AccountCurrent, PaidCash},
		{"PMNT-CCRD-CDPT", "", pfm.AccountCurrent, PaidCash},
		{"PMNT-CCRD", "", pfm.AccountCurrent, PaidTransfer},
		{"NONSENSE", "", pfm.AccountCurrent, PaidTransfer},
	} {
		t.Run(tt.code+" "+tt.mcc+" "+string(tt.account), func(t *testing.T) {
			assert.Equal(
				t, tt.want, paymentType(pfm.BankTransaction{BankTransactionCode: tt.code, MerchantCategoryCode: tt.mcc}, tt.account),
			)
		})
	}
}

func TestContent(t *testing.T) {
	row := Transaction{
		Amount: money.MustParse("-23.90"), Currency: "EUR", Payee: "DE89", Counterparty: "Grünkorb",
		Note: "Kartenzahlung 27.02", RecordDate: "2026-02-27", State: Uncleared, BankID: "p1",
	}
	of := func(change func(*Transaction)) string {
		c := row
		change(&c)
		return contentOf(c)
	}
	was := contentOf(row)

	for name, change := range map[string]func(*Transaction){
		"the day":                 func(r *Transaction) { r.RecordDate = "2026-03-01" },
		"the state":               func(r *Transaction) { r.State = Cleared },
		"the bank's id":           func(r *Transaction) { r.BankID = "b1" },
		"zeros of the amount":     func(r *Transaction) { r.Amount = money.MustParse("-23.9") },
		"more zeros":              func(r *Transaction) { r.Amount = money.MustParse("-23.9000") },
		"case and accents":        func(r *Transaction) { r.Counterparty = "GRUNKORB" },
		"blanks in the text":      func(r *Transaction) { r.Note = "KARTENZAHLUNG   27.02 " },
		"the case of the account": func(r *Transaction) { r.Payee = "de89" },
		"category and merchant":   func(r *Transaction) { r.Category, r.Merchant = pfm.Uncategorised(), pfm.Merchant{ID: "m"} },
		"the account's name":      func(r *Transaction) { r.AccountName = "x" },
	} {
		t.Run("does not depend on "+name, func(t *testing.T) { assert.Equal(t, was, of(change)) })
	}
	for name, change := range map[string]func(*Transaction){
		"the amount":       func(r *Transaction) { r.Amount = money.MustParse("-23.91") },
		"its sign":         func(r *Transaction) { r.Amount = money.MustParse("23.90") },
		"the currency":     func(r *Transaction) { r.Currency = "USD" },
		"the account":      func(r *Transaction) { r.Payee = "DE88" },
		"the counterparty": func(r *Transaction) { r.Counterparty = "Other" },
		"the text":         func(r *Transaction) { r.Note = "Kartenzahlung 28.02" },
		"the field of a word": func(r *Transaction) {
			r.Counterparty, r.Note = "Grünkorb Kartenzahlung", "27.02"
		},
	} {
		t.Run("depends on "+name, func(t *testing.T) { assert.NotEqual(t, was, of(change)) })
	}

	t.Run("keeps the zeros of whole amounts", func(t *testing.T) {
		hundred := of(func(r *Transaction) { r.Amount = money.MustParse("100") })
		assert.Equal(t, hundred, of(func(r *Transaction) { r.Amount = money.MustParse("100.00") }))
		assert.NotEqual(t, hundred, of(func(r *Transaction) { r.Amount = money.MustParse("1") }))
	})
	t.Run("does not change between versions", func(t *testing.T) {
		// Rows are stored with it, so another digest would duplicate every row without an ID.
		assert.Equal(t, "9391e978650b1a40c61b8d37d4043d0b", was)
	})
}

func TestFromBank(t *testing.T) {
	account := pfm.Account{ID: "a", Name: "Everyday", ConnectionID: "c", Owner: owner.User{Partner: "p", ID: "u"}, Type: pfm.AccountCurrent}
	expense := pfm.BankTransaction{
		ID: "t1", EntryReference: "e1", Booked: true, Amount: money.MustParse("-23.90"), Currency: "EUR",
		BookingDate: "2026-02-27", ValueDate: "2026-02-28", CreditorName: "Grünkorb", CreditorAccount: "DE1",
		DebtorName: "Erika", DebtorAccount: "DE2", Remittance: "Text", AdditionalInformation: "More", MandateID: "m",
		CreditorID: "ci", PurposeCode: "GDDS", BankTransactionCode: "PMNT-CCRD-POSD", MerchantCategoryCode: "5411",
	}

	t.Run("names the payee of an expense", func(t *testing.T) {
		got := fromBank(expense, account, "2026-03-02")
		assert.NotEmpty(t, got.Content)
		got.Content = ""
		assert.Equal(t, Transaction{
			Owner: account.Owner, AccountID: "a", AccountName: "Everyday", ConnectionID: "c", RecordDate: "2026-02-27",
			Amount: expense.Amount, Currency: "EUR", Note: "Text", PaymentType: PaidDebitCard, State: Cleared,
			Frequency: Once, Category: pfm.Uncategorised(), Source: pfm.SourceNone, Payee: "DE1", BankID: "t1",
			EntryReference: "e1", Counterparty: "Grünkorb", BankTransactionCode: "PMNT-CCRD-POSD", PurposeCode: "GDDS",
			MerchantCategoryCode: "5411", MandateID: "m", CreditorID: "ci",
		}, got)
		assert.Equal(t, Expense, got.Type())
	})
	t.Run("names the payer of an income", func(t *testing.T) {
		income := expense
		income.Amount = money.MustParse("23.90")
		got := fromBank(income, account, "2026-03-02")
		assert.Equal(t, "Erika", got.Counterparty)
		assert.Equal(t, "DE2", got.Payee)
		assert.Equal(t, Income, got.Type())
	})
	t.Run("falls back to the next best field", func(t *testing.T) {
		bare := pfm.BankTransaction{
			EntryReference: "e1", Amount: money.MustParse("-1"), Currency: "EUR",
			ValueDate: "2026-02-28", AdditionalInformation: "More", CreditorName: "Grünkorb",
		}
		got := fromBank(bare, account, "2026-03-02")
		assert.Equal(t, Uncleared, got.State)
		assert.Equal(t, pfm.Date("2026-02-28"), got.RecordDate)
		assert.Equal(t, "e1", got.BankID)
		assert.Equal(t, "More", got.Note)
		bare.ValueDate, bare.AdditionalInformation = "", ""
		got = fromBank(bare, account, "2026-03-02")
		assert.Equal(t, pfm.Date("2026-03-02"), got.RecordDate)
		assert.Equal(t, "Grünkorb", got.Note)
	})
}
