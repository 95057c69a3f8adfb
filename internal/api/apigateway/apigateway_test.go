package apigateway_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/aws/aws-lambda-go/events"
	"github.com/awslabs/aws-lambda-go-api-proxy/core"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"aviso/internal/api/apigateway"
)

// serve returns the handler's response to the event.
func serve(t require.TestingT, h http.HandlerFunc, e events.APIGatewayV2HTTPRequest) events.APIGatewayV2HTTPResponse {
	payload, err := json.Marshal(e)
	require.NoError(t, err)
	out, err := apigateway.Handler(h).Invoke(context.Background(), payload)
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(out), `"body":`))
	var res events.APIGatewayV2HTTPResponse
	require.NoError(t, json.Unmarshal(out, &res))
	return res
}

func event() events.APIGatewayV2HTTPRequest {
	return events.APIGatewayV2HTTPRequest{RawPath: "/", RequestContext: events.APIGatewayV2HTTPRequestContext{
		DomainName: "gateway.example",
		HTTP:       events.APIGatewayV2HTTPRequestContextHTTPDescription{Method: "POST", Path: "/not/raw", SourceIP: "192.0.2.7"},
	}}
}

func TestRequestIsWhatTheClientSent(t *testing.T) {
	t.Parallel()
	// received returns the request that the handler gets for the event, and its body.
	received := func(t *testing.T, e events.APIGatewayV2HTTPRequest) (req *http.Request, body string) {
		t.Helper()
		serve(t, func(_ http.ResponseWriter, r *http.Request) {
			b, err := io.ReadAll(r.Body)
			assert.NoError(t, err)
			req, body = r, string(b)
		}, e)
		return req, body
	}

	t.Run("the path, which API Gateway has decoded", func(t *testing.T) {
		t.Parallel()
		for _, path := range []string{"/", "/a", "/a%", "/%zz", "/%61", "/a?b=c", "/a#b", "/a b\n", "/é", "//a", "/a%2Fb", "", "a"} {
			e := event()
			e.RawPath = path
			req, _ := received(t, e)
			assert.Equal(t, "/"+strings.TrimPrefix(path, "/"), req.URL.Path)
			assert.Empty(t, req.URL.RawQuery)
			assert.Equal(t, "gateway.example", req.Host)
		}
	})

	t.Run("the query, with what it cannot contain escaped", func(t *testing.T) {
		t.Parallel()
		e := event()
		e.RawQueryString = "a=1%2C2&b=%zz&c=\x00 \x7f#d&é"
		req, _ := received(t, e)
		assert.Equal(t, "a=1%2C2&b=%zz&c=%00%20%7F%23d&é", req.URL.RawQuery)
	})

	t.Run("headers with their commas, but none that pose as the gateway's data", func(t *testing.T) {
		t.Parallel()
		e := event()
		e.Headers = map[string]string{"accept": "a , b,c", "x-golambdaproxy-apigw-context": `{"a":1}`}
		req, _ := received(t, e)
		assert.Equal(t, http.Header{"Accept": {"a , b,c"}}, req.Header)
		assert.Equal(t, "192.0.2.7", req.RemoteAddr)
	})

	t.Run("each cookie once", func(t *testing.T) {
		t.Parallel()
		e := event()
		e.Cookies, e.Headers = []string{"a=1, 2", "b=3"}, map[string]string{"cookie": "a=1, 2; b=3"}
		req, _ := received(t, e)
		assert.Equal(t, http.Header{"Cookie": {"a=1, 2", "b=3"}}, req.Header)
		e.Cookies = nil
		req, _ = received(t, e)
		assert.Equal(t, http.Header{"Cookie": {"a=1, 2; b=3"}}, req.Header)
	})

	t.Run("the body, which may be in base64", func(t *testing.T) {
		t.Parallel()
		e := event()
		e.Body = "é"
		_, body := received(t, e)
		assert.Equal(t, "é", body)
		e.Body, e.IsBase64Encoded = base64.StdEncoding.EncodeToString([]byte("\xff\x00")), true
		req, body := received(t, e)
		assert.Equal(t, "\xff\x00", body)
		assert.EqualValues(t, 2, req.ContentLength)
	})
}

func TestHandlerThatWritesNothingAnswers200(t *testing.T) {
	t.Parallel()
	for name, h := range map[string]http.HandlerFunc{
		"nothing":           func(http.ResponseWriter, *http.Request) {},
		"a header":          func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("A", "b") },
		"a body, no status": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("x")) },
		"200, then another": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusOK)
			w.WriteHeader(http.StatusTeapot)
		},
		"a body, then a status": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte("x"))
			w.WriteHeader(http.StatusTeapot)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, http.StatusOK, serve(t, h, event()).StatusCode)
		})
	}
}

func TestAnswersAreWrittenAsTheyAre(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-z"\\/<>,:{}\n\t\x00-\x1f\x7f€😀]{0,40}`), rapid.Just("\xff"))
		long := rapid.Custom(func(t *rapid.T) string {
			return strings.Repeat(text.Draw(t, "part")+"\"é", 1000) + text.Draw(t, "end")
		})
		body := rapid.OneOf(text, long).Draw(t, "body")
		valid := func(s string) string { return strings.ToValidUTF8(s, "\ufffd") }
		cookies := rapid.SliceOfN(text, 0, 3).Draw(t, "cookies")
		header := http.Header{"A": {text.Draw(t, "header")}, "B": {"1", "2"}, "Content-Type": {"c"}, "Set-Cookie": cookies}
		got := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			maps.Copy(w.Header(), header)
			w.WriteHeader(http.StatusTeapot)
			_, _ = w.Write([]byte(body))
		}, event())
		assert.Equal(t, http.StatusTeapot, got.StatusCode)
		assert.Equal(t, map[string]string{"A": valid(header.Get("A")), "B": "1,2", "Content-Type": "c"}, got.Headers)
		require.Len(t, got.Cookies, len(cookies))
		for i, cookie := range cookies {
			assert.Equal(t, valid(cookie), got.Cookies[i])
		}
		assert.Equal(t, !utf8.ValidString(body), got.IsBase64Encoded)
		if got.IsBase64Encoded {
			decoded, err := base64.StdEncoding.DecodeString(got.Body)
			require.NoError(t, err)
			got.Body = string(decoded)
		}
		assert.Equal(t, body, got.Body)
	})
}

// Behind CloudFront, a caller who has found the gateway's own address gets nothing, and what
// counts as the caller's address is what CloudFront saw. While the way or the secret changes,
// everybody is answered.
func TestOnlyCloudFrontIsAnswered(t *testing.T) {
	t.Parallel()
	const secret, next = "known-to-CloudFront", "known-soon"
	for _, test := range []struct {
		what, accepted, mode, sent, way, want string
		status                                int
	}{
		{"the secret", secret, "refuse", secret, "203.0.113.9, 192.0.2.7", "203.0.113.9", 200},
		{"a forged way", secret, "refuse", secret, "198.51.100.1, 203.0.113.9, 192.0.2.7", "203.0.113.9", 200},
		{"a gateway that adds nothing", secret, "refuse", secret, "203.0.113.9", "203.0.113.9", 200},
		{"no way", secret, "refuse", secret, "", "192.0.2.7", 200},
		{"another secret", secret, "refuse", "guessed", "203.0.113.9, 192.0.2.7", "", 403},
		{"no secret", secret, "refuse", "", "203.0.113.9, 192.0.2.7", "", 403},
		{"a mode that nobody knows", secret, "off", "", "203.0.113.9, 192.0.2.7", "", 403},
		{"the old secret, of two", next + " " + secret, "refuse", secret, "203.0.113.9, 192.0.2.7", "203.0.113.9", 200},
		{"the next secret, of two", next + " " + secret, "refuse", next, "203.0.113.9, 192.0.2.7", "203.0.113.9", 200},
		{"both secrets at once", next + " " + secret, "refuse", next + " " + secret, "203.0.113.9, 192.0.2.7", "", 403},
		{"no secret, while it is only counted", secret, "count", "", "203.0.113.9, 192.0.2.7", "192.0.2.7", 200},
		{"the secret, while others are counted", secret, "count", secret, "203.0.113.9, 192.0.2.7", "203.0.113.9", 200},
		{"no CloudFront", "", "refuse", "", "203.0.113.9", "192.0.2.7", 200},
	} {
		t.Run(test.what, func(t *testing.T) {
			t.Parallel()
			source, seen := "", ""
			vars := map[string]string{"EDGE_SECRETS": test.accepted, "EDGE_MODE": test.mode}
			edge := apigateway.EdgeOf(func(name string) string { return vars[name] }, time.Now)
			h := apigateway.HandlerBehind(edge, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				c, ok := core.GetAPIGatewayV2ContextFromContext(r.Context())
				assert.True(t, ok)
				source, seen = c.HTTP.SourceIP, r.Header.Get("X-Edge-Secret")
			}))
			e := event()
			e.Headers = map[string]string{"x-edge-secret": test.sent, "x-forwarded-for": test.way}
			payload, err := json.Marshal(e)
			require.NoError(t, err)
			out, err := h.Invoke(t.Context(), payload)
			require.NoError(t, err)
			var res events.APIGatewayV2HTTPResponse
			require.NoError(t, json.Unmarshal(out, &res))
			assert.Equal(t, test.status, res.StatusCode)
			assert.Equal(t, test.want, source)
			assert.Empty(t, seen)
		})
	}
}
