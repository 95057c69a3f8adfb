package carrier

import (
	"errors"
	"net/mail"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// errAddress is returned for an address that SES cannot send to.
var errAddress = errors.New("SES cannot send to this e-mail address")

// maxAddress is the maximum length of an address in SMTP (RFC 5321, 4.5.3.1.3,
// without the angle brackets). maxLocal is the maximum before the @ (4.5.3.1.1).
const maxAddress, maxLocal = 254, 64

// parseAddress returns the address with its domain in ASCII. SES accepts only ASCII
// in the local part (API v2 reference, Destination). Local parts that need quotes
// are refused too, because servers treat them differently.
func parseAddress(s string) (string, error) {
	at := strings.LastIndexByte(s, '@')
	if at < 1 || !utf8.ValidString(s) {
		return "", errAddress
	}
	local := s[:at]
	domain, err := idna.New(idna.MapForLookup(), idna.BidiRule(), idna.VerifyDNSLength(true)).ToASCII(s[at+1:])
	if err != nil || !strings.Contains(domain, ".") || len(local) > maxLocal || strings.ContainsFunc(local, notAtext) {
		return "", errAddress
	}
	address := local + "@" + domain
	// The parser checks the rest: leading, trailing and repeated dots, and labels.
	if parsed, err := mail.ParseAddress(address); err != nil || parsed.Address != address || len(address) > maxAddress {
		return "", errAddress
	}
	return address, nil
}

// notAtext reports whether r must not occur in an unquoted local part (RFC 5322,
// 3.2.3).
func notAtext(r rune) bool {
	return r <= ' ' || r >= utf8.RuneSelf-1 || strings.ContainsRune(`()<>[]:;@\,"`, r)
}

// oneLine makes text safe for a header: one line of at most limit characters,
// without control characters, without invisible characters that change the writing
// direction, and without anything that looks like an encoded word (RFC 2047).
func oneLine(s string, limit int) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == utf8.RuneError, unicode.Is(unicode.Cf, r), unicode.Is(unicode.Co, r):
			return -1
		case unicode.IsControl(r), unicode.IsSpace(r): // U+2028 and U+2029 are spaces
			return ' '
		default:
			return r
		}
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	return cut(strings.ReplaceAll(s, "=?", "= ?"), limit)
}

// phrase returns s as a display name: one line without anything that looks like an
// address or needs quotes or escapes.
func phrase(s string) string {
	return strings.Join(strings.FieldsFunc(oneLine(s, maxName), func(r rune) bool {
		return r == ' ' || strings.ContainsRune(`@<>()[]"\,;:`, r)
	}), " ")
}
