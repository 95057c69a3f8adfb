package fulltext

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"aviso/internal/cancellation"
)

// Index finds documents of one version of the catalogue. It never changes, and
// may be used by many at once.
type Index struct {
	records
	words vocabulary
	// Of the word i, postings[starts[i]:starts[i+1]].
	starts   []uint32
	postings []posting
	// lengths are the numbers of words in the documents' own names.
	lengths []uint8
	// products is the first document that is a product: organizations come
	// first, each kind in the order of orderOf.
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

// draft is a document on its way into the index.
type draft struct {
	cancellation.SearchDocument
	order    string
	postings []uint32 // a word's number, shifted as a posting
	length   uint8
}

// New makes the index of the documents. Those beyond 16 million are left out.
func New(documents []cancellation.SearchDocument) *Index {
	documents = documents[:min(len(documents), maxDocuments)]
	l := lexicon{numbers: map[string]uint32{}}
	drafts := make([]draft, len(documents))
	for i, d := range documents {
		drafts[i] = l.draft(d)
	}
	slices.SortFunc(drafts, func(a, b draft) int {
		return cmp.Or(cmp.Compare(rank(a.Kind), rank(b.Kind)), cmp.Compare(a.order, b.order), cmp.Compare(a.ID, b.ID))
	})

	x := &Index{lengths: make([]uint8, len(drafts))}
	w := newWriter(len(drafts))
	for i, d := range drafts {
		x.lengths[i] = d.length
		if rank(d.Kind) == 0 {
			x.products = i + 1
		}
		w.add(d.SearchDocument)
	}
	x.records = w.finish()
	x.fill(l, drafts)
	x.scratch.New = func() any { return &matcher{index: x, states: make([]state, len(drafts))} }
	return x
}

func rank(k cancellation.SearchKind) int {
	if k == cancellation.SearchProduct {
		return 1
	}
	return 0
}

// orderOf is the name as equally good hits are ordered by it; the id settles
// what is left. It is cut, so that page positions stay short.
func orderOf(own []word) string {
	const longest = 120
	var b strings.Builder
	for i, w := range own {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.plain)
		if b.Len() > longest {
			break
		}
	}
	order := b.String()
	for len(order) > longest {
		_, size := utf8.DecodeLastRuneInString(order)
		order = order[:len(order)-size]
	}
	return order
}

// lexicon numbers words as they come.
type lexicon struct {
	words   []string
	numbers map[string]uint32
	room    []uint32
}

func (l *lexicon) number(word string) uint32 {
	n, known := l.numbers[word]
	if !known {
		n = uint32(len(l.words))
		l.words, l.numbers[word] = append(l.words, word), n
	}
	return n
}

func (l *lexicon) draft(d cancellation.SearchDocument) draft {
	own := words(d.Name)
	l.room = l.room[:0]
	for i, w := range own {
		flags := inOwnName
		if i == 0 {
			flags |= isFirst
		}
		l.note(w, flags)
	}
	for _, w := range joined(d.Name) {
		l.note(w, inOwnName)
	}
	if d.Kind == cancellation.SearchProduct {
		for _, w := range words(d.OrganizationName) {
			l.note(w, 0)
		}
		for _, w := range joined(d.OrganizationName) {
			l.note(w, 0)
		}
	}
	return draft{SearchDocument: d, order: orderOf(own), postings: slices.Clone(l.room), length: uint8(min(len(own), math.MaxUint8))}
}

// note adds both forms of a word to the draft under way. The first note of a
// word is the one that counts.
func (l *lexicon) note(w word, flags posting) {
	l.noteForm(w.plain, flags)
	if w.long != w.plain {
		l.noteForm(w.long, flags)
	}
}

func (l *lexicon) noteForm(form string, flags posting) {
	n := l.number(form)
	if !slices.ContainsFunc(l.room, func(noted uint32) bool { return noted>>2 == n }) {
		l.room = append(l.room, n<<2|uint32(flags))
	}
}

// fill sorts the words, and the drafts' postings by word.
func (x *Index) fill(l lexicon, drafts []draft) {
	byWord := make([]uint32, len(l.words))
	for i := range byWord {
		byWord[i] = uint32(i)
	}
	slices.SortFunc(byWord, func(a, b uint32) int { return cmp.Compare(l.words[a], l.words[b]) })
	places := make([]uint32, len(byWord)) // of words by their numbers
	x.words = make(vocabulary, len(byWord))
	for place, number := range byWord {
		places[number], x.words[place] = uint32(place), l.words[number]
	}

	x.starts = make([]uint32, len(x.words)+1)
	for _, d := range drafts {
		for _, p := range d.postings {
			x.starts[places[p>>2]+1]++
		}
	}
	for i := range x.words {
		x.starts[i+1] += x.starts[i]
	}
	x.postings = make([]posting, x.starts[len(x.words)])
	next := slices.Clone(x.starts)
	for i, d := range drafts {
		for _, p := range d.postings {
			place := places[p>>2]
			x.postings[next[place]] = posting(i)<<2 | posting(p&3)
			next[place]++
		}
	}
}
