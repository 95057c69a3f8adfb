package api_test

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLambda(t *testing.T) {
	t.Parallel()
	show := func(t *testing.T, r request) reply {
		t.Helper()
		r.method, r.path = http.MethodGet, "/test/odd/show"
		return serve(t).accepted(r, http.StatusOK)
	}

	t.Run("a header keeps its commas", func(t *testing.T) {
		t.Parallel()
		for _, value := range []string{"192.0.2.1, 192.0.2.2", "a,b", "a , b", ",", "a", "Mon, 02 Mar 2026 09:30:00 GMT"} {
			res := show(t, request{}.with("X-PSU-IP-Address", value))
			assert.Equal(t, `"`+value+`"`, res.header.Get("Seen-Ip"))
		}
	})

	t.Run("takes the client's address from the gateway", func(t *testing.T) {
		t.Parallel()
		res := show(t, request{}.with("X-Forwarded-For", "10.0.0.1").with("X-Real-Ip", "10.0.0.1"))
		assert.Equal(t, "192.0.2.7", res.header.Get("Seen-Address"))
	})

	t.Run("ignores the client's forwarded host", func(t *testing.T) {
		t.Parallel()
		forwarded := request{}.with("X-Forwarded-Host", "evil.example").with("Forwarded", "host=evil.example")
		res := show(t, forwarded.with("Host", "evil.example"))
		assert.Equal(t, "gateway.example", res.header.Get("Seen-Host"))
	})

	t.Run("escapes what a query cannot contain", func(t *testing.T) {
		t.Parallel()
		assert.Equal(t, "a=%00%1D&b=%7F%23c=%20", show(t, request{query: "a=\x00\x1d&b=\x7f#c= "}).header.Get("Seen-Query"))
	})

	t.Run("receives and sets cookies one by one", func(t *testing.T) {
		t.Parallel()
		res := show(t, request{cookies: []string{"session=x, y", "theme=dark"}})
		assert.Equal(t, `session=x, y,theme=dark`, res.header.Get("Seen-Cookies"))
		assert.Equal(t, []string{"a=1", "b=2"}, res.cookies)
		assert.Empty(t, res.header.Get("Set-Cookie"))
	})

	t.Run("passes on the raw query", func(t *testing.T) {
		t.Parallel()
		assert.Equal(t, "a=1%2C2&b=%zz&c", show(t, request{query: "a=1%2C2&b=%zz&c"}).header.Get("Seen-Query"))
	})

	t.Run("takes the path as it is, because API Gateway has decoded it", func(t *testing.T) {
		s := newService(t)
		for _, path := range []string{
			"/test/odd/show%", "/%zz", "/test/odd/show?", "/test/odd/show?a=b", "/test/odd/show#top", "/test/odd/%73how", "/test/odd/sho\nw", "/\x7f", "/test/odd%2Fshow", "no-slash", "%",
		} {
			s.refused(get(path), http.StatusNotFound, "not_found")
		}
		p, _ := s.refused(get("/test/v1/things/"+userID+"?depth=1"), http.StatusUnprocessableEntity, "validation_failed")
		assert.Equal(t, "thingId", p.Errors[0].Parameter)
	})

	t.Run("concurrent requests get their own responses", func(t *testing.T) {
		s := newService(t, unlimited)
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				name := strings.Repeat(strconv.Itoa(i), 100*(i+1))
				for range 50 {
					assert.Contains(t, s.send(create(`{"name":"`+name+`"}`)).body, `"name":"`+name+`"`)
				}
			})
		}
		all.Wait()
	})

	t.Run("fails on an invalid event", func(t *testing.T) {
		_, err := newService(t).lambda.Invoke(t.Context(), []byte("{"))
		require.Error(t, err)
	})

	t.Run("sends JSON as text", func(t *testing.T) {
		s := newService(t)
		for _, size := range []int{10, 5_000} {
			name := strings.Repeat("é\"", size/4)
			quoted, err := json.Marshal(name)
			require.NoError(t, err)
			res := s.send(create(`{"name":` + string(quoted) + `}`))
			assert.False(t, res.inBase64)
			assert.Contains(t, res.body, string(quoted))
		}
	})

	t.Run("sends binary data in base64", func(t *testing.T) {
		res := newService(t).accepted(oddly("binary"), http.StatusOK)
		assert.True(t, res.inBase64)
		assert.Equal(t, "\xff\xfe\x00", res.body)
		assert.Equal(t, "application/pdf", res.header.Get("Content-Type"))
	})
}
