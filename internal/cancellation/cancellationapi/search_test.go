package cancellationapi_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/catalogue"
	"aviso/internal/cancellation/fulltext"
)

func TestSearchFindsOrganizationsAndProducts(t *testing.T) {
	t.Parallel()
	party := catalogueOrganization("partei", "Partei der Müller")
	party.ExtraConsent, party.URL, party.Locales = true, "", []cancellation.Locale{"de-DE", "fr-CH"}
	s := newSearchAPI(t, party, catalogueProduct(party, "member", "Mitgliedschaft"), catalogueOrganization("other", "Nordlicht"))

	a := s.find("searchQuery", "muellr mitgl")
	assert.Empty(t, a.Data.Organizations)
	assert.Equal(t, []map[string]any{
		{"productId": catalogue.ProductID(party.Name, "member"),
			"organizationId": party.ID,
			"name":           "Mitgliedschaft",
			"locales":        []any{"de-DE", "fr-CH"}},
	}, a.Data.Products)
	assert.Empty(t, a.Meta.Pagination.NextToken)

	a = s.find("searchQuery", "müller")
	assert.Equal(t, []map[string]any{
		{
			"id":           party.ID,
			"categoryId":   party.CategoryID,
			"name":         "Partei der Müller",
			"extraConsent": true,
			"url":          "",
			"locales":      []any{"de-DE", "fr-CH"},
			"confirmed":    true,
			"source":       "",
		},
	}, a.Data.Organizations)

	t.Run("applies filters", func(t *testing.T) {
		assert.Len(
			t,
			s.find("searchQuery", "müller", "locale", "fr-CH", "categoryId", strings.ToUpper(party.CategoryID)).Data.Organizations,
			1,
		)
		assert.Empty(t, s.find("searchQuery", "müller", "locale", "en-GB").Data.Organizations)
		assert.Empty(t, s.find("searchQuery", "müller", "categoryId", catalogue.CategoryID("none")).Data.Organizations)
	})
	t.Run("queries call no store", func(t *testing.T) {
		assert.Zero(t, s.edge.Calls())
	})
	t.Run("does not log the query", func(t *testing.T) {
		assert.NotContains(t, strings.ToLower(s.edge.Log.String()), "muellr")
	})
}

func TestSearchQueries(t *testing.T) {
	t.Parallel()
	s := newSearchAPI(t, catalogueOrganization("tokyo", "東京ガス"), catalogueOrganization("nord", "Nordlicht"))
	t.Run("operators are plain words", func(t *testing.T) {
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
		"no query": "", "an empty query": "searchQuery=", "spaces": "searchQuery=%20%09%0A", "limit 0": "searchQuery=a&limit=0", "limit -1": "searchQuery=a&limit=-1",
		"a limit that is not a number": "searchQuery=a&limit=x", "a locale of another form": "searchQuery=a&locale=de", "a category that is not a UUID": "searchQuery=a&categoryId=energy",
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
	var documents []catalogue.SearchDocument
	for i := range 25 {
		o := catalogueOrganization(fmt.Sprint("nord", i), fmt.Sprintf("Nord %c", 'A'+i))
		documents = append(documents, o)
		for j := range i % 3 {
			documents = append(documents, catalogueProduct(o, fmt.Sprint(j), fmt.Sprint("Strom ", j)))
		}
	}
	s := newSearchAPI(t, documents...)
	t.Run("limit bounds each list, and pages return both completely", func(t *testing.T) {
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
	t.Run("a token is valid only for its query, filters and partner", func(t *testing.T) {
		for _, query := range []string{"searchQuery=nor", "searchQuery=nord&locale=de-DE",
			"searchQuery=nord&categoryId=" + catalogue.CategoryID("energy")} {
			s.refused(http.StatusBadRequest, "invalid_next_token", query+"&nextToken="+token)
		}
		s.refused(http.StatusBadRequest, "invalid_next_token", "searchQuery=nord&nextToken=rubbish")
		assert.Equal(t, http.StatusBadRequest, s.send("sandbox-2", "cancellation", "searchQuery=nord&nextToken="+token).StatusCode)
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
	s.serve(fulltext.NewStore(s.edge.DB, "no-such-table", s.clock))
	require.Error(t, s.search.Load(t.Context()))
	res := s.send("sandbox", "cancellation", "searchQuery=nord")
	assert.Equal(t, http.StatusServiceUnavailable, res.StatusCode)
	assert.Contains(t, res.Body, `"code":"temporarily_unavailable"`)
	assert.Equal(t, "1", http.Header(res.MultiValueHeaders).Get("Retry-After")+res.Headers["Retry-After"])
}
