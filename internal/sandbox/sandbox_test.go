package sandbox_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api/apigateway"
	"aviso/internal/sandbox"
	"aviso/internal/sandbox/mailroom"
	"aviso/localstack/tests/testenv"
)

type noSteps struct{}

func (noSteps) Schedule(context.Context, time.Duration, mailroom.Step) error { return nil }

// A whole consent flow with API Gateway events and the real table.
func TestSandboxBehindAPIGateway(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	function := apigateway.Handler(sandbox.New(sandbox.Options{
		DynamoDB: testenv.DynamoDB(t), Table: testenv.Table(t, "SandboxTable"),
		Now: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler), Scheduler: noSteps{},
	}))
	call := func(method, target, body string, headers map[string]string) events.APIGatewayV2HTTPResponse {
		t.Helper()
		u, err := url.Parse(target)
		require.NoError(t, err)
		lower := map[string]string{"host": "abc.execute-api.test", "x-request-id": uuid.NewString(), "x-forwarded-proto": "https"}
		for name, value := range headers {
			lower[strings.ToLower(name)] = value
		}
		event, err := json.Marshal(events.APIGatewayV2HTTPRequest{
			Version: "2.0", RawPath: u.Path, RawQueryString: u.RawQuery, Headers: lower, Body: body,
			RequestContext: events.APIGatewayV2HTTPRequestContext{DomainName: "abc.execute-api.test",
				HTTP: events.APIGatewayV2HTTPRequestContextHTTPDescription{Method: method, Path: u.Path}},
		})
		require.NoError(t, err)
		answer, err := function.Invoke(t.Context(), event)
		require.NoError(t, err)
		var res events.APIGatewayV2HTTPResponse
		require.NoError(t, json.Unmarshal(answer, &res))
		if res.IsBase64Encoded {
			body, err := base64.StdEncoding.DecodeString(res.Body)
			require.NoError(t, err)
			res.Body = string(body)
		}
		return res
	}

	headers := map[string]string{
		"Content-Type": "application/json", "PSU-IP-Address": "198.51.100.7", "TPP-Redirect-Preferred": "true",
		"TPP-Redirect-URI": "http://localhost:8123/callback?state=1,2", "TPP-Nok-Redirect-URI": "http://localhost:8123/refused",
	}
	body := `{"access":{"allPsd2":"allAccounts"},"recurringIndicator":true,"validUntil":"9999-12-31",` +
		`"frequencyPerDay":4,"combinedServiceIndicator":false}`
	res := call("POST", "/sandbox/banks/lindenmark/v1/consents", body, headers)
	require.Equal(t, 201, res.StatusCode, res.Body)
	var created struct {
		ConsentID string
		Links     map[string]struct{ Href string } `json:"_links"`
	}
	require.NoError(t, json.Unmarshal([]byte(res.Body), &created))
	page := created.Links["scaRedirect"].Href
	assert.True(t, strings.HasPrefix(page, "https://abc.execute-api.test/sandbox/banks/lindenmark/authorise/"), page)

	assert.Equal(t, 200, call("GET", page, "", nil).StatusCode)
	form := map[string]string{"Content-Type": "application/x-www-form-urlencoded"}
	res = call("POST", page, "persona=anna", form)
	assert.Equal(t, 303, res.StatusCode)
	res = call("POST", page, "decision=approve&account%5B%5D=current&account%5B%5D=savings", form)
	assert.Equal(t, 303, res.StatusCode)
	assert.Equal(t, "http://localhost:8123/callback?state=1,2", res.Headers["Location"])

	res = call("GET", "/sandbox/banks/lindenmark/v1/accounts?withBalance=true", "", map[string]string{"Consent-ID": created.ConsentID})
	require.Equal(t, 200, res.StatusCode)
	var list struct{ Accounts []struct{ ResourceID string } }
	require.NoError(t, json.Unmarshal([]byte(res.Body), &list))
	assert.Len(t, list.Accounts, 2)
	for i := range 5 {
		res = call(
			"GET",
			"/sandbox/banks/lindenmark/v1/accounts/"+list.Accounts[0].ResourceID+"/balances",
			"",
			map[string]string{"Consent-ID": created.ConsentID},
		)
		assert.Equal(t, map[bool]int{true: 200, false: 429}[i < 4], res.StatusCode)
	}
}

// Every address that changes something refuses what another site's page sends, whatever the
// method: forms, and the carriers' and banks' interfaces, which browsers have no business with.
func TestFormsOfOtherSitesAreRejected(t *testing.T) {
	t.Parallel()
	s := sandbox.New(sandbox.Options{
		DynamoDB: testenv.DynamoDB(t), Table: testenv.Table(t, "SandboxTable"), SessionKey: []byte("key"),
		Now: time.Now, Log: slog.New(slog.DiscardHandler), Scheduler: noSteps{},
	})
	send := func(method, path, header, value string) int {
		req := httptest.NewRequestWithContext(t.Context(), method, "https://sandbox.test"+path, strings.NewReader("a=b"))
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		if header != "" {
			req.Header.Set(header, value)
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, req)
		return w.Code
	}
	const id = "0198c2f4-7a33-7c1e-9d51-5f0a1b2c3d4e"
	for _, path := range []string{
		"/sandbox/banks/lindenmark/authorise/" + id, "/sandbox/control/" + id, "/sandbox/letters",
		"/sandbox/letters/" + id, "/sandbox/replies", "/sandbox/sign-in", "/sandbox/sign-out",
		"/sandbox/banks/lindenmark/v1/consents", "/sandbox/banks/lindenmark/v1/consents/" + id,
		"/sandbox/post/identity/auth/access-tokens", "/sandbox/post/organisations/" + id + "/deliveries/letters",
		"/sandbox/fax/v3/projects/" + id + "/faxes", "/sandbox/what-comes-later",
	} {
		for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
			assert.Equal(t, http.StatusForbidden, send(method, path, "Origin", "https://evil.test"), "%s %s", method, path)
			assert.Equal(t, http.StatusForbidden, send(method, path, "Origin", "null"), "%s %s", method, path)
			assert.Equal(t, http.StatusForbidden, send(method, path, "Sec-Fetch-Site", "cross-site"), "%s %s", method, path)
			assert.Equal(t, http.StatusForbidden, send(method, path, "Sec-Fetch-Site", "same-site"), "%s %s", method, path)
			assert.NotEqual(t, http.StatusForbidden, send(method, path, "Origin", "https://sandbox.test"), "%s %s", method, path)
			assert.NotEqual(t, http.StatusForbidden, send(method, path, "", ""), "%s %s", method, path)
		}
	}
}
