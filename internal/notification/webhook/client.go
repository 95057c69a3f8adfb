// Package webhook posts events to partners' servers: it signs them, makes the
// call and judges the acknowledgement. It is the adapter behind
// notification.Caller and notification.AddressCheck.
//
// Partners choose the addresses and answer what they like, so both are taken
// for hostile. Which address a call goes to is decided here alone: a URL is
// parsed once, its name is resolved once, every address found is checked, and
// only a checked address is dialled. There are no proxies, no redirects, no
// cookies, and no connection serves a second call.
package webhook

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"net/netip"
	"time"

	"aviso/internal/config"
	"aviso/internal/notification"
)

var (
	_ notification.Caller       = (*Client)(nil).Call
	_ notification.AddressCheck = (*Client)(nil).Check
)

// maxHeaders is how many bytes of headers an answer may have, interim answers
// included.
const maxHeaders = 16 << 10

// Resolver finds the addresses of a host. Outside the local environment the
// host ends in a dot, so that it is never looked for below a search domain.
// *net.Resolver is one.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// Dialer connects to an address with a port, never to a name. *net.Dialer is
// one.
type Dialer interface {
	DialContext(ctx context.Context, network, address string) (net.Conn, error)
}

// Options are what a Client needs from outside.
type Options struct {
	// Stage decides which addresses are refused; required. Only config.Local
	// allows loopback, and any port.
	Stage config.Stage
	// Now is the clock that Result.Duration is read from; required.
	Now func() time.Time
	// Timeout bounds one call in all; notification.CallTimeout by default.
	Timeout time.Duration
	// Refuse are addresses that are refused in every stage: what listens beside
	// us, such as Lambda's runtime API. One on loopback, or on the unspecified
	// address, stands for its port on all of loopback.
	Refuse []netip.AddrPort
	// RootCAs replace the system's roots.
	RootCAs *x509.CertPool
	// UserAgent is sent with every call; "Aviso" by default.
	UserAgent string
	// Resolver is net.DefaultResolver by default.
	Resolver Resolver
	// Dialer is a net.Dialer by default.
	Dialer Dialer
}

// Client makes callbacks. It keeps nothing between calls and is safe for
// concurrent use.
type Client struct {
	guard     guard
	resolver  Resolver
	dialer    Dialer
	transport *http.Transport
	now       func() time.Time
	timeout   time.Duration
	userAgent string
}

// New is a Client.
func New(o Options) *Client {
	c := &Client{
		guard:     newGuard(o.Stage, o.Refuse),
		resolver:  o.Resolver,
		dialer:    o.Dialer,
		now:       o.Now,
		timeout:   o.Timeout,
		userAgent: o.UserAgent,
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
	if c.userAgent == "" {
		c.userAgent = "Aviso"
	}
	// The transport makes single connections (NewClientConn) and no pool. It
	// has no Proxy: the environment must not decide where events go. HTTP/2
	// would gain nothing for one request, and offers receivers more ways to
	// misbehave, some of which cannot be told apart.
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
