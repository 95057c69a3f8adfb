package fulltext

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"unicode/utf8"

	"aviso/internal/cancellation"
)

// Index finds documents of one version of the catalogue. It is read-only and safe for
// concurrent use.
type Index struct {
	records
	words Vocabulary
	// categoryWords has the words of categories' names, and withWord the categories that
	// have each of them: the index in starts of the category's postings.
	categoryWords Vocabulary
	withWord      [][]int
	// The postings of word i are postings[starts[i]:starts[i+1]]. Behind the words come
	// the categories: their postings are their documents.
	starts   []uint32
	postings []posting
	// lengths has the number of words in each document's own name.
	lengths []uint8
	// products is the number of the first product. Organizations come first; each kind
	// is sorted by order and ID.
	products  int
	stopWords map[string]bool
	scratch   sync.Pool // of *matcher
}

// posting is the number of a document that contains a word, shifted left by two, and
// flags that say where: in its own name or only in its organization's or category's, and
// whether it is the first word.
type posting uint32

const (
	inOwnName posting = 2
	isFirst   posting = 1
)

func (p posting) document() int { return int(p >> 2) }

// maxDocuments is the number of documents that fit into the keys of hits.
const maxDocuments = 1 << 24

// New returns an index of the documents. It ignores all beyond maxDocuments.
func New(documents []cancellation.SearchDocument) *Index {
	documents = documents[:min(len(documents), maxDocuments)]
	l := newLexicon(len(documents))
	order := make([]int, len(documents))
	for i := range documents {
		l.add(&documents[i])
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(
			cmp.Compare(rank(documents[a].Kind), rank(documents[b].Kind)),
			cmp.Compare(l.orders[a], l.orders[b]),
			cmp.Compare(documents[a].ID, documents[b].ID),
		)
	})

	x := &Index{lengths: make([]uint8, len(documents)), stopWords: l.stopWords}
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
	// len(x.rows), not len(documents): the closure would keep documents in memory.
	x.scratch.New = func() any { return &matcher{index: x, states: make([]state, len(x.rows))} }
	return x
}

func rank(k cancellation.SearchKind) int {
	if k == cancellation.SearchProduct {
		return 1
	}
	return 0
}

// orderOf returns the form of a name by which equally good hits are sorted; the ID
// breaks ties. It is cut off so that page positions stay short.
func orderOf(c *Tokenizer, name string) string {
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

// fill builds the vocabulary and the postings of each word.
func (x *Index) fill(l *lexicon, order []int) {
	byWord := make([]uint32, len(l.words))
	for i := range byWord {
		byWord[i] = uint32(i)
	}
	slices.SortFunc(byWord, func(a, b uint32) int { return cmp.Compare(l.words[a], l.words[b]) })
	places := make([]uint32, len(byWord)) // index in the vocabulary by word number
	x.words = make(Vocabulary, len(byWord))
	for place, number := range byWord {
		places[number], x.words[place] = uint32(place), l.words[number]
	}

	x.categoryWords = slices.Sorted(maps.Keys(l.categoryWords))
	for _, w := range x.categoryWords {
		x.withWord = append(x.withWord, l.categoryWords[w])
		for i := range l.categoryWords[w] {
			l.categoryWords[w][i] += len(x.words)
		}
	}

	x.starts = make([]uint32, len(x.words)+len(l.categoryNumbers)+1)
	for _, p := range l.postings {
		x.starts[places[p>>2]+1]++
	}
	for _, category := range l.categories {
		x.starts[len(x.words)+category+1]++
	}
	for i := range x.starts[1:] {
		x.starts[i+1] += x.starts[i]
	}
	x.postings = make([]posting, len(l.postings)+len(l.categories))
	next := slices.Clone(x.starts)
	add := func(place, document int, flags posting) {
		x.postings[next[place]] = posting(document)<<2 | flags
		next[place]++
	}
	for document, i := range order {
		for _, p := range l.wordsOf(i) {
			add(int(places[p>>2]), document, posting(p&3))
		}
		add(len(x.words)+l.categories[i], document, 0)
	}
}
