package identityapi_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const grant = "grant_type=client_credentials"

func TestToken(t *testing.T) {
	s := newService(t)
	raw := func(credentials string) string {
		return "Basic " + base64.StdEncoding.EncodeToString([]byte(credentials))
	}
	good := basic("sandbox", "sandbox-secret")
	for _, tt := range []struct {
		name, authorization, form string
		status                    int
		// want is the granted scope, or the error.
		want      string
		challenge bool
	}{
		{"by HTTP Basic", good, grant + "&scope=pfm", 200, "pfm", false},
		{"by HTTP Basic in lower case", "basic" + strings.TrimPrefix(good, "Basic"), grant + "&scope=pfm", 200, "pfm", false},
		{"by form", "", grant + "&scope=pfm&client_id=sandbox&client_secret=sandbox-secret", 200, "pfm", false},
		{"form-encoded within HTTP Basic", basic("sandbox", "a+b%c&d é"), grant + "&scope=pfm", 200, "pfm", false},
		{"all scopes when none is asked for", good, grant, 200, "cancellation identity pfm webhook", false},
		{"an empty scope is none", good, grant + "&scope=", 200, "cancellation identity pfm webhook", false},
		{"several scopes", good, grant + "&scope=webhook+pfm", 200, "pfm webhook", false},
		{"an unknown parameter is ignored", good, grant + "&scope=pfm&audience=x&audience=y", 200, "pfm", false},
		{"client_id with HTTP Basic, the same", good, grant + "&scope=pfm&client_id=sandbox", 200, "pfm", false},
		{"empty credentials in the form are none", good, grant + "&scope=pfm&client_id=&client_secret=", 200, "pfm", false},

		{"no grant", good, "scope=pfm", 400, "invalid_request", false},
		{"an empty grant", good, "grant_type=&scope=pfm", 400, "invalid_request", false},
		{"no body", good, "", 400, "invalid_request", false},
		{"another grant", good, "grant_type=password&username=a&password=b", 400, "unsupported_grant_type", false},
		{"a grant in other case", good, "grant_type=Client_Credentials", 400, "unsupported_grant_type", false},
		{"the grant twice", good, grant + "&" + grant, 400, "invalid_request", false},
		{"the scope twice", good, grant + "&scope=pfm&scope=pfm", 400, "invalid_request", false},
		{"the secret twice", "", grant + "&client_id=sandbox&client_secret=a&client_secret=sandbox-secret", 400, "invalid_request", false},
		{"a form that is not UTF-8", good, grant + "&scope=%FC", 400, "invalid_request", false},
		{"a broken form", good, grant + "&scope=%zz", 400, "invalid_request", false},
		{"a form of 60,000 parameters", good, grant + strings.Repeat("&a=", 60_000), 400, "invalid_request", false},
		{"a scope of 60,000 words", good, grant + "&scope=pfm" + strings.Repeat("+pfm", 50_000) + "+x", 400, "invalid_scope", false},
		{"both ways at once", good, grant + "&client_id=sandbox&client_secret=sandbox-secret", 400, "invalid_request", false},
		{"another client_id with HTTP Basic", good, grant + "&client_id=other", 400, "invalid_request", false},
		{"HTTP Basic that is not form-encoded", raw("sandbox:50%off"), grant, 400, "invalid_request", false},
		{"a scope that does not exist", good, grant + "&scope=admin", 400, "invalid_scope", false},
		{"a scope that is not granted", basic("other", "other-secret"), grant + "&scope=pfm", 400, "invalid_scope", false},

		{"a wrong secret by HTTP Basic", basic("sandbox", "wrong"), grant, 401, "invalid_client", true},
		{"a wrong secret by form", "", grant + "&client_id=sandbox&client_secret=wrong", 401, "invalid_client", false},
		{"an unknown client by HTTP Basic", basic("nobody", "sandbox-secret"), grant, 401, "invalid_client", true},
		{"a client ID that is too long", basic(strings.Repeat("x", 5000), "s"), grant, 401, "invalid_client", true},
		{"no credentials", "", grant, 401, "invalid_client", false},
		{"no secret", "", grant + "&client_id=sandbox", 401, "invalid_client", false},
		{"HTTP Basic that cannot be read", "Basic !!!", grant, 401, "invalid_client", true},
		{"HTTP Basic without a colon", raw("sandbox"), grant, 401, "invalid_client", true},
		{"another scheme", "Bearer abc", grant, 401, "invalid_client", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := s.askToken(tt.authorization, tt.form)
			require.Equal(t, tt.status, a.StatusCode, a.Body)
			assert.Equal(t, "application/json", a.Header("Content-Type"))
			assert.Equal(t, "no-store", a.Header("Cache-Control"))
			assert.Equal(t, "no-cache", a.Header("Pragma"))
			assert.Equal(t, tt.challenge, strings.HasPrefix(a.Header("WWW-Authenticate"), "Basic "), "challenges the scheme tried")
			o := a.Object()
			if tt.status != http.StatusOK {
				assert.Equal(t, tt.want, o["error"])
				assert.NotEmpty(t, o["error_description"])
				assert.Len(t, o, 2)
				return
			}
			assert.Equal(t, tt.want, o["scope"])
			assert.Equal(t, "Bearer", o["token_type"])
			assert.Equal(t, json.Number("3600"), o["expires_in"])
			assert.Len(t, o, 4)
		})
	}

	t.Run("errors do not echo what was sent", func(t *testing.T) {
		a := s.askToken("", grant+"&client_id=sandbox&client_secret=ZZsecretZZ&scope=ZZscopeZZ")
		assert.NotContains(t, a.Body, "ZZ")
	})

	t.Run("ignores parameters in the URL", func(t *testing.T) {
		a := s.send(http.MethodPost, "/oauth2/token?"+grant+"&client_id=sandbox&client_secret=sandbox-secret",
			map[string]string{"Content-Type": "application/x-www-form-urlencoded"}, "scope=pfm")
		assert.Equal(t, http.StatusBadRequest, a.StatusCode)
		assert.Equal(t, "invalid_request", a.Member("error"))
	})

	t.Run("a response is never replayed", func(t *testing.T) {
		headers := map[string]string{"Content-Type": "application/x-www-form-urlencoded", "Authorization": good, "Idempotency-Key": "k"}
		first := s.send(http.MethodPost, "/oauth2/token", headers, grant)
		second := s.send(http.MethodPost, "/oauth2/token", headers, grant)
		require.Equal(t, http.StatusOK, second.StatusCode)
		assert.NotEqual(t, first.Member("access_token"), second.Member("access_token"))
		assert.Empty(t, second.Header("Idempotency-Replayed"))
	})

	t.Run("refuses another media type", func(t *testing.T) {
		headers := map[string]string{"Content-Type": "application/json", "Authorization": good}
		a := s.send(http.MethodPost, "/oauth2/token", headers, `{"grant_type":"client_credentials"}`)
		assert.Equal(t, http.StatusUnsupportedMediaType, a.StatusCode)
	})

	t.Run("a token allows only its scopes", func(t *testing.T) {
		for scope, want := range map[string]int{"pfm": http.StatusForbidden, "identity": http.StatusOK} {
			a := s.callAs(s.token("sandbox", "sandbox-secret", scope), http.MethodGet, "/identity/v1/terms", "")
			assert.Equal(t, want, a.StatusCode, scope)
		}
	})
}
