package searchfn

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation/catalogue"
	"aviso/internal/cancellation/cataloguefile"
	"aviso/internal/cancellation/fulltext"
	"aviso/internal/sandbox"
)

// TestCategoriesAreFoundByTheirNames searches the sandbox's catalogue for each name of
// each category, and for queries whose only common word is a conjunction.
func TestCategoriesAreFoundByTheirNames(t *testing.T) {
	t.Parallel()
	edition, err := cataloguefile.Parse(bytes.NewReader(sandbox.Catalogue()))
	require.NoError(t, err)
	x, err := fulltext.Open(string(fulltext.Encode(edition.SearchDocuments())))
	require.NoError(t, err)
	categories := func(t *testing.T, query string) []string {
		page, err := x.Search(query, catalogue.SearchFilter{}, 10, "")
		require.NoError(t, err)
		require.NotEmpty(t, page.Organizations, query)
		var slugs []string
		for _, d := range page.Organizations {
			at := slices.IndexFunc(edition.Categories, func(c catalogue.Category) bool { return c.ID == d.CategoryID })
			slugs = append(slugs, edition.Categories[at].Slug)
		}
		return slugs
	}
	for _, c := range edition.Categories {
		if !slices.ContainsFunc(edition.Entries, func(e catalogue.Entry) bool { return e.Organization.CategoryID == c.ID }) {
			continue
		}
		for language, name := range c.Names {
			t.Run(language+" "+name, func(t *testing.T) {
				t.Parallel()
				assert.Contains(t, categories(t, name), c.Slug)
			})
		}
	}
	for query, want := range map[string]string{
		"Strom und Gas": "energy", "Internet und Telefon": "telecom", "electricity and gas": "energy", "Luce e gas": "energy",
	} {
		t.Run("only "+query, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, []string{want}, slices.Compact(categories(t, query)))
		})
	}
	t.Run("Haus und Garten", func(t *testing.T) {
		t.Parallel()
		for _, other := range []string{"trade-unions", "religious-communities", "political-parties"} {
			assert.NotContains(t, categories(t, "Haus und Garten"), other)
		}
	})
}
