package notification

import (
	"context"
	"time"
)

// Call is one callback to a partner's server.
type Call struct {
	URL string
	// EventID becomes the header webhook-id, At webhook-timestamp.
	EventID string
	At      time.Time
	Body    []byte
	// Keys sign the callback, each on its own.
	Keys []Key
}

// CallTimeout is how long a receiver has, from the start of the call to the last
// byte of its acknowledgement.
const CallTimeout = time.Minute

// Outcome is how a callback ended.
type Outcome string

// The outcomes. Only Acknowledged is a success.
const (
	OutcomeAcknowledged Outcome = "Acknowledged"
	// OutcomeNotAcknowledged: isAcknowledged is false.
	OutcomeNotAcknowledged Outcome = "NotAcknowledged"
	// OutcomeInvalidAcknowledgement: a member is missing or of the wrong type,
	// or the body is no JSON.
	OutcomeInvalidAcknowledgement Outcome = "InvalidAcknowledgement"
	// OutcomeHTTPError: any status but 200 and 3xx.
	OutcomeHTTPError        Outcome = "HttpError"
	OutcomeRedirectRefused  Outcome = "RedirectRefused"
	OutcomeTimeout          Outcome = "Timeout"
	OutcomeDNSError         Outcome = "DnsError"
	OutcomeTLSError         Outcome = "TlsError"
	OutcomeConnectionError  Outcome = "ConnectionError"
	OutcomeAddressRefused   Outcome = "AddressRefused"
	OutcomeResponseTooLarge Outcome = "ResponseTooLarge"
)

// Result is what came of a callback.
type Result struct {
	Outcome Outcome
	// HTTPStatus is 0 where there was no answer.
	HTTPStatus int
	// Detail is a sentence for the partner's developer: which member of an
	// acknowledgement was missing or wrong, which status came. It holds nothing
	// of what the receiver has sent.
	Detail   string
	Duration time.Duration
}

// Caller makes a callback. However it ends, that is an Outcome and no error. When
// ctx ends before the receiver has answered, the outcome is OutcomeTimeout.
type Caller func(ctx context.Context, c Call) Result

// AddressCheck returns an *AddressError when events must not be posted to the
// address. What only DNS can tell is checked by the Caller, at every call.
type AddressCheck func(serverURL string) error

// AddressError says why an address is refused, in a sentence for the partner's
// developer that does not repeat the address.
type AddressError struct{ Reason string }

func (e *AddressError) Error() string { return "server URL refused: " + e.Reason }
