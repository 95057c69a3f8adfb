package bootstrap

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"aviso/internal/observe"
)

// EndBefore is how long before a function's time-out its work ends.
const EndBefore = 3 * time.Second

// EndEarly returns a context that ends EndBefore the function's time-out, so that the function can still report its
// results.
func EndEarly(ctx context.Context) (context.Context, context.CancelFunc) {
	end, limited := ctx.Deadline()
	if !limited {
		return ctx, func() {}
	}
	return context.WithDeadline(ctx, end.Add(-EndBefore))
}

// Handler is the handler of a function that gets no HTTP requests. It replaces
// aws-lambda-go's own, which returns a buffer that the next invocation may
// overwrite: AWS sends invocations one at a time, but the local stack concurrently.
type Handler[In, Out any] func(ctx context.Context, in In) (Out, error)

// EndingEarly returns a handler whose context ends early.
func EndingEarly[In, Out any](do func(context.Context, In) (Out, error)) Handler[In, Out] {
	return func(ctx context.Context, in In) (Out, error) {
		ctx, cancel := EndEarly(ctx)
		defer cancel()
		return do(ctx, in)
	}
}

// Invoke implements lambda.Handler. Each invocation starts a trace, unless a row or a message names the trace of its
// work.
func (f Handler[In, Out]) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	var in In
	if err := json.Unmarshal(payload, &in); err != nil {
		return nil, fmt.Errorf("read the event: %w", err)
	}
	out, err := f(observe.WithTrace(ctx, observe.NewTrace()), in)
	if err != nil {
		return nil, err
	}
	return json.Marshal(out)
}
