package blackbox_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// marker is part of values that must not be echoed.
const marker = "eCh0-mE-n0t"

// refused sends r and wants a refusal of this status and code that echoes
// nothing.
func refused(t *testing.T, r request, status int, code string) answer {
	t.Helper()
	a := send(t, r)
	assert.Equal(t, status, a.status, "%s", a.body)
	if assert.Equal(t, "application/problem+json", a.header.Get("Content-Type")) {
		p := a.problem(t)
		assert.Equal(t, code, p.Code)
		assert.Equal(t, a.header.Get("X-Request-Id"), p.TraceID)
	}
	assert.NotContains(t, string(a.body), marker)
	return a
}

// refused makes a call for the partner's user, as send does, and wants a refusal.
func (p partner) refused(t *testing.T, method, path string, body any, status int, code string) answer {
	t.Helper()
	r := request{method: method, path: path, header: p.headers()}
	if body != nil {
		r.body = toJSON(t, body)
	}
	return refused(t, r, status, code)
}

// refusedBySAM sends what sam local does not pass on, though API Gateway does.
func refusedBySAM(t *testing.T, r request) {
	t.Helper()
	r.path = service.baseURL + r.path
	req, err := http.NewRequestWithContext(t.Context(), r.method, r.path, strings.NewReader(r.body))
	require.NoError(t, err)
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	assert.Equal(t, http.StatusForbidden, res.StatusCode)
}

// Every operation of the document, whatever it is, meets the same bad callers.
func TestBadCallers(t *testing.T) {
	t.Parallel()
	one, two := anotherPartner(t, "sandbox"), anotherPartner(t, "sandbox-2")
	narrow := map[string]string{
		"identity": token(t, "sandbox", "webhook"), "pfm": token(t, "sandbox", "identity"), "cancellation": token(t, "sandbox", "pfm"),
		"webhook": token(t, "sandbox", "cancellation"),
	}
	for _, o := range operations(t) {
		if o.scope() == "" {
			continue
		}
		t.Run(o.OperationID, func(t *testing.T) {
			t.Parallel()
			call := func(change func(h map[string]string)) request {
				h := one.headers()
				change(h)
				r := request{method: o.method, path: o.address(some), header: h}
				if body := o.jsonBody(); body != nil {
					r.body = toJSON(t, body)
				}
				return r
			}
			a := refused(t, call(func(h map[string]string) { delete(h, "Authorization") }), 401, "unauthorized")
			assert.Equal(t, "Bearer", a.header.Get("WWW-Authenticate"))
			basic := "Basic c2FuZGJveDpzYW5kYm94LXNlY3JldA=="
			a = refused(t, call(func(h map[string]string) { h["Authorization"] = basic }), 401, "unauthorized")
			assert.Equal(t, "Bearer", a.header.Get("WWW-Authenticate"))
			tampered := one.token[:len(one.token)-6] + "AAAAAA"
			for _, bad := range []string{marker, "a.b.c", tampered, strings.Repeat("x", 5000)} {
				a = refused(t, call(func(h map[string]string) { h["Authorization"] = "Bearer " + bad }), 401, "unauthorized")
				assert.Equal(t, `Bearer error="invalid_token"`, a.header.Get("WWW-Authenticate"))
			}
			require.NotEmpty(t, narrow[o.scope()], "no token without the scope %s", o.scope())
			refused(t, call(func(h map[string]string) { h["Authorization"] = "Bearer " + narrow[o.scope()] }), 403, "insufficient_scope")
			if !o.has("header", "X-User-Id") {
				return
			}
			for _, bad := range []string{"", marker, "{" + uuid.NewString() + "}", "00000000-0000-0000-0000-00000000000"} {
				refused(t, call(func(h map[string]string) { h["X-User-Id"] = bad }), 400, "user_id_required")
			}
			for _, foreign := range []string{two.user, uuid.NewString()} {
				refused(t, call(func(h map[string]string) { h["X-User-Id"] = foreign }), 404, "user_not_found")
			}
		})
	}
}

func TestTermsComeFirst(t *testing.T) {
	p := newPartner(t, "sandbox")
	a := p.send(t, http.MethodPost, "/identity/v1/users", map[string]any{"countryCode": "FR", "languageCode": "fr"})
	var created struct {
		Data struct{ User struct{ UserID string } }
	}
	a.decode(t, &created)
	p.user = created.Data.User.UserID
	for _, o := range operations(t) {
		needed := []string{"Operator", "BankingSupplier"}
		if o.scope() == "cancellation" {
			needed = []string{"CancellationProvider"}
		}
		// Cancellations can be read, and withdrawn, whatever the current terms are.
		if !o.has("header", "X-User-Id") || o.scope() == "cancellation" && o.OperationID != "createCancellation" {
			continue
		}
		if slices.Contains([]string{"listConnections", "getConnection", "listConsents", "deleteConnection"}, o.OperationID) {
			continue // so that new terms lock nobody in
		}
		r := request{method: o.method, path: o.address(some), header: p.headers()}
		if body := o.jsonBody(); body != nil {
			r.body = toJSON(t, body)
		}
		var codes []string
		for _, missing := range refused(t, r, 403, "terms_not_accepted").problem(t).Errors {
			codes = append(codes, missing.Code)
		}
		assert.Equal(t, needed, codes, o.OperationID)
	}
}

// Every operation with a path parameter, a body or pages meets the same bad
// requests.
func TestBadRequests(t *testing.T) {
	p := newPartner(t, "sandbox")
	for _, o := range operations(t) {
		if o.scope() == "" {
			continue
		}
		t.Run(o.OperationID, func(t *testing.T) {
			t.Parallel()
			badPath(t, p, o)
			badPage(t, p, o)
			badBody(t, p, o)
			badMethod(t, p, o)
		})
	}
}

func badPath(t *testing.T, p partner, o operation) {
	t.Helper()
	for _, m := range pathParameter.FindAllStringSubmatch(o.path, -1) {
		if m[1] == "exportId" {
			continue // it is opaque, so every other one is unknown
		}
		for _, bad := range []string{marker, "00000000-0000-4000-8000-00000000dea", "%7B" + uuid.NewString()[1:35] + "%7D", "%20"} {
			r := request{method: o.method, header: p.headers(), path: o.address(func(name string) string {
				if name == m[1] {
					return bad
				}
				return some(name)
			})}
			if body := o.jsonBody(); body != nil {
				r.body = toJSON(t, body)
			}
			errors := refused(t, r, 422, "validation_failed").problem(t).Errors
			if assert.NotEmpty(t, errors, bad) {
				assert.Equal(t, m[1], errors[0].Parameter)
			}
		}
	}
}

func badPage(t *testing.T, p partner, o operation) {
	t.Helper()
	if !o.has("query", "limit") {
		return
	}
	for _, limit := range []string{"0", "-1", "1.5", marker} {
		errors := p.refused(t, o.method, o.list("limit="+limit), nil, 422, "validation_failed").problem(t).Errors
		assert.Equal(t, "limit", errors[0].Parameter)
	}
	for _, parameter := range []string{"nextToken", "since"} {
		for _, tok := range []string{marker, "AAAA", strings.Repeat("A", 400), "%20"} {
			if o.has("query", parameter) {
				p.refused(t, o.method, o.list(parameter+"="+tok), nil, 400, "invalid_next_token")
			}
		}
	}
	want := 200
	if pathParameter.MatchString(o.path) {
		want = 404 // what is asked about is not there
	}
	assert.Equal(t, want,
		send(t, request{method: o.method, path: o.list("limit=200&surplus=" + marker), header: p.headers()}).status,
		"unknown query parameters are ignored")
}

func badBody(t *testing.T, p partner, o operation) {
	t.Helper()
	good := o.jsonBody()
	if good == nil {
		return
	}
	post := func(body string, extra ...string) request {
		r := request{method: o.method, path: o.address(some), header: p.headers(), body: body}
		for i := 0; i+1 < len(extra); i += 2 {
			r.header[extra[i]] = extra[i+1]
		}
		return r
	}
	if o.RequestBody.Required {
		refused(t, post(""), 400, "malformed_request")
	}
	for _, broken := range []string{`{"` + marker, `{"a":1}{"b":2}`, "\xff\xfe", `{"x":` + marker + `}`} {
		refused(t, post(broken), 400, "malformed_request")
	}
	for _, other := range []string{"null", "[]", `"` + marker + `"`, "17"} {
		refused(t, post(other), 422, "validation_failed")
	}
	refused(t, post(toJSON(t, good), "Content-Type", "text/plain"), 415, "unsupported_media_type")
	refused(t, post(toJSON(t, good), "Content-Type", "application/json; charset=latin1"), 415, "unsupported_media_type")
	refused(t, post(`{"pad":"`+strings.Repeat("x", 256<<10)+`"}`), 413, "payload_too_large")

	surplus := maps.Clone(good)
	surplus["surplus"] = marker
	errors := refused(t, post(toJSON(t, surplus)), 422, "validation_failed").problem(t).Errors
	assert.Equal(t, "/surplus", errors[0].Pointer)
	for _, member := range slices.Sorted(maps.Keys(good)) {
		for _, wrong := range []any{17, true, []string{marker}, map[string]any{"surplus": marker}, strings.Repeat(marker, 400)} {
			if _, number := good[member].(int); number && wrong == 17 {
				wrong = "17"
			}
			body := maps.Clone(good)
			body[member] = wrong
			errors := refused(t, post(toJSON(t, body)), 422, "validation_failed").problem(t).Errors
			require.NotEmpty(t, errors)
			assert.True(t, strings.HasPrefix(errors[0].Pointer, "/"+member), "%s: %v", member, errors)
		}
		shouted := maps.Clone(good)
		delete(shouted, member)
		shouted[strings.ToUpper(member)] = good[member]
		refused(t, post(toJSON(t, shouted)), 422, "validation_failed")
	}
	if o.has("header", "Idempotency-Key") {
		refused(t, post(toJSON(t, good), "Idempotency-Key", strings.Repeat("k", 256)), 422, "validation_failed")
	}
}

func badMethod(t *testing.T, p partner, o operation) {
	t.Helper()
	trace := request{method: http.MethodTrace, path: o.address(some), header: p.headers()}
	if service.samLocal {
		refusedBySAM(t, trace)
		return
	}
	a := refused(t, trace, 405, "method_not_allowed")
	assert.Contains(t, a.header.Get("Allow"), o.method)
}

func TestUnknownPaths(t *testing.T) {
	p := newPartner(t, "sandbox")
	for _, path := range []string{"//", "/nothing", "/openbanking/v1/nothing", "/openbanking/v2/providers",
		"/openbanking/v1/providers/", "/identity/v1//users", "/oauth2/none", "/.well-known/none",
		"/cancellations/v1/none", "/webhooks/v1/none", "/" + marker} {
		for _, header := range []map[string]string{p.headers(), nil} {
			refused(t, request{method: http.MethodGet, path: path, header: header}, 404, "not_found")
		}
	}
}

func toJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	require.NoError(t, err)
	return string(b)
}
