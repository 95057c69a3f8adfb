package api

import (
	"context"
	"net/http"
	"net/url"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/awslabs/aws-lambda-go-api-proxy/httpadapter"
)

// LambdaHandler serves API Gateway's HTTP API events (payload 2.0) with h.
func LambdaHandler(h http.Handler) lambda.Handler {
	adapter := httpadapter.NewV2(h)
	return lambda.NewHandler(func(ctx context.Context, e events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
		if _, err := url.ParseRequestURI(e.RawPath); err != nil {
			// The adapter would answer a path it cannot parse with 504.
			e.RawPath, e.RawQueryString = "/malformed", ""
		}
		// Only this entry keeps the request context out of headers, where a
		// client could forge it.
		return adapter.ProxyWithContext(ctx, e)
	})
}
