// Package lambdatest creates Lambda handlers for tests. Unlike lambda.NewHandler's, they can
// be invoked concurrently: those return a buffer that the next invocation overwrites.
package lambdatest

import (
	"context"

	"github.com/aws/aws-lambda-go/lambda"
)

type handler struct{ f any }

// Handler returns a handler that calls f, which is as lambda.NewHandler wants it.
func Handler(f any) lambda.Handler { return handler{f} }

// Invoke implements lambda.Handler.
func (h handler) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	return lambda.NewHandler(h.f).Invoke(ctx, payload)
}
