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

// maxDials is how many addresses of a host are tried in one call.
const maxDials = 4

// dial connects to a checked address of the host. One address that is refused
// is enough to refuse the call: a name that leads to public and to internal
// addresses is an attack or a mistake, and to pick the good ones would hide it.
func (c *Client) dial(ctx context.Context, network, address string) (net.Conn, error) {
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
		// The last one has whatever time is left.
		share := c.timeout
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
		return nil, failed(notification.OutcomeConnectionError, "the connection was refused", err)
	}
	return nil, failed(notification.OutcomeConnectionError, "no connection could be made", err)
}

// dialOne gives an address its share of the time, so that one that does not
// answer leaves the others theirs.
func (c *Client) dialOne(ctx context.Context, network string, a netip.AddrPort, share time.Duration) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, share)
	defer cancel()
	return c.dialer.DialContext(ctx, network, a.String())
}

// resolve gives the addresses of a host, IPv4 ones in their plain form: a
// resolver may give them mapped into IPv6, and dialling is the same for both.
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
	if !c.guard.local { // where localhost is in a file, and without the dot
		host += "."
	}
	found, err := c.resolver.LookupNetIP(ctx, "ip", host)
	var dns *net.DNSError
	switch {
	case errors.As(err, &dns) && dns.IsNotFound, err == nil && len(found) == 0:
		return nil, failed(notification.OutcomeDNSError, "the host has no address in DNS", err)
	case err != nil:
		return nil, failed(notification.OutcomeDNSError, "the host could not be looked up in DNS", err)
	}
	addrs := make([]netip.AddrPort, len(found))
	for i, a := range found {
		addrs[i] = netip.AddrPortFrom(a.Unmap(), uint16(port))
	}
	return addrs, nil
}
