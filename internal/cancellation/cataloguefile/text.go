package cataloguefile

import (
	"fmt"
	"net/mail"
	"net/url"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/language"

	"aviso/internal/cancellation"
)

const (
	maxName       = 200
	maxSlug       = 100
	maxKey        = 40
	maxLabel      = 100
	maxURL        = 500
	maxEmail      = 254 // RFC 5321, 4.5.3.1.3, without the angle brackets
	maxPostalLine = 50  // what the window of an envelope shows
	maxPostalCode = 12
)

var (
	slugPattern       = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	faxPattern        = regexp.MustCompile(`^\+[1-9][0-9]{6,14}$`) // E.164
	keyPattern        = regexp.MustCompile(`^[A-Z][A-Z0-9_]*$`)
	postalCodePattern = regexp.MustCompile(`^[A-Za-z0-9]+([ -][A-Za-z0-9]+)*$`)
)

// lineProblem says why a text is not one line of at most so many characters that
// people can see; empty where it is.
func lineProblem(s string, most int) string {
	switch n := utf8.RuneCountInString(s); {
	case n == 0 || n > most:
		return fmt.Sprintf("must have 1 to %d characters", most)
	case strings.ContainsFunc(s, unseen):
		return "must not hold control, zero-width or bidirectional characters"
	case strings.TrimSpace(s) != s:
		return "must not begin or end with a space"
	default:
		return ""
	}
}

// unseen tells characters that cannot be seen and yet do something: controls,
// what formats or joins, private ones, ends of lines and paragraphs.
func unseen(r rune) bool { return unicode.In(r, unicode.C, unicode.Zl, unicode.Zp) }

// isLanguage knows the codes of ISO 639-1 that are in use.
func isLanguage(s string) bool {
	base, err := language.ParseBase(s)
	return err == nil && len(s) == 2 && base.String() == s
}

// isCountry knows the codes of ISO 3166-1 that are in use.
func isCountry(s string) bool {
	region, err := language.ParseRegion(s)
	return err == nil && len(s) == 2 && region.IsCountry() && region.Canonicalize().String() == s
}

// locale reads a locale.
func (p place) locale(text string) (cancellation.Locale, bool) {
	l, err := cancellation.ParseLocale(text)
	if err != nil || !isLanguage(l.Language()) || !isCountry(l.Country()) {
		p.fail("must be a locale of ISO 639-1 and ISO 3166-1, such as de-DE")
		return "", false
	}
	return l, true
}

// urlProblem says why a text is no address of a web site.
func urlProblem(s string) string {
	u, err := url.Parse(s)
	switch {
	case lineProblem(s, maxURL) != "":
		return lineProblem(s, maxURL)
	case err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Hostname() == "" || u.User != nil || strings.ContainsAny(s, " <>\"\\"):
		return "must be an absolute address of http or https, without user information"
	default:
		return ""
	}
}

// emailProblem says why a text is no e-mail address. Addresses of organizations
// are in ASCII, since not every way of sending takes others.
func emailProblem(s string) string {
	const want = "must be an e-mail address in ASCII, such as cancel@example.com"
	if len(s) > maxEmail || strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' }) || strings.ContainsAny(s, `,;:<>()[]"\`) {
		return want
	}
	parsed, err := mail.ParseAddress(s)
	if err != nil || parsed.Name != "" || parsed.Address != s || !isDomain(s[strings.LastIndexByte(s, '@')+1:]) {
		return want
	}
	return ""
}

// labelPattern is one label of a host name, but for its length.
var labelPattern = regexp.MustCompile(`^[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?$`)

// isDomain tells whether s is a host name of at least two labels of at most 63
// characters, the last of which has two and begins with a letter (RFC 1123, 2.1).
func isDomain(s string) bool {
	labels := strings.Split(s, ".")
	for _, label := range labels {
		if len(label) > 63 || !labelPattern.MatchString(label) {
			return false
		}
	}
	last := labels[len(labels)-1]
	return len(labels) > 1 && len(last) > 1 && (last[0] < '0' || last[0] > '9')
}
