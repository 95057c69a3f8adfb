package letter

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"aviso/internal/cancellation"
)

// Printable returns a text as it is printed: composed (NFC), with plain single spaces, and with accepted substitutes
// for some characters that the fonts lack. It returns a *cancellation.UnprintableError for any other character that
// the fonts lack, and for a mark without a character before it.
func Printable(text string) (string, error) {
	if !utf8.ValidString(text) {
		return "", unprintable(utf8.RuneError, text[:strings.IndexRune(text, utf8.RuneError)])
	}
	var b strings.Builder
	composed := norm.NFC.String(text)
	for at, r := range composed {
		switch {
		case unicode.Is(unicode.Zs, r):
			b.WriteByte(' ')
		case r == '\u2010' || r == '\u2011': // hyphens that word processors insert
			b.WriteByte('-')
		case r == '\u02BC': // the apostrophe as a letter: Ukrainian, Breton
			b.WriteRune('’')
		case r >= '\uFF01' && r <= '\uFF5E': // ASCII in the width of a Chinese character
			b.WriteRune(r - '\uFF01' + '!')
		case unicode.Is(glyphs, r) && (!isMark(r) || strings.Trim(b.String(), " ") != ""):
			b.WriteRune(r)
		default:
			return "", unprintable(r, composed[:at])
		}
	}
	return strings.Join(strings.Fields(b.String()), " "), nil
}

func unprintable(r rune, before string) *cancellation.UnprintableError {
	name := fmt.Sprintf("%U", r)
	if known := invisible(r); known != "" {
		name += " " + known
	}
	position := 1
	for before != "" {
		position++
		before = before[len(firstCluster(before)):]
	}
	return &cancellation.UnprintableError{Rune: r, Name: name, Position: position}
}

// invisible returns the lower-case Unicode name of a character that senders cannot see in their text, or "".
func invisible(r rune) string {
	if r >= '\u202A' && r <= '\u202E' || r >= '\u2066' && r <= '\u2069' {
		return "bidirectional control"
	}
	return map[rune]string{
		'\t': "tab", '\n': "line feed", '\r': "carriage return", '\u00AD': "soft hyphen", '\u061C': "arabic letter mark",
		'\u200B': "zero width space", '\u200C': "zero width non-joiner", '\u200D': "zero width joiner",
		'\u200E': "left-to-right mark", '\u200F': "right-to-left mark", '\u2028': "line separator",
		'\u2029': "paragraph separator", '\u2060': "word joiner", '\uFEFF': "byte order mark",
		utf8.RuneError: "replacement character",
	}[r]
}
