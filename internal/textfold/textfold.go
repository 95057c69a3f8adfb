// Package textfold normalizes names for comparison, sorting and search.
package textfold

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Name returns the form in which names are compared: lower case, without accents, with single spaces between words.
// "Crédit du Midi" and "credit  du midi" have the same form. Text without a letter or digit gives "".
func Name(s string) string {
	if name, ok := ascii(s); ok {
		return name
	}
	folded := norm.NFC.String(strings.Map(withoutMarks, norm.NFKD.String(strings.ToLower(s))))
	// Letters without a removable accent come last, because decomposing may produce them (ǣ is æ with a macron).
	var plain strings.Builder
	for _, r := range strings.ToLower(folded) {
		switch short, long := Letter(r); {
		case long == "":
			plain.WriteRune(r)
		case r == 'ø':
			plain.WriteString(short)
		default:
			plain.WriteString(long)
		}
	}
	words := strings.FieldsFunc(plain.String(), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return strings.Join(words, " ")
}

func withoutMarks(r rune) rune {
	if unicode.Is(unicode.Mn, r) {
		return -1
	}
	return r
}

// ascii is Name for ASCII, which most banks' text is, and reports whether s is ASCII. The general way takes twenty
// times as long.
func ascii(s string) (string, bool) {
	name, gap := make([]byte, 0, len(s)), false
	for i := range len(s) {
		b := s[i]
		if 'A' <= b && b <= 'Z' {
			b += 'a' - 'A'
		}
		switch {
		case b >= utf8.RuneSelf:
			return "", false
		case 'a' <= b && b <= 'z' || '0' <= b && b <= '9':
			if gap && len(name) > 0 {
				name = append(name, ' ')
			}
			name, gap = append(name, b), false
		default:
			gap = true
		}
	}
	return string(name), true
}

// Short removes the second letter of ae, oe, ue and aa from a folded name, so that all spellings of an umlaut are
// equal. Töchter, Toechter and Tochter are "tochter".
func Short(folded string) string {
	short := make([]byte, 0, len(folded))
	var vowel byte // the last letter if it may start a digraph, otherwise 0
	for i := range len(folded) {
		b := folded[i]
		if vowel != 0 && (b == 'e' || b == 'a' && vowel == 'a') {
			vowel = 0
			continue
		}
		short, vowel = append(short, b), 0
		if b == 'a' || b == 'o' || b == 'u' {
			vowel = b
		}
	}
	return string(short)
}
