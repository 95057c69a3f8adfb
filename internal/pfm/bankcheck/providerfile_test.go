package bankcheck_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/jsonschema"
	"aviso/internal/pfm"
	"aviso/internal/pfm/bankcheck"
	"aviso/localstack/tests/jsonschematest"
)

// line returns a valid provider whose ID ends in digit, after spoil has changed it.
func line(t *testing.T, digit string, spoil func(map[string]any)) string {
	t.Helper()
	p := map[string]any{
		"id":                    "0f8b9d52-6f1c-4d55-9a52-3f1f0a3c7b1" + digit,
		"countryCode":           "DE",
		"name":                  "Nordlicht Bank",
		"logoUrl":               "https://bank.example/logo.svg?v=2",
		"status":                "Active",
		"supportedAccountTypes": []any{"CurrentAccount"},
		"timezone":              "Europe/Berlin",
		"refreshTimeoutMinutes": 360,
		"maxConsentDays":        180,
		"regulated":             true,
		"maxFetchInterval":      90,
		"endpoint":              map[string]any{"baseUrl": "https://xs2a.bank.example/berlin"},
	}
	if spoil != nil {
		spoil(p)
	}
	text, err := json.Marshal(p)
	require.NoError(t, err)
	return string(text)
}

func problems(t *testing.T, file string, allowHTTP bool) []jsonschema.Problem {
	t.Helper()
	list, err := bankcheck.ParseProviders([]byte(file), allowHTTP)
	assert.Empty(t, list, "an invalid file is rejected as a whole")
	var invalid *jsonschema.Invalid
	require.ErrorAs(t, err, &invalid)
	assert.NotEmpty(t, invalid.Error())
	return invalid.Problems
}

func TestParseProviders(t *testing.T) {
	full := line(t, "2", func(p map[string]any) {
		maps.Copy(p, map[string]any{"automaticFetch": false, "meta": map[string]any{
			"group": "Nordlicht", "bic": "NOLADE21XXX,NOLADE22", "bankCode": "21050000,20-00-00",
		}, "status": "Disabled"})
		p["profile"] = map[string]any{
			"cardSigns": "Inverted", "pendingSigns": "Missing", "date": "Value", "rowId": "EntryReference", "cardAccounts": true, "headers": []any{"PSU-Accept-Language"},
			"balances": []any{"expected"}, "texts": []any{`^POSC\d+ (?P<payee>.+)$`},
		}
		p["endpoint"] = map[string]any{
			"baseUrl": "https://xs2a.bank.example/berlin", "authorizationServers": []any{"https://login.bank.example", "https://idp.example/bank"},
			"transportSecret": "qwac", "sealSecret": "qseal-2026",
			"sca": map[string]any{
				"clientId": "PSDDE-1", "metadataUrl": "https://auth.bank.example/metadata", "tokenFirst": true,
				"asksPsuId": true, "asksIbans": true,
			},
		}
	})
	file := line(t, "1", nil) + "\r\n\n  \n" + full
	list, err := bankcheck.ParseProviders([]byte(file), false)
	require.NoError(t, err)
	require.Len(t, list, 2)
	no := false
	assert.Equal(t, pfm.Provider{
		ID:                    "0f8b9d52-6f1c-4d55-9a52-3f1f0a3c7b12",
		CountryCode:           "DE",
		Name:                  "Nordlicht Bank",
		LogoURL:               "https://bank.example/logo.svg?v=2",
		Status:                pfm.ProviderDisabled,
		SupportedAccountTypes: []pfm.AccountType{pfm.AccountCurrent},
		Timezone:              "Europe/Berlin",
		RefreshTimeoutMinutes: 360,
		MaxConsentDays:        180,
		Regulated:             true,
		MaxFetchInterval:      90,
		AutomaticFetch:        &no,
		Meta: map[string]string{
			"group": "Nordlicht", "bic": "NOLADE21XXX,NOLADE22", "bankCode": "21050000,20-00-00",
		},
		Endpoint: pfm.BankEndpoint{
			BaseURL:              "https://xs2a.bank.example/berlin",
			AuthorizationServers: []string{"https://login.bank.example", "https://idp.example/bank"},
			TransportSecret:      "qwac",
			SealSecret:           "qseal-2026",
			SCA: pfm.SCA{
				ClientID: "PSDDE-1", MetadataURL: "https://auth.bank.example/metadata", TokenFirst: true, AsksPSUID: true,
				AsksIBANs: true,
			},
		},
		Profile: pfm.Profile{
			CardSigns: pfm.SignsInverted, PendingSigns: pfm.SignsMissing, Date: pfm.DateValue, RowID: pfm.IDEntry, CardAccounts: true,
			Headers:  []string{"PSU-Accept-Language"},
			Balances: []string{"expected"}, Texts: []string{`^POSC\d+ (?P<payee>.+)$`},
		},
	}, list[1])
	assert.Equal(t, pfm.Profile{}, list[0].Profile)

	aggregated, err := bankcheck.ParseProviders([]byte(line(t, "3", func(p map[string]any) {
		p["endpoint"] = map[string]any{"baseUrl": "https://api.aggregator.example", "aspsp": map[string]any{
			"name": "Nordlicht", "country": "DE", "secret": "aggregator", "psuHeaders": []any{"Psu-Referer"},
		}}
	})), false)
	require.NoError(t, err)
	assert.Equal(t, pfm.ASPSP{
		Name: "Nordlicht", Country: "DE", Secret: "aggregator", PSUHeaders: []string{"Psu-Referer"},
	}, aggregated[0].Endpoint.ASPSP)

	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	_, err = w.Write([]byte(file))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	again, err := bankcheck.ParseProviders(zipped.Bytes(), false)
	require.NoError(t, err)
	assert.Equal(t, list, again)
	_, err = bankcheck.ParseProviders(zipped.Bytes()[:zipped.Len()/2], false)
	require.ErrorContains(t, err, "the gzip compression is damaged")
}

func TestParseProvidersReportsProblemsByLineAndPath(t *testing.T) {
	set := func(name string, value any) func(map[string]any) {
		return func(p map[string]any) { p[name] = value }
	}
	base := func(url string) func(map[string]any) { return set("endpoint", map[string]any{"baseUrl": url}) }
	cases := map[string]struct {
		spoil func(map[string]any)
		path  string
	}{
		"an unknown setting":               {set("profile", map[string]any{"signs": "Inverted"}), "/profile/signs"},
		"a sign style of other rows":       {set("profile", map[string]any{"cardSigns": "Missing"}), "/profile/cardSigns"},
		"a header of another kind":         {set("profile", map[string]any{"headers": []any{"Consent-ID"}}), "/profile/headers/0"},
		"a pattern that is invalid":        {set("profile", map[string]any{"texts": []any{"(?P<payee>"}}), "/profile/texts/0"},
		"a pattern without a known group":  {set("profile", map[string]any{"texts": []any{"(?P<shop>.+)"}}), "/profile/texts/0"},
		"no ID":                            {func(p map[string]any) { delete(p, "id") }, "/id"},
		"an ID in upper case":              {set("id", "0F8B9D52-6F1C-4D55-9A52-3F1F0A3C7B10"), "/id"},
		"a country in lower case":          {set("countryCode", "de"), "/countryCode"},
		"an unknown country":               {set("countryCode", "ZZ"), "/countryCode"},
		"a country with a reserved code":   {set("countryCode", "UK"), "/countryCode"},
		"an empty name":                    {set("name", ""), "/name"},
		"a name with spaces around it":     {set("name", " Bank"), "/name"},
		"a name of two lines":              {set("name", "A\nBank"), "/name"},
		"a name with invisible characters": {set("name", "A\u200bBank"), "/name"},
		"a name that is too long":          {set("name", strings.Repeat("x", 101)), "/name"},
		"a name of too many words":         {set("name", strings.Repeat("x ", 20)+"x"), "/name"},
		"an unknown status":                {set("status", "Gone"), "/status"},
		"no account type":                  {set("supportedAccountTypes", []any{}), "/supportedAccountTypes"},
		"an unknown account type":          {set("supportedAccountTypes", []any{"CurrentAccount", "Sock"}), "/supportedAccountTypes/1"},
		"a duplicate account type":         {set("supportedAccountTypes", []any{"Cash", "Cash"}), "/supportedAccountTypes/1"},
		"an unknown time zone":             {set("timezone", "Europe/Atlantis"), "/timezone"},
		"the local time zone":              {set("timezone", "Local"), "/timezone"},
		"a string instead of a number":     {set("maxConsentDays", "180"), "/maxConsentDays"},
		"a fraction":                       {set("refreshTimeoutMinutes", 1.5), "/refreshTimeoutMinutes"},
		"a number below the minimum":       {set("maxFetchInterval", 0), "/maxFetchInterval"},
		"a number above the maximum":       {set("maxFetchInterval", 4000), "/maxFetchInterval"},
		"null":                             {set("regulated", nil), "/regulated"},
		"a number in meta":                 {set("meta", map[string]any{"group": 7}), "/meta/group"},
		"an unknown member":                {set("ownerName", "Erika"), "/ownerName"},
		"an unknown endpoint member":       {set("endpoint", map[string]any{"baseUrl": "https://b.example", "key": "x"}), "/endpoint/key"},
		"an endpoint without a URL":        {set("endpoint", map[string]any{}), "/endpoint/baseUrl"},
		"a secret with a path": {
			set("endpoint", map[string]any{"baseUrl": "https://b.example", "sealSecret": "../other"}),
			"/endpoint/sealSecret",
		},
		"a token first, from nowhere": {
			set("endpoint", map[string]any{"baseUrl": "https://b.example", "sca": map[string]any{"tokenFirst": true}}),
			"/endpoint/sca/metadataUrl",
		},
		"an aggregator's bank without a secret": {
			set("endpoint", map[string]any{
				"baseUrl": "https://b.example", "aspsp": map[string]any{"name": "N", "country": "DE"},
			}),
			"/endpoint/aspsp/secret",
		},
		"an endpoint that is a string":    {set("endpoint", "https://b.example"), "/endpoint"},
		"a BIC in lower case":             {set("meta", map[string]any{"bic": "nolade21"}), "/meta/bic"},
		"a BIC of nine characters":        {set("meta", map[string]any{"bic": "NOLADE21X"}), "/meta/bic"},
		"no BIC":                          {set("meta", map[string]any{"bic": ""}), "/meta/bic"},
		"bank codes with a space":         {set("meta", map[string]any{"bankCode": "21050000, 1"}), "/meta/bankCode"},
		"too many bank codes":             {set("meta", map[string]any{"bankCode": strings.Repeat("1,", 20) + "1"}), "/meta/bankCode"},
		"an invalid name in meta":         {set("meta", map[string]any{"a b": "x"}), "/meta/a b"},
		"a text in meta that is too long": {set("meta", map[string]any{"a": strings.Repeat("x", 501)}), "/meta/a"},
		"a number too large for integers": {set("maxConsentDays", json.Number("1e30")), "/maxConsentDays"},
		"a long unknown name":             {set(strings.Repeat("x", 41), 1), ""},
		"an http URL":                     {base("http://xs2a.bank.example"), "/endpoint/baseUrl"},
		"a URL with a slash at the end":   {base("https://xs2a.bank.example/"), "/endpoint/baseUrl"},
		"a URL with a query":              {base("https://xs2a.bank.example?x=1"), "/endpoint/baseUrl"},
		"a URL with a password":           {base("https://u:geheim@xs2a.bank.example"), "/endpoint/baseUrl"},
		"a URL without a scheme":          {base("xs2a.bank.example"), "/endpoint/baseUrl"},
		"a URL whose host is not ASCII":   {base("https://ban%E2%84%AA.example"), "/endpoint/baseUrl"},
		"an authorization server without TLS": {
			set("endpoint", map[string]any{"baseUrl": "https://b.example", "authorizationServers": []any{"http://login.b.example"}}),
			"/endpoint/authorizationServers/0",
		},
		"no authorization server in a list": {
			set("endpoint", map[string]any{"baseUrl": "https://b.example", "authorizationServers": []any{}}),
			"/endpoint/authorizationServers",
		},
		"an http logo":       {set("logoUrl", "http://bank.example/logo.svg"), "/logoUrl"},
		"a logo in a script": {set("logoUrl", "javascript:alert(1)"), "/logoUrl"},
	}
	lines := []string{line(t, "1", nil)}
	for name, tt := range cases {
		lines = append(lines, line(t, "1", nil), line(t, "2", tt.spoil))
		t.Run(name, func(t *testing.T) {
			found := problems(t, line(t, "1", nil)+"\n"+line(t, "2", tt.spoil), false)
			require.Len(t, found, 1)
			assert.Equal(t, 2, found[0].Line)
			assert.Equal(t, tt.path, found[0].Path)
			assert.NotEmpty(t, found[0].Text)
			for _, value := range []string{"geheim", "Erika", "Atlantis", "Sock"} {
				assert.NotContains(t, found[0].Text, value, "the problem must not repeat the value")
			}
		})
	}

	t.Run("and another JSON Schema library agrees", func(t *testing.T) {
		jsonschematest.Agree(t, bankcheck.Schema(), bankcheck.Formats(false), lines)
	})

	t.Run("all of them, in order", func(t *testing.T) {
		file := "nonsense\n" + line(t, "1", func(p map[string]any) { p["status"], p["name"] = "Gone", "" }) + "\n" +
			line(t, "2", nil) + "\n" + line(t, "2", base("ftp://x.example")) + "\n\xff\n[]\n" + `{"a":1}{}`
		var where []string
		for _, p := range problems(t, file, false) {
			where = append(where, strings.Repeat("|", p.Line)+p.Path)
		}
		require.GreaterOrEqual(t, len(where), 8)
		assert.Equal(t, []string{"|", "||/name", "||/status", "||||/endpoint/baseUrl", "||||/id", "|||||", "||||||", "|||||||"}, where)
	})

	t.Run("a duplicate member", func(t *testing.T) {
		twice := strings.Replace(line(t, "1", nil), `"baseUrl"`, `"baseUrl":"https://a.example","baseUrl"`, 1)
		assert.Equal(
			t, []jsonschema.Problem{{Line: 1, Path: "/endpoint/baseUrl", Text: "duplicate member"}},
			problems(t, twice, false),
		)
	})

	t.Run("truncated lines", func(t *testing.T) {
		whole := line(t, "1", nil)
		for end := 1; end < len(whole); end++ {
			found := problems(t, whole[:end], false)
			assert.Equal(t, "the line is not valid JSON", found[len(found)-1].Text, whole[:end])
		}
	})

	t.Run("an empty file", func(t *testing.T) {
		for _, file := range []string{"", "\n\n"} {
			assert.Equal(t, []jsonschema.Problem{{Text: "the file must contain at least one provider"}}, problems(t, file, false))
		}
	})

	t.Run("a file that is too large", func(t *testing.T) {
		assert.Equal(
			t, []jsonschema.Problem{{Text: "the file must not be larger than 16 MB"}},
			problems(t, strings.Repeat("\n", bankcheck.MaxMB<<20+1), false),
		)
	})
}

func TestParseProvidersAllowsHTTPForSandboxes(t *testing.T) {
	spoil := func(p map[string]any) {
		p["logoUrl"], p["endpoint"] = "http://localhost:3000/logo.svg", map[string]any{
			"baseUrl": "http://localhost:3000/sandbox/banks/nordlicht",
		}
	}
	_, err := bankcheck.ParseProviders([]byte(line(t, "1", spoil)), true)
	require.NoError(t, err)
	found := problems(t, line(t, "1", spoil), false)
	assert.Len(t, found, 2)
}
