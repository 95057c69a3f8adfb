package fulltext

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"aviso/internal/textfold"
)

var umlauts = strings.NewReplacer("ä", "ae", "å", "aa", "ö", "oe", "ø", "oe", "ü", "ue")

// words splits a text into words of letters and digits, in lower case and without accents.
// An umlaut becomes two letters: Müller is "mueller", and textfold.Short makes all its
// spellings "muller". A Chinese character is a word.
func words(text string) []string {
	var spaced strings.Builder
	for _, r := range umlauts.Replace(strings.ToLower(norm.NFC.String(text))) {
		if unicode.Is(unicode.Han, r) {
			spaced.WriteString(" " + string(r) + " ")
		} else {
			spaced.WriteRune(r)
		}
	}
	return strings.Fields(textfold.Name(spaced.String()))
}

// joinedWords returns the parts of a text with signs but no space, such as E.ON and 1&1, as
// one word each, because people also type them that way.
func joinedWords(text string) []string {
	var all []string
	for part := range strings.FieldsSeq(text) {
		if joined := strings.Join(strings.FieldsFunc(part, isSign), ""); joined != part {
			all = append(all, words(joined)...)
		}
	}
	return all
}

func isSign(r rune) bool { return !unicode.In(r, unicode.L, unicode.N, unicode.M) }
