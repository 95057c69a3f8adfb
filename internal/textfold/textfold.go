// Package textfold brings names into the form in which they are compared, ordered
// and found.
package textfold

import (
	"strings"
	"unicode"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"
)

// Name is text as names are compared: lower case, without accents, words parted
// by one space. "Crédit du Midi" and "credit  du midi" are the same. It is empty
// for text without a letter or digit.
func Name(s string) string {
	folded, _, err := transform.String(transform.Chain(norm.NFKD, runes.Remove(runes.In(unicode.Mn)), norm.NFC), strings.ToLower(s))
	if err != nil {
		folded = s
	}
	// These have no accent that could be taken off, and ς is σ at a word's end.
	// They come last, since what is taken apart may hold them (ǣ is æ with a
	// macron).
	folded = strings.NewReplacer("ß", "ss", "æ", "ae", "œ", "oe", "ø", "o", "ł", "l", "đ", "d", "ð", "d", "þ", "th", "ı", "i", "ς", "σ").
		Replace(strings.ToLower(folded))
	words := strings.FieldsFunc(folded, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return strings.Join(words, " ")
}
