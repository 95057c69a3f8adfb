package bank_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/pfm"
	"aviso/internal/pfm/xs2a"
)

// oneSeal holds the only secret.
type oneSeal string

func (s oneSeal) Secret(context.Context, string) (string, error) { return string(s), nil }

func newSeal(t *testing.T, now time.Time) oneSeal {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		Subject:      pkix.Name{CommonName: "Aviso seal"},
		NotBefore:    now.Add(-time.Hour),
		NotAfter:     now.AddDate(1, 0, 0),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	require.NoError(t, err)
	pkcs8, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	text, err := json.Marshal(map[string]string{
		"certificate": string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})),
		"key":         string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: pkcs8})),
	})
	require.NoError(t, err)
	return oneSeal(text)
}

// The headers of requests signed by the service's own client follow the standard.
func TestSignedRequestsFollowTheStandard(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	router, inside := document(t, "lindenmark"), newTPP(t, "lindenmark", now)
	signed := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		assert.NoError(t, err)
		again := httptest.NewRequestWithContext(r.Context(), r.Method, Base+r.RequestURI, bytes.NewReader(body))
		again.Header = r.Header
		route, params, err := router.FindRoute(again)
		if assert.NoError(t, err, r.RequestURI) {
			assert.NoError(t, openapi3filter.ValidateRequest(r.Context(), &openapi3filter.RequestValidationInput{
				Request:    again,
				PathParams: params,
				Route:      route,
				Options:    &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc},
			}))
		}
		for _, name := range []string{"Digest", "Signature", "TPP-Signature-Certificate"} {
			assert.NotEmpty(t, r.Header.Get(name), "%s of %s %s", name, r.Method, r.RequestURI)
		}
		signed++
		r.Body = io.NopCloser(bytes.NewReader(body))
		inside.Handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	client := xs2a.New(xs2a.Options{NewRequestID: uuid.NewString, Now: func() time.Time { return now }, Secrets: newSeal(t, now)})
	at := pfm.BankEndpoint{BaseURL: server.URL + "/sandbox/banks/lindenmark", SealSecret: "qseal"}

	requested, err := client.RequestConsent(t.Context(), at, pfm.ConsentRequest{
		PSUIPAddress: "198.51.100.7",
		RedirectURL:  "http://localhost:3000/connect/callback?state=1",
		RefusedURL:   "http://localhost:3000/connect/callback?state=2",
		ValidUntil:   pfm.DateOf(now).AddDays(90),
	})
	require.NoError(t, err)
	_, err = client.Consent(t.Context(), at, pfm.Session{ConsentID: requested.Session.ConsentID})
	require.NoError(t, err)
	require.NoError(t, client.EndConsent(t.Context(), at, pfm.Session{ConsentID: requested.Session.ConsentID}))
	assert.Equal(t, 3, signed)
}
