package api_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"aviso/internal/api"
	"aviso/internal/secret/keyring"
)

func get(path string) request { return request{method: http.MethodGet, path: path} }

func list(query string) request {
	return request{method: http.MethodGet, path: "/test/v1/things", query: query}
}

// page is the response of a list: its position and limit, and the next token.
func (s *service) page(r request) (at, limit, next string) {
	s.t.Helper()
	res := s.accepted(r, http.StatusOK)
	var body struct {
		Data listData
		Meta struct{ Pagination map[string]string }
	}
	require.NoError(s.t, json.Unmarshal([]byte(res.body), &body))
	require.Len(s.t, body.Data.Things, 1)
	return body.Data.Things[0].Name, body.Data.Things[0].ThingID, body.Meta.Pagination["nextToken"]
}

func TestLimit(t *testing.T) {
	s := newService(t)
	for query, want := range map[string]string{"": "50", "limit=1": "1", "limit=200": "200",
		"nextToken=": "50", "other=1": "50", "other=": "50", "limit=007": "7", "limit=": "50", "limit": "50",
		"limit=201": "200", "limit=99999999999999999999999999": "200"} {
		_, limit, _ := s.page(list(query))
		assert.Equal(t, want, limit, query)
	}
	for _, value := range []string{"0", "-1", "abc", "1.5", "1e2", "%20", "5%20", "0x10", "²"} {
		p, _ := s.refused(list("limit="+value), http.StatusUnprocessableEntity, "validation_failed")
		require.Len(t, p.Errors, 1, value)
		assert.Equal(t, "limit", p.Errors[0].Parameter)
	}
}

func TestPathID(t *testing.T) {
	s := newService(t)
	s.accepted(get("/test/v1/things/"+userID), http.StatusOK)
	s.accepted(get("/test/v1/things/"+strings.ToUpper(userID)), http.StatusOK)
	for _, id := range []string{"1", "{" + userID + "}", "urn:uuid:" + userID, strings.ReplaceAll(userID, "-", ""), userID + "0", "ü"} {
		p, _ := s.refused(get("/test/v1/things/"+id), http.StatusUnprocessableEntity, "validation_failed")
		assert.Len(t, p.Errors, 1, "not also that its length is wrong")
		assert.Equal(t, "thingId", p.Errors[0].Parameter)
		if id == "1" {
			assert.Contains(t, p.Errors[0].Detail, "UUID")
		}
	}
}

// TestExpectationsAreInPlainWords sends wrong values, and reads what is expected in their place.
func TestExpectationsAreInPlainWords(t *testing.T) {
	s := newService(t)
	for member, want := range map[string]string{
		`"ref":"1"`:      "expected a UUID such as 7f0d4a52-5a3c-4c39-9f3e-0f6f1f9d8c11",
		`"when":"1"`:     "expected a time such as 2026-01-31T09:30:00Z",
		`"place":":"`:    "expected an address such as https://partner.example/",
		`"mail":"1"`:     "expected an e-mail address",
		`"open":1`:       "expected true or false",
		`"count":"1"`:    "expected a whole number",
		`"code":1`:       "expected a text",
		`"parts":1`:      "expected a list",
		`"kind":"Cubic"`: `expected value to be one of "Round, Square"`,
	} {
		p, _ := s.refused(create(`{"name":"a",`+member+`}`), http.StatusUnprocessableEntity, "validation_failed")
		require.Len(t, p.Errors, 1, member)
		assert.Equal(t, want, p.Errors[0].Detail, member)
	}
	for query, want := range map[string]string{
		"depth=x": "expected a whole number", "deep=x": "expected true or false", "depth=0": "expected number >= 1",
		"since=2026": "expected a time such as 2026-01-31T09:30:00Z",
	} {
		p, _ := s.refused(request{method: http.MethodGet, path: "/test/v1/things/" + userID, query: query},
			http.StatusUnprocessableEntity, "validation_failed")
		require.Len(t, p.Errors, 1, query)
		assert.Equal(t, want, p.Errors[0].Detail, query)
	}
}

func TestPageToken(t *testing.T) {
	t.Parallel()

	t.Run("leads through all pages, and is missing on the last", func(t *testing.T) {
		s := newService(t)
		at, _, next := s.page(list(""))
		assert.Equal(t, "at ", at)
		at, limit, next := s.page(list("limit=3&nextToken=" + next))
		assert.Equal(t, "at 1", at)
		assert.Equal(t, "3", limit, "the limit may change between pages")
		res := s.accepted(list("nextToken="+next), http.StatusOK)
		assert.Contains(t, res.body, `"pagination":{}`)
		assert.Contains(t, res.body, "at 2")
		_, _, first := s.page(list("nextToken="))
		assert.NotEmpty(t, first, "an empty token is not a token")
	})

	t.Run("is opaque and never the same twice", func(t *testing.T) {
		s := newService(t)
		_, _, a := s.page(list(""))
		_, _, b := s.page(list(""))
		assert.NotEqual(t, a, b)
	})

	t.Run("is valid for 24 hours", func(t *testing.T) {
		s := newService(t)
		_, _, next := s.page(list(""))
		s.clock.Advance(24 * time.Hour)
		s.page(list("nextToken=" + next))
		s.clock.Advance(time.Second)
		p, _ := s.refused(list("nextToken="+next), http.StatusBadRequest, "invalid_next_token")
		require.Len(t, p.Errors, 1)
		assert.Equal(t, "nextToken", p.Errors[0].Parameter)
	})

	t.Run("belongs to its partner, user, route and filters", func(t *testing.T) {
		s := newService(t)
		_, _, next := s.page(list("kind=Round"))
		for name, r := range map[string]request{
			"partner":   list("kind=Round&nextToken="+next).with("Authorization", "Bearer "+s.token("globex")),
			"filter":    list("kind=Square&nextToken=" + next),
			"no filter": list("nextToken=" + next),
			"route":     {method: http.MethodGet, path: "/test/v1/others", query: "kind=Round&nextToken=" + next},
		} {
			t.Run(name, func(t *testing.T) { s.refused(r, http.StatusBadRequest, "invalid_next_token") })
		}
		mine := get("/test/v1/mine").with("X-User-Id", userID)
		_, _, mine.query = s.page(mine)
		mine.query = "nextToken=" + mine.query
		s.page(mine)
		s.refused(mine.with("X-User-Id", "2c4e28ba-2fa1-4d1e-883f-0016d3cca427"), http.StatusBadRequest, "invalid_next_token")
	})

	t.Run("is refused if any of it was changed", func(t *testing.T) {
		s := newService(t, unlimited)
		_, _, next := s.page(list(""))
		rapid.Check(t, func(t *rapid.T) {
			i := rapid.IntRange(0, len(next)-1).Draw(t, "at")
			by := rapid.SampledFrom([]string{"A", "z", "0", "-", "_", "", "AA", "%20", "%2B"}).Draw(t, "by")
			if forged := next[:i] + by + next[i+1:]; forged != next {
				s.refused(list("nextToken="+forged), http.StatusBadRequest, "invalid_next_token")
			}
		})
		for cut := 1; cut < len(next); cut++ {
			s.refused(list("nextToken="+next[:cut]), http.StatusBadRequest, "invalid_next_token")
		}
		s.refused(list("nextToken="+next+next), http.StatusBadRequest, "invalid_next_token")
		s.refused(list("nextToken="+strings.Repeat("A", 2048)), http.StatusBadRequest, "invalid_next_token")
		s.refused(list("nextToken="+strings.Repeat("A", 2049)), http.StatusUnprocessableEntity, "validation_failed")
	})

	t.Run("of another environment is refused", func(t *testing.T) {
		t.Parallel()
		other, err := keyring.Root{Current: "another root that is long enough to be one"}.Sealer("page")
		require.NoError(t, err)
		_, _, next := serve(t, func(o *api.Options) { o.Pages = other }).page(list(""))
		serve(t).refused(list("nextToken="+next), http.StatusBadRequest, "invalid_next_token")
	})
}
