package fulltext

import (
	"aviso/internal/cancellation/catalogue"
	"aviso/internal/textfold"
)

// New returns an index of the documents.
func New(documents []catalogue.SearchDocument) *Index {
	x, err := Open(string(Encode(documents)))
	if err != nil {
		panic(err)
	}
	return x
}

// Words returns the words of a text in their short form.
func Words(text string) []string {
	all := words(text)
	for i, w := range all {
		all[i] = textfold.Short(w)
	}
	return all
}

// WithTypo reports whether a name or its beginning is what was typed but for one typo, and
// whether it is the whole name.
func WithTypo(name, typed string, last bool) (found, isWhole bool) {
	w := withTypo(name, typed, last)
	return w != noMatch, w == weightTypo
}
