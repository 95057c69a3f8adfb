package identityapi_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/go-jose/go-jose/v4"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"aviso/internal/api"
	"aviso/internal/api/apigateway"
	"aviso/internal/api/idempotency"
	"aviso/internal/api/token"
	"aviso/internal/identity"
	"aviso/internal/identity/identityapi"
	"aviso/internal/identity/identitydb"
	"aviso/internal/secret/keyring"
	"aviso/localstack/tests/apitest"
	"aviso/localstack/tests/testenv"
)

const base = "https://api.example"

// service is the whole area behind the Lambda adapter, with the real store.
type service struct {
	t       *testing.T
	handler lambda.Handler
	store   *identitydb.Store
	clocks  *identitydb.ClockStore
}

func newService(t *testing.T) *service {
	t.Helper()
	db := testenv.DynamoDB(t)
	table := testenv.Table(t, "IdentityTable")
	store, keys := identitydb.New(db, table), token.NewKeyStore(db, table)
	key, err := token.NewSigningKey("root of the signing key of the tests")
	require.NoError(t, err)
	issuer, err := token.NewIssuer(key, token.Audience("test"), time.Now, uuid.NewString)
	require.NoError(t, err)
	sealer, err := keyring.Root{Current: "root of the sealing keys of the tests"}.Sealer("page")
	require.NoError(t, err)
	router := api.New(api.Options{
		Service: "identity", BaseURL: base,
		VerifyToken: token.NewVerifier(keys.PublicKeys, nil, token.Audience("test"), time.Now).Verify,
		Answers:     idempotency.New(db, testenv.Table(t, "IdempotencyTable")), Pages: sealer, Stored: sealer,
		RateLimit: 3000, Now: time.Now, NewID: uuid.NewString, Log: slog.Default(),
	})
	publish := func(ctx context.Context) error { return keys.PublishKey(ctx, key.Public()) }
	users := identity.NewUsers(store, time.Now, uuid.NewString)
	clocks := identitydb.NewClockStore(store, testenv.Table(t, "OutboxTable"), time.Now, uuid.NewString)
	identityapi.Register(router, identityapi.Services{
		Tokens:     identity.NewTokens(store, issuer.Issue, publish, time.Now),
		Users:      users,
		Clocks:     identity.NewUserClocks(clocks, users, time.Now),
		Agreements: identity.NewAgreements(store, time.Now),
		PublicKeys: func(ctx context.Context) ([]jose.JSONWebKey, error) { return keys.PublicKeys(ctx) },
	})
	s := &service{t: t, handler: apigateway.Handler(router.Handler()), store: store, clocks: clocks}
	for _, p := range []identity.Partner{
		{ID: "sandbox", Scopes: identity.Scopes(), Secrets: []identity.ClientSecret{{Hash: identity.HashSecret("sandbox-secret")}, {Hash: identity.HashSecret("a+b%c&d é")}}},
		{ID: "other", Scopes: []string{"identity"}, Secrets: []identity.ClientSecret{{Hash: identity.HashSecret("other-secret")}}},
	} {
		require.NoError(t, store.PutPartner(t.Context(), p))
	}
	return s
}

type answer struct {
	events.APIGatewayV2HTTPResponse
	t *testing.T
}

func (a answer) header(name string) string { return http.Header(a.MultiValueHeaders).Get(name) }

// object returns the body as a JSON object.
func (a answer) object() map[string]any {
	a.t.Helper()
	var o map[string]any
	require.NoError(a.t, json.Unmarshal([]byte(a.Body), &o), a.Body)
	return o
}

func (a answer) member(path ...string) any {
	a.t.Helper()
	var v any = a.object()
	for _, name := range path {
		o, ok := v.(map[string]any)
		require.Truef(a.t, ok, "%v in %s", path, a.Body)
		v = o[name]
	}
	return v
}

// send calls as API Gateway does. The names of the response headers are canonical.
func (s *service) send(method, path string, headers map[string]string, body string) answer {
	s.t.Helper()
	a := answer{
		t:                        s.t,
		APIGatewayV2HTTPResponse: apitest.Call(s.t, s.handler, apitest.Request{Method: method, Path: path, Header: headers, Body: body}),
	}
	a.MultiValueHeaders = map[string][]string{}
	for name, value := range a.Headers {
		a.MultiValueHeaders[http.CanonicalHeaderKey(name)] = []string{value}
	}
	return a
}

// askToken posts a form to the token endpoint.
func (s *service) askToken(authorization, form string) answer {
	s.t.Helper()
	headers := map[string]string{"Content-Type": "application/x-www-form-urlencoded"}
	if authorization != "" {
		headers["Authorization"] = authorization
	}
	return s.send(http.MethodPost, "/oauth2/token", headers, form)
}

// token returns a partner's access token for the scopes.
func (s *service) token(partner, secret, scope string) string {
	s.t.Helper()
	a := s.askToken(basic(partner, secret), "grant_type=client_credentials&scope="+url.QueryEscape(scope))
	require.Equal(s.t, http.StatusOK, a.StatusCode, a.Body)
	token, _ := a.member("access_token").(string)
	return token
}

// call sends a JSON request with a token of sandbox.
func (s *service) call(method, path, body string) answer {
	s.t.Helper()
	return s.callAs(s.token("sandbox", "sandbox-secret", "identity"), method, path, body)
}

func (s *service) callAs(token, method, path, body string) answer {
	s.t.Helper()
	headers := map[string]string{"Authorization": "Bearer " + token}
	if body != "" {
		headers["Content-Type"] = "application/json"
	}
	return s.send(method, path, headers, body)
}

func basic(id, secret string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(url.QueryEscape(id)+":"+url.QueryEscape(secret)))
}
