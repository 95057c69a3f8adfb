// Package webhook posts events to partners' servers: it signs them, makes the call
// and checks the acknowledgement. It implements notification.Caller and
// notification.AddressCheck.
//
// Partners choose the addresses and the responses, so both are treated as hostile.
// Only this package decides which address a call goes to: it parses a URL once,
// resolves its host once, checks every address found, and dials only a checked
// address. It uses no proxies, redirects or cookies.
package webhook

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"net/netip"
	"time"

	"aviso/internal/aws/config"
	"aviso/internal/notification"
)

var (
	_ notification.Caller       = (*Client)(nil).Call
	_ notification.AddressCheck = (*Client)(nil).Check
)

// maxHeaders is the maximum size of the response headers in bytes, including interim
// responses.
const maxHeaders = 16 << 10

// Resolver looks up the addresses of a host. Outside the local environment the host
// ends in a dot, so that no search domain is appended. *net.Resolver implements it.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// Dialer connects to an IP address and port, never to a host name. *net.Dialer
// implements it.
type Dialer interface {
	DialContext(ctx context.Context, network, address string) (net.Conn, error)
}

// Options configure a Client.
type Options struct {
	// Stage decides which addresses are refused; required. Only config.Local allows
	// loopback addresses and every port.
	Stage config.Stage
	// Now is the clock for Result.Duration; required.
	Now func() time.Time
	// Keep is how long a connection is kept for the next call to the same receiver. By default each
	// call has its own.
	Keep time.Duration
	// Timeout limits a whole call; notification.CallTimeout by default.
	Timeout time.Duration
	// KeepAnswers keeps the start of answers that do not acknowledge.
	KeepAnswers bool
	// Refuse lists addresses that are refused in every stage, such as Lambda's
	// runtime API. A loopback or unspecified address refuses its port on all loopback
	// addresses.
	Refuse []netip.AddrPort
	// RootCAs replaces the system's root certificates.
	RootCAs *x509.CertPool
	// Resolver is net.DefaultResolver by default.
	Resolver Resolver
	// Dialer is a net.Dialer by default.
	Dialer Dialer
}

// Client makes callbacks. It keeps nothing but connections between calls and is safe for
// concurrent use.
type Client struct {
	guard     guard
	resolver  Resolver
	dialer    Dialer
	transport *http.Transport
	now       func() time.Time
	timeout   time.Duration
	kept      *kept
	// keepAnswers is Options.KeepAnswers.
	keepAnswers bool
}

// New returns a Client.
func New(o Options) *Client {
	c := &Client{
		guard:       newGuard(o.Stage, o.Refuse),
		resolver:    o.Resolver,
		dialer:      o.Dialer,
		now:         o.Now,
		timeout:     o.Timeout,
		keepAnswers: o.KeepAnswers,
		kept:        &kept{idle: o.Keep, now: o.Now, free: map[string][]*connection{}},
	}
	if c.resolver == nil {
		c.resolver = net.DefaultResolver
	}
	if c.dialer == nil {
		c.dialer = &net.Dialer{}
	}
	if c.timeout <= 0 {
		c.timeout = notification.CallTimeout
	}
	// The transport makes single connections (NewClientConn) and has no pool. It has
	// no Proxy, because the environment must not decide where events go. HTTP/2 gives
	// receivers more ways to misbehave, some of which we could not tell apart.
	var protocols http.Protocols
	protocols.SetHTTP1(true)
	c.transport = &http.Transport{
		DialContext:            c.dial,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: o.RootCAs},
		MaxResponseHeaderBytes: maxHeaders,
		DisableCompression:     true,
		Protocols:              &protocols,
	}
	return c
}
