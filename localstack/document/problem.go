package document

import (
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"aviso/internal/api"
	"aviso/internal/api/apierror"
)

// problemMedia is the media type of problem documents.
const problemMedia = "application/problem+json"

// addProblemSchema adds the schema of problem documents. Operations of api.Raw refer to it too.
func addProblemSchema(schemas huma.Registry) {
	code := schemas.Schema(reflect.TypeFor[api.Problem](), false, "").Properties["code"]
	for _, c := range api.Codes() {
		code.Enum = append(code.Enum, string(c))
	}
}

// addProblems describes the operation's errors: one response per status, with an
// example for each code.
func addProblems(d *huma.Operation, op api.Operation, schemas huma.Registry) {
	schema := schemas.Schema(reflect.TypeFor[api.Problem](), true, "")
	byStatus, examples := map[int][]string{}, map[int]map[string]*huma.Example{}
	for _, code := range codes(op, d.RequestBody != nil) {
		p := api.NewProblem("7f0d4a52-5a3c-4c39-9f3e-0f6f1f9d8c11", apierror.New(code, ""))
		p.Detail = p.Title + "."
		if examples[p.Status] == nil {
			examples[p.Status] = map[string]*huma.Example{}
		}
		byStatus[p.Status] = append(byStatus[p.Status], string(code))
		examples[p.Status][string(code)] = &huma.Example{Value: p}
	}
	for status, codes := range byStatus {
		d.Responses[strconv.Itoa(status)] = &huma.Response{
			Description: "`" + strings.Join(codes, "`, `") + "`",
			Content: map[string]*huma.MediaType{
				problemMedia: {Schema: schema, Examples: examples[status]},
			},
		}
	}
}

// codes returns all error codes that an operation can respond with.
func codes(op api.Operation, hasBody bool) []apierror.Code {
	codes := []apierror.Code{apierror.ValidationFailed, apierror.InternalError, apierror.TemporarilyUnavailable}
	if op.Scope != api.Public {
		codes = append(codes, apierror.Unauthorized, apierror.InsufficientScope, apierror.RateLimited)
	}
	if op.ForUser {
		codes = append(codes, apierror.UserIDRequired, apierror.UserNotFound)
	}
	if hasBody {
		codes = append(codes, apierror.MalformedRequest, apierror.PayloadTooLarge, apierror.UnsupportedMediaType)
	}
	if op.Creates {
		codes = append(codes, apierror.IdempotencyInProgress, apierror.IdempotencyKeyReused)
	}
	codes = append(codes, op.Faults...)
	slices.Sort(codes)
	return slices.Compact(codes)
}

// declareHeaders adds the headers that the steps before and after a handler set. If a header may be missing in a
// response, the name of its component begins with Optional-.
func declareHeaders(op api.Operation, responses map[string]*huma.Response) {
	for key, response := range responses {
		status, _ := strconv.Atoi(key)
		if op.Scope == api.Public && status == http.StatusTooManyRequests {
			continue // API Gateway sends this 429: the service counts only requests with a token
		}
		headers := maps.Clone(response.Headers)
		if headers == nil {
			headers = map[string]*huma.Param{}
		}
		declare := func(name string, required bool) {
			component := name
			if !required {
				component = "Optional-" + name
			}
			if headers[name] == nil {
				headers[name] = &huma.Param{Ref: "#/components/headers/" + component}
			}
		}
		declare("X-Request-Id", true)
		if op.Scope != api.Public && status != http.StatusUnauthorized {
			counted := status < http.StatusInternalServerError // a failure may precede the limit
			declare("RateLimit-Policy", counted)
			declare("RateLimit", counted)
		}
		switch {
		case status < http.StatusMultipleChoices && op.Creates:
			declare("Idempotency-Replayed", false)
		case status == http.StatusUnauthorized && op.Scope != api.Public:
			declare("WWW-Authenticate", true)
		case status == http.StatusForbidden && op.Scope != api.Public:
			declare("WWW-Authenticate", false) // if the scope is missing
		case status == http.StatusConflict && op.Creates:
			declare("Retry-After", false) // if the first request is still running
		case response.Content[problemMedia] != nil &&
			(status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable):
			declare("Retry-After", true)
		}
		delete(headers, "Content-Type") // the content has it as its key
		response.Headers = headers
	}
}
