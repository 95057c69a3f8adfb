package fulltext_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"aviso/internal/cancellation/catalogue"
	"aviso/internal/cancellation/fulltext"
)

// walk reads all pages, the first one from first and the others from next.
func walk(t require.TestingT, first, next *fulltext.Index, query string, limit int) (organizations, products []string) {
	x, position := first, ""
	for {
		page, err := x.Search(query, catalogue.SearchFilter{}, limit, position)
		require.NoError(t, err)
		require.LessOrEqual(t, max(len(page.Organizations), len(page.Products)), limit)
		organizations, products = append(organizations, ids(page.Organizations)...), append(products, ids(page.Products)...)
		if page.Next == "" {
			return organizations, products
		}
		require.Less(t, len(page.Next), 1000, "it has to fit into a token")
		x, position = next, page.Next
	}
}

func TestPagesHaveEveryHitOnce(t *testing.T) {
	t.Parallel()
	documents, made := randomCatalogue(seeded(5), 400)
	x := fulltext.New(documents)
	rapid.Check(t, func(t *rapid.T) {
		q := rapid.SampledFrom(
			[]string{"s", "energie", "bank", "sparkasse", "abo", "a b", "Stadtwerke GmbH", made[7].Full, made[8].Distinctive},
		).Draw(t, "query")
		limit := rapid.IntRange(1, 200).Draw(t, "limit")
		all, allProducts := walk(t, x, x, q, len(documents))
		organizations, products := walk(t, x, x, q, limit)
		require.Equal(t, all, organizations)
		require.Equal(t, allProducts, products)
		slices.Sort(all)
		require.Len(t, slices.Compact(all), len(organizations))
	})
}

func TestPagesContinueInAnotherVersion(t *testing.T) {
	t.Parallel()
	documents, _ := randomCatalogue(seeded(6), 1500)
	before := fulltext.New(documents)
	// Every seventh document is gone, perhaps including the one that ended a page, and the
	// products of every seventh organization. Others are new, before and after it.
	var changed []catalogue.SearchDocument
	gone := map[string]bool{}
	for i, d := range documents {
		if i%7 == 0 || gone[d.OrganizationID] {
			gone[d.ID] = true
			continue
		}
		changed = append(changed, d)
	}
	for i := range 100 {
		changed = append(
			changed, organization(fmt.Sprint("new", i), fmt.Sprint("Energie Neustadt ", i)),
			organization(fmt.Sprint("first", i), fmt.Sprint("Aachen ", i)),
		)
	}
	after := fulltext.New(changed)
	stays := func(all []string) []string {
		return slices.DeleteFunc(slices.Clone(all), func(id string) bool { return gone[id] || len(id) < 36 })
	}
	for limit := 1; limit < 12; limit++ {
		all, allProducts := walk(t, before, before, "energie", 5000)
		organizations, products := walk(t, before, after, "energie", limit)
		assert.Equal(t, stays(all), stays(organizations))
		assert.Equal(t, stays(allProducts), stays(products))
		slices.Sort(organizations)
		assert.Equal(t, slices.Compact(slices.Clone(organizations)), organizations, "no duplicates")
	}
}

func TestLongNamesKeepPositionsShort(t *testing.T) {
	t.Parallel()
	var documents []catalogue.SearchDocument
	for i := range 5 {
		name := ""
		for range 40 {
			name += "Вестник промышленности "
		}
		documents = append(documents, organization(fmt.Sprint("o", i), name))
	}
	x := fulltext.New(documents)
	organizations, _ := walk(t, x, x, "вестник", 2)
	assert.Equal(t, []string{"o0", "o1", "o2", "o3", "o4"}, organizations)
}
