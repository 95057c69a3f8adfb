package carrier

import "regexp"

var (
	codePattern = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,64}$`)
	// idPattern matches IDs of carriers that become part of a path. They have no dots,
	// which could lead out of the path.
	idPattern = regexp.MustCompile(`^[A-Za-z0-9-]{1,64}$`)
	// sesPattern matches SES error codes.
	sesPattern      = regexp.MustCompile(`^[A-Za-z0-9]{1,64}$`)
	trackingPattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9 ./-]{0,63}$`)
	// tokenPattern matches bearer tokens (RFC 6750, 2.1).
	tokenPattern = regexp.MustCompile(`^[A-Za-z0-9._~+/-]+=*$`)
)

// safeCode returns a carrier's code, or Unknown if s does not look like a code, so
// that no text with personal data is logged or stored.
func safeCode(s string) string {
	if !codePattern.MatchString(s) {
		return "Unknown"
	}
	return s
}
