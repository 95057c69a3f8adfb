package fulltext

import "aviso/internal/cancellation"

// New returns an index of the documents.
func New(documents []cancellation.SearchDocument) *Index {
	x, err := Open(string(Encode(documents)))
	if err != nil {
		panic(err)
	}
	return x
}

// VocabularyOf returns a vocabulary of sorted words.
func VocabularyOf(words ...string) Vocabulary {
	all := encodeWords(words, nil)
	return Vocabulary{numbers(all[0]), string(all[1])}
}
