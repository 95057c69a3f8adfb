package aviso

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// The kinds of errors, for errors.Is.
var (
	ErrAuthentication   = errors.New("authentication failed")  // the credentials are wrong
	ErrPermissionDenied = errors.New("permission denied")      // a scope, or terms to accept, are missing
	ErrNotFound         = errors.New("not found")              // or it belongs to somebody else
	ErrConflict         = errors.New("conflict")               // with the current state
	ErrValidation       = errors.New("the request is invalid") // see Error.Errors
	ErrRateLimited      = errors.New("too many requests")      // try again after Error.RetryAfter
	ErrServer           = errors.New("the service has failed") // try again later
	ErrConnectionFailed = errors.New("no answer was received") // nor is it known whether the request was
)

// Error is a request that failed: a problem (RFC 9457) with which the service answered, or a
// lost connection, which has neither Status nor Code. Use errors.As to get it.
type Error struct {
	Problem
	// RetryAfter is how long the service asks you to wait; 0 if it does not say.
	RetryAfter time.Duration

	kind, cause error
}

// Error says what went wrong. It never has what you sent.
func (e *Error) Error() string {
	if e.cause != nil {
		return fmt.Sprintf("aviso: %v: %v", e.kind, e.cause)
	}
	var text strings.Builder
	if e.Code == "" {
		fmt.Fprintf(&text, "aviso: %d without a problem document: is this Aviso's address?", e.Status)
	} else {
		fmt.Fprintf(&text, "aviso: %d %s: %s", e.Status, e.Code, cmp.Or(e.Detail, e.Title))
	}
	for _, part := range e.Errors {
		where := cmp.Or(part.Pointer, part.Parameter, part.Header, part.FieldKey)
		fmt.Fprintf(&text, " (%s)", strings.TrimSpace(where+" "+part.Detail))
	}
	if e.TraceID != "" {
		text.WriteString(", trace ID " + e.TraceID)
	}
	return text.String()
}

// Unwrap returns the kind, and what the connection was lost by.
func (e *Error) Unwrap() []error {
	if e.cause == nil {
		return []error{e.kind}
	}
	return []error{e.kind, e.cause}
}

func lost(cause error) *Error { return &Error{kind: ErrConnectionFailed, cause: cause} }

// refused reads the answer to a request that failed. A proxy's answer has no problem.
func refused(resp *http.Response, body []byte) *Error {
	e := &Error{kind: kindOf(resp.StatusCode), RetryAfter: retryAfter(resp.Header.Get("Retry-After"))}
	var oauth struct {
		Error       string `json:"error"`
		Description string `json:"error_description"`
	}
	_ = json.Unmarshal(body, &e.Problem)
	_ = json.Unmarshal(body, &oauth)
	e.Status = resp.StatusCode
	e.Code = cmp.Or(e.Code, oauth.Error)
	e.Title = cmp.Or(e.Title, oauth.Description, http.StatusText(resp.StatusCode))
	e.TraceID = cmp.Or(e.TraceID, resp.Header.Get("X-Request-Id"))
	return e
}

func kindOf(status int) error {
	switch status {
	case http.StatusUnauthorized:
		return ErrAuthentication
	case http.StatusForbidden:
		return ErrPermissionDenied
	case http.StatusNotFound, http.StatusGone:
		return ErrNotFound
	case http.StatusConflict:
		return ErrConflict
	case http.StatusTooManyRequests:
		return ErrRateLimited
	}
	if status < http.StatusInternalServerError {
		return ErrValidation
	}
	return ErrServer
}
