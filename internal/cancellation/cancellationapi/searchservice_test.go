package cancellationapi_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationapi"
	"aviso/internal/cancellation/catalogue"
	"aviso/internal/cancellation/fulltext"
	"aviso/internal/dynamo"
	"aviso/internal/owner"
	"aviso/localstack/tests/apitest"
	"aviso/localstack/tests/testenv"
)

const searchPath = "/cancellations/v1/search"

// searchAPI is the search as app wires it, behind the Lambda adapter and with the
// real stores. Only the clock is the test's.
type searchAPI struct {
	*testing.T
	edge    *apitest.Edge
	handler lambda.Handler
	search  *catalogue.Search
	store   *fulltext.Store
	table   string
	now     time.Time
}

func newSearchAPI(t *testing.T, documents ...catalogue.SearchDocument) *searchAPI {
	t.Helper()
	s := &searchAPI{T: t, table: testenv.Table(t, "CancellationTable"), now: time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)}
	s.edge = apitest.NewEdge(t, "search", s.clock)
	s.store = fulltext.NewStore(s.edge.DB, s.table, s.clock)
	s.publish("v1", documents...)
	s.serve(s.store)
	require.NoError(t, s.search.Load(t.Context()))
	return s
}

func (s *searchAPI) clock() time.Time { return s.now }

// serve replaces the handler by one with a catalogue from source.
func (s *searchAPI) serve(source catalogue.SearchSource) {
	s.Helper()
	s.search = catalogue.NewSearch(catalogue.SearchDeps{Source: source, Now: s.clock, Log: slog.Default()})
	s.handler = s.edge.Handler(func(r *api.Router) { cancellationapi.RegisterSearch(r, s.search) })
}

// publish makes a version current, as the importer does.
func (s *searchAPI) publish(version string, documents ...catalogue.SearchDocument) {
	s.Helper()
	require.NoError(s, s.store.PutSnapshot(s.Context(), version, documents))
	row := dynamo.Item{"version": dynamo.S(version)}
	require.NoError(s, dynamo.NewTable(s.edge.DB, s.table).Put(s.Context(), dynamo.Key{PK: "CATALOGUE", SK: "VERSION"}, row))
}

func (s *searchAPI) send(partner owner.PartnerID, scope, query string) apitest.Response {
	s.Helper()
	header := map[string]string{"Authorization": s.edge.Token(partner, scope)}
	return apitest.Call(s.T, s.handler, apitest.Request{Method: http.MethodGet, Path: searchPath + "?" + query, Header: header})
}

// searchAnswer is the body of a successful response.
type searchAnswer struct {
	Data struct{ Organizations, Products []map[string]any }
	Meta struct {
		Pagination struct{ NextToken string }
	}
}

// find sends a search that succeeds. parameters are pairs of name and value.
func (s *searchAPI) find(parameters ...string) searchAnswer {
	s.Helper()
	q := url.Values{}
	for pair := range slices.Chunk(parameters, 2) {
		q.Set(pair[0], pair[1])
	}
	res := s.send("sandbox", "cancellation", q.Encode())
	require.Equal(s, http.StatusOK, res.StatusCode, res.Body)
	var a searchAnswer
	require.NoError(s, json.Unmarshal([]byte(res.Body), &a))
	return a
}

// refused sends a search that fails.
func (s *searchAPI) refused(status int, code, query string) {
	s.Helper()
	res := s.send("sandbox", "cancellation", query)
	assert.Equal(s, status, res.StatusCode, res.Body)
	assert.Contains(s, res.Body, `"code":"`+code+`"`)
}

func catalogueOrganization(slug, name string) catalogue.SearchDocument {
	id := catalogue.OrganizationID(slug)
	return catalogue.SearchDocument{
		Kind: catalogue.SearchOrganization, ID: id, OrganizationID: id, CategoryID: catalogue.CategoryID("energy"),
		Name: name, OrganizationName: name, URL: "https://" + slug + ".example/",
		Locales: []cancellation.Locale{"de-DE"},
	}
}

func catalogueProduct(of catalogue.SearchDocument, slug, name string) catalogue.SearchDocument {
	of.Kind, of.ID, of.Name = catalogue.SearchProduct, catalogue.ProductID(of.Name, slug), name
	return of
}
