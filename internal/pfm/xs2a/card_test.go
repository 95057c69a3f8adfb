package xs2a

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/money"
	"aviso/internal/pfm"
)

const cardsRoute = "GET /v1/card-accounts"

// cardSession is one at a bank that lists cards apart.
func cardSession() pfm.Session {
	s := session
	s.CardAccounts = true
	return s
}

func TestCardAccounts(t *testing.T) {
	const giro = `{"resourceId":"a","iban":"DE40100100103307118608","currency":"EUR",
		"balances":[{"balanceType":"expected","balanceAmount":{"currency":"EUR","amount":"1"}}]}`

	t.Run("follow the others, with an ID that leads to their rows", func(t *testing.T) {
		p := newPeer(t).on(accountsRoute, 200, `{"accounts":[`+giro+`]}`)
		p.on(cardsRoute, 200, `{"cardAccounts":[
			{"resourceId":"c 1","maskedPan":"525412******3241","currency":"EUR","product":"Basic Credit","debitAccounting":true,
				"balances":[{"balanceType":"nonInvoiced","balanceAmount":{"currency":"EUR","amount":"41.75"}}]},
			{"resourceId":"c2","maskedPan":"525412******9999","currency":"EUR"}]}`)
		p.on("GET /v1/card-accounts/c2/balances", 200,
			`{"balances":[{"balanceType":"expected","balanceAmount":{"currency":"EUR","amount":"-2"}}]}`)

		got, err := client().Accounts(t.Context(), p.bank, cardSession())

		require.NoError(t, err)
		require.Len(t, got, 3)
		assert.Equal(t, []pfm.BankAccount{
			{
				ResourceID: "card-accounts/c 1", MaskedPAN: "525412******3241", Currency: "EUR", Product: "Basic Credit",
				CashAccountType: "CARD", SignsInverted: true,
				Balances: []pfm.BankBalance{{Type: "nonInvoiced", Amount: money.MustParse("41.75"), Currency: "EUR"}},
			},
			{
				ResourceID: "card-accounts/c2", MaskedPAN: "525412******9999", Currency: "EUR", CashAccountType: "CARD",
				Balances: []pfm.BankBalance{{Type: "expected", Amount: money.MustParse("-2"), Currency: "EUR"}},
			},
		}, got[1:])

		p.on("GET /v1/card-accounts/c%201/transactions?bookingStatus=both&dateFrom=2026-01-01", 200,
			`{"cardTransactions":{"booked":[{"cardTransactionId":"1","transactionAmount":{"currency":"EUR","amount":"3"}}],
			"_links":{"next":{"href":"?page=2"}}}}`)
		p.on("GET /v1/card-accounts/c%201/transactions?page=2", 200, `{"cardTransactions":{"booked":[],"_links":{}}}`)
		var ids []string
		for row, err := range client().Transactions(t.Context(), p.bank, cardSession(), got[1].ResourceID, "2026-01-01") {
			require.NoError(t, err)
			ids = append(ids, row.ID)
		}
		assert.Equal(t, []string{"1"}, ids)
	})

	t.Run("are left out if they are among the others", func(t *testing.T) {
		p := newPeer(t).on(accountsRoute, 200, `{"accounts":[`+giro+`,{"resourceId":"v","maskedPan":"5254 12** **** 3241","currency":"EUR",
			"balances":[{"balanceType":"expected","balanceAmount":{"currency":"EUR","amount":"1"}}]}]}`)
		p.on(cardsRoute, 200, `{"cardAccounts":[{"resourceId":"c","maskedPan":"525412******3241","currency":"EUR"},
			{"resourceId":"a","maskedPan":"525412******7777","currency":"EUR"}]}`)

		got, err := client().Accounts(t.Context(), p.bank, cardSession())

		require.NoError(t, err)
		require.Len(t, got, 2)
		assert.Equal(t, []string{"a", "v"}, []string{got[0].ResourceID, got[1].ResourceID})
	})

	for name, status := range map[string]int{"404": 404, "405": 405, "501": 501} {
		t.Run("do no harm to a bank that has none: "+name, func(t *testing.T) {
			p := newPeer(t).on(accountsRoute, 200, `{"accounts":[`+giro+`]}`)
			p.on(cardsRoute, status, "")
			got, err := client().Accounts(t.Context(), p.bank, cardSession())
			require.NoError(t, err)
			assert.Len(t, got, 1)
		})
	}

	t.Run("do no harm to a consent that does not cover them", func(t *testing.T) {
		for _, code := range []string{"SERVICE_BLOCKED", "CONSENT_INVALID", "RESOURCE_UNKNOWN"} {
			p := newPeer(t).on(accountsRoute, 200, `{"accounts":[`+giro+`]}`)
			p.on(cardsRoute, http.StatusForbidden, tppMessage(code))
			got, err := client().Accounts(t.Context(), p.bank, cardSession())
			require.NoError(t, err, code)
			assert.Len(t, got, 1)
		}
	})

	t.Run("are incomplete if the list cannot be read", func(t *testing.T) {
		p := newPeer(t).on(accountsRoute, 200, `{"accounts":[`+giro+`]}`)
		p.on(cardsRoute, 200, `{"cardAccounts":{}}`)
		got, err := client().Accounts(t.Context(), p.bank, cardSession())
		require.NoError(t, err)
		require.Len(t, got, 2)
		assert.Equal(t, pfm.BankAccount{Incomplete: true}, got[1])
	})

	t.Run("are read again later if the bank is busy", func(t *testing.T) {
		for status, kind := range map[int]pfm.SupplierErrorKind{
			503: pfm.SupplierUnavailable, 429: pfm.SupplierRateLimited,
		} {
			p := newPeer(t).on(accountsRoute, 200, `{"accounts":[`+giro+`]}`)
			p.on(cardsRoute, status, "")
			_, err := client().Accounts(t.Context(), p.bank, cardSession())
			requireKind(t, err, kind)
		}
	})
}

func TestCardRow(t *testing.T) {
	rows, _, err := decodePage([]byte(`{"cardTransactions":{"booked":[
		{"cardTransactionId":"201710020036959","terminalId":"T-1","transactionDate":"2026-10-25","bookingDate":"2026-10-26",
			"valueDate":"2026-11-30","transactionAmount":{"currency":"EUR","amount":"-256.67"},
			"originalAmount":{"currency":"SEK","amount":"-2499"},"cardAcceptorId":"ICA Kvantum 12","merchantCategoryCode":"5411",
			"transactionDetails":"ICA KVANTUM STOCKHOLM","invoiced":false,"proprietaryBankTransactionCode":"PURCHASE"},
		{"transactionAmount":{"currency":"SEK","amount":"-20"},"originalAmount":{"currency":"EUR","amount":"-2"},
			"acceptorTransactionDateTime":"2026-10-25T23:30:00+02:00","cardAcceptorId":"0001234ABC"},
		{"transactionAmount":{"currency":"EUR","amount":"5"},"cardAcceptorId":"Kiosk","originalAmount":"5.00 USD"}],
		"pending":[{"transactionAmount":{"currency":"EUR"}}]}}`))
	require.NoError(t, err)
	assert.Equal(t, []pfm.BankTransaction{
		{
			ID: "201710020036959", Booked: true, Amount: money.MustParse("-256.67"), Currency: "EUR",
			Billed: money.MustParse("-2499"), BilledCurrency: "SEK", BookingDate: "2026-10-26", TransactionDate: "2026-10-25",
			CreditorName: "ICA Kvantum 12", Remittance: "ICA KVANTUM STOCKHOLM", MerchantCategoryCode: "5411",
			ProprietaryBankTransactionCode: "PURCHASE",
		},
		{
			Booked: true, Amount: money.MustParse("-20"), Currency: "SEK", Billed: money.MustParse("-2"), BilledCurrency: "EUR",
			TransactionDate: "2026-10-25",
		},
		{Booked: true, Amount: money.MustParse("5"), Currency: "EUR", DebtorName: "Kiosk"},
		{Unreadable: true},
	}, rows)
}
