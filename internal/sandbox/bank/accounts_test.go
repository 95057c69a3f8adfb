package bank_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/sandbox/bank"
	"aviso/internal/sandbox/persona"
)

type account struct {
	ResourceID, IBAN, MaskedPAN, Currency, CashAccountType, OwnerName string
	Balances                                                          []balance
	Links                                                             map[string]struct{ Href string } `json:"_links"`
}

type balance struct {
	BalanceType         string
	CreditLimitIncluded bool
	BalanceAmount       struct{ Currency, Amount string }
}

func accounts(t *testing.T, p *TPP, consentID, query string) []account {
	t.Helper()
	res := p.Do(t, "GET", "/v1/accounts"+query, With(consentID, Attended), "")
	require.Equal(t, http.StatusOK, res.StatusCode)
	var body struct{ Accounts, CardAccounts []account }
	Decode(t, res, &body)
	if res := p.Do(t, "GET", "/v1/card-accounts", With(consentID, Attended), ""); res.StatusCode == http.StatusOK {
		Decode(t, res, &body)
	}
	return append(body.Accounts, body.CardAccounts...)
}

func TestCardsAreInOneListOnly(t *testing.T) {
	p := newTPP(t, "larkspur", noon)
	id := p.Authorise(t, ConsentBody, "anna", "current", "card")
	got := accounts(t, p, id, "")
	require.Len(t, got, 2)
	assert.NotEmpty(t, got[1].MaskedPAN)
	for _, path := range []string{"card-accounts/" + got[0].ResourceID, "accounts/" + got[1].ResourceID} {
		res := p.Do(t, "GET", "/v1/"+path, With(id, Attended), "")
		assert.Equal(t, 404, res.StatusCode, path)
	}
}

func TestOnlyPickedAccountsAreReturned(t *testing.T) {
	p := newTPP(t, "lindenmark", noon)
	id := p.Authorise(t, ConsentBody, "anna", "current", "card", "nonsense")
	got := accounts(t, p, id, "")
	require.Len(t, got, 2)
	assert.Equal(t, "CACC", got[0].CashAccountType)
	assert.NotEmpty(t, got[0].IBAN)
	assert.Equal(t, "CARD", got[1].CashAccountType)
	assert.Empty(t, got[1].IBAN)
	assert.NotEmpty(t, got[1].MaskedPAN)
	assert.Empty(t, got[0].OwnerName, "the name was not requested")
	assert.Empty(t, got[0].Balances, "balances only on request")

	other := p.Authorise(t, ConsentBody, "family", "joint")
	foreign := accounts(t, p, other, "")[0].ResourceID
	res := p.Do(t, "GET", "/v1/accounts/"+foreign, With(id, Attended), "")
	assert.Equal(t, 404, res.StatusCode)
	assert.Equal(t, "RESOURCE_UNKNOWN", Code(t, res))
}

func TestResourceIDsChangeWithTheConsent(t *testing.T) {
	p := newTPP(t, "lindenmark", noon)
	first := accounts(t, p, p.Authorise(t, ConsentBody, "anna", "current"), "")[0]
	second := accounts(t, p, p.Authorise(t, ConsentBody, "anna", "current"), "")[0]
	assert.Equal(t, first.IBAN, second.IBAN)
	assert.NotEqual(t, first.ResourceID, second.ResourceID)
}

func TestBanksOfferOnlyTheirAccountTypes(t *testing.T) {
	p := newTPP(t, "hansekontor", noon)
	got := accounts(t, p, p.Authorise(t, ConsentBody, "anna", "current", "savings", "card"), "")
	require.Len(t, got, 1)
	assert.Equal(t, "CACC", got[0].CashAccountType)
}

func TestConsentCoversOnlyRequestedData(t *testing.T) {
	ask := func(access string) string {
		return strings.Replace(ConsentBody, `{"allPsd2":"allAccounts"}`, access, 1)
	}
	statusOf := func(t *testing.T, p *TPP, id string, a account, what string) int {
		res := p.Do(t, "GET", "/v1/accounts/"+a.ResourceID+what, With(id, Attended), "")
		if res.StatusCode == http.StatusUnauthorized {
			assert.Equal(t, "CONSENT_INVALID", Code(t, res))
		}
		return res.StatusCode
	}
	const rows = "/transactions?bookingStatus=booked&dateFrom=2026-11-01"

	t.Run("accounts only", func(t *testing.T) {
		p := newTPP(t, "lindenmark", noon)
		id := p.Authorise(t, ask(`{"accounts":[]}`), "anna", "current")
		a := accounts(t, p, id, "?withBalance=true")[0]
		assert.Empty(t, a.Balances)
		assert.Empty(t, a.Links)
		assert.Equal(t, 401, statusOf(t, p, id, a, "/balances"))
		assert.Equal(t, 401, statusOf(t, p, id, a, rows))
	})
	t.Run("balances of the accounts the customer picks", func(t *testing.T) {
		p := newTPP(t, "lindenmark", noon)
		id := p.Authorise(t, ask(`{"balances":[]}`), "anna", "savings")
		a := accounts(t, p, id, "")[0]
		assert.Equal(t, 200, statusOf(t, p, id, a, "/balances"))
		assert.Equal(t, 401, statusOf(t, p, id, a, rows))
		info := consent(t, p, id)
		assert.JSONEq(t, `[{"iban":"`+a.IBAN+`","currency":"EUR"}]`, string(info.Access["balances"]))
		assert.NotContains(t, info.Access, "transactions")
	})
}

// minuteInCentralEurope is the local time at noon UTC in November.
const minuteInCentralEurope = 13 * 60

func TestBalances(t *testing.T) {
	p := newTPP(t, "lindenmark", noon)
	id := p.Authorise(t, ConsentBody, "anna", "current", "savings", "card")
	branch := persona.Branch{Bank: "lindenmark", Country: "DE", Currency: "EUR", Language: "de"}
	want := persona.All()[0].Statements(branch, persona.DayOf(noon))
	for key, st := range want {
		want[key] = st.At(persona.DayOf(noon), minuteInCentralEurope)
	}
	for i, key := range []string{"current", "savings", "card"} {
		a := accounts(t, p, id, "?withBalance=true")[i]
		res := p.Do(t, "GET", a.Links["balances"].Href, With(id, Attended), "")
		var body struct{ Balances []balance }
		Decode(t, res, &body)
		assert.Equal(t, a.Balances, body.Balances)
		got := map[string]string{}
		for _, b := range body.Balances {
			got[b.BalanceType] = b.BalanceAmount.Amount
			assert.Equal(t, b.BalanceType == "interimAvailable" && want[key].Account.Limit > 0, b.CreditLimitIncluded)
		}
		assert.Equal(t, map[string]string{
			"closingBooked":    want[key].BookedBalance().String(),
			"expected":         want[key].ExpectedBalance().String(),
			"interimAvailable": (want[key].ExpectedBalance() + want[key].Account.Limit).String(),
		}, got)
	}
}

func TestUnattendedReadsAreLimited(t *testing.T) {
	p := newTPP(t, "lindenmark", noon)
	id := p.Authorise(t, ConsentBody, "anna", "current", "savings")
	list := accounts(t, p, id, "")
	read := func(path string, h ...Headers) *http.Response {
		return p.Do(t, "GET", path, With(id, h...), "")
	}
	paths := []string{
		"/v1/accounts",
		"/v1/accounts/" + list[0].ResourceID + "/balances",
		"/v1/accounts/" + list[1].ResourceID + "/balances",
		"/v1/accounts/" + list[0].ResourceID + "/transactions?bookingStatus=both&dateFrom=2026-11-01",
	}
	for _, path := range paths {
		for range 4 {
			assert.Equal(t, 200, read(path).StatusCode, path)
		}
		res := read(path)
		assert.Equal(t, 429, res.StatusCode, path)
		assert.Equal(t, "ACCESS_EXCEEDED", Code(t, res))
		assert.Equal(t, 200, read(path, Attended).StatusCode, "with the customer there is no limit")
	}
	p.Now = time.Date(2026, 11, 20, 23, 0, 0, 0, time.UTC) // the next day in Berlin
	assert.Equal(t, 200, read(paths[0]).StatusCode)
}

func TestReadsRequireHeaders(t *testing.T) {
	p := newTPP(t, "lindenmark", noon)
	id := p.Authorise(t, ConsentBody, "anna", "current")
	for name, h := range map[string]Headers{
		"no consent":          {},
		"no request ID":       {"Consent-ID": id, "X-Request-ID": ""},
		"invalid address":     {"Consent-ID": id, "PSU-IP-Address": "here"},
		"address with a zone": {"Consent-ID": id, "PSU-IP-Address": "fe80::1%eth0"},
	} {
		t.Run(name, func(t *testing.T) {
			res := p.Do(t, "GET", "/v1/accounts", h, "")
			assert.Equal(t, 400, res.StatusCode)
			assert.Equal(t, "FORMAT_ERROR", Code(t, res))
		})
	}
	res := p.Do(t, "GET", "/v1/accounts?withBalance=maybe", With(id), "")
	assert.Equal(t, "FORMAT_ERROR", Code(t, res))
}

func TestPersonasSimulateFaults(t *testing.T) {
	read := func(t *testing.T, persona string) (*TPP, string, *http.Response) {
		p := newTPP(t, "lindenmark", noon)
		id := p.Authorise(t, ConsentBody, persona, "current")
		require.Equal(t, "valid", status(t, p, id), "the consent itself works")
		res := p.Do(t, "GET", "/v1/accounts", With(id, Attended), "")
		return p, id, res
	}
	t.Run("slow", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			start := time.Now()
			_, _, res := read(t, "slow")
			assert.Equal(t, 408, res.StatusCode)
			assert.Equal(t, 10*time.Second, time.Since(start))
		})
	})
	t.Run("failing", func(t *testing.T) {
		_, _, res := read(t, "failing")
		assert.Equal(t, 500, res.StatusCode)
		assert.Empty(t, Text(t, res))
	})
	t.Run("garbled", func(t *testing.T) {
		_, _, res := read(t, "garbled")
		assert.Equal(t, 200, res.StatusCode)
		assert.Equal(t, "application/json", res.Header.Get("Content-Type"))
		assert.Equal(t, 1, strings.Count(Text(t, res), "["), "the body is truncated")
	})
	t.Run("throttled", func(t *testing.T) {
		_, _, res := read(t, "throttled")
		assert.Equal(t, 429, res.StatusCode)
		assert.Equal(t, "30", res.Header.Get("Retry-After"))
		assert.Equal(t, "ACCESS_EXCEEDED", Code(t, res))
	})
	t.Run("revoked", func(t *testing.T) {
		p, id, res := read(t, "revoked")
		assert.Equal(t, 401, res.StatusCode)
		assert.Equal(t, "CONSENT_INVALID", Code(t, res))
		assert.Equal(t, "revokedByPsu", status(t, p, id))
	})
}

func TestFirstPersonaIsHealthyAtEveryBank(t *testing.T) {
	for _, b := range bank.Catalogue() {
		if b.Traits.SCA != "" { // TestSandboxBanks in xs2a walks the other approaches
			continue
		}
		p := newTPP(t, b.Slug, noon)
		id := p.Authorise(t, ConsentBody, "anna", "current", "savings", "card")
		got := accounts(t, p, id, "?withBalance=true")
		assert.Len(t, got, len(b.SupportedAccountTypes), b.Slug)
		rows := everything(t, p, id, got[0], "booked", noon.AddDate(0, 0, -b.MaxFetchInterval).Format(time.DateOnly))
		assert.Greater(t, len(rows.booked), b.MaxFetchInterval/2, b.Slug)
		assert.LessOrEqual(t, rows.booked[len(rows.booked)-1].BookingDate, noon.AddDate(0, 0, 5-b.MaxFetchInterval).Format(time.DateOnly))
	}
}
