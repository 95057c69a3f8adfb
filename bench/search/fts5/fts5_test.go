package fts5_test

import (
	"slices"
	"testing"

	"aviso/bench/search/fts5"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/fulltext"
	"aviso/internal/cancellation/fulltext/fulltexttest"
)

func index(t *testing.T, documents []cancellation.SearchDocument, order fts5.Order) *fts5.Index {
	t.Helper()
	x, err := fts5.New(t.Context(), documents, order)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.Close() })
	return x
}

func ids(t *testing.T, x cancellation.SearchIndex, query string, f cancellation.SearchFilter) []string {
	t.Helper()
	page, err := x.Search(query, f, 10_000, "")
	if err != nil {
		t.Fatal(err)
	}
	list := []string{}
	for _, d := range slices.Concat(page.Organizations, page.Products) {
		list = append(list, d.ID)
	}
	return list
}

// TestBothFindTheSame: where every word is known, and too short for a typo in it
// to be forgiven, both indexes hold the same documents for hits, whatever the
// filter.
func TestBothFindTheSame(t *testing.T) {
	documents, _ := fulltexttest.Catalogue(fulltexttest.Seeded(1), 1000)
	ours := fulltext.New(documents)
	for _, order := range []fts5.Order{fts5.Ranked, fts5.ByRow} {
		theirs := index(t, documents, order)
		for _, query := range []string{"s", "st", "a b", "gmb", "ene", "AG", "e.V.", "é", "mü", "mue", "24", "sa de", "co kg"} {
			for _, f := range []cancellation.SearchFilter{{}, {Locale: "de-DE"}, {CategoryID: documents[0].CategoryID}, {Locale: "xx-XX"}} {
				want, got := ids(t, ours, query, f), ids(t, theirs, query, f)
				slices.Sort(want)
				slices.Sort(got)
				if !slices.Equal(want, got) {
					t.Errorf("%s: %q with %v finds %d, and in fulltext %d", order, query, f, len(got), len(want))
				}
			}
		}
	}
}

func TestDocumentsAreGivenAsTheyAre(t *testing.T) {
	documents, _ := fulltexttest.Catalogue(fulltexttest.Seeded(1), 100)
	page, err := index(t, documents, fts5.Ranked).Search(documents[0].Name, cancellation.SearchFilter{}, 1, "")
	if err != nil {
		t.Fatal(err)
	}
	want, err := fulltext.New(documents).Search(documents[0].Name, cancellation.SearchFilter{}, 1, "")
	if err != nil {
		t.Fatal(err)
	}
	if len(page.Organizations) != 1 || !slices.EqualFunc(page.Organizations, want.Organizations, func(a, b cancellation.SearchDocument) bool {
		return a.ID == b.ID && a.URL == b.URL && a.CategoryID == b.CategoryID && slices.Equal(a.Locales, b.Locales)
	}) {
		t.Errorf("found %v, and in fulltext %v", page.Organizations, want.Organizations)
	}
}

func TestTyposAreForgiven(t *testing.T) {
	documents, made := fulltexttest.Catalogue(fulltexttest.Seeded(1), 2000)
	for _, order := range []fts5.Order{fts5.Ranked, fts5.ByRow} {
		missed, err := fulltexttest.Missed(index(t, documents, order), fulltexttest.Misspelt(fulltexttest.Seeded(2), made, 200))
		if err != nil {
			t.Fatal(err)
		}
		if len(missed) > 6 {
			t.Errorf("%s misses %v", order, missed)
		}
	}
}
