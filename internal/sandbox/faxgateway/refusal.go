package faxgateway

import (
	"crypto/subtle"
	"net/http"
	"strconv"
	"time"
)

// refusal is an error of the API.
type refusal struct {
	status  int
	message string
	// violations name the fields at fault; never what was sent.
	violations []violation
	retryAfter time.Duration
}

type violation struct {
	Field       string `json:"field"`
	Description string `json:"description"`
}

func (e *refusal) Error() string { return e.message }

func (e *refusal) answer() answer {
	type details struct {
		FieldViolations []violation `json:"fieldViolations"`
	}
	body := struct {
		Code    string   `json:"code"`
		Error   string   `json:"error"`
		Message string   `json:"message"`
		Details *details `json:"details,omitempty"`
	}{Code: strconv.Itoa(e.status), Error: http.StatusText(e.status), Message: e.message}
	if e.status == http.StatusUnprocessableEntity {
		body.Error = "Invalid parameters"
	}
	if len(e.violations) > 0 {
		body.Details = &details{e.violations}
	}
	a := ok(body)
	a.status, a.retryAfter = e.status, e.retryAfter
	return a
}

// invalid refuses the value of a field.
func invalid(field, description string) error {
	return &refusal{status: http.StatusUnprocessableEntity, message: "A parameter is invalid.", violations: []violation{{field, description}}}
}

func badRequest(message string) error {
	return &refusal{status: http.StatusBadRequest, message: message}
}

func tooLarge() error {
	return &refusal{status: http.StatusRequestEntityTooLarge, message: "The sandbox takes documents of at most 300 KB."}
}

// same compares without telling by its time where two texts differ.
func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }
