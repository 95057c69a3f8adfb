package fulltext

import (
	"strings"
	"unicode/utf8"
)

// weight measures how badly a document matches. It holds counts, the most important first, so
// the weights of several words can be added. Each has room for maxWords, and for twice as many
// words of which only the beginning was typed.
type weight uint32

const (
	weightTypo       weight = 1 << 27
	weightCategory   weight = 1 << 22
	weightBeginning  weight = 1 << 16
	weightNotOwnName weight = 1 << 8
	weightNotFirst   weight = 1
	// noMatch is more than the weight of any word that matches.
	noMatch weight = 1 << 31

	// minTypoLetters is the minimum length of a word in which a typo is accepted.
	minTypoLetters = 4
	// minCategoryLetters is the minimum length of a word that is compared with the beginnings of
	// words in categories' names. Shorter ones must be whole.
	minCategoryLetters = 3
)

// elsewhere returns how many words were found outside the document's own name.
func (w weight) elsewhere() int { return int(w >> 8 & 0xff) }

// term is a word of a query and what it matches.
type term struct {
	// short and long are its forms (see words). A typo in one of the two letters of an umlaut is a
	// single typo only in the long form.
	short, long string
	letters     int // of the short form
	// last is whether it is the last word of the query, which may be half typed.
	last, isStopWord bool
	matches          []weight // of the vocabulary
	// categories has the weights of its matches in categories' names. A stop word has none.
	categories []weight
	// names is how many match, each counted once for each of its words that does.
	names int
}

// match compares the word with one of a name: whole, as its beginning, with a typo, or both.
func (t *term) match(name string) weight {
	isBeginning := strings.HasPrefix(name, t.short)
	switch {
	case name == t.short, isBeginning && t.isStopWord && t.last:
		return 0
	case t.isStopWord:
		return noMatch
	case isBeginning && t.last:
		return weightBeginning
	case isBeginning && t.letters > 1:
		return 2 * weightBeginning
	case t.letters < minTypoLetters-1:
		return noMatch
	case t.long == t.short:
		return withTypo(name, t.short, t.last)
	}
	return min(withTypo(name, t.short, t.last), withTypo(name, t.long, t.last))
}

// withTypo compares words that differ by one letter that is added, missing, wrong or swapped
// with its neighbour. The typo is where they first differ.
func withTypo(name, typed string, last bool) weight {
	same := 0
	for same < min(len(name), len(typed)) && name[same] == typed[same] {
		same++
	}
	for same > 0 && same < len(typed) && !utf8.RuneStart(typed[same]) {
		same--
	}
	_, nameRest := cut(name[same:])
	first, typedRest := cut(typed[same:])
	found := noMatch
	compare := func(rest, want string) {
		switch {
		case !strings.HasPrefix(rest, want):
		case utf8.RuneCountInString(name[:len(name)-len(rest)+len(want)]) < minTypoLetters:
		case rest == want:
			found = weightTypo
		case last:
			found = min(found, weightTypo+weightBeginning)
		}
	}
	compare(name[same:], typedRest) // added
	compare(nameRest, typed[same:]) // missing
	compare(nameRest, typedRest)    // wrong
	second, typedEnd := cut(typedRest)
	if rest, ok := strings.CutPrefix(name[same:], second); ok {
		if rest, ok = strings.CutPrefix(rest, first); ok {
			compare(rest, typedEnd) // swapped
		}
	}
	return found
}

// cut splits off the first letter.
func cut(s string) (letter, rest string) {
	_, size := utf8.DecodeRuneInString(s)
	return s[:size], s[size:]
}

// lookUp finds what the term matches.
func (t *term) lookUp(x *Index) {
	t.matches = make([]weight, len(x.vocabulary))
	for i, word := range x.vocabulary {
		if t.matches[i] = t.match(word); t.matches[i] != noMatch {
			t.names += int(x.frequencies[i])
		}
	}
	for _, c := range x.categories {
		best := noMatch
		for _, w := range x.in(c.words) {
			if m := t.matches[w>>1]; !t.isStopWord && (m == 0 || t.letters >= minCategoryLetters) {
				best = min(best, m)
			}
		}
		if best != noMatch {
			t.names += c.names
			best += weightCategory + weightNotOwnName + weightNotFirst
		}
		t.categories = append(t.categories, best)
	}
}

// in returns the weight of the term's best match in a document, at least noMatch if there is none.
func (t *term) in(x *Index, document int) weight {
	d := &x.documents[document]
	best := min(t.inName(x, d), t.categories[d.category])
	if document < x.products {
		return best
	}
	inOrganization := t.inName(x, &x.documents[d.organization])
	return min(best, weightNotOwnName+(inOrganization|weightNotFirst))
}

// inName returns the weight of the term's best match in the document's own name.
func (t *term) inName(x *Index, d *document) weight {
	best := noMatch
	for _, w := range x.in(d.words) {
		best = min(best, t.matches[w>>1]+weight(w&notFirst)*weightNotFirst)
	}
	return best
}
