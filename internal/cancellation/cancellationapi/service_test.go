package cancellationapi_test

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"aviso/internal/api"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationapi"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/cancellation/catalogue"
	"aviso/internal/cancellation/cataloguefile"
	"aviso/internal/cancellation/evidence"
	"aviso/internal/cancellation/letter"
	"aviso/internal/cancellation/objection"
	"aviso/internal/cancellation/request"
	"aviso/internal/cancellation/seal"
	"aviso/internal/identity"
	"aviso/internal/owner"
	"aviso/localstack/tests/apitest"
	"aviso/localstack/tests/cancellationtest"
	"aviso/localstack/tests/clocktest"
	"aviso/localstack/tests/testenv"
)

const prefix = "/cancellations/v1"

const evidenceRoot = "a root of evidence with enough characters"

// service is the area as app wires it, behind the Lambda adapter and with the real
// stores. Its letters are plain.
type service struct {
	*testing.T
	edge    *apitest.Edge
	handler lambda.Handler
	clock   *clocktest.Clock
	store   *cancellationdb.Store
	// authority makes the time stamps.
	authority func(ctx context.Context, content []byte) ([]byte, error)
	summarize func(d evidence.Document, sender string) ([]byte, error)
}

// gate requires the terms, like the gate of app.
type gate struct{ agreements *identity.Agreements }

func (g gate) Admit(ctx context.Context, user owner.User) error { return g.agreements.Admit(ctx, user) }

func (g gate) AdmitCancelling(ctx context.Context, user owner.User) error {
	return g.agreements.Admit(ctx, user, identity.TermsCancellationProvider)
}

func newService(t *testing.T) *service {
	t.Helper()
	s := &service{T: t, clock: clocktest.New(), summarize: letter.Summarize}
	s.edge = apitest.NewEdge(t, "cancellation", s.clock.Now)
	s.store = cancellationdb.New(
		s.edge.DB, testenv.Table(t, "CancellationTable"), testenv.Table(t, "OutboxTable"), s.clock.Now, uuid.NewString,
	)
	key, err := seal.DeriveKey(evidenceRoot)
	require.NoError(t, err)
	s.handler = s.edge.Handler(func(router *api.Router) {
		requests := &request.Requests{
			Store: s.store, Product: cancellationtest.NewProducts().OrganizationProduct, Gate: gate{s.edge.Agreements},
			Writer: cancellationtest.Writer{},
			Enabled: []cancellation.ChannelKind{
				cancellation.ChannelEmail, cancellation.ChannelMail, cancellation.ChannelRegisteredMail,
			},
			Now: s.clock.Now, NewID: func() string { return uuid.Must(uuid.NewV7()).String() },
		}
		proofs := &evidence.Bundles{
			Store: s.store, Case: requests.Case,
			Summarize: func(d evidence.Document, sender string) ([]byte, error) { return s.summarize(d, sender) },
			Sign:      func(_ context.Context, content []byte) ([]byte, error) { return key.Sign(content) },
			Stamp:     func(ctx context.Context, content []byte) ([]byte, error) { return s.authority(ctx, content) },
			Log:       slog.Default(),
		}
		cancellationapi.Register(router, cancellationapi.Services{
			Catalogue: catalogue.New(s.store),
			Deadlines: &catalogue.Deadlines{Catalogue: catalogue.New(s.store), Now: s.clock.Now},
			Evidence:  proofs, Requests: requests,
			Objections: &objection.Objections{Store: s.store, Requests: requests, Evidence: proofs},
		})
	})
	s.edge.AddUser(cancellationtest.User(), identity.TermsCancellationProvider)
	return s
}

type noSearch struct{}

func (noSearch) PutSnapshot(context.Context, string, []catalogue.SearchDocument) error { return nil }

// imported imports the text of a file.
func (s *service) imported(text string) {
	s.Helper()
	edition, err := cataloguefile.Parse(strings.NewReader(text))
	require.NoError(s, err)
	importer := &catalogue.Importer{Store: s.store, Search: noSearch{}, Now: time.Now, NewID: uuid.NewString}
	_, err = importer.Import(s.Context(), edition, false, func(int, int) {})
	require.NoError(s, err)
}

// get sends a GET request with a token of the scope.
func (s *service) get(path string, scope string) apitest.Response {
	s.Helper()
	return s.send(http.MethodGet, path, "", map[string]string{"Authorization": s.edge.Token("sandbox", scope)})
}

func (s *service) send(method, path, body string, headers map[string]string) apitest.Response {
	s.Helper()
	return apitest.Call(s.T, s.handler, apitest.Request{Method: method, Path: prefix + path, Header: headers, Body: body})
}

// ok sends a GET request that succeeds.
func (s *service) ok(path string) apitest.Response {
	s.Helper()
	a := s.get(path, "cancellation")
	require.Equal(s, http.StatusOK, a.StatusCode, a.Body)
	return a
}

// calls returns the number of AWS calls of the last request.
func (s *service) calls() int { return s.edge.Calls() }
