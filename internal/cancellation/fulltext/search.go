// Package fulltext finds organizations and products by text input. The importer writes a snapshot of each version of
// the catalogue, and the search makes an index of it (index.go). A query is compared with all words of names, and
// then with every document (search.go): with 100,000 documents that takes a few milliseconds.
//
// The rank of a hit is one number that depends only on the query and the document. So a page can continue after a hit
// even if other parts of the catalogue have changed.
//
// SQLite's FTS5 (modernc.org/sqlite 1.50.0) ranked worse. With our words and our search for typos,
// it took 83 MB and 2 s to build on the same data; this index takes 0.15 s of processor time.
package fulltext

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/catalogue"
	"aviso/internal/textfold"
)

// maxWords is the maximum number of words of a query. More words are ignored.
const maxWords = 24

// Search returns a page of hits, best first: at most limit organizations and limit products, from the position that
// the previous page returned (empty for the first page).
//
// Every word of the query must match: as a whole word, as a beginning, or with one typo. Words
// that match nothing are ignored. If no document matches all the others, those count that match
// the rarest ones. A document may lack the query's stop words, unless the query has no other words.
// A query is also read with its words in one, or in several (readings.go): the reading counts of
// which most letters match. docs/search.md has the order of hits.
func (x *Index) Search(
	query string, f catalogue.SearchFilter, limit int, position string,
) (page catalogue.SearchPage, err error) {
	var start, next pagePosition
	if err = json.Unmarshal([]byte(cmp.Or(position, "{}")), &start); err != nil {
		return page, fmt.Errorf("search position: %w", err)
	}
	var best found
	for i, reading := range x.readings(query) {
		if position != "" && i != start.Reading {
			continue
		}
		// A reading is worth looking at only if it has something that the former ones lack.
		if in := x.find(reading, f, limit, start); i == 0 || in.letters > best.letters || position != "" {
			best, next.Reading = in, i
		}
		if best.all {
			break
		}
	}
	page.Organizations, next.Organizations = x.page(best.organizations)
	page.Products, next.Products = x.page(best.products)
	if !next.Organizations.End || !next.Products.End {
		text, _ := json.Marshal(next) // only strings and numbers: cannot fail
		page.Next = string(text)
	}
	return page, nil
}

// found is what was found for a reading of a query.
type found struct {
	organizations, products hits
	// letters is how many letters of the query the best documents match, and all whether that is all.
	// Of a word with a typo, half count.
	letters int
	all     bool
}

// find finds the documents that match the words.
func (x *Index) find(words []string, f catalogue.SearchFilter, limit int, start pagePosition) found {
	out := found{
		organizations: hits{from: x.keyAfter(start.Organizations, 0, x.products), limit: limit},
		products:      hits{from: x.keyAfter(start.Products, x.products, len(x.documents)), limit: limit},
	}
	required, optional, wanted := x.terms(words)
	most, all := 1, 0 // how much the terms are worth that the best documents match, and all terms
	for _, t := range required {
		all += t.worth
	}
	for i := range x.documents {
		d := &x.documents[i]
		matched, letters, worth, left, w := 0, 0, 0, all, weight(0)
		for _, t := range required {
			if worth+left < most {
				break // whatever it matches besides
			}
			left -= t.worth
			if in := t.in(x, i); in < noMatch {
				matched, letters, worth, w = matched+1, letters+t.lettersOf(in), worth+t.worth, w+in
			}
		}
		if worth < most || !x.passes(d, f) {
			continue
		}
		if worth > most {
			most, out.letters, out.organizations.keys, out.products.keys = worth, letters, out.organizations.keys[:0], out.products.keys[:0]
		}
		for _, t := range optional {
			// To lack the word weighs as much as having it at another place than the first.
			if in := t.in(x, i); in < noMatch {
				matched, w = matched+1, w+in
			} else {
				w += weightNotFirst
			}
		}
		elsewhere := int(w / weightNotOwnName & 0xff)
		if k := keyOf(i, w, int(d.length)-matched+elsewhere); i < x.products {
			out.organizations.add(k)
		} else {
			out.products.add(k)
		}
	}
	out.all = out.letters == wanted
	return out
}

// terms looks up words, and returns those that are worth most first. It leaves out words that match nothing, but counts
// the letters of all that should match. Stop words are optional beside other words, whatever these match.
func (x *Index) terms(words []string) (required, optional []*term, wanted int) {
	var all []*term
	for _, w := range words {
		t := &term{short: textfold.Short(w), long: w}
		t.letters, t.isStopWord = utf8.RuneCountInString(t.short), isStopWord(w)
		if !t.isStopWord {
			wanted += t.letters
		}
		// Of duplicates, keep the last: the last word of the query may be half typed.
		all = slices.DeleteFunc(all, func(former *term) bool { return former.short == t.short })
		if all = append(all, t); len(all) == maxWords {
			break
		}
	}
	onlyStopWords := !slices.ContainsFunc(all, func(t *term) bool { return !t.isStopWord })
	for i, t := range all {
		t.last, t.isStopWord = i == len(all)-1, t.isStopWord && !onlyStopWords
		if t.lookUp(x); t.isStopWord {
			optional = append(optional, t)
		} else if t.names > 0 {
			t.worth = int(16*math.Log2(1+float64(len(x.documents))/float64(t.names))) * maxWords
			if slices.Min(t.matches) >= weightTypo && slices.Min(t.categories) >= weightTypo {
				t.worth /= 2 // somebody has more likely mistyped this word than the others
			}
			t.worth += len(all) - i // of equally rare words, the first counts
			required = append(required, t)
		}
	}
	slices.SortStableFunc(required, func(a, b *term) int { return b.worth - a.worth })
	return required, optional, wanted
}

func (x *Index) passes(d *document, f catalogue.SearchFilter) bool {
	locales, _, _ := strings.Cut(d.line, "\t")
	return (f.CategoryID == "" || x.categories[d.category].id == f.CategoryID) &&
		(f.Confirmed == nil || *f.Confirmed != isSet(x.organization(d)[fieldUnconfirmed])) &&
		(f.Locale == "" || slices.Contains(strings.Fields(locales), string(f.Locale)))
}

// organization returns the fields of a document's organization.
func (x *Index) organization(d *document) []string {
	return strings.Split(x.documents[d.organization].line, "\t")
}

func isSet(field string) bool { return field == strconv.FormatBool(true) }

// document returns the shown fields of a hit.
func (x *Index) document(i int) catalogue.SearchDocument {
	d := x.documents[i]
	f, of := strings.Split(d.line, "\t"), x.organization(&d)
	found := catalogue.SearchDocument{
		Kind: catalogue.SearchOrganization, ID: f[fieldID], OrganizationID: of[fieldID],
		CategoryID: x.categories[d.category].id, Name: f[fieldName], OrganizationName: of[fieldName],
		ExtraConsent: isSet(of[fieldExtraConsent]), Unconfirmed: isSet(of[fieldUnconfirmed]),
		URL: of[fieldURL], Source: of[fieldSource],
	}
	if i >= x.products {
		found.Kind = catalogue.SearchProduct
	}
	for l := range strings.FieldsSeq(f[fieldLocales]) {
		found.Locales = append(found.Locales, cancellation.Locale(l))
	}
	return found
}

// key orders hits: by weight, then by the number of words in the document's own name that the query lacks, then by
// document. Documents are numbered by name and ID.
type key uint64

// maxDocuments is the number of documents that fit into keys.
const documentBits, maxDocuments = 24, 1 << 24

func keyOf(document int, w weight, extraWords int) key {
	return key(w)<<32 | key(min(max(extraWords, 0), 255))<<documentBits | key(document)
}

// pagePosition is the start of a page in the two lists.
type pagePosition struct {
	// Reading is the number of the reading of the query.
	Reading int `json:"r,omitempty"`

	Organizations listPosition `json:"o"`
	Products      listPosition `json:"p"`
}

// listPosition is the position after a hit. It identifies the hit by score, name and ID, which do not depend on the
// rest of the catalogue. So the next page starts at the same point even in another version. The zero value is the
// start of the list.
type listPosition struct {
	// End is set if the list has no more hits.
	End bool `json:"e,omitempty"`
	// Score is the part of the key that depends only on the query and the document.
	Score key    `json:"s,omitempty"`
	Order string `json:"n,omitempty"`
	ID    string `json:"i,omitempty"`
}

// hits are the keys of documents, starting at a key. Only the best limit+1 are kept.
type hits struct {
	from  key
	keys  []key
	limit int
}

func (h *hits) add(k key) {
	if k >= h.from {
		h.keys = append(h.keys, k)
	}
	if len(h.keys) >= 8*(h.limit+1) {
		h.sort()
	}
}

func (h *hits) sort() {
	slices.Sort(h.keys)
	h.keys = h.keys[:min(len(h.keys), h.limit+1)]
}

// keyAfter returns the first key after p among the documents from first up to, but not including, end.
func (x *Index) keyAfter(p listPosition, first, end int) key {
	switch {
	case p.End:
		return ^key(0)
	case p.ID == "":
		return 0
	}
	after, _ := slices.BinarySearchFunc(x.documents[first:end], p, func(d document, p listPosition) int {
		f := strings.Split(d.line, "\t")
		return cmp.Or(cmp.Compare(orderOf(f[fieldName]), p.Order), cmp.Compare(f[fieldID], p.ID), -1)
	})
	return p.Score<<documentBits + key(first+after)
}

// page returns the first documents and the position after them.
func (x *Index) page(h hits) ([]catalogue.SearchDocument, listPosition) {
	h.sort()
	page := h.keys[:min(len(h.keys), h.limit)]
	documents := make([]catalogue.SearchDocument, len(page))
	for i, k := range page {
		documents[i] = x.document(int(k & (maxDocuments - 1)))
	}
	if len(h.keys) <= h.limit {
		return documents, listPosition{End: true}
	}
	last, score := documents[h.limit-1], page[h.limit-1]>>documentBits
	return documents, listPosition{Score: score, Order: orderOf(last.Name), ID: last.ID}
}

// weight measures how badly a document matches. It contains counts, the most important first, so that the weights of
// several words can be added. Each count has room for maxWords, and for twice as many prefix matches.
type weight uint32

const (
	weightTypo       weight = 1 << 27
	weightCategory   weight = 1 << 22
	weightBeginning  weight = 1 << 16
	weightNotOwnName weight = 1 << 8
	weightNotFirst   weight = 1
	// noMatch is more than the weight of any match.
	noMatch weight = 1 << 31

	// minTypoLetters is the minimum length of a word for accepting a typo.
	minTypoLetters = 4
	// minCategoryLetters is the minimum length of a word for prefix matches in categories' names. Shorter words must
	// match whole words.
	minCategoryLetters = 3
)

// term is a word of a query and its matches.
type term struct {
	// short and long are its forms (see words). A typo in one of the two letters of an umlaut is a single typo only in
	// the long form.
	short, long string
	letters     int // of the short form
	// last is set for the last word of the query, which may be incomplete.
	last, isStopWord bool
	// matches has the weights of its matches in the vocabulary. categories has those in categories' names; a stop word
	// has none there.
	matches, categories []weight
	// names is how many match, each counted once for each of its words that does. worth says how much the
	// word tells about what is looked for: more if fewer names have it.
	names, worth int
}

// match compares the word with a word of a name: whole, as a prefix, with a typo, or as a prefix with a typo.
func (t *term) match(name string) weight {
	isBeginning := strings.HasPrefix(name, t.short)
	switch {
	case name == t.short, isBeginning && t.isStopWord && t.last:
		return 0
	case t.isStopWord:
		return noMatch
	case isBeginning && t.last:
		return weightBeginning
	case isBeginning && t.letters > 1:
		return 2 * weightBeginning
	case t.letters < minTypoLetters-1:
		return noMatch
	case t.long == t.short:
		return withTypo(name, t.short, t.last)
	}
	return min(withTypo(name, t.short, t.last), withTypo(name, t.long, t.last))
}

// withTypo compares words that differ by one letter: added, missing, wrong or swapped with its neighbour. The typo is
// where they first differ.
func withTypo(name, typed string, last bool) weight {
	same := 0
	for same < min(len(name), len(typed)) && name[same] == typed[same] {
		same++
	}
	for same > 0 && same < len(typed) && !utf8.RuneStart(typed[same]) {
		same--
	}
	_, nameRest := cut(name[same:])
	first, typedRest := cut(typed[same:])
	found := noMatch
	compare := func(rest, want string) {
		switch {
		case !strings.HasPrefix(rest, want):
		case utf8.RuneCountInString(name[:len(name)-len(rest)+len(want)]) < minTypoLetters:
		case rest == want:
			found = weightTypo
		case last:
			found = min(found, weightTypo+weightBeginning)
		}
	}
	compare(name[same:], typedRest) // added
	compare(nameRest, typed[same:]) // missing
	compare(nameRest, typedRest)    // wrong
	second, typedEnd := cut(typedRest)
	if rest := name[same:]; strings.HasPrefix(rest, second) && strings.HasPrefix(rest[len(second):], first) {
		compare(rest[len(first)+len(second):], typedEnd) // swapped
	}
	return found
}

// cut splits off the first letter.
func cut(s string) (letter, rest string) {
	_, size := utf8.DecodeRuneInString(s)
	return s[:size], s[size:]
}

// lettersOf returns how many letters count for a match: half of a word with a typo.
func (t *term) lettersOf(match weight) int {
	if match >= weightTypo {
		return t.letters / 2
	}
	return t.letters
}

// lookUp finds what the term matches.
func (t *term) lookUp(x *Index) {
	t.matches = make([]weight, len(x.vocabulary))
	for i, word := range x.vocabulary {
		if t.matches[i] = t.match(word); t.matches[i] != noMatch {
			t.names += int(x.frequencies[i])
		}
	}
	for _, c := range x.categories {
		best := noMatch
		for _, w := range x.in(c.words) {
			if m := t.matches[w>>1]; !t.isStopWord && (m == 0 || t.letters >= minCategoryLetters) {
				best = min(best, m)
			}
		}
		if best != noMatch {
			t.names += c.names
			best += weightCategory + weightNotOwnName + weightNotFirst
		}
		t.categories = append(t.categories, best)
	}
}

// in returns the weight of the term's best match in a document, or at least noMatch.
func (t *term) in(x *Index, document int) weight {
	d := &x.documents[document]
	best := min(t.inName(x, d), t.categories[d.category])
	if document < x.products {
		return best
	}
	inOrganization := t.inName(x, &x.documents[d.organization])
	return min(best, weightNotOwnName+(inOrganization|weightNotFirst))
}

// inName returns the weight of the term's best match in the document's own name.
func (t *term) inName(x *Index, d *document) weight {
	best := noMatch
	for _, w := range x.in(d.words) {
		best = min(best, t.matches[w>>1]+weight(w&notFirst)*weightNotFirst)
	}
	return best
}
