package api

import (
	"encoding/json"
	"errors"
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json/jsontext"

	"aviso/internal/api/apierror"
	"aviso/internal/aws/config"
)

// problemTypes is the URL of the page that explains the codes; `type` is this plus the code.
const problemTypes = "https://aviso.example/problems/"

const internalDetail = "Internal error. Quote the trace ID when you contact support."

// Problem is the body of every error (RFC 9457).
type Problem struct {
	Type                  string           `json:"type" format:"uri"`
	Title                 string           `json:"title"`
	Status                int              `json:"status"`
	Detail                string           `json:"detail"`
	Code                  apierror.Code    `json:"code"`
	TraceID               string           `json:"traceId"`
	Errors                []apierror.Field `json:"errors,omitempty" nullable:"false"`
	NextRefreshPossibleAt *time.Time       `json:"nextRefreshPossibleAt,omitempty"`
	CancellationID        string           `json:"cancellationId,omitempty" format:"uuid"`
	ObjectionID           string           `json:"objectionId,omitempty" format:"uuid"`

	retryAfter time.Duration
}

// meaning is the HTTP status and the title of a code.
type meaning struct {
	status int
	title  string
}

// meanings maps each code to its HTTP status and title.
var meanings = map[apierror.Code]meaning{
	apierror.MalformedRequest:         {400, "The request cannot be read"},
	apierror.InvalidNextToken:         {400, "The page token is not valid"},
	apierror.UserIDRequired:           {400, "A user ID is required"},
	apierror.Unauthorized:             {401, "The access token is missing or not valid"},
	apierror.InsufficientScope:        {403, "The access token lacks the required scope"},
	apierror.TermsNotAccepted:         {403, "The user has not accepted the terms"},
	apierror.NotAvailableInProd:       {403, "Not available in production"},
	apierror.NotFound:                 {404, "Not found"},
	apierror.UserNotFound:             {404, "User not found"},
	apierror.MethodNotAllowed:         {405, "Method not allowed"},
	apierror.Conflict:                 {409, "The request conflicts with the current state"},
	apierror.RefreshInProgress:        {409, "A refresh is in progress"},
	apierror.ConnectionNotActive:      {409, "The connection is not active"},
	apierror.IdempotencyInProgress:    {409, "The first request with this key is still in progress"},
	apierror.ExternalIDReused:         {409, "The external identifier is already in use"},
	apierror.AlreadyCancelled:         {409, "The contract has already been cancelled"},
	apierror.NotWithdrawable:          {409, "The cancellation can no longer be withdrawn"},
	apierror.SubscriptionNotListening: {409, "No subscription would get the event"},
	apierror.PayloadTooLarge:          {413, "The body is too large"},
	apierror.UnsupportedMediaType:     {415, "The media type is not supported"},
	apierror.ValidationFailed:         {422, "The request is not valid"},
	apierror.IdempotencyKeyReused:     {422, "The idempotency key was used for a different request"},
	apierror.ExtraConsentRequired:     {422, "The user's extra consent is needed"},
	apierror.TemplateMismatch:         {422, "The parameters do not match the template"},
	apierror.LocaleNotSupported:       {422, "The locale is not supported"},
	apierror.ReturnURLNotRegistered:   {422, "The return URL is not registered"},
	apierror.ProviderNotAvailable:     {422, "The provider is not available"},
	apierror.FormNotSupported:         {422, "The required form is not supported"},
	apierror.ReasonNotAvailable:       {422, "The reason is not available"},
	apierror.RangeTooLarge:            {422, "The response would be too large"},
	apierror.RateLimited:              {429, "Too many requests"},
	apierror.RefreshTooEarly:          {429, "It is too early to refresh"},
	apierror.InternalError:            {500, "Internal error"},
	apierror.SupplierError:            {502, "The bank returned an error"},
	apierror.TemporarilyUnavailable:   {503, "Temporarily unavailable"},
}

// Codes returns all codes.
func Codes() []apierror.Code { return slices.Sorted(maps.Keys(meanings)) }

func (p *Problem) Error() string { return string(p.Code) }

// GetStatus implements huma.StatusError.
func (p *Problem) GetStatus() int { return p.Status }

// ContentType implements huma.ContentTypeFilter with the media type of RFC 9457.
func (p *Problem) ContentType(string) string { return "application/problem+json" }

// GetHeaders implements huma.HeadersError.
func (p *Problem) GetHeaders() http.Header {
	h := http.Header{}
	if seconds := p.seconds(); seconds > 0 {
		h.Set(headerRetryAfter, strconv.Itoa(seconds))
	}
	return h
}

// seconds returns the time to wait before a retry, rounded up.
func (p *Problem) seconds() int { return int(math.Ceil(p.retryAfter.Seconds())) }

// NewProblem turns any error into a problem document. An error other than *apierror.Error becomes a bare
// internal_error or temporarily_unavailable.
func NewProblem(traceID string, err error) *Problem {
	var p *Problem
	if errors.As(err, &p) {
		return p
	}
	var f *apierror.Error
	if !errors.As(err, &f) {
		if config.Unavailable(err) {
			f = &apierror.Error{
				Code: apierror.TemporarilyUnavailable, Detail: "The service is busy. Retry the request later.",
				RetryAfter: 2 * time.Second,
			}
		} else {
			f = apierror.New(apierror.InternalError, internalDetail)
		}
	}
	m, known := meanings[f.Code]
	if !known {
		f, m = apierror.New(apierror.InternalError, internalDetail), meanings[apierror.InternalError]
	}
	p = &Problem{
		Type: problemTypes + string(f.Code), Title: m.title, Status: m.status,
		Detail: f.Detail, Code: f.Code, TraceID: traceID, CancellationID: f.CancellationID, ObjectionID: f.ObjectionID,
		Errors: shortened(f.Fields), retryAfter: f.RetryAfter,
	}
	if !f.NextRefreshPossibleAt.IsZero() {
		at := f.NextRefreshPossibleAt.UTC()
		p.NextRefreshPossibleAt = &at
	}
	if seconds := p.seconds(); seconds > 0 {
		if len(p.Errors) == 0 {
			p.Errors = []apierror.Field{{Code: string(f.Code), Detail: "Retry later."}}
		}
		p.Errors[0].RetryAfter = seconds
	}
	return p
}

// maxErrors limits the errors of a problem document in bytes, so that the whole document has at most 64 KB.
const maxErrors = 60 << 10

// shortened returns as many errors as a problem document may have, and adds a note if there are more. Clients choose
// the names in a pointer, so a pointer that is too long is cut to a parent.
func shortened(fields []apierror.Field) []apierror.Field {
	const longest = 200
	var kept []apierror.Field
	size := 0
	for i, f := range fields {
		if len(f.Pointer) > longest {
			f.Pointer = f.Pointer[:max(strings.LastIndexByte(f.Pointer[:longest], '/'), 0)]
		}
		text, _ := json.Marshal(f)
		size += len(text) + 1
		if size > maxErrors || i == apierror.MaxFields-1 && len(fields) > apierror.MaxFields {
			return append(kept, apierror.Field{Code: "more", Detail: "There are more. Correct the others first."})
		}
		kept = append(kept, f)
	}
	return kept
}

// problemFromHuma combines the errors of Huma and of bodyCheck in one problem document.
func problemFromHuma(c *call, status int, errs []error) *Problem {
	if status == http.StatusBadRequest {
		return c.problem(apierror.New(apierror.MalformedRequest, "The body is missing or is not valid JSON."))
	}
	return c.problem(apierror.Invalid(addErrors(c.invalid, errs, "")...))
}

// addErrors adds Huma's errors, one for each part of the request. For an ID that is not a UUID, it drops the error
// about the length.
func addErrors(fields []apierror.Field, errs []error, pointer jsontext.Pointer) []apierror.Field {
	for _, err := range errs {
		d, _ := errors.AsType[*huma.ErrorDetail](err)
		f := apierror.Field{Code: "invalid", Detail: expectation(d.Message)}
		switch where, name, _ := strings.Cut(d.Location, "."); where {
		case "query", "path":
			f.Parameter = name
		case "header":
			f.Header = name
		default:
			f.Pointer = string(pointer)
		}
		switch {
		case strings.HasPrefix(f.Detail, "required "):
			f.Code = "required"
		case strings.HasSuffix(f.Pointer+f.Parameter, "categoryId") && strings.HasPrefix(f.Detail, "expected number "):
			f.Detail = "Send an ID that GET /openbanking/v1/categories lists." // the numeric bounds say less
		}
		last := len(fields) - 1
		same := last >= 0 && fields[last].Parameter == f.Parameter && fields[last].Header == f.Header &&
			fields[last].Pointer == f.Pointer
		if !same {
			fields = append(fields, f)
		} else if strings.Contains(f.Detail, "UUID") {
			fields[last] = f
		}
	}
	return fields
}

// expectation returns Huma's message about the schema, without any submitted value. Some messages of Huma may quote
// the value in a cause. Messages of the JSON decoder do quote it.
func expectation(message string) string {
	message, _, _ = strings.Cut(message, ": ")
	for _, own := range []string{"expected ", "unexpected ", "required ", "invalid "} {
		if strings.HasPrefix(message, own) {
			return plain(message)
		}
	}
	return "not a value of the expected type"
}

// plain translates Huma's messages from the terms of RFCs and JSON Schema.
func plain(message string) string {
	switch message {
	case "expected string to be RFC 3339 date":
		return "expected a date such as 2026-01-31"
	case "expected string to be RFC 3339 date-time", "invalid date/time for format " + time.RFC3339Nano:
		return "expected a time such as 2026-01-31T09:30:00Z"
	case "expected string to be RFC 4122 uuid":
		return "expected a UUID such as 7f0d4a52-5a3c-4c39-9f3e-0f6f1f9d8c11"
	case "expected string to be RFC 3986 uri":
		return "expected an address such as https://partner.example/"
	case "expected string to be RFC 5322 email":
		return "expected an e-mail address"
	case "expected integer", "invalid integer":
		return "expected a whole number"
	case "expected boolean", "invalid boolean":
		return "expected true or false"
	case "expected string":
		return "expected a text"
	case "expected array":
		return "expected a list"
	case "expected object":
		return "expected an object"
	}
	return message
}
