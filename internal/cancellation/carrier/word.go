package carrier

import "regexp"

var (
	wordPattern = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,64}$`)
	// idPattern is what an id of a carrier may be to become a part of a path;
	// dots could lead out of it.
	idPattern = regexp.MustCompile(`^[A-Za-z0-9-]{1,64}$`)
	// tokenPattern is that of bearer tokens (RFC 6750, 2.1).
	tokenPattern = regexp.MustCompile(`^[A-Za-z0-9._~+/-]+=*$`)
)

// word is a carrier's code if it is one, so that no sentence and nothing
// personal gets into logs and stores.
func word(s string) string {
	if !wordPattern.MatchString(s) {
		return "Unknown"
	}
	return s
}
