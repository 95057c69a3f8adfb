package fulltext

import (
	_ "embed"
	"strings"
	"sync"

	"aviso/internal/textfold"
)

// stopWordsFile has a line for each language that the service knows.
//
//go:embed stopwords.txt
var stopWordsFile string

// stopWords returns the words that say nothing about what somebody looks for, in their
// short form: articles, conjunctions and prepositions.
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
