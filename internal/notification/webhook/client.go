// Package webhook posts events to partners' servers: it signs them, makes the call
// and checks the acknowledgement. It implements notification.Caller and
// notification.AddressCheck.
//
// Partners choose the addresses and the responses, so both are treated as hostile. Only this package decides which
// address a call goes to: it parses a URL once, resolves its host once, checks all resolved addresses, and dials only
// a checked one. It uses no proxies, redirects or cookies.
package webhook

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"aviso/internal/aws/config"
	"aviso/internal/notification"
)

var (
	_ notification.Caller       = (*Client)(nil).Call
	_ notification.AddressCheck = (*Client)(nil).Check
)

const (
	// maxIdlePerReceiver is the number of connections that are kept per receiver: a batch makes as many calls.
	maxIdlePerReceiver = 10
	// reuseFor is how long a transport's connections are reused, so that changes of DNS and of certificates take
	// effect.
	reuseFor = time.Minute
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
	// Keep is how long a connection is kept for the next call to the same receiver. By default each call opens its own.
	Keep time.Duration
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

// Client makes callbacks. It keeps only connections between calls, and is safe for concurrent use.
type Client struct {
	options Options
	guard   guard

	mu sync.Mutex
	// kept has the connections that are reused, and since when.
	kept  *http.Transport
	since time.Time
}

// New returns a Client.
func New(o Options) *Client {
	if o.Resolver == nil {
		o.Resolver = net.DefaultResolver
	}
	if o.Dialer == nil {
		o.Dialer = &net.Dialer{}
	}
	c := &Client{options: o, guard: newGuard(o.Stage, o.Refuse), since: o.Now()}
	// The transport has no Proxy, because the environment must not decide where events go. It has no HTTP/2, which
	// gives receivers more ways to misbehave; we could not tell some of them apart.
	var protocols http.Protocols
	protocols.SetHTTP1(true)
	c.kept = &http.Transport{
		DialContext:            c.dial,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: o.RootCAs},
		TLSHandshakeTimeout:    dialTimeout,
		MaxResponseHeaderBytes: maxHeaders,
		DisableCompression:     true,
		DisableKeepAlives:      o.Keep == 0,
		IdleConnTimeout:        o.Keep,
		MaxIdleConnsPerHost:    maxIdlePerReceiver,
		Protocols:              &protocols,
	}
	return c
}

// transport returns a transport that is at most a minute old.
func (c *Client) transport() *http.Transport {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := c.options.Now(); now.Sub(c.since) >= reuseFor {
		c.kept, c.since = c.kept.Clone(), now
	}
	return c.kept
}
