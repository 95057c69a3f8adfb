// Package textfold normalizes names for comparison, sorting and search.
package textfold

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Name returns the form in which names are compared: lower case, without accents, with
// single spaces between words. "Crédit du Midi" and "credit  du midi" have the same form.
// It is empty for text without a letter or digit.
func Name(s string) string {
	if name, ok := ascii(s); ok {
		return name
	}
	folded := norm.NFC.String(strings.Map(withoutMarks, norm.NFKD.String(strings.ToLower(s))))
	// Letters without an accent to remove come last, because decomposing may produce them
	// (ǣ is æ with a macron).
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

// ascii is Name for text in ASCII, as most of what banks send is. It reports whether s is.
// The general way takes twenty times as long.
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

// Short returns the form of a folded name in which all spellings of an umlaut are equal:
// it leaves out the second letter of ae, oe, ue and aa. Töchter, Toechter and Tochter are
// "tochter".
func Short(folded string) string {
	short := make([]byte, 0, len(folded))
	var vowel byte // the last letter if it may begin a digraph, otherwise 0
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
