package fulltext

import (
	"slices"

	"aviso/internal/cancellation"
)

// maxWords is how many words of a query count; the rest of a longer one is not
// looked at.
const maxWords = 24

// Search is a page of what matches the query, best first: at most limit
// organizations and limit products, from the position on that the page before
// gave (empty for the first).
//
// Every word of the query must be found: whole, as a beginning, or with one
// typo. Where nothing has them all, words that nothing has are left out, and
// then the most common ones, one after the other, until something is found.
// Hits are ordered by the number of typos, then of beginnings; hits in the own
// name come before hits in the organization's, those at its start before
// others, and shorter names before longer ones; then by name and id.
func (x *Index) Search(query string, f cancellation.SearchFilter, limit int, position string) (cancellation.SearchPage, error) {
	start, err := parsePosition(position)
	if err != nil {
		return cancellation.SearchPage{}, err
	}
	organizations := x.collect(start.Organizations, limit, 0, x.products)
	products := x.collect(start.Products, limit, x.products, len(x.rows))
	x.find(x.terms(query), x.filter(f), func(k key) {
		if k.document() < x.products {
			organizations.add(k)
		} else {
			products.add(k)
		}
	})
	page := cancellation.SearchPage{}
	var next both
	page.Organizations, next.Organizations = x.page(organizations)
	page.Products, next.Products = x.page(products)
	page.Next = next.String()
	return page, nil
}

// terms looks the words of a query up, the rarest first. Words that match
// nothing are left out.
func (x *Index) terms(query string) []term {
	var all []Word
	for _, w := range Words(query) {
		all = slices.DeleteFunc(all, func(former Word) bool { return former.Plain == w.Plain }) // the last one may be half typed
		if all = append(all, w); len(all) == maxWords {
			break
		}
	}
	var terms []term
	for i, w := range all {
		if t := x.term(w, i == len(all)-1); t.postings > 0 {
			terms = append(terms, t)
		}
	}
	rarestFirst(terms)
	return terms
}

// find visits the documents that pass and match all terms, or where there are
// none, as many of the rarest terms as any matches.
func (x *Index) find(terms []term, passes func(document int) bool, visit func(key)) {
	m, _ := x.scratch.Get().(*matcher)
	for found := false; !found && len(terms) > 0; terms = terms[:len(terms)-1] {
		m.match(terms, func(document int, w weight) {
			if passes(document) {
				found = true
				visit(keyOf(document, w, int(x.lengths[document])-len(terms)+w.elsewhere()))
			}
		})
	}
	x.scratch.Put(m) // not after a panic: its states would not be zero
}

// filter tells which documents pass. Few texts of locales and categories stand
// for all documents, so each is looked at once.
func (x *Index) filter(f cancellation.SearchFilter) func(document int) bool {
	locales := memo(func(place uint32) bool { return slices.Contains(splitLocales(x.at(place)), f.Locale) })
	categories := memo(func(place uint32) bool { return x.at(place) == f.CategoryID })
	return func(document int) bool {
		r := &x.rows[document]
		return (f.Locale == "" || locales(r.locales)) && (f.CategoryID == "" || categories(r.categoryID))
	}
}

func memo(f func(uint32) bool) func(uint32) bool {
	known := map[uint32]bool{}
	return func(place uint32) bool {
		v, ok := known[place]
		if !ok {
			v = f(place)
			known[place] = v
		}
		return v
	}
}
