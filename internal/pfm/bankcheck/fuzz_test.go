package bankcheck_test

import (
	"encoding/json"
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/jsonschema"
	"aviso/internal/pfm/bankcheck"
)

// FuzzParseProviders reads any file. What passes is complete and can be read again; what does
// not is refused as a whole, with lines that name the problem.
func FuzzParseProviders(f *testing.F) {
	valid := `{"id":"0f8b9d52-6f1c-4d55-9a52-3f1f0a3c7b11","countryCode":"DE","name":"Nordlicht Bank",` +
		`"logoUrl":"https://bank.example/logo.svg","status":"Active","supportedAccountTypes":["CurrentAccount"],` +
		`"timezone":"Europe/Berlin","refreshTimeoutMinutes":360,"maxConsentDays":180,"regulated":true,` +
		`"maxFetchInterval":90,"endpoint":{"baseUrl":"https://xs2a.bank.example/berlin"}}`
	for _, seed := range []string{
		"", "\n\n", valid, valid + "\n" + valid, valid[:40], "\xff", "\x1f\x8b\x08\x00", `[]`, `{"id":"x","id":"y"}`,
		`{"timezone":"../../etc/passwd"}`, `{"endpoint":{"baseUrl":"https://user@bank.example"}}`,
	} {
		f.Add([]byte(seed), false)
	}
	f.Fuzz(func(t *testing.T, file []byte, allowHTTP bool) {
		providers, err := bankcheck.ParseProviders(file, allowHTTP)
		if err != nil {
			assert.Empty(t, providers)
			var invalid *jsonschema.Invalid
			require.ErrorAs(t, err, &invalid)
			require.NotEmpty(t, invalid.Problems)
			for _, p := range invalid.Problems {
				assert.Less(t, len(p.Path), 400)
				assert.NotContains(t, p.Path, "\x00")
			}
			return
		}
		seen := map[string]bool{}
		for _, p := range providers {
			assert.False(t, seen[p.ID], "two providers with one ID")
			seen[p.ID] = true
			assert.NotEmpty(t, p.Name)
			assert.Positive(t, p.MaxConsentDays)
			base, err := url.Parse(p.Endpoint.BaseURL)
			require.NoError(t, err)
			assert.True(t, base.Scheme == "https" || allowHTTP && base.Scheme == "http", base.Scheme)
			assert.Nil(t, base.User)
			_, err = json.Marshal(p)
			assert.NoError(t, err)
		}
	})
}
