package postoffice

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"
)

// mediaType is that of JSON:API.
const mediaType = "application/vnd.api+json"

// refusal is an error of the API.
type refusal struct {
	status int
	// title says what it is, detail what it is here; never what was sent.
	title, detail string
	// pointer or parameter names what is at fault.
	pointer, parameter string
	retryAfter         time.Duration
}

func (e *refusal) Error() string { return e.title + ": " + e.detail }

func (e *refusal) answer() answer {
	type source struct {
		Pointer   string `json:"pointer"`
		Parameter string `json:"parameter"`
	}
	type failure struct {
		Code   string `json:"code"`
		Title  string `json:"title"`
		Detail string `json:"detail"`
		Source source `json:"source"`
	}
	body := encode(map[string][]failure{"errors": {{strconv.Itoa(e.status), e.title, e.detail, source{e.pointer, e.parameter}}}})
	return answer{status: e.status, body: body, retryAfter: e.retryAfter}
}

func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic("postoffice: " + err.Error()) // the wire types marshal
	}
	return b
}

func badRequest(detail string) error {
	return &refusal{status: http.StatusBadRequest, title: "Bad Request", detail: detail}
}

func badParameter(name, detail string) error {
	return &refusal{status: http.StatusBadRequest, title: "Bad Request", detail: detail, parameter: name}
}

func invalid(attribute, detail string) error {
	return &refusal{status: http.StatusUnprocessableEntity, title: "Unprocessable Entity", detail: detail, pointer: "/data/attributes/" + attribute}
}

func wrongState(detail string) error {
	return &refusal{status: http.StatusForbidden, title: "Forbidden", detail: detail}
}

func conflict(pointer, detail string) error {
	return &refusal{status: http.StatusConflict, title: "Conflict", detail: detail, pointer: pointer}
}
