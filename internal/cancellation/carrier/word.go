package carrier

import (
	"regexp"
	"strings"
)

// shape describes a code: 1 to 64 letters, digits and characters of the shape. It is
// not a regular expression because one with such a bound takes longer to compile
// than anything else in this package, at every cold start.
type shape string

const (
	codeShape shape = "_.-"
	// idShape is for IDs of carriers that become part of a path. It has no dots,
	// which could lead out of the path.
	idShape shape = "-"
	// sesShape is for SES error codes.
	sesShape shape = ""
	// trackingShape is for tracking numbers, which also begin with a letter or a
	// digit.
	trackingShape shape = " ./-"
)

// tokenPattern matches bearer tokens (RFC 6750, 2.1).
var tokenPattern = regexp.MustCompile(`^[A-Za-z0-9._~+/-]+=*$`)

func (x shape) fits(s string) bool {
	if len(s) < 1 || len(s) > 64 {
		return false
	}
	for i := range len(s) {
		if !isLetterOrDigit(s[i]) && strings.IndexByte(string(x), s[i]) < 0 {
			return false
		}
	}
	return true
}

func isLetterOrDigit(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// safeCode returns a carrier's code, or Unknown if s does not look like a code, so
// that no text with personal data is logged or stored.
func safeCode(s string) string {
	if !codeShape.fits(s) {
		return "Unknown"
	}
	return s
}
