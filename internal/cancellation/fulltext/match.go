package fulltext

import (
	"slices"
	"unicode/utf8"
)

// weight is how badly a document matches, in counts of eight bits each, the
// most important first. Weights of several words add up.
type weight uint32

const (
	aTypo      weight = 1 << 24
	aPrefix    weight = 1 << 16
	notOwnName weight = 1 << 8
	notFirst   weight = 1
	// leastLetters is how long a word must be for a typo in it to be forgiven.
	leastLetters = 4
)

// elsewhere is how many of the words were found outside the document's own name.
func (w weight) elsewhere() int { return int(w >> 8 & 0xff) }

// term is a word of a query with all that it matches in the
type term struct {
	choices []choice
	// postings is how many there are in all choices.
	postings int
}

// choice is a range of the vocabulary, and what it weighs to be found by it.
type choice struct {
	from, to int
	weight   weight
}

// term looks a word up. In the last word of a query, which may be half typed,
// prefixes weigh less than in others, and may have a typo.
func (x *Index) term(w Word, last bool) term {
	var t term
	add := func(from, to int, w weight) {
		if n := int(x.starts[to] - x.starts[from]); n > 0 {
			t.choices, t.postings = append(t.choices, choice{from, to, w}), t.postings+n
		}
	}
	found := func(s Span, whole, beginning weight) {
		if x.words.Whole(s) {
			add(s.From, s.From+1, whole)
			s.From++
		}
		if beginning != never {
			add(s.From, s.To, beginning)
		}
	}
	nearly := func(s Span) {
		if utf8.RuneCountInString(x.words.Beginning(s)) >= leastLetters {
			found(s, aTypo, onlyIf(last, aTypo+aPrefix))
		}
	}
	letters := utf8.RuneCountInString(w.Plain)
	beginning := 2 * aPrefix
	if last {
		beginning = aPrefix
	}
	found(x.words.Prefixed(w.Plain), 0, onlyIf(last || letters > 1, beginning))
	if letters >= leastLetters-1 {
		x.words.Nearly(w.Plain, nearly)
		if w.Long != w.Plain {
			x.words.Nearly(w.Long, nearly)
		}
	}
	return t
}

// never is the weight of what is no match.
const never = ^weight(0)

func onlyIf(condition bool, w weight) weight {
	if condition {
		return w
	}
	return never
}

// matcher finds the documents that match all terms.
type matcher struct {
	index   *Index
	states  []state // of the documents; all zero between two uses
	touched []int
}

// state is how far a document has matched.
type state struct {
	// before is the weight of the terms before the last one matched, latest that
	// term's.
	before, latest weight
	terms          uint8
}

// match visits the documents that match all terms.
func (m *matcher) match(terms []term, visit func(document int, w weight)) {
	for i, t := range terms {
		alive := false
		for _, c := range t.choices {
			for _, p := range m.index.postings[m.index.starts[c.from]:m.index.starts[c.to]] {
				alive = m.note(p, c.weight, uint8(i)) || alive
			}
		}
		if !alive {
			break
		}
	}
	for _, document := range m.touched {
		s := &m.states[document]
		if int(s.terms) == len(terms) {
			visit(document, s.before+s.latest)
		}
		*s = state{}
	}
	m.touched = m.touched[:0]
}

// note counts a posting of the term i for a document that has matched all terms
// before.
func (m *matcher) note(p posting, w weight, i uint8) bool {
	if p&inOwnName == 0 {
		w += notOwnName
	}
	if p&isFirst == 0 {
		w += notFirst
	}
	s := &m.states[p.document()]
	switch s.terms {
	case i:
		if i == 0 {
			m.touched = append(m.touched, p.document())
		}
		s.before, s.latest, s.terms = s.before+s.latest, w, i+1
	case i + 1:
		s.latest = min(s.latest, w)
	default:
		return false
	}
	return true
}

// rarestFirst orders terms so that few documents are looked at twice.
func rarestFirst(terms []term) {
	slices.SortStableFunc(terms, func(a, b term) int { return a.postings - b.postings })
}
