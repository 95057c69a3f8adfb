package bank_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func status(t *testing.T, p *TPP, consentID string) string {
	t.Helper()
	res := p.Do(t, "GET", "/v1/consents/"+consentID+"/status", nil, "")
	require.Equal(t, http.StatusOK, res.StatusCode)
	var body struct{ ConsentStatus string }
	Decode(t, res, &body)
	return body.ConsentStatus
}

type information struct {
	Access          map[string]json.RawMessage
	ValidUntil      string
	LastActionDate  string
	FrequencyPerDay int
	ConsentStatus   string
}

func consent(t *testing.T, p *TPP, id string) information {
	t.Helper()
	res := p.Do(t, "GET", "/v1/consents/"+id, nil, "")
	require.Equal(t, http.StatusOK, res.StatusCode)
	var info information
	Decode(t, res, &info)
	return info
}

func TestConsentResponseFollowsTheStandard(t *testing.T) {
	p := newTPP(t, "lindenmark", noon)
	headers := ConsentHeaders()
	headers["X-Request-ID"] = "99391c7e-ad88-49ec-a2ad-99ddcb1f7721"
	res := p.Do(t, "POST", "/v1/consents", headers, ConsentBody)

	require.Equal(t, http.StatusCreated, res.StatusCode)
	assert.Equal(t, headers["X-Request-ID"], res.Header.Get("X-Request-ID"))
	assert.Equal(t, "REDIRECT", res.Header.Get("ASPSP-SCA-Approach"))
	assert.Equal(t, "no-store", res.Header.Get("Cache-Control"))
	var body struct {
		ConsentStatus, ConsentID string
		Links                    map[string]struct{ Href string } `json:"_links"`
	}
	Decode(t, res, &body)
	assert.Equal(t, "received", body.ConsentStatus)
	base := Base + "/sandbox/banks/lindenmark"
	assert.Equal(t, base+"/v1/consents/"+body.ConsentID, body.Links["self"].Href)
	assert.Equal(t, body.Links["self"].Href, res.Header.Get("Location"))
	assert.Equal(t, base+"/v1/consents/"+body.ConsentID+"/status", body.Links["status"].Href)
	assert.True(t, strings.HasPrefix(body.Links["scaRedirect"].Href, base+"/authorise/"))
	assert.NotContains(t, body.Links["scaRedirect"].Href, body.ConsentID, "the consent's ID must not pass through a browser")

	res = p.Do(t, "GET", body.Links["scaStatus"].Href, nil, "")
	var sca struct{ ScaStatus string }
	Decode(t, res, &sca)
	assert.Equal(t, "received", sca.ScaStatus)
}

func TestSomeBanksHaveRelativeLinks(t *testing.T) {
	p := newTPP(t, "hansekontor", noon)
	res := p.Do(t, "POST", "/v1/consents", ConsentHeaders(), ConsentBody)
	var body struct {
		Links map[string]struct{ Href string } `json:"_links"`
	}
	Decode(t, res, &body)
	assert.True(t, strings.HasPrefix(body.Links["self"].Href, "/sandbox/banks/hansekontor/v1/consents/"))
	assert.True(t, strings.HasPrefix(body.Links["scaRedirect"].Href, Base+"/"), "a browser needs an absolute URL")
}

func TestConsentRequestIsValidatedStrictly(t *testing.T) {
	p := newTPP(t, "lindenmark", noon)
	headers := map[string]struct {
		name, value string
		status      int
		code        string
	}{
		"no request ID":                     {"X-Request-ID", "", 400, "FORMAT_ERROR"},
		"request ID not a UUID":             {"X-Request-ID", "123", 400, "FORMAT_ERROR"},
		"request ID in braces":              {"X-Request-ID", "{99391c7e-ad88-49ec-a2ad-99ddcb1f7721}", 400, "FORMAT_ERROR"},
		"no customer address":               {"PSU-IP-Address", "", 400, "FORMAT_ERROR"},
		"invalid customer address":          {"PSU-IP-Address", "localhost", 400, "FORMAT_ERROR"},
		"redirect preference not a boolean": {"TPP-Redirect-Preferred", "yes", 400, "FORMAT_ERROR"},
		"redirect not wanted":               {"TPP-Redirect-Preferred", "false", 400, "PARAMETER_NOT_SUPPORTED"},
		"no redirect URI":                   {"TPP-Redirect-URI", "", 400, "FORMAT_ERROR"},
		"redirect URI is a path":            {"TPP-Redirect-URI", "/callback", 400, "FORMAT_ERROR"},
		"redirect URI is a script":          {"TPP-Redirect-URI", "javascript:alert(1)", 400, "FORMAT_ERROR"},
		"invalid URI for refusals":          {"TPP-Nok-Redirect-URI", "nowhere", 400, "FORMAT_ERROR"},
		"body is a form":                    {"Content-Type", "application/x-www-form-urlencoded", 415, "FORMAT_ERROR"},
		"caller wants XML":                  {"Accept", "application/xml", 406, "REQUESTED_FORMATS_INVALID"},
	}
	for name, c := range headers {
		t.Run(name, func(t *testing.T) {
			h := ConsentHeaders()
			h[c.name] = c.value
			res := p.Do(t, "POST", "/v1/consents", h, ConsentBody)
			assert.Equal(t, c.status, res.StatusCode)
			assert.Equal(t, c.code, Code(t, res))
			assert.NoError(t, uuid.Validate(res.Header.Get("X-Request-ID")))
		})
	}

	bodies := map[string]struct{ old, with, code string }{
		"not JSON":                      {ConsentBody, `{"access":`, "FORMAT_ERROR"},
		"two values":                    {ConsentBody, ConsentBody + "{}", "FORMAT_ERROR"},
		"unknown member":                {`"access"`, `"colour":"red","access"`, "FORMAT_ERROR"},
		"no access":                     {`"access":{"allPsd2":"allAccounts"},`, ``, "FORMAT_ERROR"},
		"empty access":                  {`"allPsd2":"allAccounts"`, ``, "FORMAT_ERROR"},
		"access uses two ways":          {`"allPsd2":"allAccounts"`, `"allPsd2":"allAccounts","balances":[]`, "FORMAT_ERROR"},
		"unknown access value":          {`"allAccounts"`, `"everything"`, "FORMAT_ERROR"},
		"a way that Aviso does not use": {`"allPsd2":"allAccounts"`, `"availableAccounts":"allAccounts"`, "FORMAT_ERROR"},
		"named accounts":                {`"allPsd2":"allAccounts"`, `"accounts":[{"iban":"DE02100100109307118603"}]`, "FORMAT_ERROR"},
		"indicator is a string":         {`"recurringIndicator":true`, `"recurringIndicator":"true"`, "FORMAT_ERROR"},
		"no indicator":                  {`"recurringIndicator":true,`, ``, "FORMAT_ERROR"},
		"no last day":                   {`"validUntil":"9999-12-31",`, ``, "FORMAT_ERROR"},
		"invalid last day":              {`9999-12-31`, `2027-02-30`, "FORMAT_ERROR"},
		"last day in the past":          {`9999-12-31`, `2026-11-19`, "PERIOD_INVALID"},
		"no frequency":                  {`"frequencyPerDay":4,`, ``, "FORMAT_ERROR"},
		"frequency of zero":             {`"frequencyPerDay":4`, `"frequencyPerDay":0`, "FORMAT_ERROR"},
		"frequency above four":          {`"frequencyPerDay":4`, `"frequencyPerDay":5`, "FORMAT_ERROR"},
		"one-off access":                {`"recurringIndicator":true`, `"recurringIndicator":false`, "FORMAT_ERROR"},
		"combined service":              {`"combinedServiceIndicator":false`, `"combinedServiceIndicator":true`, "SESSIONS_NOT_SUPPORTED"},
		"no combined service indicator": {`,"combinedServiceIndicator":false`, ``, "FORMAT_ERROR"},
		"owner's name without any lists": {
			`"allPsd2":"allAccounts"`,
			`"allPsd2":"allAccounts","additionalInformation":{"ownerName":[]}`,
			"FORMAT_ERROR",
		},
	}
	for name, c := range bodies {
		t.Run(name, func(t *testing.T) {
			require.Contains(t, ConsentBody, c.old)
			res := p.Do(t, "POST", "/v1/consents", ConsentHeaders(), strings.Replace(ConsentBody, c.old, c.with, 1))
			assert.Equal(t, 400, res.StatusCode)
			assert.Equal(t, c.code, Code(t, res))
		})
	}

	t.Run("accepts a customer with an IPv6 address", func(t *testing.T) {
		h := ConsentHeaders()
		h["PSU-IP-Address"] = "2001:db8::7"
		assert.Equal(t, 201, p.Do(t, "POST", "/v1/consents", h, ConsentBody).StatusCode)
	})
}

func TestValidUntilIsLimitedByTheBank(t *testing.T) {
	p := newTPP(t, "hansekontor", noon) // 90 days
	id, _ := p.Request(t, ConsentBody)
	assert.Equal(t, "2027-02-18", consent(t, p, id).ValidUntil)

	sooner, _ := p.Request(t, strings.Replace(ConsentBody, "9999-12-31", "2026-12-24", 1))
	assert.Equal(t, "2026-12-24", consent(t, p, sooner).ValidUntil)
}

func TestConsentLifeCycle(t *testing.T) {
	read := func(t *testing.T, p *TPP, id string) *http.Response {
		return p.Do(t, "GET", "/v1/accounts", With(id, Attended), "")
	}
	refused := func(t *testing.T, res *http.Response, status int, code string) {
		t.Helper()
		assert.Equal(t, status, res.StatusCode)
		assert.Equal(t, code, Code(t, res))
	}

	t.Run("unknown", func(t *testing.T) {
		p := newTPP(t, "lindenmark", noon)
		refused(t, read(t, p, "nope"), 403, "CONSENT_UNKNOWN")
		refused(t, p.Do(t, "GET", "/v1/consents/nope", nil, ""), 403, "CONSENT_UNKNOWN")
		refused(t, p.Do(t, "DELETE", "/v1/consents/nope", nil, ""), 403, "CONSENT_UNKNOWN")
	})
	t.Run("at another bank", func(t *testing.T) {
		p := newTPP(t, "lindenmark", noon)
		id := p.Authorise(t, ConsentBody, "anna", "current")
		p.Bank = "waterkant"
		refused(t, read(t, p, id), 403, "CONSENT_UNKNOWN")
	})
	t.Run("received, then never decided", func(t *testing.T) {
		p := newTPP(t, "lindenmark", noon)
		id, _ := p.Request(t, ConsentBody)
		assert.Equal(t, "received", status(t, p, id))
		refused(t, read(t, p, id), 401, "CONSENT_INVALID")
		p.Now = p.Now.Add(31 * time.Minute)
		assert.Equal(t, "rejected", status(t, p, id))
	})
	t.Run("valid until its last day ends at the bank", func(t *testing.T) {
		p := newTPP(t, "lindenmark", noon)
		id := p.Authorise(t, strings.Replace(ConsentBody, "9999-12-31", "2026-12-24", 1), "anna", "current")
		assert.Equal(t, "valid", status(t, p, id))
		p.Now = time.Date(2026, 12, 24, 22, 59, 0, 0, time.UTC)
		assert.Equal(t, 200, read(t, p, id).StatusCode)
		p.Now = p.Now.Add(time.Minute) // midnight in Berlin
		assert.Equal(t, "expired", status(t, p, id))
		refused(t, read(t, p, id), 401, "CONSENT_EXPIRED")
		refused(t, p.Do(t, "DELETE", "/v1/consents/"+id, nil, ""), 401, "CONSENT_EXPIRED")
	})
	t.Run("deleted", func(t *testing.T) {
		p := newTPP(t, "lindenmark", noon)
		id := p.Authorise(t, ConsentBody, "anna", "current")
		p.Now = p.Now.AddDate(0, 0, 3)
		res := p.Do(t, "DELETE", "/v1/consents/"+id, nil, "")
		assert.Equal(t, 204, res.StatusCode)
		assert.Empty(t, Text(t, res))
		info := consent(t, p, id)
		assert.Equal(t, "terminatedByTpp", info.ConsentStatus)
		assert.Equal(t, "2026-11-23", info.LastActionDate)
		refused(t, read(t, p, id), 401, "CONSENT_INVALID")
		refused(t, p.Do(t, "DELETE", "/v1/consents/"+id, nil, ""), 401, "CONSENT_INVALID")
	})
	t.Run("deleted before it was decided", func(t *testing.T) {
		p := newTPP(t, "lindenmark", noon)
		id, page := p.Request(t, ConsentBody)
		assert.Equal(t, 204, p.Do(t, "DELETE", "/v1/consents/"+id, nil, "").StatusCode)
		assert.Equal(t, 409, p.Get(t, page).StatusCode)
	})
	t.Run("ended by the same customer's next one", func(t *testing.T) {
		p := newTPP(t, "lindenmark", noon)
		first := p.Authorise(t, ConsentBody, "anna", "current")
		other := p.Authorise(t, ConsentBody, "family", "joint")
		id, page := p.Request(t, ConsentBody)
		assert.Equal(t, "valid", status(t, p, first), "a request alone ends nothing")
		p.Post(t, page, url.Values{"persona": {"anna"}, "customer": {Customer}, "account[]": {"current"}, "decision": {"approve"}})
		assert.Equal(t, "valid", status(t, p, id))
		assert.Equal(t, "expired", status(t, p, first))
		assert.Equal(t, "2027-05-19", consent(t, p, first).ValidUntil)
		assert.Equal(t, "valid", status(t, p, other))
		refused(t, read(t, p, first), 401, "CONSENT_EXPIRED")
	})
	t.Run("customer numbers keep customers apart", func(t *testing.T) {
		p := newTPP(t, "lindenmark", noon)
		first := p.Authorise(t, ConsentBody, "anna", "current")
		_, page := p.Request(t, ConsentBody)
		p.Post(t, page, url.Values{"persona": {"anna"}, "customer": {"7"}, "account[]": {"current"}, "decision": {"approve"}})
		assert.Equal(t, "valid", status(t, p, first))
	})
	t.Run("each browser is a customer of its own", func(t *testing.T) {
		p := newTPP(t, "lindenmark", noon)
		approve := func(cookies []*http.Cookie) (string, []*http.Cookie) {
			id, page := p.Request(t, ConsentBody)
			form := url.Values{"persona": {"anna"}, "account[]": {"current"}, "decision": {"approve"}}
			req := httptest.NewRequest(http.MethodPost, page, strings.NewReader(form.Encode()))
			req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			for _, c := range cookies {
				req.AddCookie(c)
			}
			w := httptest.NewRecorder()
			p.Handler.ServeHTTP(w, req)
			res := w.Result()
			require.NoError(t, res.Body.Close())
			require.Equal(t, 303, res.StatusCode)
			return id, res.Cookies()
		}
		first, cookies := approve(nil)
		require.Len(t, cookies, 1)
		_, _ = approve(nil)
		assert.Equal(t, "valid", status(t, p, first))
		_, _ = approve(cookies)
		assert.Equal(t, "expired", status(t, p, first))
	})
}

func TestSeveralAuthorisations(t *testing.T) {
	p := newTPP(t, "lindenmark", noon)
	id, firstPage := p.Request(t, ConsentBody)
	p.Now = p.Now.Add(20 * time.Minute)

	res := p.Do(t, "POST", "/v1/consents/"+id+"/authorisations", ConsentHeaders(), "{}")
	require.Equal(t, 201, res.StatusCode)
	var started struct {
		ScaStatus, AuthorisationID string
		Links                      map[string]struct{ Href string } `json:"_links"`
	}
	Decode(t, res, &started)
	assert.Equal(t, "received", started.ScaStatus)

	p.Now = p.Now.Add(20 * time.Minute)
	assert.Equal(t, 410, p.Get(t, firstPage).StatusCode, "the first link has expired")
	page := started.Links["scaRedirect"].Href
	sca := func() string {
		var s struct{ ScaStatus string }
		Decode(t, p.Do(t, "GET", started.Links["scaStatus"].Href, nil, ""), &s)
		return s.ScaStatus
	}
	assert.Equal(t, 303, p.Post(t, page, url.Values{"persona": {"anna"}}).StatusCode)
	assert.Equal(t, "psuAuthenticated", sca())
	assert.Equal(t, 303, p.Post(t, page, url.Values{"decision": {"approve"}, "account[]": {"savings"}}).StatusCode)
	assert.Equal(t, "finalised", sca())

	late := p.Do(t, "POST", "/v1/consents/"+id+"/authorisations", ConsentHeaders(), "{}")
	assert.Equal(t, 409, late.StatusCode)
	assert.Equal(t, "STATUS_INVALID", Code(t, late))
	foreign := p.Do(t, "GET", "/v1/consents/"+id+"/authorisations/nope", nil, "")
	assert.Equal(t, 403, foreign.StatusCode)
	assert.Equal(t, "RESOURCE_UNKNOWN", Code(t, foreign))
}

func TestUnknownAddressesAndMethods(t *testing.T) {
	p := newTPP(t, "lindenmark", noon)
	for path, want := range map[string]struct {
		method string
		status int
		code   string
	}{
		"/v1/payments":                      {"GET", 404, "RESOURCE_UNKNOWN"},
		"/sandbox/elsewhere":                {"GET", 404, "RESOURCE_UNKNOWN"},
		"/sandbox/banks/nobank/v1/account":  {"GET", 404, "RESOURCE_UNKNOWN"},
		"/sandbox/banks/nobank/v1/accounts": {"GET", 404, "RESOURCE_UNKNOWN"},
		"/v1/consents":                      {"GET", 405, "SERVICE_INVALID"},
		"/v1/accounts":                      {"POST", 405, "SERVICE_INVALID"},
	} {
		res := p.Do(t, want.method, path, nil, "")
		assert.Equal(t, want.status, res.StatusCode, path)
		assert.Equal(t, want.code, Code(t, res), path)
	}
	res := p.Do(t, "PUT", "/v1/consents/x", nil, "")
	assert.Equal(t, "DELETE, GET", res.Header.Get("Allow"))
}
