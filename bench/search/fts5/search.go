package fts5

import (
	"context"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/fulltext/vocabulary"
)

const (
	// As in package fulltext: how many words of a query count, and how long a
	// word must be for a typo in it to be forgiven.
	maxWords     = 24
	leastLetters = 4
)

// term is a word of a query as FTS5 is asked for it.
type term struct {
	// match is an expression of FTS5.
	match string
	// documents is how many hold the words it stands for, added up.
	documents int
}

// Search is a first page. Unknown words are corrected; where that finds nothing,
// known ones are, too; and then the most common words are let go.
func (x *Index) Search(query string, f cancellation.SearchFilter, limit int, position string) (cancellation.SearchPage, error) {
	if position != "" {
		return cancellation.SearchPage{}, errors.New("fts5: there is no second page")
	}
	words := vocabulary.Words(query)
	words = words[:min(len(words), maxWords)]
	page, err := x.find(x.terms(words, false), f, limit)
	if err != nil || !isEmpty(page) {
		return page, err
	}
	terms := x.terms(words, true)
	slices.SortStableFunc(terms, func(a, b term) int { return a.documents - b.documents })
	for ; len(terms) > 0; terms = terms[:len(terms)-1] {
		if page, err = x.find(terms, f, limit); err != nil || !isEmpty(page) {
			return page, err
		}
	}
	return page, nil
}

func isEmpty(p cancellation.SearchPage) bool {
	return len(p.Organizations) == 0 && len(p.Products) == 0
}

// terms leaves out words that match nothing.
func (x *Index) terms(words []vocabulary.Word, correctAll bool) []term {
	var terms []term
	for i, w := range words {
		if t := x.term(w, i == len(words)-1, correctAll); t.match != "" {
			terms = append(terms, t)
		}
	}
	return terms
}

// term is the word itself, what begins so, and where it is unknown, what is one
// letter away from it. The last word of a query may be half typed.
func (x *Index) term(w vocabulary.Word, last, correct bool) term {
	var t term
	var matches []string
	add := func(s vocabulary.Span, beginning bool) {
		match := `"` + x.words.Beginning(s) + `"`
		if beginning {
			match += "*"
		} else {
			s.To = s.From + 1
		}
		if !slices.Contains(matches, match) {
			matches, t.documents = append(matches, match), t.documents+x.before[s.To]-x.before[s.From]
		}
	}
	letters := utf8.RuneCountInString(w.Plain)
	s := x.words.Prefixed(w.Plain)
	whole := x.words.Whole(s)
	if !s.Empty() && (whole || last || letters > 1) {
		add(s, last || letters > 1)
	}
	if known := whole || last && !s.Empty(); (correct || !known) && letters >= leastLetters-1 {
		near := func(s vocabulary.Span) {
			if utf8.RuneCountInString(x.words.Beginning(s)) >= leastLetters && (last || x.words.Whole(s)) {
				add(s, last)
			}
		}
		x.words.Nearly(w.Plain, near)
		if w.Long != w.Plain {
			x.words.Nearly(w.Long, near)
		}
	}
	if len(matches) > 0 {
		t.match = "(" + strings.Join(matches, " OR ") + ")"
	}
	return t
}

// find asks for what matches all terms.
func (x *Index) find(terms []term, f cancellation.SearchFilter, limit int) (page cancellation.SearchPage, err error) {
	if len(terms) == 0 {
		return page, nil
	}
	matches := make([]string, len(terms))
	for i, t := range terms {
		matches[i] = t.match
	}
	match := "{own other} : (" + strings.Join(matches, " AND ") + ")"
	if f.Locale != "" {
		match += " AND facets : " + localeFacet(f.Locale)
	}
	if f.CategoryID != "" {
		match += " AND facets : " + categoryFacet(f.CategoryID)
	}
	if page.Organizations, err = x.read(cancellation.SearchOrganization, match, limit); err != nil {
		return page, err
	}
	page.Products, err = x.read(cancellation.SearchProduct, match, limit)
	return page, err
}

func (x *Index) read(kind cancellation.SearchKind, match string, limit int) ([]cancellation.SearchDocument, error) {
	rows, err := x.queries[kind].QueryContext(context.Background(), match, limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	documents := []cancellation.SearchDocument{}
	for rows.Next() {
		var d cancellation.SearchDocument
		var locales string
		if err := rows.Scan(&d.Kind, &d.ID, &d.OrganizationID, &d.CategoryID, &d.Name, &d.OrganizationName, &d.ExtraConsent, &d.URL, &locales); err != nil {
			return nil, err
		}
		for l := range strings.FieldsSeq(locales) {
			d.Locales = append(d.Locales, cancellation.Locale(l))
		}
		documents = append(documents, d)
	}
	return documents, rows.Err()
}
