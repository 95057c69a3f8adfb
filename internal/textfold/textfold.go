// Package textfold normalizes names for comparison, sorting and search.
package textfold

import (
	"strings"
	"unicode"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"
)

// Name returns the form in which names are compared: lower case, without accents, with
// single spaces between words. "Crédit du Midi" and "credit  du midi" have the same form.
// It is empty for text without a letter or digit.
func Name(s string) string {
	withoutMarks := transform.Chain(norm.NFKD, runes.Remove(runes.In(unicode.Mn)), norm.NFC)
	folded, _, err := transform.String(withoutMarks, strings.ToLower(s))
	if err != nil {
		folded = s
	}
	// These letters have no accent to remove, and ς is σ at the end of a word. They come
	// last because decomposing may produce them (ǣ is æ with a macron).
	letters := strings.NewReplacer(
		"ß", "ss", "æ", "ae", "œ", "oe", "ø", "o", "ł", "l", "đ", "d", "ð", "d", "þ", "th", "ı", "i", "ς", "σ",
	)
	folded = letters.Replace(strings.ToLower(folded))
	words := strings.FieldsFunc(folded, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return strings.Join(words, " ")
}
