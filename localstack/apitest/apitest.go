// Package apitest calls a function's handler in tests as API Gateway does, and checks every
// response against docs/openapi.yaml.
package apitest

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/localstack/contract"
)

// Domain is the API's domain.
const Domain = "api.example"

// Request is a request to the API.
type Request struct {
	Method string
	// Path may contain a query.
	Path   string
	Header map[string]string
	Body   string
}

// Call sends the request and returns the function's response. It fails the test if the
// document disagrees with the response.
func Call(t testing.TB, h lambda.Handler, r Request) events.APIGatewayV2HTTPResponse {
	t.Helper()
	path, query, _ := strings.Cut(r.Path, "?")
	sent := map[string]string{"host": Domain, "user-agent": "Browser"}
	for name, value := range r.Header {
		sent[strings.ToLower(name)] = value
	}
	var cookies []string // API Gateway takes them out of the headers
	if sent["cookie"] != "" {
		cookies = strings.Split(sent["cookie"], "; ")
		delete(sent, "cookie")
	}
	event, err := json.Marshal(events.APIGatewayV2HTTPRequest{
		Version: "2.0", RouteKey: "$default", RawPath: path, RawQueryString: query, Headers: sent, Body: r.Body,
		Cookies: cookies,
		RequestContext: events.APIGatewayV2HTTPRequestContext{
			DomainName: Domain,
			HTTP: events.APIGatewayV2HTTPRequestContextHTTPDescription{
				Method: r.Method, Path: path, SourceIP: "203.0.113.7", UserAgent: "Browser",
			},
		},
	})
	require.NoError(t, err)
	out, err := h.Invoke(t.Context(), event)
	require.NoError(t, err)
	var res events.APIGatewayV2HTTPResponse
	require.NoError(t, json.Unmarshal(out, &res))
	if res.IsBase64Encoded {
		body, err := base64.StdEncoding.DecodeString(res.Body)
		require.NoError(t, err)
		res.Body = string(body)
	}
	document, err := contract.Default()
	require.NoError(t, err)
	header := http.Header{}
	for name, value := range res.Headers {
		header.Set(name, value)
	}
	req := httptest.NewRequest(r.Method, "https://"+Domain+path, nil)
	assert.NoError(t, document.Check(req, res.StatusCode, header, []byte(res.Body)))
	return res
}
