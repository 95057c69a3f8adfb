package enablebanking_test

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/money"
	"aviso/internal/pfm"
)

const current = `{"uid":"u-1","identification_hash":"p.h1=","identification_hashes":["p.h1="],
	"account_id":{"iban":"de89 3704 0044 0532 0130 00","other":null},"account_servicer":null,"name":"Erika Muster",
	"details":"Girokonto","product":null,"cash_account_type":"CACC","currency":"EUR"}`

const card = `{"uid":"u-2","identification_hash":"p.h2=","account_id":{"other":{"identification":"4111 1111 1111 1234",
	"scheme_name":"CPAN"}},"all_account_ids":null,"name":"Visa","cash_account_type":"CARD","currency":""}`

func TestAccounts(t *testing.T) {
	w := newWorld(t)
	s := w.authorise(t, `[`+current+`,`+card+`,{"identification_hash":"p.h3=","account_id":null},null,7]`)
	w.answer("GET /sessions/s-1", 200, `{"status":"AUTHORIZED","accounts":["u-1","u-2"],
		"accounts_data":[{"uid":"u-1","identification_hash":"p.h1="}]}`)
	w.answer("GET /accounts/u-1/balances", 200, `{"balances":[
		{"name":"x","balance_amount":{"currency":"EUR","amount":"-12.50"},"balance_type":"CLBD","reference_date":null},
		{"balance_amount":null,"balance_type":"ITAV"},
		{"balance_amount":{"currency":"EUR","amount":100},"balance_type":"OTHR","reference_date":"2026-11-01"}]}`)
	w.answer("GET /accounts/u-2/balances", 400, `{"error":"ASPSP_ERROR"}`)
	got, err := w.client.Accounts(t.Context(), w.bank, s)
	require.NoError(t, err)
	assert.Equal(t, []pfm.BankAccount{
		{
			ResourceID: "u-1", IdentificationHash: "p.h1=", IBAN: "DE89370400440532013000", Currency: "EUR",
			Name: "Girokonto", CashAccountType: "CACC", Incomplete: true, Balances: []pfm.BankBalance{
				{Type: "closingBooked", Amount: money.MustParse("-12.50"), Currency: "EUR"},
				{Type: "OTHR", Amount: money.MustParse("100"), Currency: "EUR", ReferenceDate: "2026-11-01"},
			},
		},
		{
			ResourceID: "u-2", IdentificationHash: "p.h2=", MaskedPAN: "************1234",
			Name: "Visa", CashAccountType: "CARD", Incomplete: true,
		},
	}, got)
	assert.Equal(t, []string{"GET /sessions/s-1", "GET /accounts/u-1/balances", "GET /accounts/u-2/balances"}, w.lines())
}

func TestManyAccountsDoNotFillTheConnection(t *testing.T) {
	w := newWorld(t)
	var told, uids []string
	for i := range 100 {
		account := strings.ReplaceAll(current, "u-1", fmt.Sprint("u-", i))
		told = append(told, strings.ReplaceAll(account, "Girokonto", strings.Repeat("x", 900)))
		uid := fmt.Sprint("u-", i)
		uids = append(uids, `"`+uid+`"`)
		w.answer("GET /accounts/"+uid+"/balances", 200, `{"balances":[]}`)
		w.answer("GET /accounts/"+uid+"/details", 200, account)
	}
	w.answer("GET /accounts/u-99/details", 422, `{"error":"ASPSP_ACCOUNT_NOT_ACCESSIBLE"}`)
	s := w.authorise(t, `[`+strings.Join(told, ",")+`]`)
	assert.Less(t, len(s.Secret), 12<<10)
	w.answer("GET /sessions/s-1", 200, `{"status":"AUTHORIZED","accounts":[`+strings.Join(uids, ",")+`]}`)
	got, err := w.client.Accounts(t.Context(), w.bank, s)
	require.NoError(t, err)
	require.Len(t, got, 100)
	assert.Equal(t, pfm.BankAccount{Incomplete: true}, got[99], "one that cannot be read costs no other")
	for _, a := range got[:99] {
		assert.Equal(t, "DE89370400440532013000", a.IBAN)
	}
}

func TestAccountsOfASessionThatHasEnded(t *testing.T) {
	for status, want := range map[string]pfm.SupplierErrorKind{
		"EXPIRED": pfm.SupplierConsentExpired, "CLOSED": pfm.SupplierConsentExpired,
		"REVOKED": pfm.SupplierConsentInvalid, "NEW": pfm.SupplierConsentInvalid,
	} {
		w := newWorld(t)
		s := w.authorise(t, `[`+current+`]`)
		w.answer("GET /sessions/s-1", 200, `{"status":"`+status+`"}`)
		_, err := w.client.Accounts(t.Context(), w.bank, s)
		requireFailure(t, err, want)
	}
	t.Run("of another connection", func(t *testing.T) {
		w := newWorld(t)
		s := w.authorise(t, `[]`)
		s.ConnectionID = "other"
		_, err := w.client.Accounts(t.Context(), w.bank, s)
		requireFailure(t, err, pfm.SupplierConsentInvalid)
	})
	t.Run("while balances are read", func(t *testing.T) {
		w := newWorld(t)
		s := w.authorise(t, `[`+current+`]`)
		w.answer("GET /sessions/s-1", 200, `{"status":"AUTHORIZED","accounts":["u-1"]}`)
		w.answer("GET /accounts/u-1/balances", 401, `{"error":"EXPIRED_SESSION"}`)
		_, err := w.client.Accounts(t.Context(), w.bank, s)
		requireFailure(t, err, pfm.SupplierConsentExpired)
	})
}

func TestPresentUser(t *testing.T) {
	known := map[string]string{
		"PSU-User-Agent": "Browser", "PSU-Accept-Language": "de\x00", "PSU-Geo-Location": "GEO:52.506931;-13.144558",
	}
	address := http.Header{"Psu-Ip-Address": {"203.0.113.7"}}
	for name, c := range map[string]struct {
		wanted []string
		ip     string
		want   http.Header
	}{
		"present":                            {nil, "203.0.113.7", address},
		"absent":                             {nil, "", http.Header{}},
		"absent, although we know more":      {[]string{"Psu-User-Agent"}, "", http.Header{}},
		"the bank wants the address":         {[]string{"Psu-Ip-Address"}, "203.0.113.7", address},
		"the bank wants more than we know":   {[]string{"Psu-Ip-Address", "Psu-Referer"}, "203.0.113.7", http.Header{}},
		"the bank wants something else only": {[]string{"Psu-Referer"}, "203.0.113.7", http.Header{}},
		"the bank wants more, which we know": {
			[]string{"Psu-Ip-Address", "Psu-User-Agent", "psu-accept-language", "PSU-GEO-LOCATION"}, "203.0.113.7", http.Header{
				"Psu-Ip-Address": {"203.0.113.7"}, "Psu-User-Agent": {"Browser"}, "Psu-Accept-Language": {"de"},
				"Psu-Geo-Location": {"52.506931,-13.144558"},
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			s := w.authorise(t, `[`+current+`]`)
			s.PSUIPAddress, s.PSUHeaders, w.bank.ASPSP.PSUHeaders = c.ip, known, c.wanted
			w.answer("GET /sessions/s-1", 200, `{"status":"AUTHORIZED","accounts":["u-1"]}`)
			w.answer("GET /accounts/u-1/balances", 200, `{"balances":[]}`)
			_, err := w.client.Accounts(t.Context(), w.bank, s)
			require.NoError(t, err)
			assert.Equal(t, c.want, psuHeaders(w.calls[1].header))
			assert.Empty(t, psuHeaders(w.calls[0].header), "not a data call")
		})
	}
}

func psuHeaders(all http.Header) http.Header {
	maps.DeleteFunc(all, func(name string, _ []string) bool { return !strings.HasPrefix(name, "Psu-") })
	return all
}
