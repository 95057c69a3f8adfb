package letter

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"aviso/internal/cancellation"
)

// Printable returns a text as it is printed: composed (NFC), with plain single spaces,
// and with replacements for characters that the fonts lack but that have an accepted
// substitute. It returns a *cancellation.UnprintableError for any other character that
// the fonts lack.
func Printable(text string) (string, error) {
	if !utf8.ValidString(text) {
		return "", unprintable(utf8.RuneError)
	}
	var b strings.Builder
	for _, r := range norm.NFC.String(text) {
		switch {
		case unicode.Is(unicode.Zs, r):
			b.WriteByte(' ')
		case r == '\u2010' || r == '\u2011': // hyphens that word processors insert
			b.WriteByte('-')
		case r == '\u02BC': // the apostrophe as a letter: Ukrainian, Breton
			b.WriteRune('’')
		case r >= '\uFF01' && r <= '\uFF5E': // ASCII in the width of a Chinese character
			b.WriteRune(r - '\uFF01' + '!')
		case unicode.Is(glyphs, r):
			b.WriteRune(r)
		default:
			return "", unprintable(r)
		}
	}
	return strings.Join(strings.Fields(b.String()), " "), nil
}

func unprintable(r rune) *cancellation.UnprintableError {
	name := fmt.Sprintf("%U", r)
	if known := invisible(r); known != "" {
		name += " " + known
	}
	return &cancellation.UnprintableError{Rune: r, Name: name}
}

// invisible returns the Unicode name, in lower case, of a character that senders cannot
// see in their text, or "".
func invisible(r rune) string {
	switch r {
	case '\t':
		return "tab"
	case '\n':
		return "line feed"
	case '\r':
		return "carriage return"
	case '\u00AD':
		return "soft hyphen"
	case '\u061C':
		return "arabic letter mark"
	case '\u200B':
		return "zero width space"
	case '\u200C':
		return "zero width non-joiner"
	case '\u200D':
		return "zero width joiner"
	case '\u200E':
		return "left-to-right mark"
	case '\u200F':
		return "right-to-left mark"
	case '\u2028':
		return "line separator"
	case '\u2029':
		return "paragraph separator"
	case '\u2060':
		return "word joiner"
	case '\uFEFF':
		return "byte order mark"
	case utf8.RuneError:
		return "replacement character"
	}
	switch {
	case r >= '\u202A' && r <= '\u202E', r >= '\u2066' && r <= '\u2069':
		return "bidirectional control"
	default:
		return ""
	}
}
