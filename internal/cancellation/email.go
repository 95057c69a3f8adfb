package cancellation

import (
	"errors"
	"net/mail"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// ErrEmail is returned for an address that SES cannot send to.
var ErrEmail = errors.New("SES cannot send to this e-mail address")

// maxAddress is the maximum length of an address in SMTP (RFC 5321, 4.5.3.1.3,
// without the angle brackets). maxLocal is the maximum before the @ (4.5.3.1.1).
const maxAddress, maxLocal = 254, 64

// ParseEmail returns the address with its domain in ASCII. SES accepts only ASCII
// in the local part (API v2 reference, Destination). Local parts that need quotes
// are refused too, because servers treat them differently.
func ParseEmail(s string) (string, error) {
	at := strings.LastIndexByte(s, '@')
	if at < 1 || !utf8.ValidString(s) {
		return "", ErrEmail
	}
	local := s[:at]
	domain, err := idna.New(idna.MapForLookup(), idna.BidiRule(), idna.VerifyDNSLength(true)).ToASCII(s[at+1:])
	if err != nil || !strings.Contains(domain, ".") || len(local) > maxLocal || strings.ContainsFunc(local, notAtext) {
		return "", ErrEmail
	}
	address := local + "@" + domain
	// The parser checks the rest: leading, trailing and repeated dots, and labels.
	if parsed, err := mail.ParseAddress(address); err != nil || parsed.Address != address || len(address) > maxAddress {
		return "", ErrEmail
	}
	return address, nil
}

// notAtext reports whether r must not occur in an unquoted local part (RFC 5322,
// 3.2.3).
func notAtext(r rune) bool {
	return r <= ' ' || r >= utf8.RuneSelf-1 || strings.ContainsRune(`()<>[]:;@\,"`, r)
}
