package fulltext

import (
	"slices"
	"unicode/utf8"
)

// weight measures how badly a document matches. It holds counts of eight bits each, the
// most important first, so the weights of several words can be added.
type weight uint32

const (
	weightTypo       weight = 1 << 24
	weightPrefix     weight = 1 << 16
	weightNotOwnName weight = 1 << 8
	weightNotFirst   weight = 1
	// minTypoLetters is the minimum length of a word in which a typo is accepted.
	minTypoLetters = 4
)

// elsewhere returns how many words were found outside the document's own name.
func (w weight) elsewhere() int { return int(w >> 8 & 0xff) }

// term is a word of a query with everything that it matches in the vocabulary.
type term struct {
	choices []choice
	// postings is the total number of postings in all choices.
	postings int
}

// choice is a range of the vocabulary and the weight of a match in it.
type choice struct {
	from, to int
	weight   weight
}

// term looks up a word. The last word of a query may be half typed, so its prefix
// matches weigh less than those of other words and may contain a typo.
func (x *Index) term(w Word, last bool) term {
	var t term
	add := func(from, to int, w weight) {
		if n := int(x.starts[to] - x.starts[from]); n > 0 {
			t.choices, t.postings = append(t.choices, choice{from, to, w}), t.postings+n
		}
	}
	found := func(s Span, whole, beginning weight) {
		if x.words.IsWord(s) {
			add(s.From, s.From+1, whole)
			s.From++
		}
		if beginning != noMatch {
			add(s.From, s.To, beginning)
		}
	}
	nearly := func(s Span) {
		if utf8.RuneCountInString(x.words.Prefix(s)) >= minTypoLetters {
			found(s, weightTypo, onlyIf(last, weightTypo+weightPrefix))
		}
	}
	letters := utf8.RuneCountInString(w.Plain)
	beginning := 2 * weightPrefix
	if last {
		beginning = weightPrefix
	}
	found(x.words.WithPrefix(w.Plain), 0, onlyIf(last || letters > 1, beginning))
	if letters >= minTypoLetters-1 {
		x.words.WithTypo(w.Plain, nearly)
		if w.Long != w.Plain {
			x.words.WithTypo(w.Long, nearly)
		}
	}
	return t
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
	terms          uint8 // number of terms that matched
}

// match visits the documents that match all terms.
func (m *matcher) match(terms []term, visit func(document int, w weight)) {
	for i, t := range terms {
		alive := false
		for _, c := range t.choices {
			for _, p := range m.index.postings[m.index.starts[c.from]:m.index.starts[c.to]] {
				alive = m.add(p, c.weight, uint8(i)) || alive
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

// add records a posting of term i if its document has matched all earlier terms, and
// reports whether it has.
func (m *matcher) add(p posting, w weight, i uint8) bool {
	if p&inOwnName == 0 {
		w += weightNotOwnName
	}
	if p&isFirst == 0 {
		w += weightNotFirst
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

// rarestFirst sorts terms so that few documents are visited more than once.
func rarestFirst(terms []term) {
	slices.SortStableFunc(terms, func(a, b term) int { return a.postings - b.postings })
}
