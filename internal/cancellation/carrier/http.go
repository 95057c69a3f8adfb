package carrier

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"time"

	"aviso/internal/cancellation/dispatch"
	"aviso/internal/observe"
	"aviso/internal/outbound"
)

// maxResponse limits the body of a response after decompression. The longest is a page of a thousand faxes.
const maxResponse = 4 << 20

// total is the timeout of a call.
const total = 15 * time.Second

// logCall logs one line for each call to a carrier. status is 0 without a response.
func logCall(ctx context.Context, operation string, status int, took time.Duration) {
	slog.InfoContext(ctx, "carrier call", "operation", operation, "status", status, "milliseconds", took.Milliseconds())
}

// Common are the options that all carriers but Email share.
type Common struct {
	// Now is the clock; required.
	Now func() time.Time
	// Transport replaces the adapter's own; optional.
	Transport http.RoundTripper
}

// client makes HTTP calls and logs them.
type client struct {
	Common
	http *http.Client
}

func newClient(c Common) *client {
	if c.Transport == nil {
		c.Transport = outbound.NewTransport(outbound.Timeouts{Connect: 3 * time.Second, Header: 10 * time.Second}, nil)
	}
	return &client{c, outbound.NewClient(c.Transport, c.Now)}
}

// request is one call before it is sent. The fields after url are optional.
type request struct {
	operation     string
	method        string
	url           string
	authorization observe.Secret
	header        map[string]string
	// body is sent as JSON, or unchanged if it is bytes. media is its type; the default is application/json.
	body  any
	media string
	// into receives the decoded JSON response.
	into any
}

// response is a response with any status.
type response struct {
	status int
	header http.Header
	body   []byte
}

func (a response) ok() bool { return a.status >= 200 && a.status <= 299 }

func (a response) gone() bool { return a.status == http.StatusNotFound || a.status == http.StatusGone }

// do makes the call and reads the whole response. It returns the response's status and header even with a failure.
// Errors have their own text, because those of net/http quote the URL.
func (c *client) do(ctx context.Context, r request) (response, *dispatch.CarrierError) {
	ctx, cancel := context.WithTimeout(ctx, total)
	defer cancel()
	started := c.Now()
	a, err := c.exchange(ctx, r)
	logCall(ctx, r.operation, a.status, c.Now().Sub(started))
	switch {
	case err != nil:
		return response{}, noResponse(ctx, r.operation, err)
	case !a.ok():
		return a, c.failed(r.operation, a)
	case r.into != nil && json.Unmarshal(a.body, r.into) != nil:
		return a, malformed(r.operation)
	default:
		return a, nil
	}
}

func (c *client) exchange(ctx context.Context, r request) (response, error) {
	body, isBytes := r.body.([]byte)
	if r.body != nil && !isBytes {
		var err error
		if body, err = json.Marshal(r.body); err != nil {
			return response{}, err
		}
	}
	req, err := http.NewRequestWithContext(ctx, r.method, r.url, bytes.NewReader(body))
	if err != nil {
		return response{}, err
	}
	media := cmp.Or(r.media, "application/json")
	req.Header.Set("User-Agent", "Aviso")
	if !isBytes {
		req.Header.Set("Accept", media)
	}
	if r.body != nil {
		req.Header.Set("Content-Type", media)
	}
	if r.authorization != "" {
		req.Header.Set("Authorization", string(r.authorization))
	}
	for name, value := range r.header {
		req.Header.Set(name, value)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return response{}, err
	}
	defer resp.Body.Close()
	a := response{status: resp.StatusCode, header: resp.Header}
	if !a.ok() {
		return a, nil // the status is enough
	}
	a.body, err = io.ReadAll(io.LimitReader(resp.Body, maxResponse+1))
	if err == nil && len(a.body) > maxResponse {
		err = errTooLarge
	}
	return a, err
}

var (
	codePattern = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,64}$`)
	// idPattern matches carriers' IDs that become part of a path. They have no dots, which could lead out of the path.
	idPattern       = regexp.MustCompile(`^[A-Za-z0-9-]{1,64}$`)
	trackingPattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9 ./-]{0,63}$`)
	// tokenPattern matches bearer tokens (RFC 6750, 2.1).
	tokenPattern = regexp.MustCompile(`^[A-Za-z0-9._~+/-]+=*$`)
)

// safeCode returns a carrier's code, or Unknown if s does not look like one, so that no personal data is logged or
// stored.
func safeCode(s string) string { return cmp.Or(codePattern.FindString(s), "Unknown") }

// Causes of a failure, in our own words.
var (
	errTooLarge     = errors.New("response too large")
	errMalformed    = errors.New("malformed response")
	errNoConnection = errors.New("no connection")
	errNoSuchHost   = errors.New("host name does not resolve")
	errUntrusted    = errors.New("certificate is not trusted")
	errBroken       = errors.New("connection broke")
)

// maxRetryAfter limits how long a carrier may ask us to wait.
const maxRetryAfter = 24 * time.Hour

func refused(reason string) *dispatch.CarrierError {
	return &dispatch.CarrierError{Failure: dispatch.CarrierRefused, Reason: reason}
}

func busy(reason string, after time.Duration) *dispatch.CarrierError {
	return &dispatch.CarrierError{Failure: dispatch.CarrierBusy, Reason: reason, RetryAfter: after}
}

func unclear(reason string, after time.Duration) *dispatch.CarrierError {
	return &dispatch.CarrierError{Failure: dispatch.CarrierUnclear, Reason: reason, RetryAfter: after}
}

// notSent is the failure for a letter that the carrier turns out not to have.
func notSent() *dispatch.CarrierError {
	return &dispatch.CarrierError{Failure: dispatch.CarrierNotSent, Reason: "LookedOnly"}
}

// notSaved is the failure if the store cannot save the reference of a letter.
func notSaved(err error) *dispatch.CarrierError {
	e := busy("ReferenceNotNoted", 0)
	e.Err = err
	return e
}

// noResponse returns the failure of a call without a response: Busy if it never got a connection, Unclear otherwise.
// It replaces err, whose text may quote the URL. Callers can still test for timeouts and errors of the context.
func noResponse(ctx context.Context, operation string, err error) *dispatch.CarrierError {
	e := unclear(operation, 0)
	_, unresolved := errors.AsType[*net.DNSError](err)
	op, _ := errors.AsType[*net.OpError](err)
	timeout, _ := errors.AsType[net.Error](err)
	_, untrusted := errors.AsType[*tls.CertificateVerificationError](err)
	switch {
	case errors.Is(err, errTooLarge):
		e.Err = errTooLarge
	case unresolved:
		e.Failure, e.Err = dispatch.CarrierBusy, errNoSuchHost
	case op != nil && op.Op == "dial":
		e.Failure, e.Err = dispatch.CarrierBusy, errNoConnection
	case ctx.Err() != nil:
		e.Err = ctx.Err()
	case timeout != nil && timeout.Timeout():
		e.Err = context.DeadlineExceeded
	case untrusted:
		e.Failure, e.Err = dispatch.CarrierBusy, errUntrusted
	default:
		e.Err = errBroken
	}
	return e
}

// asBusy turns any failure into Busy, for calls before the letter is handed over.
func asBusy(e *dispatch.CarrierError) *dispatch.CarrierError {
	e.Failure = dispatch.CarrierBusy
	return e
}

// failed returns the effect of a status outside 2xx on the letter. Only statuses about the request itself refuse the
// letter. A wrong credential, a wrong URL or an account without money would affect any letter, and we can fix them
// while the letter waits.
func (c *client) failed(operation string, a response) *dispatch.CarrierError {
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
func malformed(operation string) *dispatch.CarrierError {
	e := unclear(operation, 0)
	e.Err = errMalformed
	return e
}
