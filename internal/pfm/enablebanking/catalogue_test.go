package enablebanking_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/pfm"
)

func TestBanks(t *testing.T) {
	w := newWorld(t)
	bank := func(name, country, more string) string {
		return `{"name":"` + name + `","country":"` + country + `","logo":"https://logo.example/` + country + `",
			"psu_types":["personal","business"],"auth_methods":[],"maximum_consent_validity":7776000,"beta":true,"bic":null` + more + `}`
	}
	w.answer("GET /aspsps", 200, `{"aspsps":[`+bank("Nordlicht", "DE", `,"bic":"NOLIDEFF"`)+`,`+
		bank("Nordlicht", "AT", `,"required_psu_headers":["Psu-Ip-Address"],"maximum_consent_validity":31536000`)+`,`+
		bank("Nordlicht", "AT", "")+`,`+bank("Only for companies", "DE", `,"psu_types":["business"]`)+`,`+
		bank("Elsewhere", "BR", "")+`,`+bank("", "DE", "")+`,null]}`)
	got, others, err := w.client.Banks(t.Context(), w.bank.BaseURL, "enable-banking")
	require.NoError(t, err)
	require.Len(t, got, 2)
	assert.Equal(t, 5, others)
	assert.Equal(t, []string{"GET /aspsps?psu_type=personal&service=AIS"}, w.lines())
	assert.Equal(t, pfm.Provider{
		ID: "eb88f54c-05b1-53b4-b876-4c4be534b10a", CountryCode: "DE", Name: "Nordlicht", LogoURL: "https://logo.example/DE",
		Status: pfm.ProviderActive, Timezone: "Europe/Berlin",
		SupportedAccountTypes: []pfm.AccountType{pfm.AccountCurrent, pfm.AccountSaving, pfm.AccountCreditCard},
		RefreshTimeoutMinutes: 360, MaxConsentDays: 90, Regulated: true, MaxFetchInterval: 730, AutomaticFetch: new(true),
		Meta: map[string]string{"bic": "NOLIDEFF"},
		Endpoint: pfm.BankEndpoint{
			BaseURL: w.bank.BaseURL, ASPSP: pfm.ASPSP{Name: "Nordlicht", Country: "DE", Secret: "enable-banking"},
		},
	}, got[0], "the ID must never change: connections refer to it")
	assert.Equal(t, 180, got[1].MaxConsentDays)
	assert.Equal(t, []string{"Psu-Ip-Address"}, got[1].Endpoint.ASPSP.PSUHeaders)
	assert.NotEqual(t, got[0].ID, got[1].ID)
	for _, p := range got {
		_, err := time.LoadLocation(p.Timezone)
		require.NoError(t, err)
	}
	for _, body := range []string{`{}`, `{"aspsps":[]}`, `[]`} {
		w.answer("GET /aspsps", 200, body)
		_, _, err := w.client.Banks(t.Context(), w.bank.BaseURL, "enable-banking")
		requireFailure(t, err, pfm.SupplierInvalidResponse)
	}
}
