package webhook

import (
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"aviso/internal/notification"
)

// maxURL is the maximum length of a server URL in bytes.
const maxURL = 2000

// Check returns a *notification.AddressError if the URL itself is refused. It does not
// resolve host names: every call checks the resolved addresses.
func (c *Client) Check(serverURL string) error {
	_, err := c.guard.parse(serverURL)
	return err
}

func refuse(reason string) error { return &notification.AddressError{Reason: reason} }

// parse parses a server URL. It rejects URLs that two programs could parse differently. The host of the result is a
// lower-case ASCII name or an IP address.
func (g guard) parse(serverURL string) (*url.URL, error) {
	switch {
	case len(serverURL) > maxURL:
		return nil, refuse("it is longer than 2000 bytes")
	case !utf8.ValidString(serverURL) || strings.ContainsFunc(serverURL, ambiguous):
		return nil, refuse("it contains a space, a control character, a backslash or invalid UTF-8")
	case strings.Contains(serverURL, "#"):
		return nil, refuse("it has a fragment")
	}
	u, err := url.Parse(serverURL)
	switch {
	case err != nil: // the error quotes the URL
		return nil, refuse("it is not a well-formed URL")
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, refuse("its scheme is neither http nor https")
	case u.User != nil:
		return nil, refuse("it contains user information")
	case u.Hostname() == "":
		return nil, refuse("it has no host")
	}

	port, err := g.port(u)
	if err != nil {
		return nil, err
	}
	host, err := g.host(u, port)
	if err != nil {
		return nil, err
	}
	// The Host header omits the scheme's default port, as in browsers.
	u.Host = strings.TrimSuffix(net.JoinHostPort(host, strconv.Itoa(int(port))), ":"+defaultPort(u.Scheme))
	return u, nil
}

// ambiguous reports whether r is a character that URL parsers drop, trim or replace.
func ambiguous(r rune) bool { return r == '\\' || unicode.IsSpace(r) || unicode.IsControl(r) }

func defaultPort(scheme string) string {
	if scheme == "https" {
		return "443"
	}
	return "80"
}

// port returns the URL's port, or the default port of its scheme.
func (g guard) port(u *url.URL) (uint16, error) {
	text := u.Port()
	if text == "" {
		if strings.HasSuffix(u.Host, ":") {
			return 0, refuse("its port is empty")
		}
		text = defaultPort(u.Scheme)
	}
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil || n == 0 || strconv.FormatUint(n, 10) != text {
		return 0, refuse("its port is not a number from 1 to 65535 without leading zeros")
	}
	port := uint16(n)
	if !g.local && !open(u.Scheme, port) && (!g.production || u.Scheme != "https") {
		return 0, refuse("its port is not allowed: use 80, 8080 or 8888 for http, and 443, 8443 or 8843 for https")
	}
	return port, nil
}

// open reports whether the interface allows the port for the scheme in test environments.
func open(scheme string, port uint16) bool {
	if scheme == "http" {
		return port == 80 || port == 8080 || port == 8888
	}
	return port == 443 || port == 8443 || port == 8843
}

// host returns the URL's host in ASCII, without brackets.
func (g guard) host(u *url.URL, port uint16) (string, error) {
	host := u.Hostname()
	if strings.HasPrefix(u.Host, "[") {
		addr, err := netip.ParseAddr(host)
		switch {
		case err != nil:
			return "", refuse("the text in brackets is not an IPv6 address")
		case addr.Zone() != "":
			return "", refuse("its IPv6 address has a zone")
		}
		return addr.String(), g.check(netip.AddrPortFrom(addr, port))
	}
	if strings.HasSuffix(host, ".") {
		return "", refuse("its host ends in a dot")
	}
	// Hyphens are not checked, because there are names with hyphens as the third and fourth character.
	profile := idna.New(idna.MapForLookup(), idna.BidiRule(), idna.VerifyDNSLength(true), idna.CheckHyphens(false))
	name, err := profile.ToASCII(host)
	if err != nil || !utf8.ValidString(host) { // the host may have had escaped bytes
		return "", refuse("its host is not a domain name")
	}
	if endsInNumber(name) {
		addr, err := netip.ParseAddr(host) // the original host, so no digits of other scripts
		if err != nil {
			return "", refuse("its host is not an IPv4 address of four decimal numbers")
		}
		return addr.String(), g.check(netip.AddrPortFrom(addr, port))
	}
	if !g.local && (!strings.Contains(name, ".") || strings.HasSuffix(name, ".localhost")) {
		return "", refuse("its host is a name in the local network")
	}
	return name, nil
}

// endsInNumber reports whether a host would be parsed as an IPv4 address in some
// notation: its last label is a decimal, octal or hexadecimal number (WHATWG URL,
// "ends in a number checker").
func endsInNumber(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	if hex, ok := strings.CutPrefix(last, "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return strings.Trim(last, "0123456789") == ""
}
