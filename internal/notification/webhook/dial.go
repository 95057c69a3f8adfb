package webhook

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"strconv"
	"syscall"
	"time"

	"aviso/internal/notification"
)

const (
	// maxDials is how many addresses of a host are tried in one call.
	maxDials = 4
	// dialTimeout ends dials that the transport continues after their call. It never ends a call.
	dialTimeout = 2 * notification.CallTimeout
)

// dial connects to a checked address of the host. One refused address is enough to refuse the call: a host with both
// public and internal addresses is an attack or a mistake, and using only the public ones would hide it.
func (c *Client) dial(ctx context.Context, network, address string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	addrs, err := c.resolve(ctx, address)
	if err != nil {
		return nil, err
	}
	for _, a := range addrs {
		if err := c.guard.check(a); err != nil {
			return nil, err
		}
	}
	addrs = addrs[:min(len(addrs), maxDials)]
	for i, a := range addrs {
		// The last address gets all the remaining time.
		share := notification.CallTimeout
		if i < len(addrs)-1 {
			share /= time.Duration(len(addrs))
		}
		var conn net.Conn
		if conn, err = c.dialOne(ctx, network, a, share); err == nil {
			return conn, nil
		}
		if ctx.Err() != nil {
			break
		}
	}
	if errors.Is(err, syscall.ECONNREFUSED) {
		return nil, &failure{notification.OutcomeConnectionError, "the connection was refused", err}
	}
	return nil, &failure{notification.OutcomeConnectionError, "could not connect", err}
}

// dialOne limits an address to its share of the time, so that an unresponsive address leaves time for the others.
func (c *Client) dialOne(ctx context.Context, network string, a netip.AddrPort, share time.Duration) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, share)
	defer cancel()
	return c.options.Dialer.DialContext(ctx, network, a.String())
}

// resolve returns the addresses of a host. It unmaps IPv4 addresses: a resolver may return them mapped into IPv6, and
// both forms reach the same host.
func (c *Client) resolve(ctx context.Context, address string) ([]netip.AddrPort, error) {
	if literal, err := netip.ParseAddrPort(address); err == nil {
		return []netip.AddrPort{literal}, nil
	}
	host, text, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	port, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return nil, err
	}
	if !c.guard.local { // the hosts file has localhost without the dot
		host += "."
	}
	found, err := c.options.Resolver.LookupNetIP(ctx, "ip", host)
	var dns *net.DNSError
	switch {
	case errors.As(err, &dns) && dns.IsNotFound, err == nil && len(found) == 0:
		return nil, &failure{notification.OutcomeDNSError, "the host has no address in DNS", err}
	case err != nil:
		return nil, &failure{notification.OutcomeDNSError, "the DNS lookup of the host failed", err}
	}
	addrs := make([]netip.AddrPort, len(found))
	for i, a := range found {
		addrs[i] = netip.AddrPortFrom(a.Unmap(), uint16(port))
	}
	return addrs, nil
}
