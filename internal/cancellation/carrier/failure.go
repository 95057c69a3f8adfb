package carrier

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"strconv"
	"time"

	"aviso/internal/cancellation"
	"aviso/internal/outbound"
)

// Causes of a failure, in words of our own.
var (
	errTooLarge     = errors.New("answer too large")
	errMalformed    = errors.New("malformed answer")
	errNoConnection = errors.New("no connection")
	errNoSuchHost   = errors.New("host name does not resolve")
	errUntrusted    = errors.New("certificate is not trusted")
	errBroken       = errors.New("connection broke")
)

// maxRetryAfter caps what a carrier may ask us to wait.
const maxRetryAfter = 24 * time.Hour

func refused(reason string) *cancellation.CarrierError {
	return &cancellation.CarrierError{Failure: cancellation.CarrierRefused, Reason: reason}
}

func busy(reason string, after time.Duration) *cancellation.CarrierError {
	return &cancellation.CarrierError{Failure: cancellation.CarrierBusy, Reason: reason, RetryAfter: after}
}

func unclear(reason string, after time.Duration) *cancellation.CarrierError {
	return &cancellation.CarrierError{Failure: cancellation.CarrierUnclear, Reason: reason, RetryAfter: after}
}

// noResponse is the failure of a call that may have been heard. One that never
// found a connection was not.
func noResponse(operation string, err error) *cancellation.CarrierError {
	e := unclear(operation, 0)
	if neverConnected(err) {
		e.Failure = cancellation.CarrierBusy
	}
	e.Err = err
	return e
}

func neverConnected(err error) bool {
	return errors.Is(err, errNoConnection) || errors.Is(err, errNoSuchHost) || errors.Is(err, errUntrusted)
}

// early turns whatever a call failed with into Busy, for those that come before
// anything of the letter was said.
func asBusy(e *cancellation.CarrierError) *cancellation.CarrierError {
	e.Failure = cancellation.CarrierBusy
	return e
}

// busyIfUnclear turns Unclear into Busy, for calls that hand nothing over: whatever
// became of them, the letter is still here.
func busyIfUnclear(e *cancellation.CarrierError) *cancellation.CarrierError {
	if e.Failure == cancellation.CarrierUnclear {
		e.Failure = cancellation.CarrierBusy
	}
	return e
}

// failed is what an answer outside 2xx means for the letter. Only what is said
// of the request itself refuses the letter: a wrong credential, an address that
// leads nowhere or an account without money would refuse any letter, and are
// ours to mend while the letter waits.
func (c *client) failed(operation string, a response) *cancellation.CarrierError {
	reason := operation + ": HTTP " + strconv.Itoa(a.status)
	after := outbound.RetryAfter(a.header.Get("Retry-After"), c.now(), maxRetryAfter)
	switch {
	case a.status >= 500, a.status < 200:
		return unclear(reason, after)
	case a.status < 400:
		return busy(reason, after) // a redirect: the address is wrong
	}
	switch a.status {
	case http.StatusUnauthorized, http.StatusPaymentRequired, http.StatusForbidden,
		http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusProxyAuthRequired, http.StatusMisdirectedRequest,
		http.StatusRequestTimeout, http.StatusConflict, http.StatusLocked, http.StatusTooEarly, http.StatusTooManyRequests:
		return busy(reason, after)
	default:
		return refused(reason)
	}
}

// malformed is the failure of a call that was answered with success and without
// sense.
func malformed(operation string) *cancellation.CarrierError {
	e := unclear(operation, 0)
	e.Err = errMalformed
	return e
}

// unmarshal hides the decoder's own error, which quotes the answer.
func unmarshal(body []byte, into any) error {
	if err := json.Unmarshal(body, into); err != nil {
		return errMalformed
	}
	return nil
}

// transportCause names err without its text. Cancellation and time-out keep
// their identity.
func transportCause(ctx context.Context, err error) error {
	var timeout net.Error
	var dns *net.DNSError
	var op *net.OpError
	var certificate *tls.CertificateVerificationError
	switch {
	case errors.Is(err, errTooLarge):
		return errTooLarge
	case errors.As(err, &dns):
		return errNoSuchHost
	case errors.As(err, &op) && op.Op == "dial":
		return errNoConnection
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &timeout) && timeout.Timeout():
		return context.DeadlineExceeded
	case errors.As(err, &certificate):
		return errUntrusted
	default:
		return errBroken
	}
}
