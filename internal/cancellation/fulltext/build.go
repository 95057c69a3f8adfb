package fulltext

import (
	"cmp"
	"slices"
	"sync"
	"unicode/utf8"

	"aviso/internal/cancellation"
)

// Index finds documents of one version of the catalogue. It never changes, and
// may be used by many at once.
type Index struct {
	records
	words List
	// Of the word i, postings[starts[i]:starts[i+1]].
	starts   []uint32
	postings []posting
	// lengths are the numbers of words in the documents' own names.
	lengths []uint8
	// products is the first document that is a product: organizations come
	// first, each kind by order and id.
	products int
	scratch  sync.Pool // of *matcher
}

// posting is a document that holds a word, shifted left by two, and where: in
// its own name or only in that of its organization, as the first word or not.
type posting uint32

const (
	inOwnName posting = 2
	isFirst   posting = 1
)

func (p posting) document() int { return int(p >> 2) }

// maxDocuments is how many documents the keys of hits have room for.
const maxDocuments = 1 << 24

// New makes the index of the documents. Those beyond 16 million are left out.
func New(documents []cancellation.SearchDocument) *Index {
	documents = documents[:min(len(documents), maxDocuments)]
	l := newLexicon(len(documents))
	order := make([]int, len(documents))
	for i := range documents {
		l.read(&documents[i])
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(rank(documents[a].Kind), rank(documents[b].Kind)), cmp.Compare(l.orders[a], l.orders[b]), cmp.Compare(documents[a].ID, documents[b].ID))
	})

	x := &Index{lengths: make([]uint8, len(documents))}
	w := newWriter(len(documents))
	for place, i := range order {
		x.lengths[place] = l.lengths[i]
		if rank(documents[i].Kind) == 0 {
			x.products = place + 1
		}
		w.add(documents[i])
	}
	x.records = w.finish()
	x.fill(l, order)
	x.scratch.New = func() any { return &matcher{index: x, states: make([]state, len(x.rows))} } // not of documents: it would hold them
	return x
}

func rank(k cancellation.SearchKind) int {
	if k == cancellation.SearchProduct {
		return 1
	}
	return 0
}

// orderOf is the name as equally good hits are ordered by it; the id settles what
// is left. It is cut, so that page positions stay short.
func orderOf(c *Cutter, name string) string {
	const longest = 120
	order := make([]byte, 0, 2*longest)
	c.Each(name, func(plain, _ []byte) {
		if len(order) > 0 {
			order = append(order, ' ')
		}
		order = append(order, plain...)
	})
	for len(order) > longest {
		_, size := utf8.DecodeLastRune(order)
		order = order[:len(order)-size]
	}
	return string(order)
}

// fill sorts the words, and the postings by word.
func (x *Index) fill(l *lexicon, order []int) {
	byWord := make([]uint32, len(l.words))
	for i := range byWord {
		byWord[i] = uint32(i)
	}
	slices.SortFunc(byWord, func(a, b uint32) int { return cmp.Compare(l.words[a], l.words[b]) })
	places := make([]uint32, len(byWord)) // of words by their numbers
	x.words = make(List, len(byWord))
	for place, number := range byWord {
		places[number], x.words[place] = uint32(place), l.words[number]
	}

	x.starts = make([]uint32, len(x.words)+1)
	for _, p := range l.postings {
		x.starts[places[p>>2]+1]++
	}
	for i := range x.words {
		x.starts[i+1] += x.starts[i]
	}
	x.postings = make([]posting, len(l.postings))
	next := slices.Clone(x.starts)
	for document, i := range order {
		for _, p := range l.of(i) {
			place := places[p>>2]
			x.postings[next[place]] = posting(document)<<2 | posting(p&3)
			next[place]++
		}
	}
}
