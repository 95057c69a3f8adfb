package host

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-lambda-go/lambdacontext"

	"aviso/internal/parallel"
	"aviso/localstack/template"
)

// errTimeout is returned when a function exceeds its timeout.
var errTimeout = errors.New("timed out")

// panicError is a function's panic, which on Lambda would end its process.
type panicError struct {
	value any
	stack []byte
}

func (e *panicError) Error() string { return fmt.Sprintf("panic: %v\n%s", e.value, e.stack) }

// function calls a handler as the Lambda runtime does.
type function struct {
	template.Function
	handler lambda.Handler
	newID   func() string
	// ended is called after each call.
	ended func()
}

// call passes one event to the handler. It returns at the function's timeout even if the
// handler does not, as a call to a real function would.
func (f *function) call(ctx context.Context, payload []byte) (answer []byte, err error) {
	return f.callAs(ctx, f.newID(), payload)
}

// callAs is call with the given request ID.
func (f *function) callAs(ctx context.Context, requestID string, payload []byte) (answer []byte, err error) {
	defer f.ended()
	ctx, cancel := context.WithTimeout(ctx, f.Timeout)
	ctx = lambdacontext.NewContext(ctx, &lambdacontext.LambdaContext{
		AwsRequestID:       requestID,
		InvokedFunctionArn: f.arn(),
	})
	type result struct {
		answer []byte
		err    error
	}
	done := make(chan result, 1)
	go func() {
		defer cancel()
		var r result
		defer func() {
			if p := recover(); p != nil {
				r = result{err: &panicError{value: p, stack: debug.Stack()}}
			}
			done <- r
		}()
		parallel.MakeRoom() // on Lambda, the goroutine has had calls before
		r.answer, r.err = f.handler.Invoke(ctx, payload)
	}()
	select {
	case r := <-done:
		return r.answer, r.err
	case <-ctx.Done():
	}
	// The handler may have returned at the same moment, which also ends the context.
	select {
	case r := <-done:
		return r.answer, r.err
	default:
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return nil, fmt.Errorf("%w after %s", errTimeout, f.Timeout)
	}
	return nil, fmt.Errorf("stopped: %w", ctx.Err())
}

func (f *function) arn() string {
	return "arn:aws:lambda:" + template.Region + ":" + template.Account + ":function:" + f.Name
}
