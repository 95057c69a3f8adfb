package cancellationapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationapi"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/cancellation/fulltext"
	"aviso/internal/dynamo"
	"aviso/internal/owner"
	"aviso/localstack/apitest"
	"aviso/localstack/testenv"
)

const searchPath = "/cancellations/v1/search"

// searchAPI is the search as app wires it, behind the Lambda adapter and on the
// real stores; only the clock is the test's.
type searchAPI struct {
	*testing.T
	edge    *apitest.Edge
	handler lambda.Handler
	search  *cancellation.Search
	store   *cancellationdb.Store
	table   string
	now     time.Time
}

func newSearchAPI(t *testing.T, documents ...cancellation.SearchDocument) *searchAPI {
	t.Helper()
	s := &searchAPI{T: t, table: testenv.Table(t, "CancellationTable"), now: time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)}
	s.edge = apitest.NewEdge(t, "search", s.clock)
	s.store = cancellationdb.New(s.edge.DB, s.table, "", s.clock, uuid.NewString)
	s.publish("v1", documents...)
	s.serve(s.store)
	require.NoError(t, s.search.Load(t.Context()))
	return s
}

func (s *searchAPI) clock() time.Time { return s.now }

// serve makes the handler anew, with a catalogue from source.
func (s *searchAPI) serve(source cancellation.SearchSource) {
	s.Helper()
	s.search = cancellation.NewSearch(cancellation.SearchDeps{
		Source: source, Build: func(d []cancellation.SearchDocument) cancellation.SearchIndex { return fulltext.New(d) }, Now: s.clock, Log: slog.New(slog.DiscardHandler),
	})
	s.handler = s.edge.Handler(func(r *api.Router) { cancellationapi.RegisterSearch(r, s.search) })
}

// publish puts a version in force, as the importer does.
func (s *searchAPI) publish(version string, documents ...cancellation.SearchDocument) {
	s.Helper()
	require.NoError(s, s.store.PutSnapshot(s.Context(), version, documents))
	item := dynamo.Key("CATALOGUE", "VERSION")
	item["version"] = dynamo.S(version)
	_, err := s.edge.DB.PutItem(s.Context(), &dynamodb.PutItemInput{TableName: &s.table, Item: item})
	require.NoError(s, err)
}

func (s *searchAPI) send(partner owner.PartnerID, scope, query string) events.APIGatewayV2HTTPResponse {
	s.Helper()
	return apitest.Call(s.T, s.handler, apitest.Request{Method: http.MethodGet, Path: searchPath + "?" + query, Header: map[string]string{"Authorization": s.edge.Token(partner, scope)}})
}

// searchAnswer is the body of a success.
type searchAnswer struct {
	Data struct{ Organizations, Products []map[string]any }
	Meta struct {
		Pagination struct{ NextToken string }
	}
}

// find sends a search that succeeds; parameters are pairs of name and value.
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

// refused sends a search that does not succeed.
func (s *searchAPI) refused(status int, code, query string) {
	s.Helper()
	res := s.send("sandbox", "cancellation", query)
	assert.Equal(s, status, res.StatusCode, res.Body)
	assert.Contains(s, res.Body, `"code":"`+code+`"`)
}

func catalogueOrganization(slug, name string) cancellation.SearchDocument {
	id := cancellation.OrganizationID(slug)
	return cancellation.SearchDocument{
		Kind: cancellation.SearchOrganization, ID: id, OrganizationID: id, CategoryID: cancellation.CategoryID("energy"), Name: name, OrganizationName: name,
		URL: "https://" + slug + ".example/", Locales: []cancellation.Locale{"de-DE"},
	}
}

func catalogueProduct(of cancellation.SearchDocument, slug, name string) cancellation.SearchDocument {
	of.Kind, of.ID, of.Name = cancellation.SearchProduct, cancellation.ProductID(of.Name, slug), name
	return of
}

func TestSearchFindsOrganizationsAndProducts(t *testing.T) {
	t.Parallel()
	party := catalogueOrganization("partei", "Partei der Müller")
	party.ExtraConsent, party.URL, party.Locales = true, "", []cancellation.Locale{"de-DE", "fr-CH"}
	s := newSearchAPI(t, party, catalogueProduct(party, "member", "Mitgliedschaft"), catalogueOrganization("other", "Nordlicht"))

	a := s.find("searchQuery", "muellr mitgl")
	assert.Empty(t, a.Data.Organizations)
	assert.Equal(t, []map[string]any{{
		"productId": cancellation.ProductID(party.Name, "member"), "organizationId": party.ID, "name": "Mitgliedschaft", "locales": []any{"de-DE", "fr-CH"},
	}}, a.Data.Products)
	assert.Empty(t, a.Meta.Pagination.NextToken)

	a = s.find("searchQuery", "müller")
	assert.Equal(t, []map[string]any{{
		"id": party.ID, "categoryId": party.CategoryID, "name": "Partei der Müller", "extraConsent": true, "url": "", "locales": []any{"de-DE", "fr-CH"},
	}}, a.Data.Organizations)

	t.Run("filters narrow it", func(t *testing.T) {
		assert.Len(t, s.find("searchQuery", "müller", "locale", "fr-CH", "categoryId", strings.ToUpper(party.CategoryID)).Data.Organizations, 1)
		assert.Empty(t, s.find("searchQuery", "müller", "locale", "en-GB").Data.Organizations)
		assert.Empty(t, s.find("searchQuery", "müller", "categoryId", cancellation.CategoryID("none")).Data.Organizations)
	})
	t.Run("a query costs no call of a store", func(t *testing.T) {
		assert.Zero(t, s.edge.Calls())
	})
	t.Run("the log does not tell what was searched for", func(t *testing.T) {
		assert.NotContains(t, strings.ToLower(s.edge.Log.String()), "muellr")
	})
}

func TestSearchQueriesOfAllKinds(t *testing.T) {
	t.Parallel()
	s := newSearchAPI(t, catalogueOrganization("tokyo", "東京ガス"), catalogueOrganization("nord", "Nordlicht"))
	t.Run("signs find nothing", func(t *testing.T) {
		for _, q := range []string{"!!!", `"*"`, "🎉", "\u200b", "\x01"} {
			a := s.find("searchQuery", q)
			assert.Empty(t, a.Data.Organizations, q)
			assert.Empty(t, a.Data.Products, q)
		}
	})
	t.Run("operators are words", func(t *testing.T) {
		assert.Len(t, s.find("searchQuery", `"nord" NEAR(x, 5) OR * AND (`).Data.Organizations, 1)
	})
	t.Run("any script", func(t *testing.T) {
		assert.Len(t, s.find("searchQuery", "東京").Data.Organizations, 1)
	})
	t.Run("200 characters, not bytes", func(t *testing.T) {
		s.find("searchQuery", strings.Repeat("東", 200))
		s.refused(422, "validation_failed", "searchQuery="+strings.Repeat("%E6%9D%B1", 201))
	})
	t.Run("10 KB are refused", func(t *testing.T) { s.refused(422, "validation_failed", "searchQuery="+strings.Repeat("a", 10_240)) })
	for name, query := range map[string]string{
		"no query": "", "an empty query": "searchQuery=", "spaces": "searchQuery=%20%09%0A", "limit 0": "searchQuery=a&limit=0", "limit 201": "searchQuery=a&limit=201",
		"a limit that is no number": "searchQuery=a&limit=x", "a locale of another form": "searchQuery=a&locale=de", "a category that is no UUID": "searchQuery=a&categoryId=energy",
	} {
		t.Run(name+" is refused", func(t *testing.T) { s.refused(422, "validation_failed", query) })
	}
	t.Run("another scope is refused", func(t *testing.T) {
		res := s.send("sandbox", "pfm", "searchQuery=nord")
		assert.Equal(t, http.StatusForbidden, res.StatusCode)
	})
}

func TestSearchPages(t *testing.T) {
	t.Parallel()
	var documents []cancellation.SearchDocument
	for i := range 25 {
		o := catalogueOrganization(fmt.Sprint("nord", i), fmt.Sprintf("Nord %c", 'A'+i))
		documents = append(documents, o)
		for j := range i % 3 {
			documents = append(documents, catalogueProduct(o, fmt.Sprint(j), fmt.Sprint("Strom ", j)))
		}
	}
	s := newSearchAPI(t, documents...)
	names := func(a searchAnswer) (all []any) {
		for _, o := range a.Data.Organizations {
			all = append(all, o["name"])
		}
		return all
	}
	t.Run("limit bounds each list, and pages give all of both", func(t *testing.T) {
		var organizations, products []any
		token := ""
		for range 10 {
			a := s.find("searchQuery", "nord", "limit", "7", "nextToken", token)
			require.LessOrEqual(t, len(a.Data.Organizations), 7)
			require.LessOrEqual(t, len(a.Data.Products), 7)
			for _, o := range a.Data.Organizations {
				organizations = append(organizations, o["id"])
			}
			for _, p := range a.Data.Products {
				products = append(products, p["productId"])
			}
			if token = a.Meta.Pagination.NextToken; token == "" {
				break
			}
		}
		require.Empty(t, token)
		assert.Len(t, unique(organizations), 25)
		assert.Len(t, organizations, 25)
		assert.Len(t, unique(products), 24)
		assert.Len(t, products, 24)
	})
	first := s.find("searchQuery", "nord", "limit", "5")
	token := url.QueryEscape(first.Meta.Pagination.NextToken)
	require.NotEmpty(t, token)
	t.Run("a token is of its query, filters and partner", func(t *testing.T) {
		for _, query := range []string{"searchQuery=nor", "searchQuery=nord&locale=de-DE", "searchQuery=nord&categoryId=" + cancellation.CategoryID("energy")} {
			s.refused(http.StatusBadRequest, "invalid_next_token", query+"&nextToken="+token)
		}
		s.refused(http.StatusBadRequest, "invalid_next_token", "searchQuery=nord&nextToken=rubbish")
		assert.Equal(t, http.StatusBadRequest, s.send("sandbox-2", "cancellation", "searchQuery=nord&nextToken="+token).StatusCode)
	})
	t.Run("a token goes on in a new version of the catalogue", func(t *testing.T) {
		require.Equal(t, []any{"Nord A", "Nord B", "Nord C", "Nord D", "Nord E"}, names(first))
		changed := slices.DeleteFunc(slices.Clone(documents), func(d cancellation.SearchDocument) bool {
			return d.OrganizationName == "Nord E" || d.OrganizationName == "Nord G"
		})
		s.publish("v2", append(changed, catalogueOrganization("new", "Nord BB"), catalogueOrganization("newer", "Nord HH"))...)
		s.now = s.now.Add(30 * time.Second)
		s.find("searchQuery", "nord")
		settle, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		s.search.Settle(settle)
		a := s.find("searchQuery", "nord", "limit", "5", "nextToken", first.Meta.Pagination.NextToken)
		assert.Equal(t, []any{"Nord F", "Nord H", "Nord HH", "Nord I", "Nord J"}, names(a))
	})
}

func unique(list []any) map[any]bool {
	set := map[any]bool{}
	for _, v := range list {
		set[v] = true
	}
	return set
}

func TestSearchWithoutItsStore(t *testing.T) {
	t.Parallel()
	s := newSearchAPI(t, catalogueOrganization("nord", "Nord"))
	s.serve(cancellationdb.New(s.edge.DB, "no-such-table", "", s.clock, uuid.NewString))
	require.Error(t, s.search.Load(t.Context()))
	res := s.send("sandbox", "cancellation", "searchQuery=nord")
	assert.Equal(t, http.StatusServiceUnavailable, res.StatusCode)
	assert.Contains(t, res.Body, `"code":"temporarily_unavailable"`)
	assert.Equal(t, "1", http.Header(res.MultiValueHeaders).Get("Retry-After")+res.Headers["Retry-After"])
}
