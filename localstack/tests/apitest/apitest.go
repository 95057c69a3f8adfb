// Package apitest calls a function's handler in tests as API Gateway does, and checks every
// response against docs/openapi.yaml.
package apitest

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/middleware"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api"
	"aviso/internal/api/apigateway"
	"aviso/internal/api/idempotency"
	"aviso/internal/api/token"
	"aviso/internal/aws/config"
	"aviso/internal/identity"
	"aviso/internal/identity/identitydb"
	"aviso/internal/owner"
	"aviso/internal/secret/keyring"
	"aviso/localstack/stack/host"
	"aviso/localstack/stack/memdb"
	"aviso/localstack/tests/contract"
	"aviso/localstack/tests/logtest"
	"aviso/localstack/tests/testenv"
)

// Domain is the API's domain.
const Domain = "api.example"

// Request is a request to the API.
type Request struct {
	Method string
	// Path may contain a query.
	Path   string
	Header map[string]string
	Body   string
}

// Call sends the request and returns the function's response. It fails the test if the
// document disagrees with the response.
func Call(t testing.TB, h lambda.Handler, r Request) Response {
	t.Helper()
	req := httptest.NewRequestWithContext(t.Context(), r.Method, Base+r.Path, strings.NewReader(r.Body))
	req.RemoteAddr = "203.0.113.7:49152"
	req.Header.Set("User-Agent", "Browser")
	for name, value := range r.Header {
		req.Header.Set(name, value)
	}
	event, err := json.Marshal(host.RequestEvent(req, []byte(r.Body), "$default", nil, time.Now(), uuid.NewString()))
	require.NoError(t, err)
	out, err := h.Invoke(t.Context(), event)
	require.NoError(t, err)
	res := Response{t: t}
	require.NoError(t, json.Unmarshal(out, &res.APIGatewayV2HTTPResponse))
	if res.IsBase64Encoded {
		body, err := base64.StdEncoding.DecodeString(res.Body)
		require.NoError(t, err)
		res.Body = string(body)
	}
	document, err := contract.Default()
	require.NoError(t, err)
	header := http.Header{}
	for name, value := range res.Headers {
		header.Set(name, value)
	}
	assert.NoError(t, document.Check(req, res.StatusCode, header, []byte(res.Body)))
	return res
}

// SealingRoot is the root of the keys that seal an Edge's tokens.
const SealingRoot = "root of the sealing keys of the tests"

// Base is an Edge's public address.
const Base = "https://" + Domain

// Edge is what the functions behind the API share, as wired in app and on the real stores:
// callers can be authenticated, and have users.
type Edge struct {
	testing.TB
	// DB counts its calls.
	DB *dynamodb.Client
	// LoseAnswersOf is a DynamoDB operation that takes effect, but whose response is lost.
	LoseAnswersOf string
	People        *identitydb.Store
	Agreements    *identity.Agreements
	// Key signs tokens for the Issuer; Keys has its public part.
	Key    token.SigningKey
	Keys   *token.KeyStore
	Issuer *token.Issuer
	Log    bytes.Buffer

	service  string
	now      func() time.Time
	verifier *token.Verifier
	answers  *idempotency.Store
}

// NewEdge returns an Edge for the function with this name.
func NewEdge(t testing.TB, service string, now func() time.Time) *Edge {
	t.Helper()
	e := &Edge{TB: t, service: service, now: now}
	e.DB = dynamodb.New(testenv.DynamoDB(t).Options(), func(o *dynamodb.Options) {
		o.APIOptions = append(o.APIOptions, config.CountCalls, memdb.Intercept(e.loseAnswers))
	})
	table := testenv.Table(t, "IdentityTable")
	e.People = identitydb.New(e.DB, table)
	e.Keys = token.NewKeyStore(e.DB, table)
	e.Agreements = identity.NewAgreements(e.People, now)
	e.answers = idempotency.New(e.DB, testenv.Table(t, "IdempotencyTable"))
	var err error
	e.Key, err = token.NewSigningKey("root of the signing key of the tests")
	require.NoError(t, err)
	require.NoError(t, e.Keys.PublishKey(t.Context(), e.Key.Public()))
	e.Issuer, err = token.NewIssuer(e.Key, token.Audience("test"), now, uuid.NewString)
	require.NoError(t, err)
	e.verifier = token.NewVerifier(e.Keys.PublicKeys, nil, token.Audience("test"), now)
	require.NoError(t, e.verifier.Warm(t.Context())) // as functions do when they start
	return e
}

// Handler returns a function with the operations that register adds.
func (e *Edge) Handler(register func(*api.Router)) lambda.Handler {
	e.Helper()
	sealer, err := keyring.Root{Current: SealingRoot}.Sealer("page")
	require.NoError(e, err)
	router := api.New(api.Options{
		Service: e.service, BaseURL: Base, VerifyToken: e.verifier.Verify,
		Answers: e.answers, Pages: sealer, Stored: sealer, RateLimit: 3000,
		Now: e.now, NewID: uuid.NewString, Log: slog.New(slog.NewJSONHandler(io.MultiWriter(&e.Log, logtest.Lines()), nil)),
	})
	register(router)
	return apigateway.Handler(router.Handler())
}

// loseAnswers is called around each call, outside of its retries.
func (e *Edge) loseAnswers(ctx context.Context, _ any, next func(context.Context) (any, error)) (any, error) {
	out, err := next(ctx)
	if err == nil && middleware.GetOperationName(ctx) == e.LoseAnswersOf {
		err = &smithy.GenericAPIError{Code: "InternalServerError", Fault: smithy.FaultServer}
	}
	return out, err
}

// Token returns the header Authorization with an access token of the partner.
func (e *Edge) Token(partner owner.PartnerID, scopes ...string) string {
	e.Helper()
	token, _, err := e.Issuer.Issue(partner, scopes, Base)
	require.NoError(e, err)
	return "Bearer " + token
}

// AddUser creates a user who has accepted these types of terms.
func (e *Edge) AddUser(user owner.User, accepted ...identity.TermsType) {
	e.Helper()
	created := identity.User{Owner: user, CountryCode: "DE", LanguageCode: "de", CreatedAt: e.now()}
	require.NoError(e, e.People.CreateUser(e.Context(), created, nil))
	for _, terms := range accepted {
		published := identity.Terms{Type: terms, Version: "1", URL: "https://aviso.example/terms"}
		require.NoError(e, e.Agreements.Publish(e.Context(), published))
		_, err := e.Agreements.Accept(e.Context(), user, terms, "1", nil)
		require.NoError(e, err)
	}
}

// Calls returns how many AWS calls the last request made, according to its log line.
func (e *Edge) Calls() int {
	e.Helper()
	lines := strings.Split(strings.TrimSpace(e.Log.String()), "\n")
	var line struct{ AwsCalls int }
	require.NoError(e, json.Unmarshal([]byte(lines[len(lines)-1]), &line))
	return line.AwsCalls
}
