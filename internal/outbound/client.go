// Package outbound makes the HTTP clients that call banks and carriers. Callbacks to partners use another client,
// because partners' addresses are not trusted.
package outbound

import (
	"cmp"
	"crypto/tls"
	"net"
	"net/http"
	"time"

	"aviso/internal/clock"
)

// Timeouts bound one call.
type Timeouts struct {
	// Connect bounds the TCP connection and, separately, the TLS handshake.
	Connect time.Duration
	// Header bounds the wait for the response headers.
	Header time.Duration
	// Total bounds the whole call including the body. The caller enforces it.
	Total time.Duration
}

// Or returns t, with defaults for timeouts that are not positive.
func (t Timeouts) Or(defaults Timeouts) Timeouts {
	return Timeouts{
		Connect: cmp.Or(max(t.Connect, 0), defaults.Connect), Header: cmp.Or(max(t.Header, 0), defaults.Header),
		Total: cmp.Or(max(t.Total, 0), defaults.Total),
	}
}

// NewClient returns a client that does not follow redirects: a redirect could send personal data and credentials to
// an address that nobody configured. The caller gets the redirect response itself. If the user's clock was moved, the
// client sends the user's time to the sandbox.
func NewClient(transport http.RoundTripper, now func() time.Time) *http.Client {
	return &http.Client{
		Transport:     userTimeTransport{transport, now},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// userTimeTransport adds clock.Header to the requests of users whose clocks were moved.
type userTimeTransport struct {
	http.RoundTripper
	now func() time.Time
}

// RoundTrip implements http.RoundTripper.
func (t userTimeTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if told := clock.Tell(r.Context(), t.now); told != "" {
		r = r.Clone(r.Context()) // a RoundTripper must not change the request
		r.Header.Set(clock.Header, told)
	}
	return t.RoundTripper.RoundTrip(r)
}

// NewTransport returns a transport without a proxy: the environment must not decide where personal data goes. It
// closes idle connections early, because a frozen Lambda wakes up with connections that the server closed long ago.
// If conf is nil, the minimum is TLS 1.2, and the system's root certificates are trusted.
func NewTransport(t Timeouts, conf *tls.Config) *http.Transport {
	if conf == nil {
		conf = &tls.Config{MinVersion: tls.VersionTLS12}
	}
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
