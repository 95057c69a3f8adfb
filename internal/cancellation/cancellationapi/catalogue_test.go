package cancellationapi_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation/catalogue"
)

const file = `{"category":{"slug":"streaming","names":{"en":"Streaming","de":"Streamingdienste"}}}
{"category":{"slug":"parties","names":{"en":"Political parties","de":"Parteien","fr":"Partis politiques"}}}
{"organization":{"slug":"vidorama","category":"streaming","name":"Vidorama","url":"https://vidorama.example","locales":["de-DE","en-GB"],"products":[{"slug":"abo","name":"Vidorama Abo","locales":["de-DE","en-GB"],"form":"Text","channels":[{"kind":"Email","email":"kuendigung@vidorama.example"}],"fields":["NAME","ZIP","DATA_DELETE_REQUEST",{"key":"SCREEN_NAME","labels":{"de-DE":"Anzeigename","en-GB":"Screen name"}}]},{"slug":"kino","name":"Kinopass","locales":["de-DE"],"form":"Text","channels":[{"kind":"Fax","fax":"+4922155500123"}],"fields":["NAME"]},{"slug":"alt","name":"Altes Abo","inactive":true,"locales":["de-DE"],"form":"Text","channels":[{"kind":"Fax","fax":"+4922155500123"}],"fields":["NAME"]}]}}
{"organization":{"slug":"mitte","category":"parties","name":"Ärzte für die Mitte","extraConsent":true,"confirmed":false,"source":"register, 2026-11-24","locales":["de-DE"],"products":[{"slug":"mitglied","name":"Mitgliedschaft","locales":["de-DE"],"form":"Text","channels":[{"kind":"Fax","fax":"+4922155500123"}],"fields":["NAME"]}]}}
{"organization":{"slug":"zuschauer","category":"streaming","name":"Zuschauer","locales":["en-GB"],"products":[{"slug":"abo","name":"Abo","locales":["en-GB"],"form":"Text","channels":[{"kind":"Fax","fax":"+4922155500123"}],"fields":["NAME"]}]}}
{"organization":{"slug":"gone","category":"streaming","name":"Gone","inactive":true,"locales":["de-DE"],"products":[{"slug":"abo","name":"Abo","locales":["de-DE"],"form":"Text","channels":[{"kind":"Fax","fax":"+4922155500123"}],"fields":["NAME"]}]}}
`

var (
	vidorama = catalogue.OrganizationID("vidorama")
	abo      = catalogue.ProductID("vidorama", "abo")
)

func TestCategories(t *testing.T) {
	t.Parallel()
	s := newService(t)
	assert.Equal(t, []any{}, s.ok("/categories").Member("data", "categories"), "never null")
	s.imported(file)

	a := s.ok("/categories")
	assert.Equal(t, map[string]any{
		"data": map[string]any{"categories": []any{
			map[string]any{"id": catalogue.CategoryID("streaming"), "name": "Streaming"},
			map[string]any{"id": catalogue.CategoryID("parties"), "name": "Political parties"},
		}},
		"meta": map[string]any{"pagination": map[string]any{}},
	}, a.Member())
	for locale, want := range map[string][]string{
		"de-AT": {"Streamingdienste", "Parteien"}, "fr-FR": {"Streaming", "Partis politiques"}, "sv-SE": {"Streaming", "Political parties"},
	} {
		assert.Equal(t, want, s.ok("/categories?locale="+locale).Each("categories", "name"), locale)
	}
}

func TestOrganizations(t *testing.T) {
	t.Parallel()
	s := newService(t)
	assert.Equal(t, []any{}, s.ok("/organizations").Member("data", "organizations"), "never null")
	s.imported(file)

	t.Run("may be confirmed", func(t *testing.T) {
		for confirmed, want := range map[string]int{"true": 2, "false": 1, "": 3} {
			list := s.ok("/organizations?confirmed=" + confirmed).Member("data").(map[string]any)["organizations"]
			assert.Len(t, list, want, confirmed)
		}
	})
	t.Run("have every member", func(t *testing.T) {
		a := s.ok("/organizations")
		assert.Equal(t, map[string]any{"data": map[string]any{"organizations": []any{
			map[string]any{
				"id": catalogue.OrganizationID("mitte"), "categoryId": catalogue.CategoryID("parties"),
				"name": "Ärzte für die Mitte", "extraConsent": true, "url": "", "locales": []any{"de-DE"},
				"confirmed": false, "source": "register, 2026-11-24",
			},
			map[string]any{
				"id": vidorama, "categoryId": catalogue.CategoryID("streaming"), "name": "Vidorama", "extraConsent": false,
				"url": "https://vidorama.example", "locales": []any{"de-DE", "en-GB"}, "confirmed": true, "source": "",
			},
			map[string]any{
				"id": catalogue.OrganizationID("zuschauer"), "categoryId": catalogue.CategoryID("streaming"),
				"name": "Zuschauer", "extraConsent": false, "url": "", "locales": []any{"en-GB"}, "confirmed": true,
				"source": "",
			},
		}}, "meta": map[string]any{"pagination": map[string]any{}}}, a.Member())
	})

	t.Run("can be read one by one", func(t *testing.T) {
		list := s.ok("/organizations").Member("data", "organizations").([]any)
		for _, o := range list {
			id := o.(map[string]any)["id"].(string)
			assert.Equal(t, o, s.ok("/organizations/"+strings.ToUpper(id)).Member("data", "organization"))
		}
		for _, id := range []string{uuid.NewString(), catalogue.OrganizationID("gone")} {
			assert.Equal(t, "not_found", s.read("/organizations/"+id).Member("code"))
		}
	})

	t.Run("are filtered by category and locale", func(t *testing.T) {
		streaming := catalogue.CategoryID("streaming")
		for query, want := range map[string][]string{
			"categoryId=" + streaming: {"Vidorama", "Zuschauer"}, "categoryId=" + strings.ToUpper(streaming): {"Vidorama", "Zuschauer"},
			"locale=de-DE": {"Ärzte für die Mitte", "Vidorama"}, "locale=de-DE&categoryId=" + streaming: {"Vidorama"},
			"locale=de-AT": {}, "categoryId=" + uuid.NewString(): {}, "unknown=x&locale=en-GB": {"Vidorama", "Zuschauer"},
		} {
			assert.Equal(t, want, s.ok("/organizations?"+query).Each("organizations", "name"), query)
		}
	})

	t.Run("come in pages", func(t *testing.T) {
		var names []string
		for path := "/organizations?limit=1"; ; {
			a := s.ok(path)
			page := a.Each("organizations", "name")
			require.Len(t, page, 1)
			names = append(names, page...)
			token, more := a.Member("meta", "pagination", "nextToken").(string)
			if !more {
				break
			}
			path = "/organizations?limit=1&nextToken=" + url.QueryEscape(token)
			for _, other := range []string{"&locale=de-DE", "&categoryId=" + uuid.NewString()} {
				refused := s.get(path+other, "cancellation")
				assert.Equal(t, http.StatusBadRequest, refused.StatusCode)
				assert.Equal(t, "invalid_next_token", refused.Member("code"), "of other filters")
			}
		}
		assert.Equal(t, []string{"Ärzte für die Mitte", "Vidorama", "Zuschauer"}, names)
	})
}

func TestProducts(t *testing.T) {
	t.Parallel()
	s := newService(t)
	s.imported(file)

	t.Run("have every member, and are listed only while active", func(t *testing.T) {
		for _, id := range []string{vidorama, strings.ToUpper(vidorama)} {
			assert.Equal(t, map[string]any{"data": map[string]any{"products": []any{
				map[string]any{"productId": abo, "organizationId": vidorama, "name": "Vidorama Abo", "locales": []any{"de-DE", "en-GB"}},
				map[string]any{
					"productId": catalogue.ProductID("vidorama", "kino"), "organizationId": vidorama,
					"name": "Kinopass", "locales": []any{"de-DE"},
				},
			}}, "meta": map[string]any{"pagination": map[string]any{}}}, s.ok("/organizations/"+id+"/products").Member())
		}
	})

	t.Run("are filtered by locale", func(t *testing.T) {
		assert.Equal(t, []string{"Vidorama Abo"}, s.ok("/organizations/"+vidorama+"/products?locale=en-GB").Each("products", "name"))
		assert.Equal(t, []any{}, s.ok("/organizations/"+vidorama+"/products?locale=fr-FR").Member("data", "products"), "never null")
	})

	t.Run("come with their template, in the first locale by default", func(t *testing.T) {
		for path, labels := range map[string][3]string{
			"": {"Postleitzahl", "Löschung meiner personenbezogenen Daten", "Anzeigename"}, "?locale=de-DE": {"Postleitzahl", "Löschung meiner personenbezogenen Daten", "Anzeigename"},
			"?locale=en-GB": {"Postcode", "Delete my personal data", "Screen name"},
		} {
			assert.Equal(t, map[string]any{"data": map[string]any{"product": map[string]any{
				"productId": abo, "organizationId": vidorama, "name": "Vidorama Abo", "template": []any{
					map[string]any{
						"fieldKey": "NAME", "label": "Name", "format": catalogue.Field{}.Pattern(), "type": "Text", "example": "Anna Sommer",
					},
					map[string]any{
						"fieldKey": "ZIP", "label": labels[0], "format": "^[a-zA-Z0-9 ]{1,20}$", "type": "Text", "example": "50667",
					},
					map[string]any{
						"fieldKey": "DATA_DELETE_REQUEST", "label": labels[1], "format": "^(true|false)$", "type": "Boolean", "example": "false",
					},
					map[string]any{"fieldKey": "SCREEN_NAME", "label": labels[2], "format": catalogue.Field{}.Pattern(), "type": "Text"},
				},
			}}, "meta": map[string]any{"pagination": map[string]any{}}},
				s.ok("/organizations/"+vidorama+"/products/"+abo+path).Member(), path)
		}
	})

	t.Run("reject a locale that they do not offer", func(t *testing.T) {
		a := s.get("/organizations/"+vidorama+"/products/"+abo+"?locale=fr-FR", "cancellation")
		assert.Equal(t, http.StatusUnprocessableEntity, a.StatusCode)
		assert.Equal(t, "locale_not_supported", a.Member("code"))
		assert.Equal(
			t,
			[]any{map[string]any{"parameter": "locale", "code": "not_supported", "detail": "Must be one of the product's locales."}},
			a.Member("errors"),
		)
	})

	t.Run("return 404 if unknown", func(t *testing.T) {
		gone, alt := catalogue.OrganizationID("gone"), catalogue.ProductID("vidorama", "alt")
		for _, path := range []string{
			uuid.NewString() + "/products", gone + "/products",
			gone + "/products/" + catalogue.ProductID("gone", "abo"), uuid.NewString() + "/products/" + abo,
			vidorama + "/products/" + uuid.NewString(), vidorama + "/products/" + alt,
			catalogue.OrganizationID("zuschauer") + "/products/" + abo,
		} {
			a := s.get("/organizations/"+path, "cancellation")
			assert.Equal(t, http.StatusNotFound, a.StatusCode, path)
			assert.Equal(t, "not_found", a.Member("code"))
		}
	})
}

func TestCatalogueRejectsInvalidInput(t *testing.T) {
	t.Parallel()
	s := newService(t)
	s.imported(file)
	for path, parameter := range map[string]string{
		"/categories?locale=de": "locale", "/categories?locale=DE-de": "locale", "/categories?locale=de-DE-x": "locale", "/organizations?locale=german": "locale",
		"/organizations?limit=0": "limit", "/organizations?limit=x": "limit", "/organizations?categoryId=streaming": "categoryId",
		"/organizations/vidorama/products": "organizationId", "/organizations/" + vidorama + "/products?locale=de_DE": "locale",
		"/organizations/" + vidorama + "/products/abo": "productId", "/organizations/" + vidorama + "/products/" + abo + "?locale=x": "locale",
	} {
		t.Run(path, func(t *testing.T) {
			a := s.get(path, "cancellation")
			assert.Equal(t, http.StatusUnprocessableEntity, a.StatusCode, a.Body)
			assert.Equal(t, "validation_failed", a.Member("code"))
			errors, ok := a.Member("errors").([]any)
			require.True(t, ok)
			first, ok := errors[0].(map[string]any)
			require.True(t, ok)
			assert.Equal(t, parameter, first["parameter"])
		})
	}
	for _, path := range []string{"/categories", "/organizations", "/organizations/" + vidorama + "/products",
		"/organizations/" + vidorama + "/products/" + abo} {
		a := s.get(path, "pfm")
		assert.Equal(t, http.StatusForbidden, a.StatusCode, path)
		assert.Equal(t, "insufficient_scope", a.Member("code"))
	}
	assert.Equal(t, http.StatusBadRequest, s.get("/organizations?nextToken=x", "cancellation").StatusCode)
}

func TestReadsStayWithinTheirBudget(t *testing.T) {
	t.Parallel()
	s := newService(t)
	s.imported(file)
	for _, path := range []string{
		"/categories", "/organizations", "/organizations?locale=de-DE&limit=1&categoryId=" + catalogue.CategoryID("streaming"),
		"/organizations/" + vidorama + "/products", "/organizations/" + vidorama + "/products/" + abo,
	} {
		s.ok(path)
		assert.Equal(t, 1, s.calls(), path)
	}
}
