package bootstrap

import (
	"context"
	"encoding/json"
	"fmt"
)

// Handler is the handler of a function that no HTTP request reaches. It is
// ours because what aws-lambda-go's own one returns lies in a buffer that the
// next invocation may overwrite: on AWS they come one at a time, on the local
// stack side by side.
type Handler[In, Out any] func(ctx context.Context, in In) (Out, error)

// Invoke is lambda.Handler's.
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
