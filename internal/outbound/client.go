// Package outbound makes the HTTP clients with which the service calls banks and
// carriers. Callbacks to partners have a client of their own, since their
// addresses are not trusted.
package outbound

import (
	"crypto/tls"
	"net"
	"net/http"
	"time"
)

// Timeouts bound one call.
type Timeouts struct {
	// Connect bounds the TCP connection and, once more, the TLS handshake.
	Connect time.Duration
	// Header bounds the wait for the answer to begin.
	Header time.Duration
	// Total bounds the whole call including its body. The caller sees to it.
	Total time.Duration
}

// Or takes the default where a member is not positive.
func (t Timeouts) Or(defaults Timeouts) Timeouts {
	or := func(d, fallback time.Duration) time.Duration {
		if d <= 0 {
			return fallback
		}
		return d
	}
	return Timeouts{or(t.Connect, defaults.Connect), or(t.Header, defaults.Header), or(t.Total, defaults.Total)}
}

// NewClient is a client that follows no redirect: one would carry personal data
// and credentials to an address that nobody configured, so its answer is given as
// it is.
func NewClient(transport http.RoundTripper) *http.Client {
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// NewTransport has no Proxy: the environment must not decide where personal data
// goes. Idle connections are given up early, because a frozen Lambda wakes with
// connections that the other side closed long ago. Without a configuration TLS
// 1.2 is the least, and the system's roots count.
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
