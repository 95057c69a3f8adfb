package xs2a

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/money"
	"aviso/internal/pfm"
)

const accountsRoute = "GET /v1/accounts?withBalance=true"

func TestAccounts(t *testing.T) {
	t.Run("maps the fields of the standard", func(t *testing.T) {
		p := newPeer(t).on(accountsRoute, 200, `{"accounts":[{
			"resourceId":"r/1","iban":"de40 1001 0010 3307 1186 08","bban":"1001 3307","maskedPan":"1234xxxxxx5678",
			"currency":"EUR","name":"Girokonto\u0000 Plus","displayName":"Haushalt","product":"Giro","cashAccountType":"CACC",
			"ownerName":"Erika Mustermann","status":"enabled",
			"balances":[
				{"balanceType":"interimAvailable","creditLimitIncluded":true,"balanceAmount":{"currency":"EUR","amount":"5300.00"}},
				{"balanceType":"interimAvailable","balanceAmount":{"currency":"EUR","amount":"300.00"},"referenceDate":"2026-03-01"},
				{"balanceType":"expected","balanceAmount":{"currency":"EUR","amount":-12.50},"referenceDate":null}],
			"_links":{"balances":{"href":"/v1/accounts/r/balances"}}},
			{"resourceId":"r2","bban":"77","currency":"SEK","name":"Spar"}]}`)
		p.on("GET /v1/accounts/r2/balances", 404, tppMessage("RESOURCE_UNKNOWN"))

		got := must(client().Accounts(t.Context(), p.bank, pfm.Session{ConsentID: "c-1", PSUIPAddress: "192.0.2.7"}))
		assert.Equal(t, []pfm.BankAccount{
			{
				ResourceID: "r/1", IBAN: "DE40100100103307118608", BBAN: "10013307", MaskedPAN: "1234xxxxxx5678",
				Currency: "EUR", Name: "Haushalt", Product: "Giro", CashAccountType: "CACC",
				Balances: []pfm.BankBalance{
					{Type: "interimAvailable", Amount: money.MustParse("300.00"), Currency: "EUR", ReferenceDate: "2026-03-01"},
					{Type: "expected", Amount: money.MustParse("-12.50"), Currency: "EUR"},
					{Type: "interimAvailable", Amount: money.MustParse("5300.00"), Currency: "EUR", CreditLimitIncluded: true},
				},
			},
			{ResourceID: "r2", BBAN: "77", Currency: "SEK", Name: "Spar", Incomplete: true},
		}, got)
		assert.Equal(t, "c-1", p.calls[0].header.Get("Consent-ID"))
		assert.Equal(t, "192.0.2.7", p.calls[0].header.Get("PSU-IP-Address"))
	})

	t.Run("sends what the bank wants to know about the user", func(t *testing.T) {
		p := newPeer(t).on(accountsRoute, 200, `{"accounts":[]}`)
		_, err := client().Accounts(t.Context(), p.bank, pfm.Session{
			ConsentID: "c-1", PSUIPAddress: "192.0.2.7",
			PSUHeaders: map[string]string{"PSU-Accept-Language": "de", "PSU-User-Agent": "A\r\nConsent-ID: c-2"},
		})
		require.NoError(t, err)
		sent := p.calls[0].header
		assert.Equal(t, "de", sent.Get("PSU-Accept-Language"))
		assert.Equal(t, "A  Consent-ID: c-2", sent.Get("PSU-User-Agent"))
		assert.Equal(t, []string{"c-1"}, sent.Values("Consent-ID"))
	})

	t.Run("sends no IP address if the user is not present", func(t *testing.T) {
		p := newPeer(t).on(accountsRoute, 200, `{"accounts":[]}`)

		got := must(client().Accounts(t.Context(), p.bank, session))
		assert.Empty(t, got)
		assert.NotContains(t, p.calls[0].header, "Psu-Ip-Address")
	})

	t.Run("reads balances that the list does not contain", func(t *testing.T) {
		p := newPeer(t)
		p.on(accountsRoute, 200, `{"accounts":[
			{"resourceId":"1","currency":"EUR","_links":{"balances":{"href":"`+p.bank.BaseURL+`/v1/accounts/1/balances"}}},
			{"resourceId":"2","currency":"EUR","balances":[],"_links":{"balances":{"href":"/psd2/v1/accounts/2/balances"}}}]}`)
		p.on(
			"GET /v1/accounts/1/balances", 200,
			`{"balances":[{"balanceType":"closingBooked","balanceAmount":{"currency":"EUR","amount":"1"}}]}`,
		)
		p.on("GET /v1/accounts/2/balances", 200, `{"balances":[]}`)

		got := must(client().Accounts(t.Context(), p.bank, session))
		require.Len(t, got, 2)
		assert.Equal(t, "closingBooked", got[0].Balances[0].Type)
		assert.Empty(t, got[1].Balances)
		assert.Equal(t, "c-1", p.calls[1].header.Get("Consent-ID"))
	})

	t.Run("retries without balances if the bank refuses the parameter", func(t *testing.T) {
		p := newPeer(t).on(accountsRoute, 400, tppMessage("PARAMETER_NOT_SUPPORTED"))
		p.on("GET /v1/accounts", 200, `{"accounts":[{"resourceId":"1","currency":"EUR"}]}`)
		p.on("GET /v1/accounts/1/balances", 200, `{"balances":[{"balanceAmount":{"currency":"EUR","amount":"1"}}]}`)

		got := must(client().Accounts(t.Context(), p.bank, session))
		assert.Len(t, got, 1)
	})

	t.Run("leaves out unreadable accounts and sums of listed ones", func(t *testing.T) {
		p := newPeer(t).on(accountsRoute, 200, `{"accounts":[
			{"iban":"DE1","currency":"EUR"},
			{"resourceId":"sum","iban":"DE2","currency":"XXX"},
			{"resourceId":"eur","iban":"DE 2","currency":"EUR"},
			{"resourceId":"usd","iban":"DE2","currency":"USD"},
			{"resourceId":"alone","iban":"DE3","currency":"XXX"},
			{"resourceId":"nameless","currency":"XXX"}]}`)
		for _, id := range []string{"eur", "usd", "alone", "nameless"} {
			p.on("GET /v1/accounts/"+id+"/balances", 200, `{"balances":[]}`)
		}

		got := must(client().Accounts(t.Context(), p.bank, session))
		ids := []string{}
		for _, a := range got {
			ids = append(ids, a.ResourceID)
		}
		assert.Equal(t, []string{"eur", "usd", "alone", "nameless"}, ids)
	})

	t.Run("returns a failure", func(t *testing.T) {
		p := newPeer(t).on(accountsRoute, 401, tppMessage("CONSENT_EXPIRED"))

		_, err := client().Accounts(t.Context(), p.bank, session)

		assert.Equal(t, "list accounts", requireKind(t, err, pfm.SupplierConsentExpired).Operation)
	})

	t.Run("reads an account whose balance is refused", func(t *testing.T) {
		for code, status := range map[string]int{"ACCESS_EXCEEDED": 429, "CONSENT_INVALID": 401, "RESOURCE_UNKNOWN": 404, "": 503} {
			p := newPeer(t).on(accountsRoute, 200, `{"accounts":[{"resourceId":"1","currency":"EUR"}]}`)
			p.on("GET /v1/accounts/1/balances", status, tppMessage(code))

			got, err := client().Accounts(t.Context(), p.bank, session)

			require.NoError(t, err, code)
			assert.True(t, got[0].Incomplete, code)
		}
	})

	t.Run("asks without balances if some are not granted", func(t *testing.T) {
		p := newPeer(t).on(accountsRoute, 401, tppMessage("CONSENT_INVALID"))
		p.on("GET /v1/accounts", 200, `{"accounts":[{"resourceId":"1","currency":"EUR"}]}`)
		p.on("GET /v1/accounts/1/balances", 200, `{"balances":[{"balanceAmount":{"amount":"1","currency":"EUR"}}]}`)

		got, err := client().Accounts(t.Context(), p.bank, session)

		require.NoError(t, err)
		assert.False(t, got[0].Incomplete)
	})

	t.Run("does not ask for what is not granted at all", func(t *testing.T) {
		p := newPeer(t).on("GET /v1/accounts", 200, `{"accounts":[{"resourceId":"1","currency":"EUR"}]}`)
		s := session
		s.NoBalances, s.NoRows = true, true

		got, err := client().Accounts(t.Context(), p.bank, s)

		require.NoError(t, err)
		assert.True(t, got[0].Incomplete)
		for _, err := range client().Transactions(t.Context(), p.bank, s, "1", "") {
			requireKind(t, err, pfm.SupplierConsentInvalid)
		}
	})

	t.Run("leaves out what the user has closed", func(t *testing.T) {
		p := newPeer(t).on(accountsRoute, 200, `{"accounts":[{"resourceId":"1","currency":"EUR","status":"deleted"}]}`)

		got, err := client().Accounts(t.Context(), p.bank, session)

		require.NoError(t, err)
		assert.Empty(t, got)
	})
}

func TestAccountsRejectsInvalidResponses(t *testing.T) {
	for name, body := range map[string]string{
		"no list": `{}`, "a null list": `{"accounts":null}`, "a list that is an object": `{"accounts":{}}`,
	} {
		t.Run(name, func(t *testing.T) {
			p := newPeer(t).on(accountsRoute, 200, body)

			got, err := client().Accounts(t.Context(), p.bank, session)

			requireKind(t, err, pfm.SupplierInvalidResponse)
			assert.Nil(t, got)
		})
	}
}

// One flaw costs no more than what it is in.
func TestFlawedAccounts(t *testing.T) {
	good := `{"resourceId":"2","currency":"EUR","balances":[{"balanceAmount":{"currency":"EUR","amount":"1"}}]}`
	second := pfm.BankAccount{
		ResourceID: "2", Currency: "EUR", Balances: []pfm.BankBalance{{Amount: money.MustParse("1"), Currency: "EUR"}},
	}
	with := func(members string) string { return `{"resourceId":"1",` + members + `}` }
	balance := func(b string) string { return with(`"currency":"EUR","balances":[` + b + `]`) }
	for name, tt := range map[string]struct {
		account, balances string
		want              pfm.BankAccount
	}{
		"no object":                 {`7`, ``, pfm.BankAccount{Incomplete: true}},
		"a resource ID like a path": {`{"resourceId":"..","currency":"EUR"}`, ``, pfm.BankAccount{Incomplete: true}},
		"no currency":               {with(`"name":"A"`), `{"balances":[]}`, pfm.BankAccount{ResourceID: "1", Name: "A"}},
		"a currency in lower case": {with(`"currency":"eur"`), `{"balances":[]}`, pfm.BankAccount{
			ResourceID: "1", Currency: "EUR",
		}},
		"an IBAN that is an object": {with(`"currency":"EUR","iban":{}`), `{"balances":[]}`, pfm.BankAccount{
			ResourceID: "1", Currency: "EUR",
		}},
		"balances linked elsewhere": {
			with(`"currency":"EUR","_links":{"balances":{"href":"https://evil.example/v1/accounts/1/balances"}}`),
			`{"balances":[]}`, pfm.BankAccount{ResourceID: "1", Currency: "EUR"},
		},
		"a balance without amount": {balance(`{"balanceType":"expected"}`), `{}`, pfm.BankAccount{
			ResourceID: "1", Currency: "EUR", Incomplete: true,
		}},
		"a null balance beside a good one": {
			balance(`null,{"balanceType":"x","balanceAmount":{"amount":"1"}}`), ``,
			pfm.BankAccount{ResourceID: "1", Currency: "EUR", Balances: []pfm.BankBalance{{Type: "x", Amount: money.MustParse("1")}}},
		},
		"balances that cannot be read": {with(`"currency":"EUR"`), `{"balances":[{}]}`, pfm.BankAccount{
			ResourceID: "1", Currency: "EUR", Incomplete: true,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPeer(t).on(accountsRoute, 200, `{"accounts":[`+tt.account+`,`+good+`]}`)
			if tt.balances != "" {
				p.on("GET /v1/accounts/1/balances", 200, tt.balances)
			}

			got := must(client().Accounts(t.Context(), p.bank, session))
			assert.ElementsMatch(t, []pfm.BankAccount{tt.want, second}, got)
		})
	}
}

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

		got := must(client().Accounts(t.Context(), p.bank, cardSession()))
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

		got := must(client().Accounts(t.Context(), p.bank, cardSession()))
		require.Len(t, got, 2)
		assert.Equal(t, []string{"a", "v"}, []string{got[0].ResourceID, got[1].ResourceID})
	})

	for name, status := range map[string]int{"404": 404, "405": 405, "501": 501} {
		t.Run("do no harm to a bank that has none: "+name, func(t *testing.T) {
			p := newPeer(t).on(accountsRoute, 200, `{"accounts":[`+giro+`]}`)
			p.on(cardsRoute, status, "")
			got := must(client().Accounts(t.Context(), p.bank, cardSession()))
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
		got := must(client().Accounts(t.Context(), p.bank, cardSession()))
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
