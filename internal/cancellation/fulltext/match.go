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

// match is how a word of a query matches a word of a name.
type match uint8

// The matches, from the best on.
const (
	whole match = iota
	beginning
	typo
	typoInBeginning
	none
)

// typed is a word of a query, in both forms (see words). A typo in one of the two letters of an
// umlaut is a single typo only in the long form.
type typed struct {
	short, long string
	letters     int // of the short form
	// last is whether it is the last word of the query, which may be half typed.
	last, isStopWord bool
}

// match compares the word with one of a name.
func (t *typed) match(name string) match {
	same := common(name, t.short)
	switch {
	case same == len(t.short) && (same == len(name) || t.isStopWord && t.last):
		return whole
	case t.isStopWord:
		return none
	case same == len(t.short) && (t.last || t.letters > 1):
		return beginning
	case t.letters < minTypoLetters-1:
		return none
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
func withTypo(name, typed string, same int, last bool) match {
	for same > 0 && same < len(typed) && !utf8.RuneStart(typed[same]) {
		same--
	}
	_, nameRest := cut(name[same:])
	first, typedRest := cut(typed[same:])
	found := none
	compare := func(rest, want string) {
		switch {
		case !strings.HasPrefix(rest, want):
		case utf8.RuneCountInString(name[:len(name)-len(rest)+len(want)]) < minTypoLetters:
		case rest == want:
			found = typo
		case last:
			found = min(found, typoInBeginning)
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
	matches []match // of the vocabulary
	weights [none + 1]weight
	// categories has the weights of its matches in categories' names. A stop word has none.
	categories []weight
	// organizations has its matches in organizations' names, once a product has asked for one, plus one.
	organizations []nameMatch
	// names is how many match, each counted once for each of its words that does.
	names int
}

// nameMatch is the best match of a word of a query in a name, shifted left by one, and notFirst
// unless that is the first word.
type nameMatch uint8

// term looks up a word of a query.
func (x *Index) term(t *typed) term {
	found := term{matches: make([]match, len(x.vocabulary)), organizations: make([]nameMatch, x.products)}
	found.weights = [...]weight{0, 2 * weightBeginning, weightTypo, weightTypo + weightBeginning, noMatch}
	if t.last {
		found.weights[beginning] = weightBeginning
	}
	for i, word := range x.vocabulary {
		if found.matches[i] = t.match(word); found.matches[i] != none {
			found.names += int(x.frequencies[i])
		}
	}
	for _, c := range x.categories {
		best := none
		for _, w := range x.in(c.words) {
			if m := found.matches[w>>1]; !t.isStopWord && (m == whole || t.letters >= minCategoryLetters) {
				best = min(best, m)
			}
		}
		w := found.weights[best]
		if best != none {
			found.names += c.names
			w += weightCategory + weightNotOwnName + weightNotFirst
		}
		found.categories = append(found.categories, w)
	}
	return found
}

// in returns the weight of the term's best match in a document, noMatch if there is none.
func (t *term) in(x *Index, document int) weight {
	d := &x.documents[document]
	own := t.inName(x, d)
	best := min(t.weights[own>>1]+weight(own&1)*weightNotFirst, t.categories[d.category])
	if document < x.products {
		return best
	}
	known := &t.organizations[d.organization]
	if *known == 0 {
		*known = t.inName(x, &x.documents[d.organization]) + 1
	}
	return min(best, t.weights[(*known-1)>>1]+weightNotOwnName+weightNotFirst)
}

// inName returns the term's best match in the document's own name.
func (t *term) inName(x *Index, d *document) nameMatch {
	best := nameMatch(none) << 1
	for _, w := range x.in(d.words) {
		best = min(best, nameMatch(t.matches[w>>1])<<1|nameMatch(w&notFirst))
	}
	return best
}
