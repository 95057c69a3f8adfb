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
	// noMatch is more than the weight of any word.
	noMatch weight = 1 << 31

	// minTypoLetters is the minimum length of a word in which a typo is accepted.
	minTypoLetters = 4
	// minCategoryLetters is the minimum length of a word that is compared with the beginnings of
	// words in categories' names. Shorter ones must be whole.
	minCategoryLetters = 3
)

// elsewhere returns how many words were found outside the document's own name.
func (w weight) elsewhere() int { return int(w >> 8 & 0xff) }

// typed is a word of a query, in both forms (see words). A typo in one of the two letters of an
// umlaut is a single typo only in the long form.
type typed struct {
	short, long string
	letters     int // of the short form
	// last is whether it is the last word of the query, which may be half typed.
	last, isStopWord bool
}

// match returns the weight of the word's match with one of a name, which is zero for the whole
// word.
func (t *typed) match(name string) weight {
	same := common(name, t.short)
	switch {
	case same == len(t.short) && (same == len(name) || t.isStopWord && t.last):
		return 0
	case t.isStopWord:
		return noMatch
	case same == len(t.short) && t.last:
		return weightBeginning
	case same == len(t.short) && t.letters > 1:
		return 2 * weightBeginning
	case t.letters < minTypoLetters-1:
		return noMatch
	}
	found := withTypo(name, t.short, same, t.last)
	if t.long != t.short {
		found = min(found, withTypo(name, t.long, common(name, t.long), t.last))
	}
	return found
}

// common returns how many bytes two words have in common at the beginning.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// withTypo compares words that differ by one letter that is added, missing, wrong or swapped
// with its neighbour. The typo is where they first differ, after same bytes.
func withTypo(name, typed string, same int, last bool) weight {
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

// term is a word of a query and what it matches.
type term struct {
	words []weight // of the vocabulary
	// categories has the weights of its matches in categories' names. A stop word has none.
	categories []weight
	// organizations has its matches in organizations' names, once a product has asked for one, plus one.
	organizations []weight
	// names is how many match, each counted once for each of its words that does.
	names int
}

// term looks up a word of a query.
func (x *Index) term(t *typed) term {
	found := term{
		words: make([]weight, len(x.vocabulary)), categories: make([]weight, len(x.categories)),
		organizations: make([]weight, x.products),
	}
	for i, word := range x.vocabulary {
		if found.words[i] = t.match(word); found.words[i] != noMatch {
			found.names += int(x.frequencies[i])
		}
	}
	for i, c := range x.categories {
		best := noMatch
		for _, w := range c.words {
			if m := found.words[w>>1]; !t.isStopWord && (m == 0 || t.letters >= minCategoryLetters) {
				best = min(best, m)
			}
		}
		if best != noMatch {
			found.names += c.names
			best += weightCategory + weightNotOwnName + weightNotFirst
		}
		found.categories[i] = best
	}
	return found
}

// in returns the weight of the term's best match in a document, at least noMatch if there is none.
func (t *term) in(x *Index, document int) weight {
	d := &x.documents[document]
	best := min(t.inName(d), t.categories[d.category])
	if document < x.products {
		return best
	}
	known := &t.organizations[d.organization]
	if *known == 0 {
		*known = t.inName(&x.documents[d.organization])&^weightNotFirst + 1
	}
	return min(best, *known-1+weightNotOwnName+weightNotFirst)
}

// inName returns the weight of the term's best match in the document's own name.
func (t *term) inName(d *document) weight {
	best := noMatch
	for _, w := range d.words {
		best = min(best, t.words[w>>1]+weight(w&notFirst)*weightNotFirst)
	}
	return best
}
