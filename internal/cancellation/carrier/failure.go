package carrier

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"slices"
	"strconv"
	"time"

	"aviso/internal/cancellation"
	"aviso/internal/outbound"
)

// Causes of a failure, in our own words.
var (
	errTooLarge     = errors.New("response too large")
	errMalformed    = errors.New("malformed response")
	errNoConnection = errors.New("no connection")
	errNoSuchHost   = errors.New("host name does not resolve")
	errUntrusted    = errors.New("certificate is not trusted")
	errBroken       = errors.New("connection broke")
)

// maxRetryAfter caps how long a carrier may ask us to wait.
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

// notSent is the result of looking for a letter that no carrier has.
func notSent() *cancellation.CarrierError {
	return &cancellation.CarrierError{Failure: cancellation.CarrierNotSent, Reason: "UserErased"}
}

// notNoted is the result if the store does not take the reference of a letter.
func notNoted(err error) *cancellation.CarrierError {
	e := busy("ReferenceNotNoted", 0)
	e.Err = err
	return e
}

// noResponse returns the failure of a call without a response: Busy if it never got a
// connection, Unclear otherwise. It replaces err, whose text may quote the URL. Errors of the
// context and timeouts can still be tested for.
func noResponse(ctx context.Context, operation string, err error) *cancellation.CarrierError {
	e := unclear(operation, 0)
	_, unresolved := errors.AsType[*net.DNSError](err)
	op, _ := errors.AsType[*net.OpError](err)
	timeout, _ := errors.AsType[net.Error](err)
	_, untrusted := errors.AsType[*tls.CertificateVerificationError](err)
	switch {
	case errors.Is(err, errTooLarge):
		e.Err = errTooLarge
	case unresolved:
		e.Failure, e.Err = cancellation.CarrierBusy, errNoSuchHost
	case op != nil && op.Op == "dial":
		e.Failure, e.Err = cancellation.CarrierBusy, errNoConnection
	case ctx.Err() != nil:
		e.Err = ctx.Err()
	case timeout != nil && timeout.Timeout():
		e.Err = context.DeadlineExceeded
	case untrusted:
		e.Failure, e.Err = cancellation.CarrierBusy, errUntrusted
	default:
		e.Err = errBroken
	}
	return e
}

// asBusy turns any failure into Busy. It is for calls that come before the letter is
// sent to the carrier.
func asBusy(e *cancellation.CarrierError) *cancellation.CarrierError {
	e.Failure = cancellation.CarrierBusy
	return e
}

// failed returns what a status outside 2xx means for the letter. Only statuses about
// the request itself refuse the letter. A wrong credential, a wrong URL or an account
// without money would affect any letter, and we can fix them while the letter waits.
func (c *client) failed(operation string, a response) *cancellation.CarrierError {
	reason := operation + ": HTTP " + strconv.Itoa(a.status)
	after := outbound.RetryAfter(a.header.Get("Retry-After"), c.Now(), maxRetryAfter)
	switch {
	case a.status >= 500, a.status < 200:
		return unclear(reason, after)
	case a.status < 400, slices.Contains(notAboutTheLetter(), a.status): // a redirect: the URL is wrong
		return busy(reason, after)
	default:
		return refused(reason)
	}
}

func notAboutTheLetter() []int {
	return []int{
		http.StatusUnauthorized, http.StatusPaymentRequired, http.StatusForbidden,
		http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusProxyAuthRequired, http.StatusMisdirectedRequest,
		http.StatusRequestTimeout, http.StatusConflict, http.StatusLocked, http.StatusTooEarly,
		http.StatusTooManyRequests,
	}
}

// malformed returns the failure of a call with a successful but unreadable response.
func malformed(operation string) *cancellation.CarrierError {
	e := unclear(operation, 0)
	e.Err = errMalformed
	return e
}
