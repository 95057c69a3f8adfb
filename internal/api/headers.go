package api

import (
	"maps"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// optionalHeader is what the component of a header that a response may lack is called.
const optionalHeader = "Optional-"

// headerComponents returns the headers that the documents declare, so that a response only
// refers to them.
func headerComponents() map[string]*huma.Header {
	components := map[string]*huma.Header{}
	add := func(name, description, example string, s huma.Schema, presence ...bool) {
		for _, required := range presence {
			component := huma.Header{Description: description, Schema: &s, Example: example, Required: required}
			if s.Type == huma.TypeInteger {
				component.Example, _ = strconv.Atoi(example)
			}
			components[componentOf(name, required)] = &component
		}
	}
	text := huma.Schema{Type: huma.TypeString}
	add(headerRequestID, "The request ID: yours, or a generated one. Quote it when you contact support.",
		"4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11", text, true)
	add(headerRateLimitPolicy, "Quota and window in seconds.", `"partner";q=3000;w=60`, text, true, false)
	add(headerRateLimit, "Remaining requests, and the seconds until the full quota is available again.",
		`"partner";r=2999;t=1`, text, true, false)
	add(headerReplayed, "`true` if this repeats the first response.", "true",
		huma.Schema{Type: huma.TypeString, Enum: []any{"true"}}, false)
	add(headerRetryAfter, "Wait this many seconds before you try again.", "30",
		huma.Schema{Type: huma.TypeInteger, Format: "int32", Minimum: new(1.0)}, true, false)
	add(headerAuthenticate, "What the access token lacks (RFC 6750).",
		`Bearer error="invalid_token"`, text, true, false)
	return components
}

func componentOf(name string, required bool) string {
	if required {
		return name
	}
	return optionalHeader + name
}

// declareHeaders adds the headers that the steps before and after a handler set.
func declareHeaders(op Operation, responses map[string]*huma.Response) {
	for key, response := range responses {
		status, _ := strconv.Atoi(key)
		headers := maps.Clone(response.Headers)
		if headers == nil {
			headers = map[string]*huma.Param{}
		}
		declare := func(name string, required bool) {
			if headers[name] == nil {
				headers[name] = &huma.Param{Ref: "#/components/headers/" + componentOf(name, required)}
			}
		}
		declare(headerRequestID, true)
		if op.Scope != Public && status != http.StatusUnauthorized {
			counted := status < http.StatusInternalServerError // a failure may precede the limit
			declare(headerRateLimitPolicy, counted)
			declare(headerRateLimit, counted)
		}
		switch {
		case status < http.StatusMultipleChoices && op.Creates:
			declare(headerReplayed, false)
		case status == http.StatusUnauthorized && op.Scope != Public:
			declare(headerAuthenticate, true)
		case status == http.StatusForbidden && op.Scope != Public:
			declare(headerAuthenticate, false) // if the scope is missing
		case status == http.StatusConflict && op.Creates:
			declare(headerRetryAfter, false) // if the first request is still running
		case isProblem(response) && (status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable):
			declare(headerRetryAfter, true)
		}
		delete(headers, "Content-Type") // is the key of the content
		response.Headers = headers
	}
}

func isProblem(r *huma.Response) bool {
	for media := range r.Content {
		if strings.HasPrefix(media, "application/problem") {
			return true
		}
	}
	return false
}
