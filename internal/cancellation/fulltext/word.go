package fulltext

import (
	_ "embed"
	"regexp"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"aviso/internal/textfold"
)

// words splits a text into words of letters and digits, in lower case and without accents. An umlaut becomes two
// letters: Müller is "mueller", and textfold.Short makes all its spellings "muller". Each Chinese character is a
// word.
func words(text string) []string {
	text = strings.Map(visible, text)
	umlauts := strings.NewReplacer("ä", "ae", "å", "aa", "ö", "oe", "ø", "oe", "ü", "ue")
	long := umlauts.Replace(strings.ToLower(norm.NFC.String(text)))
	return strings.Fields(textfold.Name(chinese.ReplaceAllString(long, " $0 ")))
}

// visible drops what only formats a text: soft hyphens, zero-width spaces and marks of direction.
func visible(r rune) rune {
	if unicode.Is(unicode.Cf, r) {
		return -1
	}
	return r
}

var chinese = regexp.MustCompile(`\p{Han}`)

// joinedWords returns the parts of a text with signs but no space, such as E.ON and 1&1, as one word each, because
// people also type them without the sign.
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

// stopWordsFile has a line for each language of the service.
//
//go:embed stopwords.txt
var stopWordsFile string

func isStopWord(word string) bool { return stopWords()[textfold.Short(word)] }

// stopWords returns words without a meaning for the search, in their short form: articles, conjunctions and
// prepositions.
var stopWords = sync.OnceValue(func() map[string]bool { //nolint:gochecknoglobals // computed on first use
	stop := map[string]bool{}
	for line := range strings.Lines(stopWordsFile) {
		_, list, _ := strings.Cut(line, ": ")
		for _, w := range words(list) {
			stop[textfold.Short(w)] = true
		}
	}
	return stop
})
