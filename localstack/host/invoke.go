package host

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/lambda/messages"

	"aviso/localstack/template"
)

// The limits of Lambda for the event of an invocation.
const (
	maxEvent      = 6 << 20
	maxAsyncEvent = 1 << 20
)

// Invocations is the part of Lambda's own API that calls functions:
//
//	POST /2015-03-31/functions/{name}/invocations
//
// Like AWS it wants a signed request, which also keeps web pages out, but it
// takes every signature.
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
		arn := (&function{Function: template.Function{Name: r.PathValue("name")}}).arn()
		refuse(w, http.StatusNotFound, "ResourceNotFoundException", "Function not found: "+arn)
		return
	}
	kind := r.Header.Get("X-Amz-Invocation-Type")
	limit := int64(maxEvent)
	if kind == "Event" {
		limit = maxAsyncEvent
	}
	payload, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		refuse(w, http.StatusRequestEntityTooLarge, "RequestTooLargeException", fmt.Sprintf("Request must be smaller than %d bytes", limit))
		return
	case err != nil:
		refuse(w, http.StatusBadRequest, "InvalidRequestContentException", "The request cannot be read")
		return
	case len(bytes.TrimSpace(payload)) == 0:
		payload = []byte("{}")
	case !json.Valid(payload):
		refuse(w, http.StatusBadRequest, "InvalidRequestContentException", "Could not parse request body into json")
		return
	}
	if !h.begin() {
		refuse(w, http.StatusServiceUnavailable, "ServiceException", errClosed.Error())
		return
	}
	defer h.inFlight.Done()
	switch kind {
	case "DryRun":
		w.WriteHeader(http.StatusNoContent)
	case "Event":
		h.callLater("an invocation", f, payload)
		w.WriteHeader(http.StatusAccepted)
	case "", "RequestResponse":
		h.invokeNow(w, f, payload)
	default:
		refuse(w, http.StatusBadRequest, "InvalidParameterValueException", "X-Amz-Invocation-Type: want RequestResponse, Event or DryRun")
	}
}

// invokeNow calls the function and answers with what it answers, or with its
// error in the words of Lambda's runtime; both are 200.
func (h *Host) invokeNow(w http.ResponseWriter, f *function, payload []byte) {
	start, id := h.Now(), h.NewID()
	answer, err := f.callAs(h.calls, id, payload)
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
		outcome = "invoked, failed"
	}
	// A client that has gone is not the function's failure.
	_, _ = w.Write(answer)
	h.Tell(fmt.Sprintf("%s: %s %s", f.Name, outcome, h.Now().Sub(start).Round(time.Millisecond)))
}

// named finds a function by its name or its ARN, with or without a qualifier;
// there is but one version here.
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

// functionError is what Lambda answers for a function that failed.
type functionError struct {
	Message string `json:"errorMessage"`
	Type    string `json:"errorType"`
}

// functionErrorOf words an error as the Go runtime of Lambda does.
func functionErrorOf(requestID string, err error) functionError {
	var panicked *panicError
	var given messages.InvokeResponse_Error
	switch {
	case errors.As(err, &panicked):
		return functionError{Message: fmt.Sprint(panicked.value), Type: typeName(panicked.value)}
	case errors.As(err, &given):
		return functionError{Message: given.Message, Type: given.Type}
	case errors.Is(err, errTimeout):
		return functionError{Message: "RequestId: " + requestID + " Error: Task " + err.Error(), Type: "Sandbox.Timedout"}
	default:
		return functionError{Message: err.Error(), Type: typeName(err)}
	}
}

func typeName(value any) string {
	t := reflect.TypeOf(value)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Name()
}

// refuse answers as Lambda's API does.
func refuse(w http.ResponseWriter, status int, code, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Amzn-Errortype", code)
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"Type": "User", "Message": message})
}
