package fulltext

import (
	"math"
	"slices"

	"aviso/internal/cancellation"
)

// lexicon is what the names of documents are made of, in the order in which they
// are read.
type lexicon struct {
	words   []string
	numbers map[string]uint32
	// postings are the words of one document after the other: the word's number,
	// shifted as in a posting. ends are where those of each document end.
	postings, ends []uint32
	// orders and lengths are by document; see orderOf and Index.
	orders  []string
	lengths []uint8
	cutter  Cutter
}

func newLexicon(documents int) *lexicon {
	return &lexicon{
		numbers: map[string]uint32{}, postings: make([]uint32, 0, 6*documents), ends: make([]uint32, 0, documents),
		orders: make([]string, 0, documents), lengths: make([]uint8, 0, documents),
	}
}

// of is the words of a document.
func (l *lexicon) of(document int) []uint32 {
	return l.postings[l.start(document):l.ends[document]]
}

func (l *lexicon) start(document int) uint32 {
	if document == 0 {
		return 0
	}
	return l.ends[document-1]
}

// read takes the words of the next document.
func (l *lexicon) read(d *cancellation.SearchDocument) {
	start := len(l.postings)
	own, flags := 0, inOwnName|isFirst
	note := func(plain, long []byte) {
		l.note(start, plain, flags)
		l.note(start, long, flags)
		own, flags = own+1, inOwnName
	}
	l.cutter.Each(d.Name, note)
	l.orders, l.lengths = append(l.orders, orderOf(&l.cutter, d.Name)), append(l.lengths, uint8(min(own, math.MaxUint8)))
	l.cutter.EachJoined(d.Name, note)
	if d.Kind == cancellation.SearchProduct {
		elsewhere := func(plain, long []byte) {
			l.note(start, plain, 0)
			l.note(start, long, 0)
		}
		l.cutter.Each(d.OrganizationName, elsewhere)
		l.cutter.EachJoined(d.OrganizationName, elsewhere)
	}
	l.ends = append(l.ends, uint32(len(l.postings)))
}

// note adds a word to the document whose words begin at start. The first note of
// a word is the one that counts.
func (l *lexicon) note(start int, word []byte, flags posting) {
	n, known := l.numbers[string(word)]
	if !known {
		n = uint32(len(l.words))
		w := string(word)
		l.words, l.numbers[w] = append(l.words, w), n
	}
	if !slices.ContainsFunc(l.postings[start:], func(noted uint32) bool { return noted>>2 == n }) {
		l.postings = append(l.postings, n<<2|uint32(flags))
	}
}
