package api_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

// marker stands for a value that must not appear in an error, such as an IBAN.
const marker = "DE89-MARKER"

// TestSubmittedValuesAreNeverEchoed sends requests that are invalid in many ways. No
// response may contain a submitted value, and none may be a 5xx.
func TestSubmittedValuesAreNeverEchoed(t *testing.T) {
	s := newService(t, unlimited)

	quiet := func(t assert.TestingT, r request) {
		res := s.send(r)
		if res.status >= http.StatusBadRequest {
			assert.NotContains(t, res.body, marker, "%d", res.status)
			for name, values := range res.header {
				assert.NotContains(t, values, marker, name)
			}
		}
		assert.Less(t, res.status, http.StatusInternalServerError, res.body)
	}

	t.Run("in a body", func(t *testing.T) {
		t.Parallel()
		rapid.Check(t, func(t *rapid.T) {
			body, err := json.Marshal(bodies().Draw(t, "body"))
			if err != nil {
				t.Fatal(err)
			}
			quiet(t, create(string(body)))
		})
	})

	t.Run("in a body that is not JSON", func(t *testing.T) {
		t.Parallel()
		for _, body := range []string{marker, `{"name":"` + marker, `{"name":` + marker + `}`, `"` + marker + `"`, `["` + marker + `"]`} {
			quiet(t, create(body))
		}
	})

	t.Run("as times, URLs and IDs", func(t *testing.T) {
		t.Parallel()
		for _, member := range []string{"when", "place", "ref", "mail", "code", "kind"} {
			for _, value := range []string{
				marker, marker + " x", "http://[" + marker, "%zz" + marker, "2026-03-02T1:00:00Z", "2026-03-02T10:00:00" + marker,
				"urn:uuid:" + marker, "urn:" + marker + "-aaaa-4d1e-883f-0016d3cca427xxxxx", `a@"` + marker, "\x00" + marker,
			} {
				body, err := json.Marshal(map[string]any{"name": "a", member: value})
				assert.NoError(t, err)
				quiet(t, create(string(body)))
			}
		}
		res := s.send(create(`{"name":"a","count":123456789012345678901234567890}`))
		assert.NotContains(t, res.body, "1234567890")
	})

	t.Run("in a path, a query or a header", func(t *testing.T) {
		t.Parallel()
		one := get("/test/v1/things/" + userID)
		for _, path := range []string{
			"/test/v1/things/" + marker, "/test/v1/things/urn:uuid:" + marker, "/" + marker, "/test/v1/things/%" + marker,
			"/test/v1/things/" + marker + "/", "/test//" + marker,
		} {
			quiet(t, get(path))
			quiet(t, request{method: "PATCH", path: path})
		}
		for _, name := range []string{"limit", "nextToken", "depth", "since", "deep", "unknown"} {
			for _, value := range []string{marker, url.QueryEscape(marker + "\x00&=%"), "%" + marker} {
				one.query = name + "=" + value
				quiet(t, one)
				quiet(t, request{method: http.MethodGet, path: "/test/v1/things", query: one.query})
			}
		}
		one.query = marker
		quiet(t, one)
		for _, name := range []string{"Authorization", "X-User-Id", "X-Depth", "Content-Type", "Accept", marker} {
			for _, value := range []string{marker, "Bearer " + marker, "Bearer " + marker + "." + marker + "." + marker, "a/" + marker} {
				quiet(t, get("/test/v1/who").with(name, value))
				quiet(t, create(`{"name":"a"}`).with(name, value))
				quiet(t, one.with(name, value))
			}
		}
	})
}

// bodies draws objects with the members of a thing and others, most of them invalid.
func bodies() *rapid.Generator[map[string]any] {
	leaf := rapid.OneOf(
		rapid.Just[any](marker), rapid.Just[any](nil), rapid.Just[any]("2026-03-02T10:00:00Z"),
		rapid.Just[any](map[string]any{"label": marker}),
		rapid.Just[any]([]any{marker, map[string]any{"label": marker, "size": marker, "more": marker}}),
		rapid.Map(rapid.Float64(), func(f float64) any { return f }),
		rapid.Map(rapid.Int(), func(i int) any { return i }), rapid.Map(rapid.Bool(), func(b bool) any { return b }),
		rapid.Map(rapid.String(), func(s string) any { return s + marker }),
	)
	members := rapid.SampledFrom(
		[]string{"name", "kind", "count", "price", "when", "place", "ref", "mail", "code", "open", "parts", "Name", "other", ""},
	)
	return rapid.MapOf(members, leaf)
}
