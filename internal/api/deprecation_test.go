package api_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestDeprecatedOperationAnnouncesItsEnd(t *testing.T) {
	s := newService(t)
	old := get("/test/v1/old")
	for status, r := range map[int]request{
		http.StatusOK:           old.with("X-User-Id", userID),
		http.StatusBadRequest:   old,
		http.StatusUnauthorized: old.with("Authorization", "-"),
		http.StatusForbidden:    old.with("Authorization", "Bearer "+s.token("acme", "identity")),
	} {
		res := s.send(r)
		assert.Equal(t, status, res.status, res.body)
		assert.Equal(t, "@1767225600", res.header.Get("Deprecation"), status)
		assert.Equal(t, "Fri, 01 Jan 2027 00:00:00 GMT", res.header.Get("Sunset"), status)
		assert.Equal(t, `<https://api.example/guide>; rel="deprecation", <https://api.example/test/v2/new>; rel="successor-version"`,
			res.header.Get("Link"), status)
	}
	assert.Empty(t, s.send(get("/test/v1/things")).header.Get("Deprecation"))
}
