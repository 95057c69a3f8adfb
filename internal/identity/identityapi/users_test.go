package identityapi_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/identity"
)

const newUser = `{"externalId":"customer-1","countryCode":"DE","languageCode":"de"}`

func TestUsers(t *testing.T) {
	s := newService(t)
	created := s.call(http.MethodPost, "/identity/v1/users", newUser)
	require.Equal(t, http.StatusCreated, created.StatusCode, created.Body)
	id, _ := created.Member("data", "user", "userId").(string)

	t.Run("have their five members, in an envelope", func(t *testing.T) {
		assert.Equal(t, "application/json", created.Header("Content-Type"))
		assert.Equal(t, map[string]any{"pagination": map[string]any{}}, created.Member("meta"))
		user, ok := created.Member("data", "user").(map[string]any)
		require.True(t, ok)
		assert.NoError(t, uuid.Validate(id))
		at, ok := user["createdAt"].(string)
		require.True(t, ok)
		_, err := time.Parse(time.RFC3339, at)
		require.NoError(t, err)
		assert.True(t, strings.HasSuffix(at, "Z"))
		delete(user, "userId")
		delete(user, "createdAt")
		assert.Equal(t, map[string]any{"externalId": "customer-1", "countryCode": "DE", "languageCode": "de"}, user)
	})

	t.Run("are returned with 200 if they exist", func(t *testing.T) {
		again := s.call(http.MethodPost, "/identity/v1/users", newUser)
		assert.Equal(t, http.StatusOK, again.StatusCode)
		assert.JSONEq(t, created.Body, again.Body)
	})

	t.Run("are found by ID in any case and by external ID", func(t *testing.T) {
		for _, path := range []string{"/identity/v1/users/" + id, "/identity/v1/users/" + strings.ToUpper(id),
			"/identity/v1/users?externalId=customer-1"} {
			a := s.call(http.MethodGet, path, "")
			assert.Equal(t, http.StatusOK, a.StatusCode, path)
			assert.JSONEq(t, created.Body, a.Body)
		}
	})

	t.Run("keep what an update does not name", func(t *testing.T) {
		path := "/identity/v1/users/" + strings.ToUpper(id)
		for _, step := range []struct{ body, country, language string }{
			{`{}`, "DE", "de"}, {`{"languageCode":"fr"}`, "DE", "fr"}, {`{"countryCode":"CH"}`, "CH", "fr"},
			{`{"countryCode":"DE","languageCode":"de"}`, "DE", "de"},
		} {
			a := s.call(http.MethodPatch, path, step.body)
			require.Equal(t, http.StatusOK, a.StatusCode, a.Body)
			assert.Equal(t, step.country, a.Member("data", "user", "countryCode"))
			assert.Equal(t, step.language, a.Member("data", "user", "languageCode"))
			assert.JSONEq(t, a.Body, s.call(http.MethodGet, path, "").Body)
		}
		assert.JSONEq(t, created.Body, s.call(http.MethodGet, path, "").Body, "nothing else has changed")
		for _, body := range []string{`{"countryCode":"de"}`, `{"countryCode":"XX"}`, `{"languageCode":""}`} {
			assert.Equal(t, http.StatusUnprocessableEntity, s.call(http.MethodPatch, path, body).StatusCode, body)
		}
		unknown := s.call(http.MethodPatch, "/identity/v1/users/"+uuid.NewString(), `{"countryCode":"DE"}`)
		assert.Equal(t, "user_not_found", unknown.Member("code"))
		other := s.callAs(s.token("other", "other-secret", "identity"), http.MethodPatch, path, `{"countryCode":"AT"}`)
		assert.Equal(t, "user_not_found", other.Member("code"))
	})

	t.Run("without an external ID have an empty one", func(t *testing.T) {
		a := s.call(http.MethodPost, "/identity/v1/users", `{"countryCode":"AT","languageCode":"de"}`)
		require.Equal(t, http.StatusCreated, a.StatusCode)
		assert.Empty(t, a.Member("data", "user", "externalId"))
		assert.NotEqual(t, id, a.Member("data", "user", "userId"))
	})

	t.Run("of another partner are not found", func(t *testing.T) {
		other := s.token("other", "other-secret", "identity")
		for _, path := range []string{"/identity/v1/users/" + id, "/identity/v1/users/" + id + "/terms-acceptances",
			"/identity/v1/users?externalId=customer-1", "/identity/v1/users/" + uuid.NewString()} {
			a := s.callAs(other, http.MethodGet, path, "")
			assert.Equal(t, http.StatusNotFound, a.StatusCode, path)
			assert.Equal(t, "user_not_found", a.Member("code"), path)
		}
	})

	for name, body := range map[string]string{
		"a country in lower case":         `{"countryCode":"de","languageCode":"de"}`,
		"a country of three letters":      `{"countryCode":"DEU","languageCode":"de"}`,
		"a line break after the country":  `{"countryCode":"DE\n","languageCode":"de"}`,
		"a language in upper case":        `{"countryCode":"DE","languageCode":"DE"}`,
		"no language":                     `{"countryCode":"DE"}`,
		"an empty external ID":            `{"externalId":"","countryCode":"DE","languageCode":"de"}`,
		"an external ID that is too long": `{"externalId":"` + strings.Repeat("x", 256) + `","countryCode":"DE","languageCode":"de"}`,
		"an unknown member":               `{"countryCode":"DE","languageCode":"de","name":"ZZ"}`,
		"a member in other case":          `{"CountryCode":"DE","languageCode":"de"}`,
		"a number for the language":       `{"countryCode":"DE","languageCode":7}`,
	} {
		t.Run("refuse "+name, func(t *testing.T) {
			a := s.call(http.MethodPost, "/identity/v1/users", body)
			assert.Equal(t, http.StatusUnprocessableEntity, a.StatusCode, a.Body)
			assert.Equal(t, "validation_failed", a.Member("code"))
			assert.NotContains(t, a.Body, "ZZ")
		})
	}

	for name, path := range map[string]string{
		"an ID that is not a UUID": "/identity/v1/users/customer-1",
		"no external ID":           "/identity/v1/users",
		"an empty external ID":     "/identity/v1/users?externalId=",
	} {
		t.Run("cannot be found by "+name, func(t *testing.T) {
			assert.Equal(t, http.StatusUnprocessableEntity, s.call(http.MethodGet, path, "").StatusCode)
		})
	}
}

func TestTerms(t *testing.T) {
	s := newService(t)
	assert.Equal(t, []any{}, s.call(http.MethodGet, "/identity/v1/terms", "").Member("data", "terms"), "never null")
	terms := identity.Terms{Type: identity.TermsOperator, Version: "2026-01", URL: "https://aviso.example/terms/operator/2026-01"}
	require.NoError(t, s.store.PublishTerms(t.Context(), terms))
	id, _ := s.call(http.MethodPost, "/identity/v1/users", newUser).Member("data", "user", "userId").(string)
	acceptances := "/identity/v1/users/" + id + "/terms-acceptances"

	t.Run("in force are listed", func(t *testing.T) {
		assert.Equal(t, []any{map[string]any{"termsType": "Operator", "version": "2026-01", "url": terms.URL}},
			s.call(http.MethodGet, "/identity/v1/terms", "").Member("data", "terms"))
	})

	t.Run("are accepted; accepting twice is the same", func(t *testing.T) {
		assert.Equal(t, []any{}, s.call(http.MethodGet, acceptances, "").Member("data", "termsAcceptances"), "never null")
		first := s.call(http.MethodPost, acceptances, `{"termsType":"Operator","version":"2026-01"}`)
		require.Equal(t, http.StatusCreated, first.StatusCode, first.Body)
		second := s.call(http.MethodPost, acceptances, `{"termsType":"Operator","version":"2026-01"}`)
		require.Equal(t, http.StatusCreated, second.StatusCode)
		assert.JSONEq(t, first.Body, second.Body)
		accepted, ok := first.Member("data", "termsAcceptance").(map[string]any)
		require.True(t, ok)
		assert.Equal(t, "Operator", accepted["termsType"])
		assert.Equal(t, "2026-01", accepted["version"])
		assert.Len(t, accepted, 3)
		assert.Equal(t, []any{accepted}, s.call(http.MethodGet, acceptances, "").Member("data", "termsAcceptances"))
	})

	t.Run("of a version not in force, or of a type that does not exist, cannot be accepted", func(t *testing.T) {
		for _, body := range []string{`{"termsType":"Operator","version":"2025-01"}`, `{"termsType":"Other","version":"2026-01"}`} {
			a := s.call(http.MethodPost, acceptances, body)
			a.Refused(http.StatusUnprocessableEntity, "validation_failed")
			assert.NotContains(t, a.Body, "2025-01")
		}
	})
}
