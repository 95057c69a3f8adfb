package xs2a

import (
	"cmp"
	"errors"
	"net/url"
	"strings"

	"aviso/internal/pfm"
	"aviso/internal/pfm/bankwire"
)

var (
	errBadLink      = errors.New("link is not an http or https URL")
	errInsecureLink = errors.New("link to the bank's page leads from https to http")
)

// maxIdentifier bounds the IDs that we store and send back.
const maxIdentifier = 1000

// href returns the address of a link, which is an object with the address or the address itself. Anything else is not
// a link.
func href(links bankwire.Object, name string) string {
	return cmp.Or(bankwire.Get[string](links.At(name), "href"), bankwire.Get[string](links, name))
}

// baseOf returns the bank's base URL.
func baseOf(bank pfm.BankEndpoint) (*url.URL, error) {
	base, err := url.Parse(strings.TrimRight(bank.BaseURL, "/"))
	if err != nil || !isWeb(base) || base.RawQuery != "" || base.Fragment != "" {
		return nil, errBadEndpoint
	}
	return base, nil
}

// address returns the URL of a path below the bank's base URL. Segments may contain
// any characters, since each one is escaped.
func address(bank pfm.BankEndpoint, segments ...string) (*url.URL, error) {
	base, err := baseOf(bank)
	if err != nil {
		return nil, err
	}
	var path strings.Builder
	path.WriteString(base.EscapedPath() + "/v1")
	for _, s := range segments {
		if !isIdentifier(s) {
			return nil, errBadIdentifier
		}
		path.WriteString("/" + url.PathEscape(s))
	}
	return base.Parse(path.String())
}

// isIdentifier reports whether a bank's ID can be sent back unchanged in a path segment and in a header.
func isIdentifier(s string) bool {
	if s == "" || s == "." || s == ".." || len(s) > maxIdentifier || strings.TrimSpace(s) != s {
		return false
	}
	return strings.IndexFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f }) < 0
}

// resolve returns the URL of a link in the response from the URL `from`, for the user's browser. In the standard's
// examples, links start at the host ("/psd2/v1/…") or at the bank's base URL ("/v1/…"). Both are accepted. A link must
// not lead from https to http, because the user signs in there.
func resolve(bank pfm.BankEndpoint, from *url.URL, href string) (*url.URL, error) {
	base, err := baseOf(bank)
	switch {
	case err != nil:
		return nil, err
	case href == "":
		return nil, errBadLink
	case strings.HasPrefix(href, "/v1/") && !strings.HasPrefix(base.Path+"/", "/v1/"):
		href = base.EscapedPath() + href
	}
	to, err := from.Parse(href)
	switch {
	case err != nil || !isWeb(to):
		return nil, errBadLink
	case from.Scheme == "https" && to.Scheme != "https":
		return nil, errInsecureLink
	}
	return to, nil
}

// follow returns the URL of a link that gets the consent's ID, and so must lead to the bank's configured address. Banks
// behind a gateway link to internal hosts, with http, or with another beginning of the path than the gateway's: follow
// uses only the path from the version on, and the query.
func follow(bank pfm.BankEndpoint, from *url.URL, href string) (*url.URL, error) {
	base, err := baseOf(bank)
	if err != nil {
		return nil, err
	}
	link, err := from.Parse(href)
	if err != nil || href == "" || !isWeb(link) {
		return nil, errBadLink
	}
	path, prefix := link.EscapedPath(), base.EscapedPath()
	isOurs := strings.HasPrefix(path, prefix+"/v1/") || prefix != "" && strings.HasPrefix(path, prefix+"/")
	if i := strings.Index(path, "/v1/"); i >= 0 && !isOurs {
		path = prefix + path[i:]
	}
	to, err := from.Parse(path)
	if err != nil || pfm.Origin(to) != pfm.Origin(from) {
		return nil, errBadLink
	}
	to.RawQuery = link.RawQuery
	return to, nil
}

// isWeb reports whether u is an absolute http or https URL without credentials.
func isWeb(u *url.URL) bool { return pfm.Origin(u) != "" && u.User == nil }
