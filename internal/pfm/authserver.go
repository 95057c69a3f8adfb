package pfm

import (
	"cmp"
	"net/url"
	"path"
	"slices"
	"strings"
)

// HasServer reports whether an address belongs to the bank's authorization servers: to those that
// the provider lists, or to the origin of its own addresses.
func (e BankEndpoint) HasServer(to *url.URL) bool {
	at := Origin(to)
	return at != "" && (at == OriginOf(e.BaseURL) || at == OriginOf(e.SCA.MetadataURL) || e.reach(to) > 0)
}

// IsClaimed reports whether an address belongs to another bank than this one. Banks that share an
// origin, as they do behind a gateway, share its authorization servers too, unless the other's
// base URL or servers name the address more exactly. Other banks share none.
func (e BankEndpoint) IsClaimed(to *url.URL, by []BankEndpoint) bool {
	return slices.ContainsFunc(by, func(b BankEndpoint) bool {
		if OriginOf(b.BaseURL) == OriginOf(e.BaseURL) {
			return b.reach(to) > e.reach(to)
		}
		return b.HasServer(to)
	})
}

// reach returns how exactly the endpoint names an address; 0 if it does not.
func (e BankEndpoint) reach(to *url.URL) int {
	most := 0
	for _, own := range append([]string{e.BaseURL}, e.AuthorizationServers...) {
		most = max(most, reach(own, to))
	}
	return most
}

// reach returns the length of a URL's path if an address is at or below it, and 0 if not. Escapes
// and dots in the address count as what a server may take them for.
func reach(own string, to *url.URL) int {
	from, err := url.Parse(own)
	if err != nil || Origin(from) == "" || Origin(from) != Origin(to) {
		return 0
	}
	prefix := strings.TrimSuffix(path.Clean("/"+from.Path), "/") + "/"
	if !strings.HasPrefix(path.Clean("/"+to.Path)+"/", prefix) {
		return 0
	}
	return len(prefix)
}

// OriginOf returns the Origin of a URL, or "" if it is not one.
func OriginOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return Origin(u)
}

// Origin returns scheme, host and port of an absolute http or https URL. It returns "" for
// others, and for hosts that are not ASCII, about which parsers disagree.
func Origin(u *url.URL) string {
	host, port := strings.ToLower(u.Hostname()), u.Port()
	if u.Scheme != "https" && u.Scheme != "http" || host == "" ||
		strings.ContainsFunc(u.Hostname(), func(r rune) bool { return r >= 0x7f }) {
		return ""
	}
	return u.Scheme + "://" + host + ":" + cmp.Or(port, map[string]string{"http": "80", "https": "443"}[u.Scheme])
}
