package identityapi_test

import (
	"context"
	"encoding/base64"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/go-jose/go-jose/v4"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"aviso/internal/api"
	"aviso/internal/identity"
	"aviso/internal/identity/identityapi"
	"aviso/internal/identity/identitydb"
	"aviso/localstack/tests/apitest"
	"aviso/localstack/tests/testenv"
)

const base = apitest.Base

// service is the whole area behind the Lambda adapter, with the real store.
type service struct {
	t       *testing.T
	handler lambda.Handler
	store   *identitydb.Store
	clocks  *identitydb.ClockStore
}

func newService(t *testing.T) *service {
	t.Helper()
	edge := apitest.NewEdge(t, "identity", time.Now)
	publish := func(ctx context.Context) error { return edge.Keys.PublishKey(ctx, edge.Key.Public()) }
	users := identity.NewUsers(edge.People, time.Now, uuid.NewString)
	clocks := identitydb.NewClockStore(edge.People, testenv.Table(t, "OutboxTable"), time.Now, uuid.NewString)
	s := &service{t: t, store: edge.People, clocks: clocks}
	s.handler = edge.Handler(func(router *api.Router) {
		identityapi.Register(router, identityapi.Services{
			Tokens: identity.NewTokens(edge.People, edge.Issuer.Issue, publish, time.Now), Users: users,
			Clocks: identity.NewUserClocks(clocks, users, time.Now), Agreements: edge.Agreements,
			PublicKeys: func(ctx context.Context) ([]jose.JSONWebKey, error) { return edge.Keys.PublicKeys(ctx) },
		})
	})
	for _, p := range []identity.Partner{
		{ID: "sandbox", Scopes: identity.Scopes(), Secrets: []identity.ClientSecret{{Hash: identity.HashSecret("sandbox-secret")}, {Hash: identity.HashSecret("a+b%c&d é")}}},
		{ID: "other", Scopes: []string{"identity"}, Secrets: []identity.ClientSecret{{Hash: identity.HashSecret("other-secret")}}},
	} {
		require.NoError(t, s.store.PutPartner(t.Context(), p))
	}
	return s
}

func (s *service) send(method, path string, headers map[string]string, body string) apitest.Response {
	s.t.Helper()
	return apitest.Call(s.t, s.handler, apitest.Request{Method: method, Path: path, Header: headers, Body: body})
}

// askToken posts a form to the token endpoint.
func (s *service) askToken(authorization, form string) apitest.Response {
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
	return a.Text("access_token")
}

// call sends a JSON request with a token of sandbox.
func (s *service) call(method, path, body string) apitest.Response {
	s.t.Helper()
	return s.callAs(s.token("sandbox", "sandbox-secret", "identity"), method, path, body)
}

func (s *service) callAs(token, method, path, body string) apitest.Response {
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
