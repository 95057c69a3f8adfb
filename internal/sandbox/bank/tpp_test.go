package bank_test

import (
	"encoding/json"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"aviso/internal/sandbox/bank"
	"aviso/internal/sandbox/sandboxdb"
	"aviso/localstack/tests/testenv"
)

// TPP calls one sandbox bank as a third-party provider and also acts as its customer.
type TPP struct {
	Handler http.Handler
	Bank    string
	// Now is the banks' clock.
	Now time.Time
	// Told are headers of every call of the interface.
	Told Headers
	// Observe, if set, is called with every request and response of the interface.
	Observe func(req *http.Request, body string, res *http.Response)
}

// Base is the public address of the banks.
const Base = "https://sandbox.test"

// Headers are the headers of one call; an empty value removes a default of Do.
type Headers map[string]string

// Attended marks the customer as present.
var Attended = Headers{"PSU-IP-Address": "198.51.100.7"}

func newStore(t testing.TB, now func() time.Time) *sandboxdb.Store {
	t.Helper()
	return sandboxdb.New(testenv.DynamoDB(t), testenv.Table(t, "SandboxTable"), now)
}

// newTPP returns a caller of the bank with this slug.
func newTPP(t testing.TB, bankSlug string, now time.Time) *TPP {
	t.Helper()
	p := &TPP{Bank: bankSlug, Now: now}
	clock := func() time.Time { return p.Now }
	p.Handler = bank.New(bank.Options{
		Store: newStore(t, clock), BaseURL: Base, Now: clock, NewID: uuid.NewString,
		SlowAnswer: 10 * time.Second, Log: slog.New(slog.DiscardHandler),
	})
	return p
}

// Do calls the interface. The path begins with /v1 or is an absolute link.
func (p *TPP) Do(t testing.TB, method, path string, headers Headers, body string) *http.Response {
	t.Helper()
	path = strings.TrimPrefix(path, Base)
	if !strings.HasPrefix(path, "/sandbox/") {
		path = "/sandbox/banks/" + p.Bank + path
	}
	req := httptest.NewRequestWithContext(t.Context(), method, Base+path, strings.NewReader(body))
	req.Header.Set("X-Request-ID", uuid.NewString())
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for name, value := range headers {
		if value == "" {
			req.Header.Del(name)
		} else {
			req.Header.Set(name, value)
		}
	}
	for name, value := range p.Told {
		req.Header.Set(name, value)
	}
	rec := httptest.NewRecorder()
	p.Handler.ServeHTTP(rec, req)
	res := rec.Result()
	if p.Observe != nil {
		p.Observe(req, body, res)
	}
	return res
}

// ConsentBody asks for all accounts, recurring, for as long as the bank allows.
const ConsentBody = `{"access":{"allPsd2":"allAccounts"},"recurringIndicator":true,"validUntil":"9999-12-31",` +
	`"frequencyPerDay":4,"combinedServiceIndicator":false}`

// ConsentHeaders returns the headers of a complete consent request.
func ConsentHeaders() Headers {
	return Headers{
		"PSU-IP-Address": "198.51.100.7", "TPP-Redirect-Preferred": "true",
		"TPP-Redirect-URI": "http://localhost:8123/callback?state=1", "TPP-Nok-Redirect-URI": "http://localhost:8123/refused",
	}
}

// Request asks for a consent and returns its ID and the page for the customer.
func (p *TPP) Request(t testing.TB, body string) (consentID, scaRedirect string) {
	t.Helper()
	res := p.Do(t, "POST", "/v1/consents", ConsentHeaders(), body)
	require.Equal(t, http.StatusCreated, res.StatusCode)
	var created struct {
		ConsentID string `json:"consentId"`
		Links     map[string]struct {
			Href string `json:"href"`
		} `json:"_links"`
	}
	Decode(t, res, &created)
	return created.ConsentID, created.Links["scaRedirect"].Href
}

// Post sends a form to the page, as a browser does.
func (p *TPP) Post(t testing.TB, page string, form url.Values) *http.Response {
	t.Helper()
	req := httptest.NewRequestWithContext(t.Context(), "POST", page, strings.NewReader(form.Encode()))
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	rec := httptest.NewRecorder()
	p.Handler.ServeHTTP(rec, req)
	return rec.Result()
}

// Get opens a page.
func (p *TPP) Get(t testing.TB, page string) *http.Response {
	t.Helper()
	rec := httptest.NewRecorder()
	p.Handler.ServeHTTP(rec, httptest.NewRequestWithContext(t.Context(), "GET", page, nil))
	return rec.Result()
}

// Customer is the customer number with which Authorise logs in.
const Customer = "1"

// Authorise asks for a consent and approves it as the persona with the accounts.
func (p *TPP) Authorise(t testing.TB, body, persona string, accounts ...string) (consentID string) {
	t.Helper()
	id, page := p.Request(t, body)
	res := p.Post(t, page, url.Values{"persona": {persona}, "customer": {Customer}, "account[]": accounts, "decision": {"approve"}})
	require.Equal(t, http.StatusSeeOther, res.StatusCode)
	require.Equal(t, "http://localhost:8123/callback?state=1", res.Header.Get("Location"))
	return id
}

// With returns the headers of a read with the consent, merged with others.
func With(consentID string, others ...Headers) Headers {
	h := Headers{"Consent-ID": consentID}
	for _, o := range others {
		maps.Copy(h, o)
	}
	return h
}

// Decode reads a JSON response.
func Decode(t testing.TB, res *http.Response, into any) {
	t.Helper()
	require.Equal(t, "application/json", res.Header.Get("Content-Type"))
	require.NoError(t, json.Unmarshal([]byte(Text(t, res)), into))
}

// Text reads a response.
func Text(t testing.TB, res *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return string(b)
}

// Code returns the code of the only message in an error response.
func Code(t testing.TB, res *http.Response) string {
	t.Helper()
	var body struct {
		Messages []struct {
			Category, Code string
		} `json:"tppMessages"`
	}
	Decode(t, res, &body)
	require.Len(t, body.Messages, 1)
	require.Equal(t, "ERROR", body.Messages[0].Category)
	return body.Messages[0].Code
}
