package bootstrap

import (
	"context"
	"encoding/json"
	"fmt"
)

// Handler is the handler of a function that gets no HTTP requests. It replaces
// aws-lambda-go's own, which returns a buffer that the next invocation may
// overwrite: AWS sends invocations one at a time, but the local stack concurrently.
type Handler[In, Out any] func(ctx context.Context, in In) (Out, error)

// Invoke implements lambda.Handler.
func (f Handler[In, Out]) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	var in In
	if err := json.Unmarshal(payload, &in); err != nil {
		return nil, fmt.Errorf("read the event: %w", err)
	}
	out, err := f(ctx, in)
	if err != nil {
		return nil, err
	}
	return json.Marshal(out)
}
