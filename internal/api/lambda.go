package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/awslabs/aws-lambda-go-api-proxy/httpadapter"
)

// LambdaHandler serves API Gateway's HTTP API events (payload 2.0) with h.
func LambdaHandler(h http.Handler) lambda.Handler {
	return gateway{httpadapter.NewV2(exactHeaders(h))}
}

// gateway is a lambda.Handler of its own, since that of lambda.NewHandler gives
// out a buffer that it uses again: two calls at a time, as in the local stack,
// would read each other's answers.
type gateway struct{ adapter *httpadapter.HandlerAdapterV2 }

// Invoke answers one event.
func (g gateway) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	var e events.APIGatewayV2HTTPRequest
	if err := json.Unmarshal(payload, &e); err != nil {
		return nil, fmt.Errorf("read event: %w", err)
	}
	// An HTTP API hands the path over decoded: what stands in it is never the
	// beginning of a query, nor half an escape on which the adapter would end
	// with 504.
	e.RawPath = (&url.URL{Path: e.RawPath}).EscapedPath()
	// Only this entry keeps the request context out of headers, where a client
	// could forge it.
	res, err := g.adapter.ProxyWithContext(context.WithValue(ctx, sentHeaders{}, e.Headers), e)
	if err != nil {
		return nil, err
	}
	return json.Marshal(res)
}

type sentHeaders struct{}

// exactHeaders gives the headers as they were sent: the adapter splits their
// values at commas, so that Header.Get would see the first part only. Those in
// which the adapter passes on its own findings are dropped; a client can send
// them too.
func exactHeaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		sent, _ := req.Context().Value(sentHeaders{}).(map[string]string)
		for name, value := range sent {
			name = http.CanonicalHeaderKey(name)
			if strings.HasPrefix(name, "X-Golambdaproxy-") {
				delete(req.Header, name)
			} else {
				req.Header[name] = []string{value}
			}
		}
		next.ServeHTTP(w, req)
	})
}
