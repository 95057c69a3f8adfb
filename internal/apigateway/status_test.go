package apigateway

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			event, err := json.Marshal(events.APIGatewayV2HTTPRequest{RawPath: "/", RequestContext: events.APIGatewayV2HTTPRequestContext{
				HTTP: events.APIGatewayV2HTTPRequestContextHTTPDescription{Method: "GET", Path: "/"},
			}})
			require.NoError(t, err)
			out, err := Handler(h).Invoke(t.Context(), event)
			require.NoError(t, err)
			var res events.APIGatewayV2HTTPResponse
			require.NoError(t, json.Unmarshal(out, &res))
			assert.Equal(t, http.StatusOK, res.StatusCode)
		})
	}
}
