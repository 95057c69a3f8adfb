package pfmapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/identity"
	"aviso/internal/money"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/localstack/tests/pfmtest"
)

// shape requires exactly these members and JSON types. A member whose type ends in ?
// may be absent.
func shape(t *testing.T, object map[string]any, members map[string]string) {
	t.Helper()
	for name, kind := range members {
		v, there := object[name]
		kind, optional := strings.CutSuffix(kind, "?")
		if !there {
			assert.True(t, optional, "member %s is missing", name)
			continue
		}
		got := "null"
		switch n := v.(type) {
		case string:
			got = "string"
		case json.Number:
			got = "number"
			if _, err := n.Int64(); err == nil && kind == "integer" {
				got = "integer"
			}
		case bool:
			got = "boolean"
		case map[string]any:
			got = "object"
		case []any:
			got = "array"
		}
		assert.Equal(t, kind, got, "member %s", name)
	}
	for name := range object {
		assert.Contains(t, members, name, "a member that the API does not have")
	}
}

const unset = "0001-01-01T00:00:00Z"

var providerShape = map[string]string{
	"id": "string", "countryCode": "string", "name": "string", "logo": "string", "status": "string",
	"supportedAccountTypes": "array", "timezone": "string", "refreshTimeoutMinutes": "integer",
	"maxConsentDays": "integer", "regulated": "boolean", "maxFetchInterval": "integer", "automaticFetch": "boolean?",
	"meta": "object",
}

func TestProviders(t *testing.T) {
	s := newService(t)

	t.Run("have every member", func(t *testing.T) {
		a := s.ok("/providers/" + pfmtest.Provider().ID)
		p, ok := a.Member("data", "provider").(map[string]any)
		require.True(t, ok)
		shape(t, p, providerShape)
		assert.NotContains(t, p, "automaticFetch")
		assert.Equal(t, map[string]any{"supplier": "Xs2a"}, p["meta"])
		assert.Equal(t, []any{"CurrentAccount", "SavingAccount"}, p["supportedAccountTypes"])
		list := s.call(http.MethodGet, "/providers", "")
		assert.Equal(t, []map[string]any{p}, list.List("data", "providers"))
		assert.Equal(t, map[string]any{}, list.Member("meta", "pagination"))
	})

	t.Run("show automaticFetch if known, and limit maxConsentDays to the legal maximum", func(t *testing.T) {
		p := pfmtest.Provider()
		automatic := false
		p.ID, p.Name, p.AutomaticFetch, p.MaxConsentDays, p.SupportedAccountTypes = pfmtest.ID(1), "Zweite", &automatic, 365, nil
		require.NoError(t, s.store.PutProvider(t.Context(), p))
		got, _ := s.call(http.MethodGet, "/providers/"+p.ID, "").Member("data", "provider").(map[string]any)
		shape(t, got, providerShape)
		assert.Equal(t, false, got["automaticFetch"])
		assert.Equal(t, json.Number("180"), got["maxConsentDays"])
		assert.Equal(t, []any{}, got["supportedAccountTypes"], "never null")
	})

	t.Run("are found by country in either case and by name without accents", func(t *testing.T) {
		p := pfmtest.Provider()
		p.ID, p.Name, p.CountryCode = pfmtest.ID(2), "Crédit du Midi", "FR"
		require.NoError(t, s.store.PutProvider(t.Context(), p))
		for _, query := range []string{"countryCode=fr", "countryCode=FR", "providerNameFilter=CREDIT",
			"providerNameFilter=midi&countryCode=Fr", "providerNameFilter=" + url.QueryEscape("crédit d"),
			"unknown=x&countryCode=FR"} {
			list := s.call(http.MethodGet, "/providers?"+query, "").List("data", "providers")
			require.Len(t, list, 1, query)
			assert.Equal(t, "Crédit du Midi", list[0]["name"])
		}
		assert.Equal(t, []any{}, s.call(http.MethodGet, "/providers?countryCode=IT", "").Member("data", "providers"), "never null")
	})

	t.Run("are found by BIC and bank code in either case", func(t *testing.T) {
		p := pfmtest.Provider()
		p.Meta = map[string]string{"bic": "NOLADE21XXX", "bankCode": "2105000A"}
		require.NoError(t, s.store.PutProvider(t.Context(), p))
		for _, query := range []string{"bic=NOLADE21", "bic=nolade21xxx", "bankCode=2105000a", "bic=nolade21&bankCode=2105000A"} {
			list := s.call(http.MethodGet, "/providers?"+query, "").List("data", "providers")
			require.Len(t, list, 1, query)
			assert.Equal(t, map[string]any{"bic": "NOLADE21XXX", "bankCode": "2105000A", "supplier": "Xs2a"}, list[0]["meta"])
		}
		for _, query := range []string{"bic=NOLADE22", "bankCode=1", "bankCode=2105000a&countryCode=FR"} {
			assert.Equal(t, []any{}, s.call(http.MethodGet, "/providers?"+query, "").Member("data", "providers"), query)
		}
	})

	t.Run("are returned in pages", func(t *testing.T) {
		var names []any
		for path := "/providers?limit=1"; ; {
			a := s.ok(path)
			page := a.List("data", "providers")
			require.Len(t, page, 1)
			names = append(names, page[0]["name"])
			token, more := a.Member("meta", "pagination", "nextToken").(string)
			if !more {
				break
			}
			path = "/providers?limit=1&nextToken=" + token
			for _, filter := range []string{"&countryCode=DE", "&bic=NOLADE21", "&bankCode=2105000A"} {
				other := s.call(http.MethodGet, path+filter, "")
				assert.Equal(t, "invalid_next_token", other.Member("code"), "of other filters")
			}
		}
		assert.Equal(t, []any{"Crédit du Midi", "Nordlicht Bank", "Zweite"}, names)
	})

	t.Run("reject an invalid filter", func(t *testing.T) {
		for _, query := range []string{"limit=0", "limit=-1", "limit=x", "countryCode=DEU", "countryCode=D1",
			"bic=NOLADE2", "bic=NOLADE21X", "bic=NOLADE21XX%C3%84", "bankCode=1%202",
			"bankCode=" + strings.Repeat("1", 21), "providerNameFilter=***", "providerNameFilter=" + strings.Repeat("x", 101)} {
			a := s.call(http.MethodGet, "/providers?"+query, "")
			assert.Equal(t, http.StatusUnprocessableEntity, a.StatusCode, query)
			assert.Equal(t, "validation_failed", a.Member("code"))
		}
		assert.Equal(t, http.StatusBadRequest, s.call(http.MethodGet, "/providers?nextToken=x", "").StatusCode)
	})

	t.Run("accept a filter that grows when folded", func(t *testing.T) {
		s.ok("/providers?providerNameFilter=" + url.QueryEscape(strings.Repeat("ﷺ", 100)))
	})

	t.Run("return 404 for an unknown ID", func(t *testing.T) {
		a := s.call(http.MethodGet, "/providers/"+uuid.NewString(), "")
		assert.Equal(t, http.StatusNotFound, a.StatusCode)
		assert.Equal(t, "not_found", a.Member("code"))
		assert.Equal(t, http.StatusUnprocessableEntity, s.call(http.MethodGet, "/providers/1", "").StatusCode)
	})

	t.Run("are counted by country", func(t *testing.T) {
		assert.Equal(t, []any{
			map[string]any{"countryCode": "DE", "providerCount": json.Number("2")},
			map[string]any{"countryCode": "FR", "providerCount": json.Number("1")},
		}, s.call(http.MethodGet, "/providers/countries", "").Member("data", "countries"))
	})
}

func TestConnections(t *testing.T) {
	s := newService(t)

	t.Run("start with a link", func(t *testing.T) {
		a := s.call(http.MethodPost, "/connections", newConnection)
		require.Equal(t, http.StatusCreated, a.StatusCode, a.Body)
		data, ok := a.Member("data").(map[string]any)
		require.True(t, ok)
		shape(t, data, map[string]string{"redirectUrl": "string", "expiresAt": "string", "connectionId": "string"})
		assert.Regexp(t, fmt.Sprintf(`^%s/connect\?connectionId=%s&link=[A-Z2-7]{52}$`, base, data["connectionId"]), data["redirectUrl"])
		assert.Contains(t, a.Body, "&link=", "readable without a JSON parser")
		assert.Equal(t, "2026-03-02T12:30:00Z", data["expiresAt"])
	})

	t.Run("have every member, unset times as the year 1", func(t *testing.T) {
		id, _ := s.link()
		a := s.ok("/connections/" + strings.ToUpper(id))
		assert.Equal(t, map[string]any{
			"connectionId":          id,
			"providerId":            pfmtest.Provider().ID,
			"providerName":          "Nordlicht Bank",
			"connectionStatus":      "Pending",
			"isActive":              false,
			"createdAt":             "2026-03-02T12:00:00Z",
			"lastSuccessAt":         unset,
			"nextRefreshPossibleAt": unset,
			"consentExpiresAt":      unset,
			"statusReason":          "",
		}, a.Member("data", "connection"))
	})

	t.Run("return to the first registered URL by default", func(t *testing.T) {
		body := `{"providerId":"` + pfmtest.Provider().ID + `"}`
		a := s.call(http.MethodPost, "/connections", body)
		require.Equal(t, http.StatusCreated, a.StatusCode, a.Body)
		id, _ := a.Member("data", "connectionId").(string)
		for _, body := range []string{`{}`, ""} {
			again := s.call(http.MethodPost, "/connections/"+id+"/reconnect", body)
			assert.Equal(t, http.StatusCreated, again.StatusCode, again.Body)
		}
	})

	t.Run("accept the optional account type", func(t *testing.T) {
		body := strings.Replace(newConnection, "{", `{"accountType":"CurrentAccount",`, 1)
		assert.Equal(t, http.StatusCreated, s.call(http.MethodPost, "/connections", body).StatusCode)
		body = strings.Replace(newConnection, "{", `{"accountType":"Piggy",`, 1)
		assert.Equal(t, http.StatusUnprocessableEntity, s.call(http.MethodPost, "/connections", body).StatusCode)
	})

	for name, tt := range map[string]struct {
		body   string
		status int
		code   string
	}{
		"an unregistered return URL": {strings.Replace(
			newConnection, "partner.example", "evil.example", 1,
		), 422, "return_url_not_registered"},
		"a script for a return URL": {strings.Replace(
			newConnection, "https://partner.example/back?order=4711", "javascript:alert(1)", 1,
		), 422, "return_url_not_registered"},
		"an unknown provider":              {strings.Replace(newConnection, "0b0f7a3c", "1b0f7a3c", 1), 404, "not_found"},
		"a provider ID that is not a UUID": {strings.Replace(newConnection, "0b0f7a3c-", "", 1), 422, "validation_failed"},
		"no provider":                      {`{"returnUrl":"https://partner.example/"}`, 422, "validation_failed"},
		"a return URL too long": {strings.Replace(
			newConnection, "4711", strings.Repeat("4", 2000), 1,
		), 422, "validation_failed"},
	} {
		t.Run("reject "+name, func(t *testing.T) {
			a := s.call(http.MethodPost, "/connections", tt.body)
			assert.Equal(t, tt.status, a.StatusCode, a.Body)
			assert.Equal(t, tt.code, a.Member("code"))
			assert.NotContains(t, a.Body, "evil")
		})
	}

	t.Run("return 404 for unknown IDs and other users' connections", func(t *testing.T) {
		assert.Equal(t, "not_found", s.call(http.MethodGet, "/connections/"+uuid.NewString(), "").Member("code"))
		assert.Equal(t, http.StatusUnprocessableEntity, s.call(http.MethodGet, "/connections/1", "").StatusCode)
	})
}

func TestAnUnknownCategorySaysWhereTheyAre(t *testing.T) {
	s := newService(t)
	for _, id := range []string{"1", "1000"} {
		a := s.call(http.MethodGet, "/transactions?categoryId="+id, "")
		assert.Equal(t, http.StatusUnprocessableEntity, a.StatusCode)
		assert.Contains(t, a.Body, "Send an ID that GET /openbanking/v1/categories lists.", id)
	}
	a := s.call(http.MethodGet, "/transactions?dateFrom=yesterday", "")
	assert.Contains(t, a.Body, "expected a date such as 2026-01-31")
}

func TestTermsAreRequired(t *testing.T) {
	s := newService(t)
	require.NoError(t, s.agreements.Publish(
		t.Context(),
		identity.Terms{Type: identity.TermsBankingSupplier, Version: "2", URL: "https://aviso.example/terms/2"},
	))
	for _, path := range []string{"/accounts", "/transactions", "/insights/categories"} {
		a := s.call(http.MethodGet, path, "")
		require.Equal(t, http.StatusForbidden, a.StatusCode, path)
		assert.Equal(t, "terms_not_accepted", a.Member("code"))
		missing := a.List("errors")
		require.Len(t, missing, 1)
		assert.Equal(t, "BankingSupplier", missing[0]["code"])
		assert.Contains(t, missing[0]["detail"], "https://aviso.example/terms/2")
	}
	assert.Equal(t, http.StatusForbidden, s.call(http.MethodPost, "/connections", newConnection).StatusCode)
	assert.Equal(t, http.StatusOK, s.call(http.MethodGet, "/connections", "").StatusCode, "what there is to end")
	assert.Equal(t, http.StatusOK, s.call(http.MethodGet, "/providers", "").StatusCode, "banks are shown to everybody")
}

// fill adds two accounts and some rows to the bank.
func fill(s *service) {
	s.bank.Listed = []pfm.BankAccount{
		{
			ResourceID: "r1", IBAN: "DE89370400440532013000", BBAN: "0532013000",
			Currency: "EUR", Name: "Everyday", CashAccountType: "CACC",
			Balances: []pfm.BankBalance{{Type: "closingBooked", Amount: money.MustParse("1843.20"), Currency: "EUR"}},
		},
		{
			ResourceID: "r2", MaskedPAN: "540905******0000", Currency: "JPY", Product: "Card", CashAccountType: "CARD",
			Balances: []pfm.BankBalance{{Type: "nonInvoiced", Amount: money.MustParse("-12345678901234567"), Currency: "JPY"}},
		},
	}
	s.bank.Rows = map[string][]pfm.BankTransaction{
		"r1": {
			{
				ID: "t1", Booked: true, Amount: money.MustParse("-0.10"), Currency: "EUR", BookingDate: "2026-02-27",
				CreditorName: "Grünkorb", CreditorAccount: "DE67100100101306118605",
				Remittance: "<b>KARTENZAHLUNG</b> & mehr", BankTransactionCode: "PMNT-CCRD-POSD",
			},
			{ID: "t2", Amount: money.MustParse("12345678901234567.89"), Currency: "EUR", BookingDate: "2026-03-01", DebtorName: "Firma"},
		},
		"r2": {{ID: "t3", Booked: true, Amount: money.MustParse("-980"), Currency: "JPY", BookingDate: "2026-02-26"}},
	}
}

func TestAccounts(t *testing.T) {
	s := newService(t)
	assert.Equal(t, []any{}, s.call(http.MethodGet, "/accounts", "").Member("data", "accounts"), "never null")
	fill(s)
	c := s.active()
	a := s.ok("/accounts")
	accounts := a.List("data", "accounts")
	require.Len(t, accounts, 2)
	slices.SortFunc(accounts, func(a, b map[string]any) int { return -strings.Compare(a["iban"].(string), b["iban"].(string)) })

	t.Run("have every member", func(t *testing.T) {
		for _, account := range accounts {
			shape(t, account, map[string]string{
				"accountId": "string", "accountName": "string", "accountNumber": "string", "accountType": "string", "iban": "string",
				"connectionInfo": "object", "balance": "number", "currencyCode": "string", "createdAt": "string", "updatedAt": "string",
			})
			info, _ := account["connectionInfo"].(map[string]any)
			shape(t, info, map[string]string{
				"connectionId": "string", "bankLogoUrl": "string", "bankName": "string", "lastSuccessAt": "string",
				"nextRefreshPossibleAt": "string", "consentExpiresAt": "string", "isActive": "boolean",
				"connectionStatus": "string", "isInteractive": "boolean",
			})
			for _, name := range []string{"createdAt", "updatedAt"} {
				isUTC(t, account[name])
			}
			assert.NoError(t, uuid.Validate(account["accountId"].(string)))
		}
		assert.Equal(t, map[string]any{
			"connectionId": c.ID, "bankLogoUrl": pfmtest.Provider().LogoURL,
			"bankName": "Nordlicht Bank", "lastSuccessAt": "2026-03-02T12:00:00Z",
			"nextRefreshPossibleAt": "2026-03-02T13:00:00Z", "consentExpiresAt": "2026-06-01T00:00:00Z",
			"isActive": true, "connectionStatus": "Active", "isInteractive": false,
		}, accounts[0]["connectionInfo"])
	})

	t.Run("have exact balances, with the bank's trailing zeros", func(t *testing.T) {
		assert.Contains(t, a.Body, `"balance":1843.20,`)
		assert.Contains(t, a.Body, `"balance":-12345678901234567,`)
		assert.Equal(t, "CurrentAccount", accounts[0]["accountType"])
		assert.Equal(t, "CreditCard", accounts[1]["accountType"])
		assert.Empty(t, accounts[1]["iban"])
		assert.Equal(t, "540905******0000", accounts[1]["accountNumber"])
	})

	t.Run("show unset times as the year 1", func(t *testing.T) {
		stored, err := s.store.Connection(t.Context(), pfmtest.User(), c.ID)
		require.NoError(t, err)
		stored.LastSuccessAt, stored.ConsentExpiresAt, stored.Status = time.Time{}, time.Time{}, connection.Expired
		require.NoError(t, s.store.SaveConnection(t.Context(), stored, nil))
		info, _ := s.call(http.MethodGet, "/accounts?limit=1", "").List("data", "accounts")[0]["connectionInfo"].(map[string]any)
		for _, name := range []string{"lastSuccessAt", "nextRefreshPossibleAt", "consentExpiresAt"} {
			assert.Equal(t, unset, info[name], name)
		}
		assert.Equal(t, "Expired", info["connectionStatus"])
		assert.Equal(t, false, info["isActive"])
		assert.Equal(t, true, info["isInteractive"])
	})

	t.Run("are returned in pages", func(t *testing.T) {
		first := s.call(http.MethodGet, "/accounts?limit=1", "")
		token, _ := first.Member("meta", "pagination", "nextToken").(string)
		require.NotEmpty(t, token)
		second := s.call(http.MethodGet, "/accounts?limit=1&nextToken="+token, "")
		assert.NotEqual(t, first.List("data", "accounts")[0]["accountId"], second.List("data", "accounts")[0]["accountId"])
		assert.Equal(t, map[string]any{}, second.Member("meta", "pagination"))
		assert.Equal(
			t,
			"invalid_next_token",
			s.call(http.MethodGet, "/transactions?limit=1&nextToken="+token, "").Member("code"),
			"of another list",
		)
	})
}

// Reads make at most two DynamoDB calls, including the gate's.
func TestReadsStayWithinTheirBudget(t *testing.T) {
	s := newService(t)
	fill(s)
	c := s.active()
	require.Equal(t, http.StatusOK, s.call(http.MethodGet, "/providers?providerNameFilter=a&countryCode=DE", "").StatusCode)
	for path, want := range map[string]int{
		"/accounts": 2, "/transactions": 2, "/transactions?limit=1": 2, "/connections": 2, "/connections/" + c.ID: 2,
		"/transactions?categoryId=610&dateFrom=2026-01-01": 2, "/transactions?recordState=Uncleared": 2, "/transactions?recordType=Income&text=firma&amountFrom=0": 2, "/transactions/changes": 2,
		"/insights/categories": 2, "/insights/merchants?granularity=daily": 2, "/categories": 0,
		"/providers": 1, "/providers?providerNameFilter=ord&countryCode=DE": 1, "/providers/countries": 1, "/providers/" + pfmtest.Provider().ID: 1,
	} {
		t.Run(path, func(t *testing.T) {
			require.Equal(t, http.StatusOK, s.call(http.MethodGet, path, "").StatusCode)
			assert.Equal(t, want, s.calls())
		})
	}
}
