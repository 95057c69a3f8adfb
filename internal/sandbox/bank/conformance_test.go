package bank_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/sandbox/bank"
	"aviso/internal/sandbox/persona"
)

// standard reads the standard once for all banks.
var standard = sync.OnceValues(func() (*openapi3.T, error) {
	return openapi3.NewLoader().LoadFromFile("testdata/berlin-group-xs2a-1.3.11.yaml")
})

// document is the standard with the bank's address as its server.
func document(t *testing.T, slug string) routers.Router {
	t.Helper()
	shared, err := standard()
	require.NoError(t, err)
	doc := *shared
	doc.Servers = openapi3.Servers{{URL: Base + "/sandbox/banks/" + slug}}
	router, err := legacy.NewRouter(&doc, openapi3.DisableExamplesValidation())
	require.NoError(t, err)
	return router
}

// observed validates every response and every accepted request against the standard.
func observed(t *testing.T, slug string, seen map[string]int) *TPP {
	router := document(t, slug)
	p := newTPP(t, slug, time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	p.Observe = func(req *http.Request, body string, res *http.Response) {
		again := httptest.NewRequestWithContext(req.Context(), req.Method, req.URL.String(), strings.NewReader(body))
		again.Header = req.Header
		route, params, err := router.FindRoute(again)
		require.NoError(t, err, req.URL.Path)
		options := &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, IncludeResponseStatus: true}
		in := &openapi3filter.RequestValidationInput{Request: again, PathParams: params, Route: route, Options: options}
		if res.StatusCode < 300 {
			assert.NoError(t, openapi3filter.ValidateRequest(req.Context(), in))
		}
		answer, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		res.Body = io.NopCloser(bytes.NewReader(answer))
		out := &openapi3filter.ResponseValidationInput{
			RequestValidationInput: in,
			Status:                 res.StatusCode,
			Header:                 res.Header,
			Options:                options,
		}
		if len(answer) > 0 {
			out.SetBodyBytes(answer)
		} else {
			withoutBody := *options
			withoutBody.ExcludeResponseBody = true
			out.Options = &withoutBody
		}
		assert.NoError(t, openapi3filter.ValidateResponse(req.Context(), out), "%s %s %d", req.Method, route.Path, res.StatusCode)
		seen[fmt.Sprintf("%s %s %d", req.Method, route.Path, res.StatusCode)]++
	}
	return p
}

type linkedAccount struct {
	ResourceID string
	Links      map[string]struct{ Href string } `json:"_links"`
}

type accountLinks struct{ Accounts, CardAccounts []linkedAccount }

func TestEveryResponseFollowsTheStandard(t *testing.T) {
	seen := map[string]int{}
	for i, b := range bank.Catalogue() {
		// One persona for each bank, so that each persona is in several countries.
		p := observed(t, b.Slug, seen)
		status := "both"
		if b.Traits.SCA != "" { // how their accounts are read is tested with the service's client
			var created struct{ ConsentID string }
			Decode(t, p.Do(t, "POST", "/v1/consents", ConsentHeaders(), ConsentBody), &created)
			authorisations := "/v1/consents/" + created.ConsentID + "/authorisations"
			for _, who := range []string{"anna", "nobody"} {
				headers := ConsentHeaders()
				headers["PSU-ID"] = who
				p.Do(t, "POST", authorisations, headers, "{}")
			}
			continue
		}
		id := p.Authorise(t, ConsentBody, persona.All()[i%5].ID, "current", "savings", "card", "joint", "dollars")
		var list accountLinks
		Decode(t, p.Do(t, "GET", "/v1/accounts?withBalance=true", With(id, Attended), ""), &list)
		require.NotEmpty(t, list.Accounts)
		Decode(t, p.Do(t, "GET", "/v1/card-accounts", With(id, Attended), ""), &list)
		for _, a := range append(list.Accounts, list.CardAccounts...) {
			p.Do(t, "GET", a.Links["balances"].Href, With(id, Attended), "")
			next := a.Links["transactions"].Href + "?dateFrom=2026-08-25&bookingStatus=" + status
			for next != "" {
				var page struct {
					Transactions, CardTransactions struct {
						Links map[string]struct{ Href string } `json:"_links"`
					}
				}
				res := p.Do(t, "GET", next, With(id, Attended), "")
				if res.StatusCode == http.StatusBadRequest { // tells booked rows only
					require.Equal(t, "both", status)
					status = "booked"
					next = strings.Replace(next, "both", "booked", 1)
					continue
				}
				Decode(t, res, &page)
				next = page.Transactions.Links["next"].Href + page.CardTransactions.Links["next"].Href
			}
		}
	}
	for _, must := range []string{
		"POST /v1/consents 201", "GET /v1/accounts 200", "GET /v1/accounts/{account-id}/balances 200",
		"GET /v1/accounts/{account-id}/transactions 200", "GET /v1/accounts/{account-id}/transactions 400",
		"GET /v1/card-accounts 200", "GET /v1/card-accounts 403",
		"GET /v1/card-accounts/{account-id}/balances 200", "GET /v1/card-accounts/{account-id}/transactions 200",
	} {
		assert.NotZero(t, seen[must], must)
	}
}

func TestConsentsAndErrorsFollowTheStandard(t *testing.T) {
	seen := map[string]int{}
	p := observed(t, "lindenmark", seen)
	body := strings.Replace(ConsentBody, `{"allPsd2":"allAccounts"}`, `{"balances":[],"transactions":[]}`, 1)
	id, page := p.Request(t, body)
	self := "/v1/consents/" + id
	read := func(path string) { p.Do(t, "GET", path, nil, "") }
	read(self)
	read(self + "/status")
	p.Do(t, "GET", "/v1/accounts", With(id), "") // 401
	p.Do(t, "POST", self+"/authorisations", ConsentHeaders(), "{}")
	p.Post(t, page, url.Values{"persona": {"anna"}, "account[]": {"current", "card"}, "decision": {"approve"}})
	read(self)
	read(self + "/authorisations/" + page[strings.LastIndex(page, "/")+1:])
	read(self + "/authorisations/nope")                             // 403
	p.Do(t, "POST", self+"/authorisations", ConsentHeaders(), "{}") // 409
	p.Do(t, "POST", "/v1/consents", nil, body)                      // 400
	p.Do(t, "GET", "/v1/accounts/nope/balances", With(id), "")      // 404
	p.Do(t, "GET", "/v1/accounts", With(id, Headers{"Accept": "text/plain"}), "")
	for range 5 { // the fifth: 429
		p.Do(t, "GET", "/v1/accounts", With(id), "")
	}
	p.Do(t, "DELETE", self, nil, "")
	p.Do(t, "DELETE", self, nil, "") // 401
	for _, trouble := range []string{"failing", "throttled", "revoked"} {
		other := p.Authorise(t, ConsentBody, trouble, "current")
		p.Do(t, "GET", "/v1/accounts", With(other, Attended), "")
	}
	for _, orders := range [][]string{{"require-sca"}, {"expire"}, {"revoke"}, {"throttle"}, {"fail"}, {"block"},
		{"reissue-ids", "add-pending", "add-booked", "book-pending", "add-pending"}} {
		p.Now = p.Now.Add(time.Second)
		id := p.Authorise(t, ConsentBody, "anna", "current")
		for _, order := range orders {
			p.Tell(t, order)
		}
		read("/v1/consents/" + id)
		var list accountLinks
		if res := p.Do(t, "GET", "/v1/accounts?withBalance=true", With(id, Attended), ""); res.StatusCode == http.StatusOK {
			Decode(t, res, &list)
			rows := list.Accounts[0].Links["transactions"].Href + "?bookingStatus=both&dateFrom=2026-11-01"
			assert.Equal(t, http.StatusOK, p.Do(t, "GET", rows, With(id, Attended), "").StatusCode)
		}
	}
	for _, must := range []string{
		"GET /v1/consents/{consentId} 200", "GET /v1/consents/{consentId}/status 200",
		"POST /v1/consents/{consentId}/authorisations 201", "POST /v1/consents/{consentId}/authorisations 409",
		"GET /v1/consents/{consentId}/authorisations/{authorisationId} 200",
		"GET /v1/consents/{consentId}/authorisations/{authorisationId} 403",
		"POST /v1/consents 400", "GET /v1/accounts/{account-id}/balances 404", "GET /v1/accounts 401", "GET /v1/accounts 406",
		"GET /v1/accounts 429",
		"GET /v1/accounts 500", "DELETE /v1/consents/{consentId} 204", "DELETE /v1/consents/{consentId} 401",
	} {
		assert.NotZero(t, seen[must], must)
	}
}
