package fulltext

import (
	_ "embed"
	"strings"
	"sync"

	"aviso/internal/textfold"
)

// stopWordsFile has the words of each language that the service knows that say nothing about
// what somebody looks for: articles, conjunctions and prepositions.
//
//go:embed stopwords.txt
var stopWordsFile string

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

func isStopWord(word string) bool { return stopWords()[textfold.Short(word)] }
