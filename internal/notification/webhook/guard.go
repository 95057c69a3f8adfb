package webhook

import (
	"net/netip"
	"slices"

	"aviso/internal/aws/config"
)

// guard decides which addresses may be called.
type guard struct {
	local, production bool
	never             []netip.AddrPort
}

func newGuard(stage config.Stage, never []netip.AddrPort) guard {
	g := guard{local: stage == config.Local, production: stage == config.Production}
	for _, a := range never {
		g.never = append(g.never, netip.AddrPortFrom(a.Addr().Unmap(), a.Port()))
	}
	return g
}

// check returns a *notification.AddressError if the address is refused.
func (g guard) check(a netip.AddrPort) error {
	if slices.ContainsFunc(g.never, func(n netip.AddrPort) bool { return covers(n, a) }) {
		return refuse("its address belongs to the service itself")
	}
	if public(a.Addr()) || g.local && loopback(a.Addr()) {
		return nil
	}
	return refuse("its host is not a public address, or does not resolve only to public addresses")
}

// covers reports whether a reaches a listener at n. Every loopback address reaches a listener on the unspecified
// address, and the listener's own loopback address is unknown.
func covers(n, a netip.AddrPort) bool {
	if n.Port() != a.Port() {
		return false
	}
	own := n.Addr().IsLoopback() || n.Addr().IsUnspecified()
	return n.Addr() == a.Addr().Unmap() || own && a.Addr().Unmap().IsLoopback()
}

// loopback reports whether a is in 127.0.0.0/8 or is ::1, without a zone or mapping.
func loopback(a netip.Addr) bool { return a.IsLoopback() && !a.Is4In6() && a.Zone() == "" }

// globalUnicast is all of IPv6 that IANA has allocated (RFC 4291, 2.4, and the IANA registry of the address space).
// So everything else is refused: ::/96 and ::ffff:0:0/96 with IPv4 inside, NAT64 (64:ff9b::/96 and 64:ff9b:1::/48),
// discard (100::/64), SRv6 (5f00::/16), unique local, link local, site local, multicast.
var globalUnicast = netip.MustParsePrefix("2000::/3")

// special lists the blocks of IPv4 and of globalUnicast that are not for servers on
// the Internet, from IANA's special-purpose address registries (RFC 6890 and its
// updates).
var special = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"),       // this network
	netip.MustParsePrefix("10.0.0.0/8"),      // private
	netip.MustParsePrefix("100.64.0.0/10"),   // shared, carrier-grade NAT
	netip.MustParsePrefix("127.0.0.0/8"),     // loopback
	netip.MustParsePrefix("169.254.0.0/16"),  // link local, clouds' metadata
	netip.MustParsePrefix("172.16.0.0/12"),   // private
	netip.MustParsePrefix("192.0.0.0/24"),    // protocol assignments
	netip.MustParsePrefix("192.0.2.0/24"),    // documentation
	netip.MustParsePrefix("192.88.99.0/24"),  // 6to4 relays, deprecated
	netip.MustParsePrefix("192.168.0.0/16"),  // private
	netip.MustParsePrefix("198.18.0.0/15"),   // benchmarks
	netip.MustParsePrefix("198.51.100.0/24"), // documentation
	netip.MustParsePrefix("203.0.113.0/24"),  // documentation
	netip.MustParsePrefix("224.0.0.0/4"),     // multicast
	netip.MustParsePrefix("240.0.0.0/4"),     // reserved, broadcast
	netip.MustParsePrefix("2001::/23"),       // protocol assignments, Teredo, benchmarks, ORCHID
	netip.MustParsePrefix("2001:db8::/32"),   // documentation
	netip.MustParsePrefix("2002::/16"),       // 6to4
	netip.MustParsePrefix("3fff::/20"),       // documentation
}

// public reports whether an address can belong to a server on the Internet. An IPv4
// address in an IPv6 form never does.
func public(a netip.Addr) bool {
	if !a.IsValid() || a.Zone() != "" || a.Is6() && (!globalUnicast.Contains(a) || isatap(a)) {
		return false
	}
	return !slices.ContainsFunc(special, func(p netip.Prefix) bool { return p.Contains(a) })
}

// isatap reports whether the interface identifier contains an IPv4 address for a
// tunnel (RFC 5214, 6.1), which may end in the local network.
func isatap(a netip.Addr) bool {
	b := a.As16()
	return b[8]&^0x03 == 0 && b[9] == 0 && b[10] == 0x5e && b[11] == 0xfe
}
