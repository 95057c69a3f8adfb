package fulltext

import (
	"math"
	"slices"

	"aviso/internal/cancellation"
)

// lexicon collects the words of all documents' names, in the order of reading.
type lexicon struct {
	words   []string
	numbers map[string]uint32 // index in words
	// postings lists the words of each document in turn: the word's number, shifted as
	// in a posting. ends has the end of each document's part.
	postings, ends []uint32
	// orders and lengths are by document; see orderOf and Index.
	orders  []string
	lengths []uint8
	// categories has the number of each document's category, categoryWords the numbers of
	// the categories that have a word in a name.
	categories      []int
	categoryNumbers map[string]int
	categoryWords   map[string][]int
	tokenizer       Tokenizer
}

func newLexicon(documents int) *lexicon {
	return &lexicon{
		numbers: map[string]uint32{}, postings: make([]uint32, 0, 6*documents), ends: make([]uint32, 0, documents),
		orders: make([]string, 0, documents), lengths: make([]uint8, 0, documents),
		categories: make([]int, 0, documents), categoryNumbers: map[string]int{}, categoryWords: map[string][]int{},
	}
}

// wordsOf returns the postings of a document.
func (l *lexicon) wordsOf(document int) []uint32 {
	return l.postings[l.start(document):l.ends[document]]
}

func (l *lexicon) start(document int) uint32 {
	if document == 0 {
		return 0
	}
	return l.ends[document-1]
}

// add adds the words of the next document.
func (l *lexicon) add(d *cancellation.SearchDocument) {
	start := len(l.postings)
	own, flags := 0, inOwnName|isFirst
	addOwn := func(plain, long []byte) {
		l.addWord(start, plain, flags)
		l.addWord(start, long, flags)
		own, flags = own+1, inOwnName
	}
	l.tokenizer.Each(d.Name, addOwn)
	l.orders = append(l.orders, orderOf(&l.tokenizer, d.Name))
	l.lengths = append(l.lengths, uint8(min(own, math.MaxUint8)))
	l.tokenizer.EachJoined(d.Name, addOwn)
	if d.Kind == cancellation.SearchProduct {
		elsewhere := func(plain, long []byte) {
			l.addWord(start, plain, 0)
			l.addWord(start, long, 0)
		}
		l.tokenizer.Each(d.OrganizationName, elsewhere)
		l.tokenizer.EachJoined(d.OrganizationName, elsewhere)
	}
	l.ends = append(l.ends, uint32(len(l.postings)))
	l.categories = append(l.categories, l.category(d))
}

// category returns the number of the document's category. It adds the words of the
// category's names when it first sees it.
func (l *lexicon) category(d *cancellation.SearchDocument) int {
	number, known := l.categoryNumbers[d.CategoryID]
	if known {
		return number
	}
	number = len(l.categoryNumbers)
	l.categoryNumbers[d.CategoryID] = number
	for _, name := range d.CategoryNames {
		l.tokenizer.Each(name, func(plain, long []byte) {
			for _, w := range []string{string(plain), string(long)} {
				if !stopWords()[w] && !slices.Contains(l.categoryWords[w], number) {
					l.categoryWords[w] = append(l.categoryWords[w], number)
				}
			}
		})
	}
	return number
}

// addWord adds a word to the document whose postings begin at start. Only the first
// occurrence of a word counts.
func (l *lexicon) addWord(start int, word []byte, flags posting) {
	n, known := l.numbers[string(word)]
	if !known {
		n = uint32(len(l.words))
		w := string(word)
		l.words, l.numbers[w] = append(l.words, w), n
	}
	if !slices.ContainsFunc(l.postings[start:], func(added uint32) bool { return added>>2 == n }) {
		l.postings = append(l.postings, n<<2|uint32(flags))
	}
}
