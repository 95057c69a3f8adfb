package carrier

import (
	"regexp"
	"strings"
)

// shape is that of a code: 1 to 64 letters, digits and the characters of the
// shape. Regular expressions with such a bound take longer to compile than
// anything else of this package, at the start of every function.
type shape string

const (
	wordShape shape = "_.-"
	// idShape is what an id of a carrier may be to become a part of a path; dots
	// could lead out of it.
	idShape shape = "-"
	// sesShape is that of the words of which SES makes its error codes.
	sesShape shape = ""
	// trackingShape is that of tracking numbers, which begin with a letter or a
	// digit.
	trackingShape shape = " ./-"
)

// tokenPattern is that of bearer tokens (RFC 6750, 2.1).
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

// word is a carrier's code if it is one, so that no sentence and nothing
// personal gets into logs and stores.
func safeCode(s string) string {
	if !wordShape.fits(s) {
		return "Unknown"
	}
	return s
}
