// Package lambdatest creates Lambda handlers for tests. Unlike lambda.NewHandler's, they can
// be invoked concurrently: those return a buffer that the next invocation overwrites.
package lambdatest

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/aws/aws-lambda-go/lambda"
)

type handler struct{ f reflect.Value }

// Handler returns a handler that calls f. The parameters of f are a context, an event, both
// or neither, and its results a response, an error, both or neither, in this order.
func Handler(f any) lambda.Handler { return handler{reflect.ValueOf(f)} }

// Invoke implements lambda.Handler.
func (h handler) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	var in []reflect.Value
	for want := range h.f.Type().Ins() {
		if want == reflect.TypeFor[context.Context]() {
			in = append(in, reflect.ValueOf(ctx))
		} else {
			event := reflect.New(want)
			if err := json.Unmarshal(payload, event.Interface()); err != nil {
				return nil, fmt.Errorf("read the event: %w", err)
			}
			in = append(in, event.Elem())
		}
	}
	var answer any
	for _, out := range h.f.Call(in) {
		if err, ok := reflect.TypeAssert[error](out); ok {
			return nil, err
		}
		if out.Type() != reflect.TypeFor[error]() {
			answer = out.Interface()
		}
	}
	return json.Marshal(answer)
}
