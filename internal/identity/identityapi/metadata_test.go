package identityapi_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestServerMetadata(t *testing.T) {
	s := newService(t)
	a := s.send(http.MethodGet, "/.well-known/oauth-authorization-server", nil, "")
	require.Equal(t, http.StatusOK, a.StatusCode)
	assert.Equal(t, "application/json", a.Header("Content-Type"))
	assert.Equal(t, "public, max-age=300", a.Header("Cache-Control"))
	assert.Equal(t, map[string]any{
		"issuer":                                base,
		"token_endpoint":                        base + "/oauth2/token",
		"jwks_uri":                              base + "/.well-known/jwks.json",
		"scopes_supported":                      []any{"identity", "pfm", "cancellation", "webhook"},
		"response_types_supported":              []any{},
		"grant_types_supported":                 []any{"client_credentials"},
		"token_endpoint_auth_methods_supported": []any{"client_secret_basic", "client_secret_post"},
		"service_documentation":                 "https://aviso.example/docs",
	}, a.Object())
}

func TestKeySet(t *testing.T) {
	s := newService(t)
	token := s.token("sandbox", "sandbox-secret", "pfm")
	a := s.send(http.MethodGet, "/.well-known/jwks.json", nil, "")
	require.Equal(t, http.StatusOK, a.StatusCode)

	t.Run("contains no private members", func(t *testing.T) {
		keys, ok := a.Member("keys").([]any)
		require.True(t, ok)
		require.Len(t, keys, 1)
		key, ok := keys[0].(map[string]any)
		require.True(t, ok)
		for _, private := range []string{"d", "p", "q", "dp", "dq", "qi", "oth", "k"} { // RFC 7518 §6
			assert.NotContains(t, key, private)
		}
		assert.Equal(t, "EC", key["kty"])
		assert.Equal(t, "P-256", key["crv"])
		assert.Equal(t, "ES256", key["alg"])
		assert.Equal(t, "sig", key["use"])
	})

	t.Run("verifies a token with the claims of RFC 9068", func(t *testing.T) {
		var set jose.JSONWebKeySet
		require.NoError(t, json.Unmarshal([]byte(a.Body), &set))
		jws, err := jose.ParseSignedCompact(token, []jose.SignatureAlgorithm{jose.ES256})
		require.NoError(t, err)
		header := jws.Signatures[0].Protected
		assert.Equal(t, "at+jwt", header.ExtraHeaders[jose.HeaderType])
		key := set.Key(header.KeyID)
		require.Len(t, key, 1)
		payload, err := jws.Verify(key[0])
		require.NoError(t, err)
		var claims map[string]any
		require.NoError(t, json.Unmarshal(payload, &claims))
		assert.Equal(t, base, claims["iss"])
		assert.Equal(t, "sandbox", claims["sub"])
		assert.Equal(t, "sandbox", claims["client_id"])
		assert.Equal(t, "https://aviso.example/test", claims["aud"])
		assert.Equal(t, "pfm", claims["scope"])
		for _, name := range []string{"exp", "iat", "jti"} {
			assert.Contains(t, claims, name)
		}
	})

	t.Run("cannot be written", func(t *testing.T) {
		assert.Equal(t, http.StatusMethodNotAllowed, s.send(http.MethodPost, "/.well-known/jwks.json", nil, "").StatusCode)
	})
}
