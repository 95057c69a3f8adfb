// Package bankwire has what the clients of banks and of an aggregator of banks have in
// common: how a call is made and how it fails, texts that are safe to store and show, and
// what a session keeps.
package bankwire

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"aviso/internal/outbound"
	"aviso/internal/pfm"
)

const (
	// MaxResponse bounds a response body after decompression. A page of ten thousand long
	// rows is smaller, and so is the list of all banks.
	MaxResponse = 20 << 20
	// MaxErrorResponse bounds the body of a refusal, from which only a code is read.
	MaxErrorResponse = 64 << 10
)

// Causes of a failure. These texts replace the errors of net/http and encoding/json,
// which may quote the URL or the response.
var (
	ErrTooLarge     = errors.New("response too large")
	ErrMalformed    = errors.New("malformed response")
	ErrUnpacking    = errors.New("response cannot be decompressed")
	ErrNoConnection = errors.New("no connection")
	ErrNoSuchHost   = errors.New("host name does not resolve")
	ErrHandshake    = errors.New("TLS handshake failed")
	ErrAlert        = errors.New("bank refused the TLS connection")
	ErrBroken       = errors.New("connection broke")
	// ErrUnsigned is the error of Request.Sign.
	ErrUnsigned = errors.New("request cannot be sealed")
)

// Call describes one call. It contains no personal data.
type Call struct {
	// Operation is that of pfm.SupplierError.
	Operation string
	// RequestID is the X-Request-ID, with which a bank can find the call; may be empty.
	RequestID string
	// Status is the HTTP status, or 0 if there was no response.
	Status int
	// Code is the code of a refusal; may be empty.
	Code     string
	Duration time.Duration
}

// Caller makes the calls of a client. It is safe for concurrent use.
type Caller struct {
	HTTP    *http.Client
	Now     func() time.Time
	total   time.Duration
	observe func(ctx context.Context, call Call)
}

// NewCaller returns a Caller, which reuses its connections for later calls. The last two
// parameters are optional.
func NewCaller(
	now func() time.Time, t outbound.Timeouts, transport http.RoundTripper, observe func(context.Context, Call),
) Caller {
	if transport == nil {
		transport = outbound.NewTransport(t, nil)
	}
	if observe == nil {
		observe = func(context.Context, Call) {}
	}
	return Caller{HTTP: outbound.NewClient(transport, now), Now: now, total: t.Total, observe: observe}
}

// Limit bounds what belongs to one call.
func (c Caller) Limit(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, c.total)
}

// Request is one call before it is sent.
type Request struct {
	// HTTP sends the request. Operation and ID are those of Call.
	HTTP          *http.Client
	Operation, ID string
	Method, URL   string
	// Header has headers; those with an empty value are not sent.
	Header map[string]string
	// Body is sent as JSON, Form as a form. At most one is set.
	Body any
	Form url.Values
	// Sign, if set, adds headers about the body.
	Sign func(r *http.Request, body []byte) error
}

// Do sends the request and passes the response to decode, or a refusal to refused. An error
// from decode makes the response invalid, unless it is a *pfm.SupplierError.
func (c Caller) Do(
	ctx context.Context, r Request, refused func(*http.Response, []byte) *pfm.SupplierError,
	decode func(*http.Response, []byte) error,
) error {
	started := c.Now()
	resp, body, err := r.send(ctx) //nolint:bodyclose // send has read and closed it
	call := Call{Operation: r.Operation, RequestID: r.ID, Duration: c.Now().Sub(started)}
	var refusal *pfm.SupplierError
	if resp != nil {
		call.Status = resp.StatusCode
		if resp.StatusCode < 200 || resp.StatusCode > 299 {
			refusal = refused(resp, body)
			call.Code = refusal.BankCode
		}
	}
	c.observe(ctx, call)
	switch {
	case refusal != nil:
		return refusal
	case err != nil:
		return Failure(r.Operation, kindOf(err), call.Status, causeOf(ctx, err))
	}
	err = decode(resp, body)
	if _, ok := errors.AsType[*pfm.SupplierError](err); err == nil || ok {
		return err
	}
	return Failure(r.Operation, pfm.SupplierInvalidResponse, call.Status, err)
}

// Failure returns the error of an operation.
func Failure[T ~string](op T, kind pfm.SupplierErrorKind, status int, cause error) *pfm.SupplierError {
	return &pfm.SupplierError{Kind: kind, Operation: string(op), Status: status, Err: cause}
}

// Unmarshal hides the decoder's error, because it quotes the response.
func Unmarshal(body []byte, into any) error {
	if err := json.Unmarshal(WithoutMark(body), into); err != nil {
		return ErrMalformed
	}
	return nil
}

// WithoutMark drops the byte order mark, which is not JSON.
func WithoutMark(body []byte) []byte { return bytes.TrimPrefix(body, []byte("\ufeff")) }

// send sends the request and reads the whole response. If reading fails, it returns the
// response together with the error.
func (r Request) send(ctx context.Context) (*http.Response, []byte, error) {
	var sent []byte
	var payload io.Reader
	mediaType := "application/json"
	if r.Body != nil {
		var err error
		if sent, err = json.Marshal(r.Body); err != nil {
			return nil, nil, err
		}
		payload = bytes.NewReader(sent)
	}
	if r.Form != nil {
		mediaType, payload = "application/x-www-form-urlencoded", strings.NewReader(r.Form.Encode())
	}
	req, err := http.NewRequestWithContext(ctx, r.Method, r.URL, payload)
	if err != nil {
		return nil, nil, err
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "Aviso")
	if payload != nil {
		req.Header.Set("Content-Type", mediaType)
	}
	if r.ID != "" {
		req.Header.Set("X-Request-ID", r.ID)
	}
	for name, value := range r.Header {
		if value != "" {
			req.Header.Set(name, value)
		}
	}
	if r.Sign != nil {
		if err := r.Sign(req, sent); err != nil {
			return nil, nil, err
		}
	}
	resp, err := r.HTTP.Do(req)
	if err != nil {
		return nil, nil, err
	}
	defer resp.Body.Close()
	limit := MaxResponse
	if resp.StatusCode >= 300 {
		limit = MaxErrorResponse
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, int64(limit)+1))
	switch {
	case resp.StatusCode >= 300:
		// The status is enough. The body may add a code, if it is complete.
		return resp, body, nil
	case err != nil:
		return resp, nil, err
	case len(body) > limit:
		return resp, nil, ErrTooLarge
	default:
		return resp, body, nil
	}
}

func kindOf(err error) pfm.SupplierErrorKind {
	if errors.Is(err, ErrTooLarge) || isCorrupt(err) {
		return pfm.SupplierInvalidResponse
	}
	return pfm.SupplierUnavailable
}

// causeOf returns a cause for err without its text. Cancellation and timeout keep their
// identity, because callers may check for them.
func causeOf(ctx context.Context, err error) error {
	var timeout net.Error
	var dns *net.DNSError
	var op *net.OpError
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	switch {
	case errors.Is(err, ErrTooLarge):
		return ErrTooLarge
	case isCorrupt(err):
		return ErrUnpacking
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &timeout) && timeout.Timeout():
		return context.DeadlineExceeded
	case errors.As(err, &dns):
		return ErrNoSuchHost
	case errors.Is(err, ErrUnsigned):
		return ErrUnsigned
	case errors.As(err, &certificate), errors.As(err, &record):
		return ErrHandshake
	case errors.As(err, &op) && op.Op == "remote error": // a TLS alert: our certificate is missing or refused
		return ErrAlert
	case errors.As(err, &op) && op.Op == "dial":
		return ErrNoConnection
	default:
		return ErrBroken
	}
}

func isCorrupt(err error) bool {
	var deflate flate.CorruptInputError
	return errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum) || errors.As(err, &deflate)
}
