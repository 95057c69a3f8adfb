package enablebanking_test

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/pfm"
)

func TestEveryCallHasAToken(t *testing.T) {
	for _, kind := range []string{"PRIVATE KEY", "RSA PRIVATE KEY"} {
		t.Run(kind, func(t *testing.T) {
			w := newWorld(t)
			w.secret = secretOf(t, kind)
			w.answer("DELETE /sessions/s", 200, `{"message":"OK"}`)
			s := pfm.Session{ConsentID: "s", Secret: "x"}
			require.NoError(t, w.client.EndConsent(t.Context(), w.bank, s))
			token, _ := strings.CutPrefix(w.calls[0].header.Get("Authorization"), "Bearer ")
			signed, err := jose.ParseSignedCompact(token, []jose.SignatureAlgorithm{jose.RS256})
			require.NoError(t, err)
			claims, err := signed.Verify(testKey().Public())
			require.NoError(t, err)
			assert.Equal(t, applicationID, signed.Signatures[0].Header.KeyID)
			assert.Equal(t, "JWT", signed.Signatures[0].Header.ExtraHeaders["typ"])
			var c struct {
				Iss, Aud string
				Iat, Exp int64
			}
			require.NoError(t, json.Unmarshal(claims, &c))
			assert.Equal(t, "enablebanking.com", c.Iss)
			assert.Equal(t, "api.enablebanking.com", c.Aud)
			assert.Equal(t, w.clock.Now().Unix(), c.Iat)
			assert.Equal(t, int64(3600), c.Exp-c.Iat)

			require.NoError(t, w.client.EndConsent(t.Context(), w.bank, s))
			assert.Equal(t, 1, w.reads, "the token is used again")
			w.clock.Advance(11 * time.Minute)
			require.NoError(t, w.client.EndConsent(t.Context(), w.bank, s))
			assert.Equal(t, 2, w.reads, "a new key needs no restart")
		})
	}
}

func TestBadKeyIsOurProblem(t *testing.T) {
	for name, secret := range map[string]string{
		"not JSON": "x", "no key": `{"applicationId":"a"}`, "no ID": `{"privateKey":"x"}`,
		"not PEM":   `{"applicationId":"a","privateKey":"x"}`,
		"not a key": `{"applicationId":"a","privateKey":"-----BEGIN PRIVATE KEY-----\neA==\n-----END PRIVATE KEY-----\n"}`,
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.secret = secret
			_, err := w.client.RequestConsent(t.Context(), w.bank, pfm.ConsentRequest{})
			assert.NotContains(t, requireFailure(t, err, pfm.SupplierUnavailable).Error(), "BEGIN")
			assert.Empty(t, w.calls)
		})
	}
	t.Run("a refused token makes the next call read the secret again", func(t *testing.T) {
		w := newWorld(t)
		w.answer("POST /auth", 401, `{"message":"Wrong signature","code":401}`)
		for range 2 {
			_, err := w.client.RequestConsent(t.Context(), w.bank, pfm.ConsentRequest{})
			requireFailure(t, err, pfm.SupplierUnavailable)
		}
		assert.Equal(t, 2, w.reads)
	})
}

func TestRequestConsent(t *testing.T) {
	w := newWorld(t)
	w.answer("POST /auth", 200, `{"url":"https://auth.aggregator.example/x","authorization_id":"a-1","psu_id_hash":"h"}`)
	progress, err := w.client.RequestConsent(t.Context(), w.bank, pfm.ConsentRequest{
		ConnectionID: "c", CallbackURL: "https://aviso.example/connect/callback", State: "c.secret",
		RedirectURL: "https://aviso.example/connect/callback?state=c.secret", ValidUntil: "2027-05-18",
	})
	require.NoError(t, err)
	assert.NotEmpty(t, progress.Session.Secret)
	progress.Session.Secret = ""
	assert.Equal(t, pfm.ConsentProgress{
		Session: pfm.Session{ConnectionID: "c", ConsentID: "a-1"},
		Next:    pfm.Step{Kind: pfm.StepRedirect, URL: "https://auth.aggregator.example/x", Once: true},
	}, progress)
	assert.Equal(t, map[string]any{
		"access": map[string]any{"valid_until": "2027-05-18T23:00:00Z", "balances": true, "transactions": true},
		"aspsp":  map[string]any{"name": "Nordlicht Bank", "country": "DE"}, "psu_type": "personal", "psu_id": "c",
		"state": "c.secret", "redirect_url": "https://aviso.example/connect/callback",
	}, w.calls[0].body)

	for name, answer := range map[string]string{
		"no page": `{"authorization_id":"a"}`, "a script": `{"url":"javascript:x","authorization_id":"a"}`,
		"no ID": `{"url":"https://a.example"}`, "no user": `{"url":"https://a.example","authorization_id":"a"}`, "not JSON": `<html>`,
	} {
		t.Run(name, func(t *testing.T) {
			w.answer("POST /auth", 200, answer)
			_, err := w.client.RequestConsent(t.Context(), w.bank, pfm.ConsentRequest{})
			requireFailure(t, err, pfm.SupplierInvalidResponse)
		})
	}
}

func TestContinueConsent(t *testing.T) {
	var attempt pfm.Session
	come := func(w *world, query string) (pfm.ConsentProgress, error) {
		q, err := url.ParseQuery(query)
		require.NoError(t, err)
		attempt = w.attempt(t)
		return w.client.ContinueConsent(t.Context(), w.bank, pfm.ConsentRequest{}, attempt, pfm.UserAnswer{Callback: q})
	}
	t.Run("the code becomes a session", func(t *testing.T) {
		w := newWorld(t)
		w.answer("POST /sessions", 200, `{"session_id":"s-1","accounts":[],"access":{"valid_until":"2027-05-18T23:00:00.123+00:00"}}`)
		progress, err := come(w, "code=k&state=s")
		require.NoError(t, err)
		assert.Equal(t, "s-1", progress.Session.ConsentID)
		assert.NotEmpty(t, progress.Session.Secret)
		assert.Equal(t, pfm.Consent{State: pfm.ConsentValid, ValidUntil: "2027-05-18"}, progress.Consent)
		assert.Equal(t, map[string]any{"code": "k"}, w.calls[0].body)
	})
	for query, want := range map[string]pfm.ConsentState{
		"error=access_denied&error_description=Cancelled+by+user&state=s": pfm.ConsentRejected,
		"error=server_error&state=s":                                      "",
		"state=s":                                                         "",
	} {
		t.Run(query, func(t *testing.T) {
			w := newWorld(t)
			progress, err := come(w, query)
			require.NoError(t, err)
			assert.Equal(t, pfm.ConsentProgress{Session: attempt, Consent: pfm.Consent{State: want}}, progress)
			assert.Empty(t, w.calls)
		})
	}
	for name, c := range map[string]struct {
		status int
		body   string
		want   pfm.SupplierErrorKind
	}{
		"a used code":         {422, `{"error":"ALREADY_AUTHORIZED"}`, pfm.SupplierRejected},
		"an expired code":     {422, `{"error":"EXPIRED_AUTHORIZATION_CODE"}`, pfm.SupplierRejected},
		"the bank is slow":    {408, `{"error":"ASPSP_TIMEOUT"}`, pfm.SupplierUnavailable},
		"an answer cut short": {200, `{"session_id":"s-1","acc`, pfm.SupplierRejected},
		"no session":          {200, `{}`, pfm.SupplierRejected},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.answer("POST /sessions", c.status, c.body)
			_, err := come(w, "code=k")
			requireFailure(t, err, c.want)
		})
	}
}

// Whoever comes back with the code of another attempt gets nothing, and that session ends.
func TestSessionOfSomebodyElse(t *testing.T) {
	for name, answer := range map[string]struct {
		status int
		body   string
	}{
		"another user":      {200, `{"psu_id_hash":"other","aspsp":{"name":"Nordlicht Bank","country":"DE"}}`},
		"nobody":            {200, `{"aspsp":{"name":"Nordlicht Bank","country":"DE"}}`},
		"another bank":      {200, `{"psu_id_hash":"h","aspsp":{"name":"Nordlicht Bank","country":"AT"}}`},
		"nobody can tell":   {503, `{}`},
		"a session we lost": {404, `{"error":"SESSION_DOES_NOT_EXIST"}`},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			attempt := w.attempt(t)
			w.answer("POST /sessions", 200, `{"session_id":"s-1","accounts":[],"access":{}}`)
			w.answer("GET /sessions/s-1", answer.status, answer.body)
			w.answer("DELETE /sessions/s-1", 200, `{"message":"OK"}`)
			progress, err := w.client.ContinueConsent(t.Context(), w.bank, pfm.ConsentRequest{}, attempt,
				pfm.UserAnswer{Callback: url.Values{"code": {"k"}}})
			requireFailure(t, err, pfm.SupplierRejected)
			assert.Empty(t, progress)
			assert.Contains(t, w.lines(), "DELETE /sessions/s-1")
		})
	}
}

func TestConsentStates(t *testing.T) {
	w := newWorld(t)
	attempt := w.attempt(t)
	s := w.authorise(t, `[]`)
	for status, want := range map[string]pfm.ConsentState{
		"PENDING_AUTHORIZATION": pfm.ConsentReceived, "RETURNED_FROM_BANK": pfm.ConsentReceived,
		"AUTHORIZED": pfm.ConsentValid, "CANCELLED": pfm.ConsentRejected, "INVALID": pfm.ConsentRejected,
		"EXPIRED": pfm.ConsentExpired, "CLOSED": pfm.ConsentTerminatedByTPP, "REVOKED": pfm.ConsentRevokedByPSU,
	} {
		w.answer("GET /sessions/s-1", 200, `{"status":"`+status+`","access":{"valid_until":"2027-05-18T23:00:00Z"},
			"closed":"2026-11-01T10:00:00Z"}`)
		got, err := w.client.Consent(t.Context(), w.bank, s)
		require.NoError(t, err)
		assert.Equal(t, pfm.Consent{State: want, ValidUntil: "2027-05-18", LastAction: "2026-11-01"}, got)
	}
	w.answer("GET /sessions/s-1", 200, `{"status":"NEW"}`)
	_, err := w.client.Consent(t.Context(), w.bank, s)
	requireFailure(t, err, pfm.SupplierInvalidResponse)
	for _, early := range []pfm.Session{attempt, {ConsentID: "a-1"}} {
		_, err = w.client.Consent(t.Context(), w.bank, early)
		requireFailure(t, err, pfm.SupplierConsentUnknown)
	}
}

func TestEndConsent(t *testing.T) {
	w := newWorld(t)
	require.NoError(t, w.client.EndConsent(t.Context(), w.bank, pfm.Session{ConsentID: "a-1"}))
	assert.Empty(t, w.calls, "an attempt ends by itself")
	s := w.authorise(t, `[]`)
	for code, ended := range map[string]bool{
		"CLOSED_SESSION": true, "EXPIRED_SESSION": true, "REVOKED_SESSION": true, "SESSION_DOES_NOT_EXIST": true,
		"ASPSP_ERROR": false, "UNAUTHORIZED_ACCESS": false,
	} {
		w.answer("DELETE /sessions/s-1", 400, `{"error":"`+code+`"}`)
		err := w.client.EndConsent(t.Context(), w.bank, s)
		assert.Equal(t, ended, err == nil, code)
	}
}

func TestRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		body   string
		want   pfm.SupplierErrorKind
		code   string
	}{
		"the bank fails": {400, `{"error":"ASPSP_ERROR","code":400,"detail":null}`, pfm.SupplierUnavailable, "ASPSP_ERROR"},
		"the bank ended the consent": {400, `{"error":"ASPSP_ERROR","detail":{"message":"m","error_data":{"tppMessages":[
			{"code":"CONSENT_EXPIRED"}]}}}`, pfm.SupplierConsentInvalid, "ASPSP_ERROR"},
		"too many calls":          {429, `{"error":"ASPSP_RATE_LIMIT_EXCEEDED"}`, pfm.SupplierRateLimited, "ASPSP_RATE_LIMIT_EXCEEDED"},
		"too many, no code":       {429, ``, pfm.SupplierRateLimited, ""},
		"expired":                 {401, `{"error":"EXPIRED_SESSION"}`, pfm.SupplierConsentExpired, "EXPIRED_SESSION"},
		"closed":                  {401, `{"error":"CLOSED_SESSION"}`, pfm.SupplierConsentExpired, "CLOSED_SESSION"},
		"revoked":                 {401, `{"error":"REVOKED_SESSION"}`, pfm.SupplierConsentInvalid, "REVOKED_SESSION"},
		"unknown session":         {404, `{"error":"SESSION_DOES_NOT_EXIST"}`, pfm.SupplierConsentUnknown, "SESSION_DOES_NOT_EXIST"},
		"our key":                 {401, `{"message":"Wrong signature","code":401}`, pfm.SupplierUnavailable, ""},
		"our application":         {403, `{"message":"Application is not active"}`, pfm.SupplierUnavailable, ""},
		"a bank's own shape":      {400, `{"title":"Error","code":"PERIOD_INVALID","detail":"dateFrom=2020"}`, pfm.SupplierRejected, ""},
		"a code in no list":       {422, `{"error":"SOMETHING_NEW","code":422}`, pfm.SupplierRejected, ""},
		"a code that is not text": {422, `{"error":{"a":1}}`, pfm.SupplierRejected, ""},
		"a proxy's page":          {502, `<html>Bad gateway</html>`, pfm.SupplierUnavailable, ""},
		"a redirect":              {302, ``, pfm.SupplierInvalidResponse, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			s := w.authorise(t, `[]`)
			w.answer("GET /sessions/s-1", c.status, c.body)
			_, err := w.client.Consent(t.Context(), w.bank, s)
			e := requireFailure(t, err, c.want)
			assert.Equal(t, c.code, e.BankCode)
			assert.Equal(t, c.status, e.Status)
			if c.want == pfm.SupplierRateLimited {
				assert.Equal(t, 6*time.Hour, e.RetryAfter)
			}
			assert.NotContains(t, e.Error(), "dateFrom")
			assert.Equal(t, c.code, w.observed[len(w.observed)-1].Code)
		})
	}
}
