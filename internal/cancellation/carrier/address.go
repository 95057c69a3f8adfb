package carrier

import (
	"errors"
	"net/mail"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// errAddress says that SES cannot send to an address.
var errAddress = errors.New("e-mail address that SES cannot send to")

// maxAddress is the longest address that SMTP carries (RFC 5321, 4.5.3.1.3,
// less the angle brackets), maxLocal the longest part before the @ (4.5.3.1.1).
const maxAddress, maxLocal = 254, 64

// parseAddress gives an address with its domain in ASCII. SES takes no local
// part outside 7-bit ASCII (API v2 reference, Destination); one that needs
// quotes is refused as well, since no two servers agree about them.
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
	// The parser knows the rest: dots at the ends or in a row, labels.
	if parsed, err := mail.ParseAddress(address); err != nil || parsed.Address != address || len(address) > maxAddress {
		return "", errAddress
	}
	return address, nil
}

// notAtext tells whether r stands in no unquoted local part (RFC 5322, 3.2.3).
func notAtext(r rune) bool {
	return r <= ' ' || r >= utf8.RuneSelf-1 || strings.ContainsRune(`()<>[]:;@\,"`, r)
}

// domainOf is the part behind the @.
func domainOf(address string) string {
	return strings.ToLower(address[strings.LastIndexByte(address, '@')+1:])
}

// oneLine makes text fit for a header: one line of at most limit characters,
// without controls, without the invisible ones that turn the direction of
// writing, and without what a reader would take for an encoded word (RFC 2047).
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
	s = strings.ReplaceAll(s, "=?", "= ?")
	if runes := []rune(s); len(runes) > limit {
		s = strings.TrimSpace(string(runes[:limit]))
	}
	return s
}

// phrase makes a display name: one line without what a reader could take for
// an address, and without what has to be quoted or escaped.
func phrase(s string) string {
	return strings.Join(strings.FieldsFunc(oneLine(s, maxName), func(r rune) bool {
		return r == ' ' || strings.ContainsRune(`@<>()[]"\,;:`, r)
	}), " ")
}
