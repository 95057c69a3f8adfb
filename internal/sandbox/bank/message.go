package bank

import (
	"net/http"
	"strconv"
	"time"

	"aviso/internal/sandbox/layout"
)

// tppError is an error response of the standard: a status and one tppMessage.
type tppError struct {
	status     int
	code, text string
	// path is the element at fault.
	path       string
	retryAfter time.Duration
}

func (e *tppError) Error() string { return e.code + ": " + e.text }

func (e *tppError) write(w http.ResponseWriter) {
	if e.retryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(e.retryAfter.Seconds())))
	}
	_ = layout.WriteJSON(w, e.status, tppMessages{[]tppMessage{{"ERROR", e.code, e.path, e.text}}})
}

type tppMessages struct {
	Messages []tppMessage `json:"tppMessages"`
}

type tppMessage struct {
	Category string `json:"category"`
	Code     string `json:"code"`
	Path     string `json:"path,omitempty"`
	Text     string `json:"text"`
}

func newTPPError(status int, code, text string) error {
	return &tppError{status: status, code: code, text: text}
}

// formatError returns the error for a header, parameter or field with an invalid format.
// The text never contains what was sent.
func formatError(path, text string) error {
	return &tppError{status: http.StatusBadRequest, code: "FORMAT_ERROR", path: path, text: text}
}

func badRequest(code, path, text string) error {
	return &tppError{status: http.StatusBadRequest, code: code, path: path, text: text}
}

func unauthorised(code, text string) error {
	return newTPPError(http.StatusUnauthorized, code, text)
}
