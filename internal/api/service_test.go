package api_test

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api"
	"aviso/internal/api/apigateway"
	"aviso/internal/api/token"
	"aviso/internal/observe"
	"aviso/internal/owner"
	"aviso/internal/secret/keyring"
	"aviso/localstack/tests/clocktest"
)

const (
	baseURL  = "https://api.example"
	audience = "https://aviso.example/test"
	userID   = "1b4e28ba-2fa1-4d1e-883f-0016d3cca427"
	root     = "0123456789abcdefghijklmnopqrstuvwxyz0123456789"
)

// service serves the test operations with the real Router and Lambda adapter.
type service struct {
	t      testing.TB
	lambda lambda.Handler
	clock  *clocktest.Clock
	log    *lines
	issuer *token.Issuer
	ops    *operations
}

// newService returns a service of its own for a test, which runs in parallel with others.
func newService(t *testing.T, change ...func(*api.Options)) *service {
	t.Helper()
	t.Parallel()
	return serve(t, change...)
}

func serve(t testing.TB, change ...func(*api.Options)) *service {
	t.Helper()
	s := &service{t: t, clock: clocktest.New(), log: &lines{}}
	key, err := token.NewSigningKey(root)
	require.NoError(t, err)
	s.issuer, err = token.NewIssuer(key, audience, s.clock.Now, newID())
	require.NoError(t, err)
	log := slog.New(observe.LogTrace(slog.NewJSONHandler(s.log, nil))).With(observe.Stack, "test")
	opts := api.Options{
		Service: "test", BaseURL: baseURL, Answers: noAnswers{},
		VerifyToken: token.NewVerifier(keySet{key.Public()}.PublicKeys, nil, audience, s.clock.Now).Verify,
		Pages:       sealer(t, "page"), Stored: sealer(t, "answer"), RateLimit: 3000,
		Now: s.clock.Now, NewID: newID(), Log: log,
	}
	for _, c := range change {
		c(&opts)
	}
	r := api.New(opts)
	s.ops = register(r)
	s.lambda = apigateway.Handler(r.Handler())
	return s
}

func sealer(t testing.TB, purpose string) *keyring.Sealer {
	t.Helper()
	s, err := keyring.Root{Current: root}.Sealer(purpose)
	require.NoError(t, err)
	return s
}

// token returns a token of the partner, with all scopes if none are named.
func (s *service) token(partner owner.PartnerID, scopes ...string) string {
	s.t.Helper()
	if len(scopes) == 0 {
		scopes = []string{"identity", "pfm", "cancellation", "webhook"}
	}
	token, _, err := s.issuer.Issue(partner, scopes, baseURL)
	require.NoError(s.t, err)
	return token
}

// request is a partner's request. Without an Authorization header it is sent
// with a token of the partner acme; the value "-" omits a header.
type request struct {
	method, path, query string
	header              map[string]string
	cookies             []string
	body                string
	inBase64            bool
}

func (r request) with(name, value string) request {
	h := map[string]string{name: value}
	for k, v := range r.header {
		if !strings.EqualFold(k, name) {
			h[k] = v
		}
	}
	r.header = h
	return r
}

// reply is a response.
type reply struct {
	status  int
	header  http.Header
	cookies []string
	body    string
	// inBase64 reports whether the body was in base64; it is decoded here.
	inBase64 bool
}

// send sends the request as API Gateway does, with headers in lower case.
func (s *service) send(r request) reply {
	s.t.Helper()
	e := events.APIGatewayV2HTTPRequest{
		Version: "2.0", RawPath: r.path, RawQueryString: r.query, Headers: map[string]string{}, Cookies: r.cookies, Body: r.body,
		RequestContext: events.APIGatewayV2HTTPRequestContext{
			DomainName: "gateway.example",
			HTTP: events.APIGatewayV2HTTPRequestContextHTTPDescription{
				Method: cmp.Or(r.method, http.MethodGet), Path: r.path, SourceIP: "192.0.2.7",
			},
		},
	}
	if r.inBase64 {
		e.Body, e.IsBase64Encoded = base64.StdEncoding.EncodeToString([]byte(r.body)), true
	}
	all := map[string]string{"authorization": "Bearer " + s.token("acme")}
	if r.body != "" {
		all["content-type"] = "application/json"
	}
	for name, value := range r.header {
		all[strings.ToLower(name)] = value
	}
	for name, value := range all {
		if value != "-" {
			e.Headers[name] = value
		}
	}
	event, err := json.Marshal(e)
	require.NoError(s.t, err)
	out, err := s.lambda.Invoke(s.t.Context(), event)
	require.NoError(s.t, err)
	var res events.APIGatewayV2HTTPResponse
	require.NoError(s.t, json.Unmarshal(out, &res))
	h := http.Header{}
	for name, value := range res.Headers {
		h.Set(name, value)
	}
	if res.IsBase64Encoded {
		body, err := base64.StdEncoding.DecodeString(res.Body)
		require.NoError(s.t, err)
		res.Body = string(body)
	}
	return reply{status: res.StatusCode, header: h, cookies: res.Cookies, body: res.Body, inBase64: res.IsBase64Encoded}
}

// problem returns the problem document of a reply, after the common checks.
func (s *service) problem(r reply) api.Problem {
	s.t.Helper()
	require.Equal(s.t, "application/problem+json", r.header.Get("Content-Type"), r.body)
	var p api.Problem
	d := json.NewDecoder(strings.NewReader(r.body))
	d.DisallowUnknownFields()
	require.NoError(s.t, d.Decode(&p), r.body)
	_, err := d.Token()
	require.ErrorIs(s.t, err, io.EOF, "one document and nothing more: %s", r.body)
	assert.Equal(s.t, r.status, p.Status)
	assert.Equal(s.t, "https://aviso.example/problems/"+string(p.Code), p.Type)
	assert.NotEmpty(s.t, p.Title)
	assert.NotEmpty(s.t, p.Detail)
	assert.Equal(s.t, r.header.Get("X-Request-Id"), p.TraceID)
	assert.Equal(s.t, "no-store", r.header.Get("Cache-Control"))
	return p
}

// refused sends the request and expects the status and the code.
func (s *service) refused(r request, status int, code string) (api.Problem, reply) {
	s.t.Helper()
	res := s.send(r)
	p := s.problem(res)
	require.Equal(s.t, fmt.Sprint(status, " ", code), fmt.Sprint(res.status, " ", p.Code), res.body)
	return p, res
}

// accepted sends the request and expects the status.
func (s *service) accepted(r request, status int) reply {
	s.t.Helper()
	res := s.send(r)
	require.Equal(s.t, status, res.status, res.body)
	return res
}

// newID returns made-1, made-2 and so on.
func newID() func() string {
	var n atomic.Int64
	return func() string { return fmt.Sprintf("made-%d", n.Add(1)) }
}

// keySet is a source of public keys that never fails.
type keySet []jose.JSONWebKey

func (k keySet) PublicKeys(context.Context) ([]jose.JSONWebKey, error) { return k, nil }

// noAnswers is a store for tests without idempotency keys.
type noAnswers struct{ api.AnswerStore }

// lines is a log.
type lines struct {
	mu  sync.Mutex
	all []string
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, string(b))
	return len(b), nil
}

func (l *lines) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.all, "")
}

// last returns the latest line for a request.
func (l *lines) last(t *testing.T) map[string]any {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, v := range slices.Backward(l.all) {
		var line map[string]any
		require.NoError(t, json.Unmarshal([]byte(v), &line))
		if line["msg"] == "request" {
			return line
		}
	}
	require.Fail(t, "no request was logged")
	return nil
}

var errUnexpected = errors.New("the disk is on fire")
