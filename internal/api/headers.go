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

// declareHeaders adds the headers that the steps before and after a handler set.
func declareHeaders(op Operation, responses map[string]*huma.Response) {
	for key, response := range responses {
		status, _ := strconv.Atoi(key)
		if op.Scope == Public && status == http.StatusTooManyRequests {
			continue // the gateway's answer: the service counts only requests with a token
		}
		headers := maps.Clone(response.Headers)
		if headers == nil {
			headers = map[string]*huma.Param{}
		}
		declare := func(name string, required bool) {
			component := name
			if !required {
				component = optionalHeader + name
			}
			if headers[name] == nil {
				headers[name] = &huma.Param{Ref: "#/components/headers/" + component}
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
