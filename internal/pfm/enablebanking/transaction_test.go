package enablebanking_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/money"
	"aviso/internal/pfm"
)

const listing = "GET /accounts/u-1/transactions"

// read reads an account's rows until the first error.
func (w *world) read(t *testing.T, from pfm.Date) ([]pfm.BankTransaction, error) {
	t.Helper()
	var rows []pfm.BankTransaction
	s := pfm.Session{ConnectionID: "c", ConsentID: "s-1"}
	for row, err := range w.client.Transactions(t.Context(), w.bank, s, "u-1", from) {
		if err != nil {
			return rows, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func rowOn(day pfm.Date) string {
	return fmt.Sprintf(`{"transaction_amount":{"currency":"EUR","amount":"1"},"credit_debit_indicator":"CRDT",
		"status":"BOOK","booking_date":"%s"}`, day)
}

func TestPages(t *testing.T) {
	// pages maps a key to the page that it leads to.
	serve := func(w *world, pages map[string]string) {
		w.answers[listing] = func(r *http.Request) (int, string) { return 200, pages[r.URL.Query().Get("continuation_key")] }
	}
	page := func(key string, rows ...string) string {
		list := ""
		for i, row := range rows {
			if i > 0 {
				list += ","
			}
			list += row
		}
		return `{"transactions":[` + list + `],"continuation_key":` + key + `}`
	}
	yesterday := daysAgo(1)
	t.Run("every page is asked for in the same way", func(t *testing.T) {
		w := newWorld(t)
		serve(w, map[string]string{
			"": page(`"a+/="`, rowOn(yesterday)), "a+/=": page(`"b"`), "b": page(`null`, rowOn(yesterday), rowOn(daysAgo(40))),
		})
		rows, err := w.read(t, daysAgo(14))
		require.NoError(t, err)
		assert.Len(t, rows, 2, "an empty page is not the end, and older rows are left out")
		from := "date_from=" + string(daysAgo(14))
		assert.Equal(t, []string{
			listing + "?" + from, listing + "?continuation_key=a%2B%2F%3D&" + from, listing + "?continuation_key=b&" + from,
		}, w.lines())
	})
	t.Run("a long history", func(t *testing.T) {
		w := newWorld(t)
		serve(w, map[string]string{"": page(`null`)})
		_, err := w.read(t, daysAgo(90))
		require.NoError(t, err)
		_, err = w.read(t, daysAgo(89))
		require.NoError(t, err)
		assert.Contains(t, w.lines()[0], "strategy=longest")
		assert.NotContains(t, w.lines()[1], "strategy")
	})
	t.Run("a loop", func(t *testing.T) {
		w := newWorld(t)
		serve(w, map[string]string{"": page(`"a"`), "a": page(`"b"`), "b": page(`"a"`)})
		_, err := w.read(t, yesterday)
		requireFailure(t, err, pfm.SupplierInvalidResponse)
	})
	t.Run("nothing but empty pages", func(t *testing.T) {
		w := newWorld(t)
		w.answers[listing] = func(*http.Request) (int, string) { return 200, page(fmt.Sprintf("%q", fmt.Sprint(len(w.calls)))) }
		_, err := w.read(t, yesterday)
		requireFailure(t, err, pfm.SupplierUnavailable)
		assert.Len(t, w.calls, 20)
	})
	t.Run("endless pages", func(t *testing.T) {
		w := newWorld(t)
		w.answers[listing] = func(*http.Request) (int, string) {
			return 200, page(fmt.Sprintf("%q", fmt.Sprint(len(w.calls))), rowOn(yesterday))
		}
		_, err := w.read(t, yesterday)
		requireFailure(t, err, pfm.SupplierInvalidResponse)
		assert.Len(t, w.calls, 1000)
	})
	t.Run("the session ends between two pages", func(t *testing.T) {
		w := newWorld(t)
		w.answers[listing] = func(r *http.Request) (int, string) {
			if r.URL.Query().Has("continuation_key") {
				return 401, `{"error":"EXPIRED_SESSION"}`
			}
			return 200, page(`"a"`, rowOn(yesterday))
		}
		rows, err := w.read(t, yesterday)
		requireFailure(t, err, pfm.SupplierConsentExpired)
		assert.Len(t, rows, 1)
	})
	t.Run("too long a history has the port's code", func(t *testing.T) {
		w := newWorld(t)
		w.answer(listing, 422, `{"error":"WRONG_TRANSACTIONS_PERIOD","detail":{"date_from":"2026-10-01"}}`)
		_, err := w.read(t, yesterday)
		assert.Equal(t, "PERIOD_INVALID", requireFailure(t, err, pfm.SupplierRejected).BankCode)
	})
	for name, body := range map[string]string{"no list": `{}`, "null": `{"transactions":null}`, "cut short": `{"transactions":[`} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.answer(listing, 200, body)
			_, err := w.read(t, yesterday)
			requireFailure(t, err, pfm.SupplierInvalidResponse)
		})
	}
}

func TestRows(t *testing.T) {
	eur := func(amount string) string { return `"transaction_amount":{"currency":"EUR","amount":"` + amount + `"}` }
	one := money.MustParse("-1.5")
	for name, c := range map[string]struct {
		row  string
		want pfm.BankTransaction
	}{
		"a booked row with explicit nulls": {
			`{"entry_reference":"R1","merchant_category_code":"5411",` + eur("1.5") + `,"creditor":{"name":" Lidl\n","postal_address":null},
			"creditor_account":{"iban":"DE89 3704","other":null},"debtor":null,"debtor_account":null,
			"credit_debit_indicator":"DBIT","status":"BOOK","booking_date":"2026-11-20","value_date":"2026-11-21",
			"transaction_date":null,"balance_after_transaction":null,"reference_number":null,"remittance_information":["a",null,"b"],
			"debtor_account_additional_identification":null,"exchange_rate":null,"note":null,"transaction_id":"x",
			"bank_transaction_code":{"code":"CCRD","sub_code":"POSD","description":"Kartenzahlung"}}`,
			pfm.BankTransaction{
				EntryReference: "R1", Booked: true, Amount: one, Currency: "EUR", BookingDate: "2026-11-20",
				ValueDate: "2026-11-21", CreditorName: "Lidl", CreditorAccount: "DE893704", Remittance: "a b",
				AdditionalInformation: "Kartenzahlung", BankTransactionCode: "PMNT-CCRD-POSD", MerchantCategoryCode: "5411",
			},
		},
		"a minus that the indicator says too": {
			`{` + eur("-1.5") + `,"credit_debit_indicator":"DBIT","status":"BOOK"}`,
			pfm.BankTransaction{Booked: true, Amount: one, Currency: "EUR"},
		},
		"a pending row with the day of the payment only": {
			`{` + eur("1.5") + `,"credit_debit_indicator":"DBIT","status":"PDNG","transaction_date":"2026-11-20","entry_reference":"0"}`,
			pfm.BankTransaction{Amount: one, Currency: "EUR", TransactionDate: "2026-11-20"},
		},
		"a balance": {
			`{` + eur("1.5") + `,"credit_debit_indicator":"DBIT","status":"BOOK",
			"balance_after_transaction":{"currency":"EUR","amount":"7"}}`,
			pfm.BankTransaction{Booked: true, Amount: one, Currency: "EUR", BalanceAfter: new(money.MustParse("7"))},
		},
		"no amount":      {`{"transaction_amount":null}`, pfm.BankTransaction{Unreadable: true}},
		"not even a row": {`7`, pfm.BankTransaction{Unreadable: true}},
		"a hold, with a positional reference": {
			`{` + eur("1.5") + `,"credit_debit_indicator":"DBIT","status":"HOLD","entry_reference":"2026-11-20.3"}`,
			pfm.BankTransaction{Amount: one, Currency: "EUR"},
		},
		"another status, booked": {
			`{` + eur("1.5") + `,"credit_debit_indicator":"DBIT","status":"OTHR","booking_date":"2026-11-20T00:00:00Z"}`,
			pfm.BankTransaction{Booked: true, Amount: one, Currency: "EUR", BookingDate: "2026-11-20"},
		},
		"members of other types": {
			`{` + eur("1.5") + `,"credit_debit_indicator":"DBIT","status":"BOOK","creditor":"x","creditor_account":[],
			"remittance_information":"text","bank_transaction_code":7,"booking_date":5,"entry_reference":12}`,
			pfm.BankTransaction{Booked: true, Amount: one, Currency: "EUR", EntryReference: "12"},
		},
		"a mandate, a card's number and the bank's own code": {
			`{` + eur("1.5") + `,"credit_debit_indicator":"DBIT","status":"BOOK","reference_number":"M1","reference_number_schema":"SDDM",
			"debtor_account":{"other":{"identification":"4111111111111234","scheme_name":"CPAN"}},
			"bank_transaction_code":{"code":"12","sub_code":"32"}}`,
			pfm.BankTransaction{
				Booked: true, Amount: one, Currency: "EUR", MandateID: "M1", Remittance: "M1",
				DebtorAccount: "************1234", ProprietaryBankTransactionCode: "12/32",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.answer(listing, 200, `{"transactions":[`+c.row+`]}`)
			rows, err := w.read(t, "2026-01-01")
			require.NoError(t, err)
			assert.Equal(t, []pfm.BankTransaction{c.want}, rows)
		})
	}
	t.Run("what is not a row of the statement", func(t *testing.T) {
		w := newWorld(t)
		list := ""
		for i, status := range []string{"SCHD", "CNCL", "RJCT"} {
			if i > 0 {
				list += ","
			}
			list += `{` + eur("1") + `,"credit_debit_indicator":"DBIT","status":"` + status + `"}`
		}
		w.answer(listing, 200, `{"transactions":[`+list+`]}`)
		rows, err := w.read(t, "2026-01-01")
		require.NoError(t, err)
		assert.Empty(t, rows)
	})
}
