// Package bankwire has shared code of the clients for banks and for an aggregator of banks: making calls, classifying
// failures, cleaning texts for storage and display, and sealing a session's data.
package bankwire

import (
	"bytes"
	"cmp"
	"compress/flate"
	"compress/gzip"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"aviso/internal/outbound"
	"aviso/internal/pfm"
)

const (
	// MaxResponse limits a response body after decompression. A page of ten thousand long rows is smaller, and so is
	// the list of all banks.
	MaxResponse = 20 << 20
	// MaxErrorResponse limits the body of a refusal, from which only a code is read.
	MaxErrorResponse = 64 << 10
	// maxRetryAfter limits how long a bank may ask us to wait. Banks' limits are per day.
	maxRetryAfter = 24 * time.Hour
)

// Causes of a failure. These texts replace the errors of net/http and encoding/json, which may quote the URL or the
// response.
var (
	ErrTooLarge     = errors.New("response too large")
	ErrMalformed    = errors.New("malformed response")
	ErrNotJSON      = errors.New("response is not JSON")
	ErrCamt         = errors.New("response is a camt.052 or camt.053 statement instead of the JSON that was asked for")
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
	// Operation is pfm.SupplierError.Operation.
	Operation string
	// RequestID is the X-Request-ID, by which a bank can find the call; may be empty.
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

// NewCaller returns a Caller, which reuses its connections for later calls. The last two parameters are optional.
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

// Limit returns a context that limits one call.
func (c Caller) Limit(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, c.total)
}

// Request is one call before it is sent.
type Request struct {
	// HTTP, if set, sends the request instead of the Caller's client. Operation and ID are those of Call.
	HTTP          *http.Client
	Operation, ID string
	// Method is GET if it is empty.
	Method, URL string
	// Header has headers; empty ones are not sent. Token is sent as a header too.
	Header map[string]string
	Token  string
	// Body is sent as JSON, Form as a form. At most one is set.
	Body any
	Form url.Values
	// Sign, if set, adds headers about the body.
	Sign func(r *http.Request, body []byte) error
	// Refused returns the kind and the code of a response with a status other than 2xx. It also returns a wait, for
	// responses without Retry-After.
	Refused func(status int, body []byte) *pfm.SupplierError
	// MayBeEmpty accepts a response without content as an empty result.
	MayBeEmpty bool
}

// Do sends the request, decodes the response into a value, and checks it; both are optional. An error from check
// makes the response invalid, unless it is a *pfm.SupplierError.
func (c Caller) Do(ctx context.Context, r Request, into any, check func() error) error {
	started := c.Now()
	r.HTTP = cmp.Or(r.HTTP, c.HTTP)
	resp, body, err := r.send(ctx) //nolint:bodyclose // send has read and closed it
	took := c.Now().Sub(started)
	call := Call{Operation: r.Operation, RequestID: r.ID, Status: resp.StatusCode, Duration: took}
	var failure *pfm.SupplierError
	switch {
	case call.Status != 0 && call.Status/100 != 2:
		failure = r.Refused(call.Status, body)
		wait := outbound.RetryAfter(resp.Header.Get("Retry-After"), c.Now(), maxRetryAfter)
		failure.RetryAfter = cmp.Or(wait, failure.RetryAfter)
		failure.Message = messageIn(body)
		call.Code = failure.BankCode
	case err != nil:
		failure = failureOf(ctx, err)
	case into == nil, r.MayBeEmpty && call.Status == http.StatusNoContent:
	default:
		failure = read(body, into, check)
	}
	c.observe(ctx, call)
	if failure == nil {
		return nil
	}
	failure.Operation, failure.Status, failure.RequestID = call.Operation, call.Status, call.RequestID
	return failure
}

func read(body []byte, into any, check func() error) *pfm.SupplierError {
	err := Unmarshal(body, into)
	if err == nil && check != nil {
		err = check()
	}
	failure, ok := errors.AsType[*pfm.SupplierError](err)
	if err != nil && !ok {
		failure = &pfm.SupplierError{Kind: pfm.SupplierInvalidResponse, Err: err}
	}
	return failure
}

// RefusalKind returns the kind of a refusal without a known code.
func RefusalKind(status int) pfm.SupplierErrorKind {
	switch {
	case status < 400:
		return pfm.SupplierInvalidResponse
	case status >= 500 || status == http.StatusRequestTimeout:
		return pfm.SupplierUnavailable
	case status == http.StatusTooManyRequests:
		return pfm.SupplierRateLimited
	default:
		return pfm.SupplierRejected
	}
}

// Failure returns the error of an operation that got no response.
func Failure(op string, kind pfm.SupplierErrorKind, cause error) *pfm.SupplierError {
	return &pfm.SupplierError{Kind: kind, Operation: op, Err: cause}
}

// Unmarshal replaces the decoder's error, which quotes the response. It skips a byte order mark, which JSON does not
// allow.
func Unmarshal(body []byte, into any) error {
	body = bytes.TrimPrefix(body, []byte("\ufeff"))
	switch err := json.Unmarshal(body, into); {
	case err == nil:
		return nil
	case bytes.Contains(body, []byte("urn:iso:std:iso:20022:tech:xsd:camt.05")):
		return ErrCamt
	case !json.Valid(body):
		return ErrNotJSON
	default:
		return ErrMalformed
	}
}

// send sends the request and reads the whole response. If reading fails, it returns both the response and the error.
// Without a response, the status is 0.
func (r Request) send(ctx context.Context) (*http.Response, []byte, error) {
	header := map[string]string{"Accept": "application/json", "User-Agent": "Aviso", "X-Request-ID": r.ID}
	if r.Token != "" {
		header["Authorization"] = "Bearer " + r.Token
	}
	var sent []byte
	var err error
	switch {
	case r.Form != nil:
		sent, header["Content-Type"] = []byte(r.Form.Encode()), "application/x-www-form-urlencoded"
	case r.Body != nil:
		sent, err = json.Marshal(r.Body)
		header["Content-Type"] = "application/json"
	}
	none := &http.Response{}
	if err != nil {
		return none, nil, err
	}
	req, err := http.NewRequestWithContext(ctx, r.Method, r.URL, bytes.NewReader(sent))
	if err != nil {
		return none, nil, err
	}
	maps.Copy(header, r.Header)
	for name, value := range header {
		if value != "" {
			req.Header.Set(name, value)
		}
	}
	if r.Sign != nil {
		if err := r.Sign(req, sent); err != nil {
			return none, nil, err
		}
	}
	resp, err := r.HTTP.Do(req)
	if err != nil {
		return none, nil, err
	}
	defer resp.Body.Close()
	limit := MaxResponse
	if resp.StatusCode >= 300 {
		limit = MaxErrorResponse
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, int64(limit)+1))
	switch {
	case resp.StatusCode >= 300:
		// The status is enough. A complete body may add a code.
		return resp, body, nil
	case err != nil:
		return resp, nil, err
	case len(body) > limit:
		return resp, nil, ErrTooLarge
	default:
		return resp, inUTF8(resp.Header.Get("Content-Type"), body), nil
	}
}

// inUTF8 converts a text that is not in UTF-8, as JSON must be. If its character set is unknown, inUTF8 assumes that
// of Western Europe. Some banks name another set, but send UTF-8.
func inUTF8(mediaType string, body []byte) []byte {
	if utf8.Valid(body) {
		return body
	}
	set := charmap.Windows1252 // ISO-8859-1 and more
	_, params, err := mime.ParseMediaType(mediaType)
	switch name := strings.ToLower(params["charset"]); {
	case err != nil:
	case name == "iso-8859-2":
		set = charmap.ISO8859_2
	case name == "iso-8859-15":
		set = charmap.ISO8859_15
	case name == "windows-1250":
		set = charmap.Windows1250
	}
	text, err := set.NewDecoder().Bytes(body)
	if err != nil {
		return body
	}
	return text
}

// failureOf returns the failure for an error of send, without its text. Cancellation and timeout remain recognizable,
// because callers may check for them.
func failureOf(ctx context.Context, err error) *pfm.SupplierError {
	var timeout net.Error
	var dns *net.DNSError
	var op *net.OpError
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var deflate flate.CorruptInputError
	e := &pfm.SupplierError{Kind: pfm.SupplierUnavailable, Err: ErrBroken}
	switch {
	case errors.Is(err, ErrTooLarge):
		e.Kind, e.Err = pfm.SupplierInvalidResponse, ErrTooLarge
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.As(err, &deflate):
		e.Kind, e.Err = pfm.SupplierInvalidResponse, ErrUnpacking
	case ctx.Err() != nil:
		e.Err = ctx.Err()
	case errors.As(err, &timeout) && timeout.Timeout():
		e.Err = context.DeadlineExceeded
	case errors.As(err, &dns):
		e.Err = ErrNoSuchHost
	case errors.Is(err, ErrUnsigned):
		e.Err = ErrUnsigned
	case errors.As(err, &certificate), errors.As(err, &record):
		e.Err = ErrHandshake
	case errors.As(err, &op) && op.Op == "remote error": // a TLS alert: our certificate is missing or refused
		e.Err = ErrAlert
	case errors.As(err, &op) && op.Op == "dial":
		e.Err = ErrNoConnection
	}
	return e
}
