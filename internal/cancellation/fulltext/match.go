package fulltext

import (
	"slices"
	"unicode/utf8"
)

// weight measures how badly a document matches. It holds counts, the most important
// first, so the weights of several words can be added. Each has room for maxWords, and
// for twice as many prefixes.
type weight uint32

const (
	weightTypo       weight = 1 << 27
	weightCategory   weight = 1 << 22
	weightPrefix     weight = 1 << 16
	weightNotOwnName weight = 1 << 8
	weightNotFirst   weight = 1
	// minTypoLetters is the minimum length of a word in which a typo is accepted.
	minTypoLetters = 4
	// minCategoryLetters is the minimum length of a word that is compared with the
	// beginnings of words in categories' names. Shorter ones must be whole.
	minCategoryLetters = 3
)

// elsewhere returns how many words were found outside the document's own name.
func (w weight) elsewhere() int { return int(w >> 8 & 0xff) }

// term is a word of a query with everything that it matches in the vocabulary.
type term struct {
	choices []choice
	// postings is the total number of postings in all choices.
	postings int
}

// choice is a range of the vocabulary, or a category, and the weight of a match in it.
type choice struct {
	from, to int
	weight   weight
}

// term looks up a word.
func (x *Index) term(w Word, last bool) term {
	var t term
	x.words.lookUp(w, last, func(from, to int, cost weight) { t.add(x, from, to, cost) })
	best := map[int]weight{} // by category
	short := utf8.RuneCountInString(w.Plain) < minCategoryLetters
	x.categoryWords.lookUp(w, last, func(from, to int, cost weight) {
		categories := x.categoryWords.postingsOf(from, to)
		for i := range categories.len() {
			category := int(categories.at(i))
			if known, ok := best[category]; (cost == 0 || !short) && (!ok || cost < known) {
				best[category] = cost
			}
		}
	})
	for category, cost := range best {
		t.add(x, category, category+1, cost+weightCategory)
	}
	return t
}

// stopWord looks up a stop word in names. If it is the last word of the query, it may be
// the beginning of another word.
func (x *Index) stopWord(w Word, last bool) term {
	var t term
	switch s := x.words.WithPrefix(w.Plain); {
	case last:
		t.add(x, s.From, s.To, 0)
	case x.words.IsWord(s):
		t.add(x, s.From, s.From+1, 0)
	}
	return t
}

func (t *term) add(x *Index, from, to int, w weight) {
	if n := x.words.postingsOf(from, to).len(); n > 0 {
		t.choices, t.postings = append(t.choices, choice{from, to, w}), t.postings+n
	}
}

// lookUp visits the ranges of the vocabulary that match a word. The last word of a query
// may be half typed, so its prefix matches weigh less than those of other words and may
// contain a typo.
func (v Vocabulary) lookUp(w Word, last bool, visit func(from, to int, cost weight)) {
	found := func(s Span, whole, beginning weight) {
		if v.IsWord(s) {
			visit(s.From, s.From+1, whole)
			s.From++
		}
		if beginning != noMatch && !s.Empty() {
			visit(s.From, s.To, beginning)
		}
	}
	nearly := func(s Span) {
		if utf8.RuneCountInString(v.Prefix(s)) >= minTypoLetters {
			found(s, weightTypo, onlyIf(last, weightTypo+weightPrefix))
		}
	}
	letters := utf8.RuneCountInString(w.Plain)
	beginning := 2 * weightPrefix
	if last {
		beginning = weightPrefix
	}
	found(v.WithPrefix(w.Plain), 0, onlyIf(last || letters > 1, beginning))
	if letters >= minTypoLetters-1 {
		v.WithTypo(w.Plain, nearly)
		if w.Long != w.Plain {
			v.WithTypo(w.Long, nearly)
		}
	}
}

// noMatch is the weight of something that does not match.
const noMatch = ^weight(0)

func onlyIf(condition bool, w weight) weight {
	if condition {
		return w
	}
	return noMatch
}

// matcher finds the documents that match all terms.
type matcher struct {
	index   *Index
	states  []state // by document; all zero between uses
	touched []int
}

// state records how far a document has matched.
type state struct {
	// latest is the weight of the last term that matched, before that of the earlier
	// ones.
	before, latest weight
	// terms is the number of terms that matched or were skipped; skipped counts the latter.
	terms, skipped uint8
}

// match visits the documents that match all required terms, with their weight and the
// number of terms that match. A document may lack an optional term. That weighs as much
// as having the word at another place than the first.
func (m *matcher) match(required, optional []term, visit func(document int, w weight, matched int)) {
	for i, t := range slices.Concat(required, optional) {
		alive := i >= len(required)
		for _, c := range t.choices {
			postings := m.index.words.postingsOf(c.from, c.to)
			for j := range postings.len() {
				alive = m.add(posting(postings.at(j)), c.weight, uint8(i), uint8(min(i, len(required)))) || alive
			}
		}
		if !alive {
			break
		}
	}
	for _, document := range m.touched {
		s := &m.states[document]
		if int(s.terms) >= len(required) {
			matched := int(s.terms - s.skipped)
			missing := len(required) + len(optional) - matched
			visit(document, s.before+s.latest+weight(missing)*weightNotFirst, matched)
		}
		*s = state{}
	}
	m.touched = m.touched[:0]
}

// add records a posting of term i if its document has matched all terms before term
// least, and reports whether it has.
func (m *matcher) add(p posting, w weight, i, least uint8) bool {
	if p.document() >= len(m.states) {
		return false
	}
	if p&inOwnName == 0 {
		w += weightNotOwnName
	}
	if p&isFirst == 0 {
		w += weightNotFirst
	}
	s := &m.states[p.document()]
	switch {
	case s.terms == i+1:
		s.latest = min(s.latest, w)
	case s.terms >= least:
		if i == 0 {
			m.touched = append(m.touched, p.document())
		}
		s.before, s.latest = s.before+s.latest, w
		s.terms, s.skipped = i+1, s.skipped+i-s.terms
	default:
		return false
	}
	return true
}

// rarestFirst sorts terms so that few documents are visited more than once.
func rarestFirst(terms []term) {
	slices.SortStableFunc(terms, func(a, b term) int { return a.postings - b.postings })
}
