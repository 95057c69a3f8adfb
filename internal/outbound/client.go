// Package outbound makes the HTTP clients that call banks and carriers. Callbacks to
// partners have their own client, because their addresses are not trusted.
package outbound

import (
	"crypto/tls"
	"net"
	"net/http"
	"time"
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

// Or returns t with the default for each timeout that is not positive.
func (t Timeouts) Or(defaults Timeouts) Timeouts {
	or := func(d, fallback time.Duration) time.Duration {
		if d <= 0 {
			return fallback
		}
		return d
	}
	return Timeouts{or(t.Connect, defaults.Connect), or(t.Header, defaults.Header), or(t.Total, defaults.Total)}
}

// NewClient returns a client that does not follow redirects: a redirect would send
// personal data and credentials to an address that nobody configured. The caller
// gets the redirect response itself.
func NewClient(transport http.RoundTripper) *http.Client {
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// NewTransport returns a transport without a proxy: the environment must not decide
// where personal data goes. It closes idle connections early, because a frozen
// Lambda wakes up with connections that the other side closed long ago. If conf is
// nil, the minimum is TLS 1.2, and the system's root certificates are trusted.
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
