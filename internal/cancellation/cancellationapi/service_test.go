package cancellationapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"aviso/internal/accesstoken"
	"aviso/internal/api"
	"aviso/internal/awscall"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationapi"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/cancellation/cataloguefile"
	"aviso/internal/cancellation/letter"
	"aviso/internal/idempotency"
	"aviso/internal/identity/identitydb"
	"aviso/internal/keyring"
	"aviso/localstack/apitest"
	"aviso/localstack/testenv"
)

const (
	base   = "https://api.example"
	prefix = "/cancellations/v1"
)

// service is the area as app wires it, behind the Lambda adapter and on the real
// stores.
type service struct {
	*testing.T
	handler lambda.Handler
	store   *cancellationdb.Store
	issuer  *accesstoken.Issuer
	log     bytes.Buffer
}

func newService(t *testing.T) *service {
	t.Helper()
	s := &service{T: t}
	now := func() time.Time { return time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC) }
	db := dynamodb.New(testenv.DynamoDB(t).Options(), func(o *dynamodb.Options) { o.APIOptions = append(o.APIOptions, awscall.Count) })
	people := identitydb.New(db, testenv.Table(t, "IdentityTable"))
	s.store = cancellationdb.New(db, testenv.Table(t, "CancellationTable"), "no outbox", now, uuid.NewString)
	key, err := accesstoken.NewSigningKey("root of the signing key of the tests")
	require.NoError(t, err)
	require.NoError(t, people.PublishKey(t.Context(), key.Public()))
	s.issuer, err = accesstoken.NewIssuer(key, accesstoken.Audience("test"), now, uuid.NewString)
	require.NoError(t, err)
	sealer, err := keyring.Root{Current: "root of the sealing keys of the tests"}.Sealer("page")
	require.NoError(t, err)
	verifier := accesstoken.NewVerifier(people, accesstoken.Audience("test"), now)
	require.NoError(t, verifier.Warm(t.Context())) // as functions do when they start
	router := api.New(api.Options{
		Service: "cancellation", BaseURL: base, Tokens: verifier, Answers: idempotency.New(db, testenv.Table(t, "IdempotencyTable")),
		Pages: sealer, Stored: sealer, RateLimit: 3000, Now: now, NewID: uuid.NewString, Log: slog.New(slog.NewJSONHandler(&s.log, nil)),
	})
	cancellationapi.RegisterCatalogue(router, cancellation.NewCatalogue(s.store))
	s.handler = api.LambdaHandler(router.Handler())
	return s
}

type noSearch struct{}

func (noSearch) PutSnapshot(context.Context, string, []cancellation.SearchDocument) error { return nil }

// imported imports a file's text.
func (s *service) imported(text string) {
	s.Helper()
	edition, err := cataloguefile.Parse(strings.NewReader(text), letter.New())
	require.NoError(s, err)
	_, err = cancellation.NewImporter(s.store, s.store, noSearch{}, time.Now, uuid.NewString).Import(s.Context(), edition, false, func(int, int) {})
	require.NoError(s, err)
}

type answer struct {
	events.APIGatewayV2HTTPResponse
	t *testing.T
}

// member is what stands at the path in the body.
func (a answer) member(path ...string) any {
	a.t.Helper()
	var v any
	require.NoError(a.t, json.Unmarshal([]byte(a.Body), &v), a.Body)
	for _, name := range path {
		o, ok := v.(map[string]any)
		require.Truef(a.t, ok, "%v in %s", path, a.Body)
		v = o[name]
	}
	return v
}

// each is the member of that name of every object in a list.
func (a answer) each(list, name string) []string {
	a.t.Helper()
	objects, ok := a.member("data", list).([]any)
	require.Truef(a.t, ok, "%s in %s is a list", list, a.Body)
	values := make([]string, len(objects))
	for i, o := range objects {
		object, ok := o.(map[string]any)
		require.True(a.t, ok)
		values[i], _ = object[name].(string)
	}
	return values
}

// get reads with a token of the scope.
func (s *service) get(path string, scope string) answer {
	s.Helper()
	token, err := s.issuer.Issue(accesstoken.Principal{Partner: "sandbox", Scopes: []string{scope}}, base)
	require.NoError(s, err)
	return answer{t: s.T, APIGatewayV2HTTPResponse: apitest.Call(s.T, s.handler, apitest.Request{
		Method: http.MethodGet, Path: prefix + path, Header: map[string]string{"Authorization": "Bearer " + token},
	})}
}

// ok reads what is there.
func (s *service) ok(path string) answer {
	s.Helper()
	a := s.get(path, "cancellation")
	require.Equal(s, http.StatusOK, a.StatusCode, a.Body)
	return a
}

// calls is how many AWS calls the last request has made, as its log line says.
func (s *service) calls() int {
	s.Helper()
	lines := strings.Split(strings.TrimSpace(s.log.String()), "\n")
	var line struct{ AwsCalls int }
	require.NoError(s, json.Unmarshal([]byte(lines[len(lines)-1]), &line))
	return line.AwsCalls
}
