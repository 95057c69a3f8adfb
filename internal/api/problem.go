package api

import (
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"aviso/internal/awscall"
	"aviso/internal/fault"
)

// problemTypes is where the codes are explained; `type` is this plus the code.
const problemTypes = "https://aviso.example/problems/"

// Problem is the body of every error (RFC 9457).
type Problem struct {
	Type                  string         `json:"type" format:"uri" doc:"A page about the code." example:"https://aviso.example/problems/validation_failed"`
	Title                 string         `json:"title" doc:"The code in words; the same for every occurrence." example:"The request is not valid"`
	Status                int            `json:"status" doc:"The HTTP status." example:"422"`
	Detail                string         `json:"detail" doc:"What went wrong this time. Never holds a submitted value." example:"1 part of the request is not valid."`
	Code                  fault.Code     `json:"code" doc:"Machine-readable reason." example:"validation_failed"`
	TraceID               string         `json:"traceId" doc:"Equals X-Request-Id; tell it to support." example:"7f0d4a52-5a3c-4c39-9f3e-0f6f1f9d8c11"`
	Errors                []ProblemField `json:"errors,omitempty" nullable:"false" doc:"The faulty parts of the request, where there are such."`
	NextRefreshPossibleAt *time.Time     `json:"nextRefreshPossibleAt,omitempty" doc:"With refresh_too_early: when a refresh is possible."`

	retryAfter time.Duration
}

// ProblemField is one faulty part of a request.
type ProblemField struct {
	Pointer   string `json:"pointer,omitempty" doc:"JSON Pointer (RFC 6901) into the body." example:"/countryCode"`
	Parameter string `json:"parameter,omitempty" doc:"Name of a path or query parameter." example:"limit"`
	Header    string `json:"header,omitempty" doc:"Name of a header." example:"X-User-Id"`
	Code      string `json:"code" doc:"Machine-readable reason." example:"invalid"`
	Detail    string `json:"detail" doc:"What is expected." example:"expected number <= 200"`
}

// meaning is what one code is on the wire.
type meaning struct {
	status int
	title  string
}

// meanings is the one table from codes to HTTP.
var meanings = map[fault.Code]meaning{
	fault.MalformedRequest:       {400, "The request cannot be read"},
	fault.InvalidNextToken:       {400, "The page token is not valid"},
	fault.UserIDRequired:         {400, "The call needs a user"},
	fault.Unauthorized:           {401, "The access token is missing or not valid"},
	fault.InsufficientScope:      {403, "The access token lacks the scope"},
	fault.TermsNotAccepted:       {403, "The user has not accepted the terms"},
	fault.NotAvailableInProd:     {403, "Not available in production"},
	fault.NotFound:               {404, "Not found"},
	fault.UserNotFound:           {404, "There is no such user"},
	fault.MethodNotAllowed:       {405, "The method is not allowed here"},
	fault.Conflict:               {409, "The request conflicts with the present state"},
	fault.RefreshInProgress:      {409, "A refresh is under way"},
	fault.ConnectionNotActive:    {409, "The connection is not active"},
	fault.IdempotencyInProgress:  {409, "The first request with this key is still running"},
	fault.ExternalIDReused:       {409, "The external identifier is in use"},
	fault.NotWithdrawable:        {409, "The cancellation cannot be withdrawn any more"},
	fault.PayloadTooLarge:        {413, "The body is too large"},
	fault.UnsupportedMediaType:   {415, "The media type is not supported"},
	fault.ValidationFailed:       {422, "The request is not valid"},
	fault.IdempotencyKeyReused:   {422, "The idempotency key belongs to another request"},
	fault.ExtraConsentRequired:   {422, "The user's extra consent is needed"},
	fault.TemplateMismatch:       {422, "The parameters do not match the template"},
	fault.LocaleNotSupported:     {422, "The locale is not offered"},
	fault.ReturnURLNotRegistered: {422, "The return URL is not registered"},
	fault.ProviderNotAvailable:   {422, "The provider is not available"},
	fault.FormNotSupported:       {422, "The required form is not supported"},
	fault.RangeTooLarge:          {422, "The answer would be too large"},
	fault.RateLimited:            {429, "Too many requests"},
	fault.RefreshTooEarly:        {429, "It is too early for a refresh"},
	fault.InternalError:          {500, "Internal error"},
	fault.SupplierError:          {502, "The bank failed"},
	fault.TemporarilyUnavailable: {503, "Temporarily unavailable"},
}

func (p *Problem) Error() string { return string(p.Code) }

// GetStatus is the HTTP status; Huma asks for it.
func (p *Problem) GetStatus() int { return p.Status }

// ContentType is that of RFC 9457; Huma asks for it.
func (p *Problem) ContentType(string) string { return "application/problem+json" }

// GetHeaders are the headers that belong to the problem; Huma asks for them.
func (p *Problem) GetHeaders() http.Header {
	h := http.Header{}
	if p.retryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(int(math.Ceil(p.retryAfter.Seconds()))))
	}
	return h
}

// problem turns any error into what the partner is told. Everything that is
// not a refusal becomes a bare internal_error.
func problem(traceID string, err error) *Problem {
	var p *Problem
	if errors.As(err, &p) {
		return p
	}
	var f *fault.Error
	if !errors.As(err, &f) {
		if awscall.Unavailable(err) {
			f = &fault.Error{Code: fault.TemporarilyUnavailable, Detail: "A store is busy; the same request may succeed soon.", RetryAfter: 2 * time.Second}
		} else {
			f = fault.New(fault.InternalError, "The cause is in our log under the trace id.")
		}
	}
	m, known := meanings[f.Code]
	if !known {
		f, m = fault.New(fault.InternalError, "The cause is in our log under the trace id."), meanings[fault.InternalError]
	}
	p = &Problem{
		Type: problemTypes + string(f.Code), Title: m.title, Status: m.status,
		Detail: f.Detail, Code: f.Code, TraceID: traceID, retryAfter: f.RetryAfter,
	}
	if !f.NextRefreshPossibleAt.IsZero() {
		at := f.NextRefreshPossibleAt.UTC()
		p.NextRefreshPossibleAt = &at
	}
	for _, field := range f.Fields {
		p.Errors = append(p.Errors, ProblemField(field))
	}
	return p
}

// problemFromHuma words Huma's own findings about a request.
func problemFromHuma(traceID string, status int, errs []error) *Problem {
	if status == http.StatusBadRequest {
		return problem(traceID, fault.New(fault.MalformedRequest, "The body is not JSON text, or is missing."))
	}
	var fields []fault.Field
	for _, err := range errs {
		var d *huma.ErrorDetail
		if !errors.As(err, &d) {
			return problem(traceID, err)
		}
		fields = append(fields, fieldFromHuma(d))
	}
	return problem(traceID, fault.Invalid(fields...))
}

// fieldFromHuma translates a location such as body.items[0].name.
func fieldFromHuma(d *huma.ErrorDetail) fault.Field {
	message := expectation(d.Message)
	f := fault.Field{Code: "invalid", Detail: message}
	switch {
	case strings.HasPrefix(message, "expected required property"), strings.HasPrefix(message, "required "):
		f.Code = "required"
	case message == "unexpected property":
		f.Code = "unknown_member"
	}
	where, name, _ := strings.Cut(d.Location, ".")
	switch where {
	case "query", "path":
		f.Parameter = name
	case "header":
		f.Header = name
	default:
		f.Pointer = pointer(name)
		if f.Code == "required" {
			if quoted := strings.Fields(strings.TrimPrefix(message, "expected required property ")); len(quoted) > 0 {
				f.Pointer += "/" + strings.Trim(quoted[0], `"`)
			}
			f.Detail = "This member is required."
		}
	}
	return f
}

// expectation is what Huma says of the schema. It appends the cause to some
// messages, which may quote the value, and passes on those of the JSON decoder,
// which do: neither is told.
func expectation(message string) string {
	message, _, _ = strings.Cut(message, ": ")
	for _, own := range []string{"expected ", "unexpected ", "required ", "invalid "} {
		if strings.HasPrefix(message, own) {
			return message
		}
	}
	return "not a value of the expected type"
}

// pointer turns Huma's items[0].name into /items/0/name.
func pointer(path string) string {
	if path == "" {
		return ""
	}
	path = strings.NewReplacer("~", "~0", "/", "~1").Replace(path)
	return "/" + strings.NewReplacer("[", "/", "]", "", ".", "/").Replace(path)
}
