package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-lambda-go/lambda/messages"
	"github.com/aws/aws-lambda-go/lambdacontext"
	"github.com/google/uuid"

	"aviso/localstack/template"
)

// errTimeout is returned when a function exceeds its timeout.
var errTimeout = errors.New("timed out")

// panicError is a function's panic. On Lambda it would end the process.
type panicError struct {
	value any
	stack []byte
}

func (e *panicError) Error() string { return fmt.Sprintf("panic: %v\n%s", e.value, e.stack) }

// function calls a handler as the Lambda runtime does.
type function struct {
	template.Function
	handler lambda.Handler
	// ended is called after each call.
	ended func()
}

// call passes one event to the handler. Like a call on Lambda, it returns at the function's timeout, even if the
// handler does not.
func (f *function) call(ctx context.Context, requestID string, payload []byte) (answer []byte, err error) {
	defer f.ended()
	ctx, cancel := context.WithTimeout(ctx, f.Timeout)
	defer cancel()
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
		var r result
		defer func() {
			if p := recover(); p != nil {
				r = result{err: &panicError{value: p, stack: debug.Stack()}}
			}
			done <- r
		}()
		r.answer, r.err = f.handler.Invoke(ctx, payload)
	}()
	select {
	case r := <-done:
		return r.answer, r.err
	case <-ctx.Done():
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return nil, fmt.Errorf("%w after %s", errTimeout, f.Timeout)
	}
	return nil, fmt.Errorf("stopped: %w", ctx.Err())
}

func (f *function) arn() string {
	return template.ARN("lambda", "function:"+f.Name)
}

// maxEvent is Lambda's size limit for the event of an invocation.
const maxEvent = 6 << 20

// Invocations serves the part of Lambda's API that calls functions:
//
//	POST /2015-03-31/functions/{name}/invocations
//
// Like AWS it requires a signed request, which also keeps web pages out. It accepts any signature.
func (h *Host) Invocations() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /2015-03-31/functions/{name}/invocations", h.invoke)
	return mux
}

func (h *Host) invoke(w http.ResponseWriter, r *http.Request) {
	if !strings.HasPrefix(r.Header.Get("Authorization"), "AWS4-") {
		refuse(w, http.StatusForbidden, "MissingAuthenticationTokenException", "Missing Authentication Token")
		return
	}
	f, ok := h.named(r.PathValue("name"))
	if !ok {
		arn := template.ARN("lambda", "function:"+r.PathValue("name"))
		refuse(w, http.StatusNotFound, "ResourceNotFoundException", "Function not found: "+arn)
		return
	}
	payload, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxEvent))
	_, tooLarge := errors.AsType[*http.MaxBytesError](err)
	kind := r.Header.Get("X-Amz-Invocation-Type")
	switch {
	case kind != "" && kind != "RequestResponse":
		refuse(w, http.StatusBadRequest, "InvalidParameterValueException",
			"the local stack supports only the invocation type RequestResponse")
		return
	case tooLarge:
		message := fmt.Sprintf("Request must be smaller than %d bytes", maxEvent)
		refuse(w, http.StatusRequestEntityTooLarge, "RequestTooLargeException", message)
		return
	case err == nil && len(payload) == 0:
		payload = []byte("{}")
	case err != nil || !json.Valid(payload):
		refuse(w, http.StatusBadRequest, "InvalidRequestContentException", "Could not parse request body into json")
		return
	}
	if !h.begin() {
		refuse(w, http.StatusServiceUnavailable, "ServiceException", errClosed.Error())
		return
	}
	defer h.inFlight.Done()
	h.invokeNow(w, f, payload)
}

// invokeNow calls the function. It responds with the result, or with the error in the format of Lambda's runtime.
// Both have status 200.
func (h *Host) invokeNow(w http.ResponseWriter, f *function, payload []byte) {
	start, id := time.Now(), uuid.NewString()
	answer, err := f.call(h.calls, id, payload)
	if err == nil && len(answer) > maxAnswer {
		err = messages.InvokeResponse_Error{
			Type:    "Function.ResponseSizeTooLarge",
			Message: fmt.Sprintf("Response payload size exceeded maximum allowed payload size (%d bytes).", maxAnswer),
		}
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Amzn-Requestid", id)
	w.Header().Set("X-Amz-Executed-Version", "$LATEST")
	outcome := "invoked"
	if err != nil {
		h.failed("invoke", f.Name, err)
		w.Header().Set("X-Amz-Function-Error", "Unhandled")
		answer, _ = json.Marshal(functionErrorOf(id, err))
		outcome = "invoked, but failed"
	}
	// A disconnected client is not a failure of the function.
	_, _ = w.Write(answer)
	h.Tell(fmt.Sprintf("%s: %s %s", f.Name, outcome, time.Since(start).Round(time.Millisecond)))
}

// named finds a function by its name or ARN. It ignores a qualifier, because there is only
// one version here.
func (h *Host) named(name string) (*function, bool) {
	if _, after, ok := strings.Cut(name, ":function:"); ok {
		name = after
	}
	name, _, _ = strings.Cut(name, ":")
	for _, f := range h.functions {
		if f.Name == name {
			return f, true
		}
	}
	return nil, false
}

// functionErrorOf describes an error as Lambda's Go runtime does.
func functionErrorOf(requestID string, err error) messages.InvokeResponse_Error {
	if p, ok := errors.AsType[*panicError](err); ok {
		return messages.InvokeResponse_Error{Message: fmt.Sprint(p.value), Type: typeName(p.value)}
	}
	if e, ok := errors.AsType[messages.InvokeResponse_Error](err); ok {
		return e
	}
	if errors.Is(err, errTimeout) {
		message := "RequestId: " + requestID + " Error: Task " + err.Error()
		return messages.InvokeResponse_Error{Message: message, Type: "Sandbox.Timedout"}
	}
	return messages.InvokeResponse_Error{Message: err.Error(), Type: typeName(err)}
}

func typeName(value any) string {
	name := fmt.Sprintf("%T", value)
	return name[strings.LastIndex(name, ".")+1:]
}

// refuse writes an error as Lambda's API does.
func refuse(w http.ResponseWriter, status int, code, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Amzn-Errortype", code)
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"Type": "User", "Message": message})
}
