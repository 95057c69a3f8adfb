// Package apierror has the error codes of the interface. Areas return these errors
// and internal/api turns them into problem documents; any other error is an internal
// error. The package is separate so that areas do not link the HTTP layer.
package apierror

import (
	"errors"
	"fmt"
	"time"
)

// Code is the machine-readable reason of a refusal. A table in internal/api maps it
// to its HTTP status.
type Code string

// The codes of the interface.
const (
	MalformedRequest         Code = "malformed_request"
	InvalidNextToken         Code = "invalid_next_token"
	UserIDRequired           Code = "user_id_required"
	Unauthorized             Code = "unauthorized"
	InsufficientScope        Code = "insufficient_scope"
	TermsNotAccepted         Code = "terms_not_accepted"
	NotAvailableInProd       Code = "not_available_in_production"
	NotFound                 Code = "not_found"
	UserNotFound             Code = "user_not_found"
	MethodNotAllowed         Code = "method_not_allowed"
	Conflict                 Code = "conflict"
	RefreshInProgress        Code = "refresh_in_progress"
	ConnectionNotActive      Code = "connection_not_active"
	IdempotencyInProgress    Code = "idempotency_in_progress"
	ExternalIDReused         Code = "external_identifier_reused"
	AlreadyCancelled         Code = "already_cancelled"
	NotWithdrawable          Code = "cancellation_not_withdrawable"
	SubscriptionNotListening Code = "subscription_not_listening"
	PayloadTooLarge          Code = "payload_too_large"
	UnsupportedMediaType     Code = "unsupported_media_type"
	ValidationFailed         Code = "validation_failed"
	IdempotencyKeyReused     Code = "idempotency_key_reused"
	ExtraConsentRequired     Code = "extra_consent_required"
	TemplateMismatch         Code = "template_mismatch"
	LocaleNotSupported       Code = "locale_not_supported"
	ReturnURLNotRegistered   Code = "return_url_not_registered"
	ProviderNotAvailable     Code = "provider_not_available"
	FormNotSupported         Code = "form_not_supported"
	ReasonNotAvailable       Code = "reason_not_available"
	RangeTooLarge            Code = "range_too_large"
	RateLimited              Code = "rate_limited"
	RefreshTooEarly          Code = "refresh_too_early"
	InternalError            Code = "internal_error"
	SupplierError            Code = "supplier_error"
	TemporarilyUnavailable   Code = "temporarily_unavailable"
)

// Field is one reason for a refusal, usually an invalid part of the request. Whatever a program acts on is a member
// of its own. At most one of Pointer, Parameter and Header is set.
type Field = ProblemField

// ProblemField is a Field under the name that its schema has for partners.
type ProblemField struct {
	Pointer   string `json:"pointer,omitempty" format:"json-pointer"`
	Parameter string `json:"parameter,omitempty"`
	Header    string `json:"header,omitempty"`
	Code      string `json:"code"`
	Detail    string `json:"detail"`

	FieldKey   string `json:"fieldKey,omitempty"`
	TermsType  string `json:"termsType,omitempty" enum:"Operator,BankingSupplier,CancellationProvider"`
	Version    string `json:"version,omitempty"`
	URL        string `json:"url,omitempty" format:"uri"`
	Limit      int    `json:"limit,omitempty"`
	RetryAfter int    `json:"retryAfter,omitempty"`

	EarliestEnd string `json:"earliestEnd,omitempty" format:"date"`
}

// Error is a refusal with its reason. Detail is a sentence for the partner's
// developer and never contains a submitted value.
type Error struct {
	Code   Code
	Detail string
	Fields []Field
	// RetryAfter is how long to wait before a retry; zero if waiting does not help.
	RetryAfter time.Duration
	// NextRefreshPossibleAt is set only with RefreshTooEarly.
	NextRefreshPossibleAt time.Time
	// CancellationID is set only with AlreadyCancelled.
	CancellationID string
	// ObjectionID is set only with Conflict: the existing objection.
	ObjectionID string
}

func (e *Error) Error() string { return string(e.Code) + ": " + e.Detail }

// New returns a refusal with a code and a detail.
func New(code Code, detail string) *Error { return &Error{Code: code, Detail: detail} }

// NoUser returns the refusal of a call for an unknown user.
func NoUser() *Error { return New(UserNotFound, "The partner has no user with this ID.") }

// WithFields returns a refusal that names the invalid parts of the request.
func WithFields(code Code, detail string, fields ...Field) *Error {
	return &Error{Code: code, Detail: detail, Fields: fields}
}

// MaxFields is the maximum number of fields in a problem document. Checks stop when they have found more.
const MaxFields = 100

// Invalid returns the refusal of a request with invalid fields.
func Invalid(fields ...Field) *Error {
	detail := fmt.Sprintf("%d parts of the request are not valid.", len(fields))
	switch {
	case len(fields) == 1:
		detail = "1 part of the request is not valid."
	case len(fields) > MaxFields:
		detail = fmt.Sprintf("More than %d parts of the request are not valid.", MaxFields)
	}
	return WithFields(ValidationFailed, detail, fields...)
}

// Is reports whether err is, or wraps, a refusal with this code.
func Is(err error, code Code) bool {
	var f *Error
	return errors.As(err, &f) && f.Code == code
}
