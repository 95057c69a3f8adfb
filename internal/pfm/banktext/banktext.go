// Package banktext makes texts from banks safe to store and show.
package banktext

import (
	"strings"
	"unicode"
)

// Max bounds a text, in runes. The longest in NextGenPSD2 has 500.
const Max = 1000

// Clean turns white space into spaces, drops control and bidirectional formatting
// characters, replaces invalid UTF-8 and caps the length.
func Clean(s string) string {
	var b strings.Builder
	n := 0
	for _, r := range strings.TrimFunc(s, isInvisible) {
		switch {
		case unicode.IsSpace(r):
			r = ' '
		case isInvisible(r):
			continue
		}
		if n == Max {
			break
		}
		b.WriteRune(r)
		n++
	}
	return strings.TrimRight(b.String(), " ")
}

func isInvisible(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
}
