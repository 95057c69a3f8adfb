package fulltext

import (
	"slices"
	"sort"
	"sync"

	"aviso/internal/cancellation"
)

// Index finds documents of one version of the catalogue. It is read-only and safe for
// concurrent use.
type Index struct {
	records
	// words are those of names. Behind them come the categories: their postings are their
	// documents.
	words wordList
	// categoryWords are those of categories' names.
	categoryWords wordList
	// products is the number of the first product. Organizations come first; each kind is
	// sorted by order and ID.
	products int
	scratch  sync.Pool // of *matcher
}

// Open returns the index that Encode has encoded. It keeps data.
func Open(data string) (*Index, error) {
	all, err := split(data)
	if err != nil {
		return nil, err
	}
	x := &Index{
		records:       records{all[sectionTexts], numbers(all[sectionDocuments])},
		words:         openWords(all[sectionWords:]),
		categoryWords: openWords(all[sectionCategoryWords:]),
	}
	if x.len() > maxDocuments {
		return nil, errDamaged
	}
	x.products = sort.Search(x.len(), x.isProduct)
	x.scratch.New = func() any { return &matcher{index: x, states: make([]state, x.len())} }
	return x, nil
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

// maxWords is the number of words of a query that count. The rest is ignored.
const maxWords = 24

// Search returns a page of hits, best first: at most limit organizations and limit
// products, starting at the position that the previous page returned (empty for the
// first page).
//
// Every word of the query must match: as a whole word, as a prefix, or with one typo.
// Words that match nothing are ignored. If no document matches all the others, the
// search drops the most common word, one after another, until it finds something. A
// document may lack the query's stop words, unless the query has no other words. Hits are
// ordered by the number of typos, then of words that only the category has, then of
// prefixes. Matches in the document's own name come before matches in its organization's,
// matches of the first word before others, and shorter names before longer ones. Ties are
// ordered by name and ID.
func (x *Index) Search(
	query string, f cancellation.SearchFilter, limit int, position string,
) (cancellation.SearchPage, error) {
	start, err := parsePosition(position)
	if err != nil {
		return cancellation.SearchPage{}, err
	}
	organizations := x.newCollector(start.Organizations, limit, 0, x.products)
	products := x.newCollector(start.Products, limit, x.products, x.len())
	required, optional := x.terms(query)
	x.find(required, optional, x.filter(f), func(k key) {
		if k.document() < x.products {
			organizations.add(k)
		} else {
			products.add(k)
		}
	})
	page := cancellation.SearchPage{}
	var next pagePosition
	page.Organizations, next.Organizations = x.page(organizations)
	page.Products, next.Products = x.page(products)
	page.Next = next.String()
	return page, nil
}

// terms looks up the words of a query and returns the rarest first. It leaves out words
// that match nothing. Stop words are optional beside other words, whatever these match.
func (x *Index) terms(query string) (required, optional []term) {
	var all []Word
	for _, w := range Words(query) {
		// Of duplicates, keep the last: the last word of the query may be half typed.
		all = slices.DeleteFunc(all, func(former Word) bool { return former.Plain == w.Plain })
		if all = append(all, w); len(all) == maxWords {
			break
		}
	}
	isStopWord := func(w Word) bool { return stopWords()[w.Plain] }
	onlyStopWords := !slices.ContainsFunc(all, func(w Word) bool { return !isStopWord(w) })
	for i, w := range all {
		last := i == len(all)-1
		if isStopWord(w) && !onlyStopWords {
			optional = append(optional, x.stopWord(w, last))
		} else if t := x.term(w, last); t.postings > 0 {
			required = append(required, t)
		}
	}
	rarestFirst(required)
	return required, optional
}

// find visits the documents that pass the filter and match all required terms. If there
// are none, it drops the most common of these one by one until a document matches.
func (x *Index) find(required, optional []term, passes func(document int) bool, visit func(key)) {
	m, _ := x.scratch.Get().(*matcher)
	for found := false; !found && len(required) > 0; required = required[:len(required)-1] {
		m.match(required, optional, func(document int, w weight, matched int) {
			if passes(document) {
				found = true
				visit(keyOf(document, w, x.length(document)-matched+w.elsewhere()))
			}
		})
	}
	x.scratch.Put(m) // not deferred: after a panic, its states would not be zero
}

// filter returns a function that reports whether a document passes. All documents share
// a few texts of locales and categories, so each text is checked only once.
func (x *Index) filter(f cancellation.SearchFilter) func(document int) bool {
	locales := memoize(func(offset uint32) bool { return slices.Contains(splitLocales(read(x.texts, offset)), f.Locale) })
	categories := memoize(func(offset uint32) bool { return read(x.texts, offset) == f.CategoryID })
	return func(document int) bool {
		return (f.Locale == "" || locales(x.field(document, docLocales))) &&
			(f.CategoryID == "" || categories(x.field(document, docCategoryID)))
	}
}

func memoize(f func(uint32) bool) func(uint32) bool {
	known := map[uint32]bool{}
	return func(offset uint32) bool {
		v, ok := known[offset]
		if !ok {
			v = f(offset)
			known[offset] = v
		}
		return v
	}
}
