// Package xs2a reads accounts at banks over the Account Information Service of
// Berlin Group NextGenPSD2 XS2A 1.3. It is the adapter behind pfm.Supplier.
//
// A Client holds no state between calls and trusts no answer: sizes, media
// types, amounts, dates and links are checked, text is cleaned, and every link
// that would carry the Consent-ID must stay with the bank it came from. Its
// errors hold the standard's message codes and the package's own words only,
// never what a bank wrote.
package xs2a

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"time"

	"aviso/internal/pfm"
)

var _ pfm.Supplier = (*Client)(nil)

// Options are what a Client needs from outside.
type Options struct {
	// NewRequestID gives the UUID of one call; required.
	NewRequestID func() string
	// Now is the clock; required.
	Now func() time.Time
	// Timeouts of each call; a zero member takes its default.
	Timeouts Timeouts
	// TLS holds the client certificate with which banks outside the sandbox
	// identify us (a QWAC), and their roots where these are not the system's.
	TLS *tls.Config
	// Transport replaces the Client's own; Timeouts.Connect, Timeouts.Header and
	// TLS then have no effect.
	Transport http.RoundTripper
	// Observe is told of every call once it is over; may be nil.
	Observe func(ctx context.Context, call Call)
}

// Timeouts bound one call to a bank.
type Timeouts struct {
	// Connect bounds the TCP connection and, once more, the TLS handshake; 5 s
	// by default.
	Connect time.Duration
	// Header bounds the wait for the answer to begin; 20 s by default.
	Header time.Duration
	// Total bounds the whole call including its body; 30 s by default.
	Total time.Duration
}

// Call is what is told about one call to a bank. None of it is personal data.
type Call struct {
	// Operation is as in pfm.SupplierError.
	Operation string
	// RequestID is the X-Request-ID, by which the bank finds the call too.
	RequestID string
	// Status is the HTTP status, or 0 without an answer.
	Status   int
	Duration time.Duration
}

// Client speaks XS2A to any bank. It is safe for concurrent use.
type Client struct {
	http         *http.Client
	newRequestID func() string
	now          func() time.Time
	total        time.Duration
	observe      func(ctx context.Context, call Call)
}

// New is a Client that keeps its connections for later calls.
func New(o Options) *Client {
	t := Timeouts{
		Connect: orDefault(o.Timeouts.Connect, 5*time.Second),
		Header:  orDefault(o.Timeouts.Header, 20*time.Second),
		Total:   orDefault(o.Timeouts.Total, 30*time.Second),
	}
	transport := o.Transport
	if transport == nil {
		transport = newTransport(t, o.TLS)
	}
	observe := o.Observe
	if observe == nil {
		observe = func(context.Context, Call) {}
	}
	return &Client{
		http: &http.Client{
			Transport: transport,
			// A redirect would carry the Consent-ID to an address that nobody
			// checked, so its answer is taken as it is and refused later.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		newRequestID: o.NewRequestID,
		now:          o.Now,
		total:        t.Total,
		observe:      observe,
	}
}

// newTransport has no Proxy: the environment must not decide where bank data
// goes. Idle connections are given up early, because a frozen Lambda wakes with
// connections that the bank closed long ago.
func newTransport(t Timeouts, conf *tls.Config) *http.Transport {
	return &http.Transport{
		DialContext:            (&net.Dialer{Timeout: t.Connect}).DialContext,
		TLSClientConfig:        conf,
		TLSHandshakeTimeout:    t.Connect,
		ResponseHeaderTimeout:  t.Header,
		MaxResponseHeaderBytes: 64 << 10,
		MaxIdleConnsPerHost:    4,
		IdleConnTimeout:        30 * time.Second,
		ForceAttemptHTTP2:      true,
	}
}

func orDefault(d, fallback time.Duration) time.Duration {
	if d <= 0 {
		return fallback
	}
	return d
}
