package xs2a

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"aviso/internal/pfm"
)

const (
	bankOfferedBody = `{"access":{"balances":[],"transactions":[]},"recurringIndicator":true,
		"validUntil":"2026-08-29","frequencyPerDay":4,"combinedServiceIndicator":false}`
	globalBody = `{"access":{"allPsd2":"allAccounts"},"recurringIndicator":true,
		"validUntil":"2026-08-29","frequencyPerDay":4,"combinedServiceIndicator":false}`
	createdBody = `{"consentStatus":"received","consentId":"c-1",
		"_links":{"scaRedirect":{"href":"https://login.bank.example/sca?c=1#step"}}}`
)

func consentRequest() pfm.ConsentRequest {
	return pfm.ConsentRequest{
		ConnectionID: "connection-1", PSUIPAddress: "192.0.2.7", PSUUserAgent: "Mozilla/5.0\r\nX-Evil: 1",
		Brand: "Partner", RedirectURL: "http://localhost:3000/connect/back?state=s",
		RefusedURL: "http://localhost:3000/connect/refused?state=s", ValidUntil: "2026-08-29",
	}
}

func TestRequestConsent(t *testing.T) {
	t.Run("requests a recurring consent whose accounts the user picks", func(t *testing.T) {
		p := newPeer(t).on("POST /v1/consents", http.StatusCreated, createdBody)

		got := must(client().RequestConsent(t.Context(), p.bank, consentRequest()))
		assert.Equal(t, pfm.ConsentProgress{
			Session: pfm.Session{ConnectionID: "connection-1", ConsentID: "c-1"},
			Next:    pfm.Step{Kind: pfm.StepRedirect, URL: "https://login.bank.example/sca?c=1#step"},
		}, got)
		assert.JSONEq(t, bankOfferedBody, p.calls[0].body)
		for name, want := range map[string]string{
			"PSU-IP-Address": "192.0.2.7", "PSU-User-Agent": "Mozilla/5.0  X-Evil: 1",
			"TPP-Redirect-Preferred": "true", "TPP-Brand-Logging-Information": "Partner",
			"TPP-Redirect-URI":                     "http://localhost:3000/connect/back?state=s",
			"TPP-Nok-Redirect-URI":                 "http://localhost:3000/connect/refused?state=s",
			"TPP-Explicit-Authorisation-Preferred": "false", "Consent-ID": "",
		} {
			assert.Equal(t, want, p.calls[0].header.Get(name), name)
		}
	})

	t.Run("requests all accounts if the bank offers no choice", func(t *testing.T) {
		for code, status := range map[string]int{
			"CONSENT_INVALID": 401, "PARAMETER_NOT_SUPPORTED": 400, "SERVICE_INVALID": 400, "FORMAT_ERROR": 400,
		} {
			t.Run(code, func(t *testing.T) {
				p := newPeer(t).on("POST /v1/consents", status, tppMessage(code))
				p.on("POST /v1/consents", http.StatusCreated, createdBody)

				got := must(client().RequestConsent(t.Context(), p.bank, consentRequest()))
				assert.Equal(t, "c-1", got.Session.ConsentID)
				assert.JSONEq(t, globalBody, p.calls[1].body)
			})
		}
	})

	t.Run("reports a refusal of both forms as a refused request", func(t *testing.T) {
		p := newPeer(t).on("POST /v1/consents", 401, tppMessage("CONSENT_INVALID"))
		p.on("POST /v1/consents", 401, tppMessage("CONSENT_INVALID"))

		_, err := client().RequestConsent(t.Context(), p.bank, consentRequest())

		assert.Equal(t, "CONSENT_INVALID", requireKind(t, err, pfm.SupplierRejected).BankCode)
	})

	t.Run("does not retry if the bank refuses the caller", func(t *testing.T) {
		p := newPeer(t).on("POST /v1/consents", 401, tppMessage("CERTIFICATE_INVALID"))

		_, err := client().RequestConsent(t.Context(), p.bank, consentRequest())

		requireKind(t, err, pfm.SupplierRejected)
	})

	t.Run("starts the authorisation if the bank did not", func(t *testing.T) {
		for name, href := range map[string]string{
			"link from the host": "/psd2/v1/consents/c-1/authorisations",
			"link from the base": "/v1/consents/c-1/authorisations",
		} {
			t.Run(name, func(t *testing.T) {
				p := newPeer(t).on("POST /v1/consents", http.StatusCreated,
					`{"consentId":"c-1","_links":{"startAuthorisation":{"href":"`+href+`"}}}`)
				p.on("POST /v1/consents/c-1/authorisations", http.StatusCreated,
					`{"scaStatus":"received","authorisationId":"a","_links":{"scaRedirect":{"href":"/psd2/login?a=a"}}}`)

				got := must(client().RequestConsent(t.Context(), p.bank, consentRequest()))
				assert.Equal(t, p.origin+"/psd2/login?a=a", got.Next.URL)
				assert.Equal(t, "192.0.2.7", p.calls[1].header.Get("PSU-IP-Address"))
				assert.Equal(t, "http://localhost:3000/connect/back?state=s", p.calls[1].header.Get("TPP-Redirect-URI"))
				assert.JSONEq(t, `{}`, p.calls[1].body)
			})
		}
	})

	t.Run("reports a refused start of the authorisation", func(t *testing.T) {
		p := newPeer(t).on("POST /v1/consents", http.StatusCreated,
			`{"consentId":"c-1","_links":{"startAuthorisation":{"href":"/v1/consents/c-1/authorisations"}}}`)
		p.on("POST /v1/consents/c-1/authorisations", 403, tppMessage("CONSENT_UNKNOWN"))
		p.deletes("c-1")

		_, err := client().RequestConsent(t.Context(), p.bank, consentRequest())

		assert.Equal(t, "start authorisation", requireKind(t, err, pfm.SupplierRejected).Operation)
	})
}

func TestRequestConsentRejectsInvalidResponses(t *testing.T) {
	redirectTo := func(href string) string {
		return `{"consentId":"c-1","_links":{"scaRedirect":{"href":"` + href + `"}}}`
	}
	withID := func(id string) string {
		return `{"consentId":"` + id + `","_links":{"scaRedirect":{"href":"https://b.example/"}}}`
	}
	for name, tt := range map[string]struct {
		body string
		kind pfm.SupplierErrorKind
	}{
		"a script instead of a URL": {redirectTo("javascript:alert(1)"), pfm.SupplierInvalidResponse},
		"a URL without a host":      {redirectTo("https:///sca"), pfm.SupplierInvalidResponse},
		"a URL with credentials":    {redirectTo("https://bank.example@evil.example/"), pfm.SupplierInvalidResponse},
		"another scheme":            {redirectTo("ftp://bank.example/sca"), pfm.SupplierInvalidResponse},
		"a malformed URL":           {redirectTo("https://bank.example:port/"), pfm.SupplierInvalidResponse},
		"an empty URL":              {redirectTo(""), pfm.SupplierInvalidResponse},
		"a start that is not a web address": {
			`{"consentId":"c","_links":{"startAuthorisation":{"href":"ftp://evil.example/"}}}`,
			pfm.SupplierInvalidResponse,
		},
		"no way to authorise": {`{"consentId":"c-1"}`, pfm.SupplierRejected},
		"OAuth only":          {`{"consentId":"c-1","_links":{"scaOAuth":{"href":"https://b.example/"}}}`, pfm.SupplierRejected},
		"embedded only": {
			`{"consentId":"c-1","_links":{"startAuthorisationWithPsuAuthentication":{"href":"/v1/x"}}}`,
			pfm.SupplierRejected,
		},
		"links that are not objects": {
			`{"consentId":"c-1","_links":{"scaRedirect":["https://b.example/"]}}`, pfm.SupplierInvalidResponse,
		},
		"no consent ID":                      {withID(""), pfm.SupplierInvalidResponse},
		"a consent ID that ends a header":    {withID(`a\r\nX: y`), pfm.SupplierInvalidResponse},
		"a consent ID that changes the path": {withID(".."), pfm.SupplierInvalidResponse},
		"a consent ID that headers trim":     {withID(" a"), pfm.SupplierInvalidResponse},
		"a consent ID that is too long":      {withID(strings.Repeat("a", 1001)), pfm.SupplierInvalidResponse},
		"a consent ID that is not a string": {
			`{"consentId":{},"_links":{"scaRedirect":{"href":"https://b.example/"}}}`, pfm.SupplierInvalidResponse,
		},
		"a response that is not an object": {`[]`, pfm.SupplierInvalidResponse},
		"a response with trailing data":    {createdBody + createdBody, pfm.SupplierInvalidResponse},
		"a truncated response":             {createdBody[:20], pfm.SupplierInvalidResponse},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPeer(t).on("POST /v1/consents", http.StatusCreated, tt.body)
			for _, id := range []string{"c", "c-1"} { // nobody will use such a consent
				if json.Valid([]byte(tt.body)) && strings.Contains(tt.body, `"consentId":"`+id+`"`) {
					p.deletes(id)
				}
			}

			got, err := client().RequestConsent(t.Context(), p.bank, consentRequest())

			assert.Equal(t, http.StatusCreated, requireKind(t, err, tt.kind).Status)
			assert.Empty(t, got)
			assert.NotContains(t, err.Error(), "example")
		})
	}
}

func TestConsent(t *testing.T) {
	t.Run("reads every state of the standard", func(t *testing.T) {
		for _, state := range []pfm.ConsentState{
			"received", "partiallyAuthorised", "valid", "rejected", "revokedByPsu", "expired", "terminatedByTpp",
		} {
			p := newPeer(t).on("GET /v1/consents/c-1", 200, `{"consentStatus":"`+string(state)+`","validUntil":"2026-05-01"}`)

			got := must(client().Consent(t.Context(), p.bank, pfm.Session{ConsentID: "c-1"}))
			assert.Equal(t, pfm.Consent{State: state, ValidUntil: "2026-05-01"}, got)
		}
	})

	t.Run("reads what the user has granted", func(t *testing.T) {
		for access, want := range map[string]pfm.Access{
			`{"balances":[],"transactions":[]}`:                                  {},
			`{"allPsd2":"allAccounts"}`:                                          {},
			`{"accounts":[{"iban":"DE1"}]}`:                                      {},
			`{"balances":[{"iban":"DE1"}],"transactions":[{"iban":"DE2"}]}`:      {},
			`{"accounts":[{"iban":"DE1"}],"balances":[{"iban":"DE1"}]}`:          {NoRows: true},
			`{"transactions":[{"iban":"DE1"}],"balances":[]}`:                    {NoBalances: true},
			`{"transactions":[{"iban":"DE1","currency":"EUR"}],"balances":null}`: {NoBalances: true},
		} {
			p := newPeer(t).on("GET /v1/consents/c-1", 200, `{"consentStatus":"valid","access":`+access+`}`)

			got := must(client().Consent(t.Context(), p.bank, pfm.Session{ConsentID: "c-1"}))
			assert.Equal(t, want, got.Access, access)
		}
	})

	t.Run("reads the day of the last action if it is one", func(t *testing.T) {
		for sent, want := range map[string]pfm.Date{`"2026-03-01"`: "2026-03-01", `"yesterday"`: "", `20260301`: "2026-03-01", `null`: ""} {
			p := newPeer(t).on("GET /v1/consents/c-1", 200, `{"consentStatus":"expired","lastActionDate":`+sent+`}`)

			got := must(client().Consent(t.Context(), p.bank, pfm.Session{ConsentID: "c-1"}))
			assert.Equal(t, want, got.LastAction, sent)
		}
	})

	t.Run("leaves the day empty if the bank sends none", func(t *testing.T) {
		for _, body := range []string{
			`{"consentStatus":"valid"}`, `{"consentStatus":"valid","validUntil":null}`, `{"consentStatus":"valid","validUntil":""}`,
			`{"consentStatus":"valid","validUntil":"2026-02-30"}`,
		} {
			p := newPeer(t).on("GET /v1/consents/c-1", 200, body)

			got := must(client().Consent(t.Context(), p.bank, pfm.Session{ConsentID: "c-1"}))
			assert.Empty(t, got.ValidUntil)
		}
	})

	t.Run("rejects anything else", func(t *testing.T) {
		for _, body := range []string{
			`{}`, `{"consentStatus":"VALID"}`, `{"consentStatus":"finished"}`, `{"consentStatus":7}`,
		} {
			p := newPeer(t).on("GET /v1/consents/c-1", 200, body)

			_, err := client().Consent(t.Context(), p.bank, pfm.Session{ConsentID: "c-1"})

			requireKind(t, err, pfm.SupplierInvalidResponse)
		}
	})

	t.Run("escapes the ID", func(t *testing.T) {
		for _, id := range []string{"a/../b", "a?b#c", "100%", "ä ö", "%2e%2e", "a;b=c", `"`, "..."} {
			p := newPeer(t).on("GET /v1/consents/"+url.PathEscape(id), 200, `{"consentStatus":"valid"}`)

			_, err := client().Consent(t.Context(), p.bank, pfm.Session{ConsentID: id})

			assert.NoError(t, err, id)
		}
	})

	t.Run("does not send an invalid ID", func(t *testing.T) {
		p := newPeer(t)
		for _, id := range []string{"", ".", "..", "a\nb"} {
			_, err := client().Consent(t.Context(), p.bank, pfm.Session{ConsentID: id})

			assert.ErrorIs(t, requireKind(t, err, pfm.SupplierRejected), errBadIdentifier)
		}
	})
}

func TestEndConsent(t *testing.T) {
	ended := func(state string) string { return `{"consentStatus":"` + state + `"}` }
	for name, tt := range map[string]struct {
		status int
		body   string
		// state is the bank's response when the consent is read afterwards.
		state string
		kind  pfm.SupplierErrorKind
	}{
		"deletes the consent":                      {status: 204},
		"accepts any success":                      {status: 202, body: "ok"},
		"accepts an unknown consent":               {status: 403, body: tppMessage("CONSENT_UNKNOWN")},
		"accepts an unknown resource":              {status: 404, body: tppMessage("RESOURCE_UNKNOWN")},
		"accepts a bare 404":                       {status: 404},
		"accepts a bare 410":                       {status: 410},
		"accepts an expired consent":               {status: 401, body: tppMessage("CONSENT_EXPIRED")},
		"accepts an expired resource":              {status: 403, body: tppMessage("RESOURCE_EXPIRED")},
		"looks up why a consent is invalid: ended": {status: 401, body: tppMessage("CONSENT_INVALID"), state: ended("revokedByPsu")},
		"looks up why a status is invalid: ended":  {status: 409, body: tppMessage("STATUS_INVALID"), state: ended("terminatedByTpp")},
		"looks up why it is forbidden: rejected":   {status: 403, state: ended("rejected")},
		"looks up why it is forbidden: expired":    {status: 403, state: ended("expired")},
		"reports a refusal for a valid consent": {
			status: 403, body: tppMessage("SERVICE_BLOCKED"), state: ended("valid"), kind: pfm.SupplierRejected,
		},
		"reports a refusal if the state is unknown": {
			status: 401, body: tppMessage("CONSENT_INVALID"), state: `{}`, kind: pfm.SupplierConsentInvalid,
		},
		"reports an unavailable bank": {status: 503, kind: pfm.SupplierUnavailable},
		"reports a limit":             {status: 429, kind: pfm.SupplierRateLimited},
		"reports a redirect":          {status: 302, kind: pfm.SupplierInvalidResponse},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPeer(t).on("DELETE /v1/consents/c%2F1", tt.status, tt.body)
			if tt.state != "" {
				p.on("GET /v1/consents/c%2F1", 200, tt.state)
			}

			err := client().EndConsent(t.Context(), p.bank, pfm.Session{ConsentID: "c/1"})

			if tt.kind == "" {
				assert.NoError(t, err)
			} else {
				requireKind(t, err, tt.kind)
			}
		})
	}

	t.Run("accepts a lookup that finds nothing either", func(t *testing.T) {
		p := newPeer(t).on("DELETE /v1/consents/c", 405, tppMessage("SERVICE_INVALID"))
		p.on("GET /v1/consents/c", 403, tppMessage("CONSENT_UNKNOWN"))

		assert.NoError(t, client().EndConsent(t.Context(), p.bank, pfm.Session{ConsentID: "c"}))
	})
}

func TestUsersOfAnHTTPSBankStayOnHTTPS(t *testing.T) {
	answerWith := func(href string) *Client {
		return client(func(o *Options) {
			o.Transport = roundTrip(func(*http.Request) (*http.Response, error) {
				return &http.Response{
					StatusCode: http.StatusCreated, Header: http.Header{"Content-Type": {"application/json"}},
					Body: io.NopCloser(strings.NewReader(`{"consentId":"c-1","_links":{"scaRedirect":{"href":"` + href + `"}}}`)),
				}, nil
			})
		})
	}
	for _, tt := range []struct {
		bank, page string
		ok         bool
	}{
		{"https://b.example", "https://login.example/sca", true},
		{"https://b.example", "/sca", true},
		{"https://b.example", "http://login.example/sca", false},
		{"https://b.example", "http://b.example/sca", false},
		{"http://localhost:3000", "http://localhost:3000/sca", true}, // the sandbox
		{"http://localhost:3000", "https://login.example/sca", true},
	} {
		_, err := answerWith(tt.page).RequestConsent(t.Context(), pfm.BankEndpoint{BaseURL: tt.bank}, consentRequest())
		if tt.ok {
			assert.NoError(t, err, "%s to %s", tt.bank, tt.page)
		} else {
			assert.ErrorIs(t, requireKind(t, err, pfm.SupplierInvalidResponse), errInsecureLink, "%s to %s", tt.bank, tt.page)
		}
	}
}
