package fulltext

import (
	"cmp"
	"maps"
	"slices"
	"unicode/utf8"

	"aviso/internal/cancellation"
)

// maxDocuments is the number of documents that fit into the keys of hits.
const maxDocuments = 1 << documentBits

// Encode returns an index of the documents, for Open. It ignores all beyond maxDocuments.
// The same documents give the same bytes.
func Encode(documents []cancellation.SearchDocument) []byte {
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
	w := newWriter()
	for _, i := range order {
		w.add(documents[i], l.lengths[i])
	}
	words, categoryWords := l.encode(order)
	all := [sections][]byte{w.text, w.encode()}
	copy(all[sectionWords:], words[:])
	copy(all[sectionCategoryWords:], categoryWords[:])
	return encode(all)
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

// encode returns the words of names and those of categories' names, with their postings.
// order has the numbers of the documents.
func (l *lexicon) encode(order []int) (words, categoryWords [sectionsOfWords][]byte) {
	sorted := slices.Sorted(slices.Values(l.words))
	places := make([]int, len(sorted)) // index in sorted by word number
	for place, word := range sorted {
		places[l.numbers[word]] = place
	}
	lists := make([][]uint32, len(sorted)+len(l.categoryNumbers))
	add := func(place, document int, flags posting) {
		lists[place] = append(lists[place], uint32(posting(document)<<2|flags))
	}
	for document, i := range order {
		for _, p := range l.wordsOf(i) {
			add(places[p>>2], document, posting(p&3))
		}
		add(len(sorted)+l.categories[i], document, 0)
	}
	ofCategories := slices.Sorted(maps.Keys(l.categoryWords))
	var listsOfCategories [][]uint32
	for _, word := range ofCategories {
		var list []uint32
		for _, category := range l.categoryWords[word] {
			list = append(list, uint32(len(sorted)+category))
		}
		listsOfCategories = append(listsOfCategories, list)
	}
	return encodeWords(sorted, lists), encodeWords(ofCategories, listsOfCategories)
}
