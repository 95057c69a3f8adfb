package api_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRoute(t *testing.T) {
	t.Parallel()

	t.Run("an unknown path is a problem", func(t *testing.T) {
		s := newService(t)
		for _, path := range []string{
			"/", "", "/test", "/test/v1", "/test/v1/things/", "/test/v1//things", "//test/v1/things", "/test/v1/./things", "/test/v1/x/../things",
			"/test/v1/things/" + userID + "/more", "/TEST/v1/things", "/test/v1/thing s", "/test/v1/things;a=b", "*", "/test/v1/things\x00", "/test/v1/th\u00efngs",
			"/test/v1/things/a/b",
		} {
			for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodOptions} {
				_, res := s.refused(request{method: method, path: path}, http.StatusNotFound, "not_found")
				assert.Empty(t, res.header.Get("Location"))
				assert.Empty(t, res.header.Get("Allow"))
			}
		}
	})

	t.Run("reports an unknown path without a token", func(t *testing.T) {
		newService(t).refused(get("/nowhere").with("Authorization", "-"), http.StatusNotFound, "not_found")
	})

	t.Run("a wrong method gets the allowed ones", func(t *testing.T) {
		s := newService(t)
		for path, allow := range map[string]string{
			"/test/v1/things":           "GET, HEAD, POST",
			"/test/v1/things/" + userID: "DELETE, GET, HEAD",
			"/test/v1/things/changes":   "GET, HEAD", // not those of {thingId}
			"/test/form":                "POST",
		} {
			for _, method := range []string{http.MethodPut, http.MethodPatch, http.MethodOptions, http.MethodTrace, "BREW"} {
				_, res := s.refused(request{method: method, path: path}, http.StatusMethodNotAllowed, "method_not_allowed")
				assert.Equal(t, allow, res.header.Get("Allow"), method)
			}
		}
		s.refused(request{method: http.MethodDelete, path: "/test/v1/things/changes"}, http.StatusMethodNotAllowed, "method_not_allowed")
		s.refused(request{method: http.MethodHead, path: "/test/form"}, http.StatusMethodNotAllowed, "method_not_allowed")
	})

	t.Run("serves HEAD where it serves GET", func(t *testing.T) {
		s := newService(t)
		head := request{method: http.MethodHead, path: "/test/v1/things"}
		s.accepted(head, http.StatusOK)
		s.refused(head.with("Authorization", "-"), http.StatusUnauthorized, "unauthorized")
	})

	t.Run("a deletion returns 204 without a body", func(t *testing.T) {
		res := newService(t).accepted(request{method: http.MethodDelete, path: "/test/v1/things/" + userID}, http.StatusNoContent)
		assert.Empty(t, res.body)
		assert.Empty(t, res.header.Get("Content-Type"))
	})
}

func TestRequestID(t *testing.T) {
	t.Parallel()

	t.Run("is echoed as it was sent", func(t *testing.T) {
		s := newService(t)
		for _, id := range []string{"4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11", "a", "a,b", "a,,b;c=\"d\"", strings.Repeat("x", 128), "~!"} {
			res := s.accepted(list("").with("X-Request-Id", id), http.StatusOK)
			assert.Equal(t, id, res.header.Get("X-Request-Id"))
			assert.Equal(t, id, s.log.last(t)["requestId"])
			p, _ := s.refused(list("limit=0").with("X-Request-Id", id), http.StatusUnprocessableEntity, "validation_failed")
			assert.Equal(t, id, p.TraceID)
		}
	})

	t.Run("is refused if it is not as documented", func(t *testing.T) {
		s := newService(t)
		for _, id := range []string{"a b", "a\tb", "a\r\nSet-Cookie: x=y", "\x7f", "é", strings.Repeat("x", 129)} {
			p, res := s.refused(list("").with("X-Request-Id", id), http.StatusUnprocessableEntity, "validation_failed")
			require.Len(t, p.Errors, 1)
			assert.Equal(t, "X-Request-Id", p.Errors[0].Header)
			assert.Equal(t, "invalid", p.Errors[0].Code)
			assert.Regexp(t, `^made-\d+$`, res.header.Get("X-Request-Id"), "it is not echoed")
			s.refused(list("").with("X-Request-Id", id).with("Authorization", "-"), http.StatusUnauthorized, "unauthorized")
		}
	})

	t.Run("is replaced where the operation does not document it", func(t *testing.T) {
		s := newService(t)
		_, res := s.refused(get("/nowhere").with("X-Request-Id", "a b"), http.StatusNotFound, "not_found")
		assert.Regexp(t, `^made-\d+$`, res.header.Get("X-Request-Id"))
	})

	t.Run("is generated if it is missing or empty", func(t *testing.T) {
		s := newService(t)
		seen := map[string]bool{}
		for _, id := range []string{"-", "", " "} {
			made := s.accepted(list("").with("X-Request-Id", id), http.StatusOK).header.Get("X-Request-Id")
			assert.Regexp(t, `^made-\d+$`, made)
			assert.False(t, seen[made], "each ID is unique")
			seen[made] = true
		}
	})
}
