package notification

import (
	"context"
	"time"

	"aviso/internal/clock"
)

// Call is one callback to a partner's server.
type Call struct {
	URL string
	// EventID becomes the header webhook-id, and At becomes webhook-timestamp.
	EventID string
	At      clock.Real
	Body    []byte
	// Keys sign the callback. Each makes its own signature.
	Keys []Key
	// KeepAnswer keeps the start of an answer that does not acknowledge, in every environment.
	KeepAnswer bool
}

// CallTimeout limits a call from its start to the last byte of the acknowledgement.
const CallTimeout = time.Minute

// Outcome is the result of a callback as a word.
type Outcome string

// The outcomes. Only Acknowledged is a success.
const (
	OutcomeAcknowledged Outcome = "Acknowledged"
	// OutcomeNotAcknowledged: isAcknowledged is false.
	OutcomeNotAcknowledged Outcome = "NotAcknowledged"
	// OutcomeInvalidAcknowledgement: a member is missing or has the wrong type, or the body is not JSON.
	OutcomeInvalidAcknowledgement Outcome = "InvalidAcknowledgement"
	// OutcomeHTTPError: any status other than 200 and 3xx.
	OutcomeHTTPError        Outcome = "HttpError"
	OutcomeRedirectRefused  Outcome = "RedirectRefused"
	OutcomeTimeout          Outcome = "Timeout"
	OutcomeDNSError         Outcome = "DnsError"
	OutcomeTLSError         Outcome = "TlsError"
	OutcomeConnectionError  Outcome = "ConnectionError"
	OutcomeAddressRefused   Outcome = "AddressRefused"
	OutcomeResponseTooLarge Outcome = "ResponseTooLarge"
)

// Result is the result of a callback.
type Result struct {
	Outcome Outcome `dynamodbav:"outcome"`
	// HTTPStatus is 0 if there was no response.
	HTTPStatus int `dynamodbav:"httpStatus,omitempty"`
	// Detail is for the partner's developer: the missing or wrong member of the acknowledgement, or the HTTP status. It
	// never quotes the response.
	Detail string `dynamodbav:"detail,omitempty"`
	// Milliseconds is how long the call took.
	Milliseconds int64 `dynamodbav:"durationMs"`
	// Answer is the start of a response that did not acknowledge: status, headers and 2 KB of the body; in production
	// only the header Location, unless Call.KeepAnswer is set.
	Answer string `dynamodbav:"answer,omitempty"`
}

// Took returns how long the call took.
func (r Result) Took() time.Duration { return time.Duration(r.Milliseconds) * time.Millisecond }

// Caller makes a callback. It always returns an Outcome, never an error. If ctx ends before the receiver responds,
// the outcome is OutcomeTimeout.
type Caller func(ctx context.Context, c Call) Result

// AddressCheck returns an *AddressError if events must not be posted to the address. It does not use DNS: the Caller
// checks the resolved addresses in every call.
type AddressCheck func(serverURL string) error

// AddressError says why an address is rejected. Its reason is for the partner's developer and does not repeat the
// address.
type AddressError struct{ Reason string }

func (e *AddressError) Error() string { return "server URL refused: " + e.Reason }
