package xs2a

import (
	"errors"
	"net/url"
	"strings"

	"aviso/internal/pfm"
)

var (
	errBadLink     = errors.New("link is not an http address")
	errForeignLink = errors.New("link leads away from the bank")
)

// maxIdentifier bounds the ids that we store and send back.
const maxIdentifier = 1000

// links is the _links object of an answer.
type links map[string]struct {
	Href string `json:"href"`
}

// address is a path below the bank's base. Segments may hold anything: they are
// escaped one by one.
func address(bank pfm.BankEndpoint, segments ...string) (*url.URL, error) {
	base, err := url.Parse(strings.TrimRight(bank.BaseURL, "/"))
	if err != nil || !isWeb(base) || base.RawQuery != "" || base.Fragment != "" {
		return nil, errBadEndpoint
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

// isIdentifier tells whether a bank's id survives being sent back, as a path
// segment and as the value of a header.
func isIdentifier(s string) bool {
	if s == "" || s == "." || s == ".." || len(s) > maxIdentifier || strings.TrimSpace(s) != s {
		return false
	}
	return strings.IndexFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f }) < 0
}

// resolve reads a link of an answer to the call at `from`. Links of the
// standard's examples start at the host ("/psd2/v1/…") or at the bank's base
// ("/v1/…"); both are understood.
func resolve(bank pfm.BankEndpoint, from *url.URL, href string) (*url.URL, error) {
	if href == "" {
		return nil, errBadLink
	}
	base, err := url.Parse(strings.TrimRight(bank.BaseURL, "/"))
	if err != nil {
		return nil, errBadEndpoint
	}
	if strings.HasPrefix(href, "/v1/") && !strings.HasPrefix(base.Path+"/", "/v1/") {
		href = base.EscapedPath() + href
	}
	to, err := from.Parse(href)
	if err != nil || !isWeb(to) {
		return nil, errBadLink
	}
	return to, nil
}

// follow is resolve for a link that will be called with the consent's id, and
// so must stay with the bank.
func follow(bank pfm.BankEndpoint, from *url.URL, href string) (*url.URL, error) {
	to, err := resolve(bank, from, href)
	if err != nil {
		return nil, err
	}
	if origin(to) != origin(from) {
		return nil, errForeignLink
	}
	to.Fragment = ""
	return to, nil
}

// isWeb tells whether u is an absolute http address without credentials.
func isWeb(u *url.URL) bool {
	return (u.Scheme == "https" || u.Scheme == "http") && u.Hostname() != "" && u.User == nil
}

func origin(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return u.Scheme + "://" + strings.ToLower(u.Hostname()) + ":" + port
}
