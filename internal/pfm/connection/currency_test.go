package connection_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/money"
	"aviso/internal/pfm"
	"aviso/internal/pfm/transaction"
)

// reserved returns a card payment as a bank lists it.
func reserved(id, amount, currency, shop, text string) pfm.BankTransaction {
	return pfm.BankTransaction{
		ID: id, Amount: money.MustParse(amount), Currency: currency, ValueDate: "2026-03-01",
		CreditorName: shop, Remittance: text,
	}
}

// settled returns it once it is booked.
func settled(day pfm.Date, id, amount, currency, shop, text string) pfm.BankTransaction {
	b := reserved(id, amount, currency, shop, text)
	b.Booked, b.BookingDate = true, day
	return b
}

// Many banks reserve a card payment in the shop's currency and book it in the account's.
func TestAPendingRowThatBooksInAnotherCurrencyKeepsItsID(t *testing.T) {
	type rows = []pfm.BankTransaction
	for name, tt := range map[string]struct {
		pending, booked rows
		// kept is how many pending rows keep their ID, others how many rows are new, and void how
		// many pending rows have vanished.
		kept, others, void int
	}{
		"with the same ID and text": {
			rows{reserved("p-100001", "-55.00", "USD", "AliExpress", "order")},
			rows{settled("2026-03-03", "p-100001", "-47.12", "EUR", "AliExpress", "order")}, 1, 0, 0,
		},
		"with another ID": {
			rows{reserved("p-100001", "-55.00", "USD", "AliExpress", "order")},
			rows{settled("2026-03-03", "b-900001", "-47.12", "EUR", "AliExpress", "order")}, 1, 0, 0,
		},
		"without an ID": {
			rows{reserved("", "-20.00", "GBP", "Transport for London", "")},
			rows{settled("2026-03-05", "", "-23.61", "EUR", "Transport for London", "")}, 1, 0, 0,
		},
		"by text alone": {
			rows{reserved("", "-20.00", "GBP", "", "TFL TRAVEL CH")},
			rows{settled("2026-03-05", "", "-23.61", "EUR", "", "TFL TRAVEL CH")}, 1, 0, 0,
		},
		"escaped in one of both, with a prefix before the ID": {
			rows{reserved("4711001", "-1172.00", "RSD", "", "GALEN PHARM&gt; RS")},
			rows{settled("2026-03-03", "CC-4711001", "-10.01", "EUR", "", "GALEN PHARM> RS")}, 1, 0, 0,
		},
		"with the rate in the text": {
			rows{reserved("", "-12.99", "USD", "", "AMAZON MKTPLACE SEATTLE")},
			rows{settled("2026-03-03", "", "-11.20", "EUR", "", "AMAZON MKTPLACE SEATTLE 12.99 USD 1.1598")}, 1, 0, 0,
		},
		"with a longer name": {
			rows{reserved("", "-12.99", "USD", "AMAZON MKTPLACE", "")},
			rows{settled("2026-03-03", "", "-11.20", "EUR", "Amazon Mktplace Pmts", "Kartenzahlung")}, 1, 0, 0,
		},
		"twice at one shop": {
			rows{reserved("", "-5.60", "GBP", "TFL", ""), reserved("", "-5.60", "GBP", "TFL", "")},
			rows{
				settled("2026-03-03", "", "-6.61", "EUR", "TFL", ""), settled("2026-03-03", "", "-6.62", "EUR", "TFL", ""),
			}, 2, 0, 0,
		},
		"two shops": {
			rows{reserved("", "-5.60", "GBP", "TFL", ""), reserved("", "-8.00", "GBP", "Pret", "")},
			rows{
				settled("2026-03-03", "", "-9.44", "EUR", "Pret", ""), settled("2026-03-03", "", "-6.61", "EUR", "TFL", ""),
			}, 2, 0, 0,
		},
		"and the account's currency first": {
			rows{reserved("", "-47.12", "EUR", "AliExpress", "")},
			rows{settled("2026-03-03", "", "-55.00", "USD", "AliExpress", "")}, 1, 0, 0,
		},
		"from an amount of zero, with the same ID": {
			rows{reserved("p-100001", "0.00", "USD", "Shell", "fuel")},
			rows{settled("2026-03-03", "p-100001", "-61.20", "EUR", "Shell", "fuel")}, 1, 0, 0,
		},
		"from an amount of zero in the account's currency": {
			rows{reserved("p-100001", "0.00", "EUR", "Shell", "fuel")},
			rows{settled("2026-03-03", "p-100001", "-61.20", "EUR", "Shell", "fuel")}, 1, 0, 0,
		},
		"but not as a refund": {
			rows{reserved("", "-55.00", "USD", "Zara", "")},
			rows{settled("2026-03-03", "", "20.00", "EUR", "Zara", "")}, 0, 1, 1,
		},
		"but not as a refund of the same number": {
			rows{reserved("", "-20.00", "USD", "Zara", "")},
			rows{settled("2026-03-03", "", "20.00", "EUR", "Zara", "")}, 0, 1, 1,
		},
		"but not as another shop's": {
			rows{reserved("", "-55.00", "USD", "Zara", "")},
			rows{settled("2026-03-03", "", "-47.12", "EUR", "Mango", "")}, 0, 1, 1,
		},
		"but not while it is pending": {
			rows{reserved("", "-55.00", "USD", "Zara", "")},
			rows{
				reserved("", "-55.00", "USD", "Zara", ""), settled("2026-03-03", "", "-47.12", "EUR", "Zara", ""),
			}, 1, 1, 0,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, c := reading(t)
			anchor := settled("2026-02-01", "a-100001", "-1.00", "EUR", "Anker", "")
			w.bank.Rows = map[string][]pfm.BankTransaction{"r1": append(rows{anchor}, tt.pending...)}
			w.run(w.jobs()...)
			ids := map[string]bool{}
			for _, row := range w.transactions() {
				ids[row.ID] = row.State == transaction.Uncleared
			}
			require.Len(t, ids, len(tt.pending)+1)

			w.bank.Rows = map[string][]pfm.BankTransaction{"r1": append(rows{anchor}, tt.booked...)}
			w.syncOnce(c.ID)
			kept, others, void := 0, 0, 0
			for _, row := range w.transactions() {
				wasPending, known := ids[row.ID]
				switch {
				case !known:
					others++
				case row.State == transaction.Void:
					void++
				case wasPending:
					kept++
				}
			}
			assert.Equal(t, [3]int{tt.kept, tt.others, tt.void}, [3]int{kept, others, void}, "kept, others, void")
		})
	}
}
