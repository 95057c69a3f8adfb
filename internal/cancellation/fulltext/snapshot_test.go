package fulltext_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation/catalogue"
	"aviso/internal/cancellation/fulltext"
)

// encoded returns a small snapshot with categories.
func encoded() string {
	documents, _ := randomCatalogue(seeded(13), 30)
	for i := range documents {
		documents[i].CategoryNames = []string{"Strom und Gas", "Luce e gas"}
	}
	return string(fulltext.Encode(documents))
}

func TestOpenRefusesWhatIsNoSnapshot(t *testing.T) {
	t.Parallel()
	const header = "aviso search 3\n"
	for name, text := range map[string]string{
		"nothing": "", "something else": "aviso search index\x01\x00\x00\x00", "another format": "aviso search 4\n",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := fulltext.Open(text)
			assert.ErrorIs(t, err, fulltext.ErrFormat)
		})
	}
	category, organization := "c\tgas\n", "de-DE\to\t0\tnord\t\tNord\thttps://nord.example\tfalse\tfalse\t\n"
	product := "de-DE\tp\t0\tstrom\t\tStrom\n"
	_, err := fulltext.Open(header + category + organization + product)
	require.NoError(t, err)
	for name, lines := range map[string]string{
		"an empty line": "\n", "too few fields": "a\tb\tc\n", "too many": category + strings.Replace(organization, "\n", "\tx\n", 1),
		"an unknown category": organization, "an unknown organization": category + product,
		"no number":                       category + strings.Replace(organization, "0", "x", 1),
		"a negative number":               category + strings.Replace(organization, "0", "-1", 1),
		"an organization after a product": category + organization + product + organization,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := fulltext.Open(header + lines)
			assert.ErrorContains(t, err, "damaged")
		})
	}
}

func TestTheSameDocumentsGiveTheSameBytes(t *testing.T) {
	t.Parallel()
	first, second := encoded(), encoded()
	assert.Equal(t, first, second)
}

func TestProductsWithoutTheirOrganizationAreLeftOut(t *testing.T) {
	t.Parallel()
	nord := organization("nord", "Nord\tand\nSouth")
	x := fulltext.New([]catalogue.SearchDocument{product(organization("gone", "Gone"), "p", "Nord"), nord})
	assert.Equal(t, []string{"nord"}, found(t, x, "nord"))
}

// Whatever the bytes are, the search answers or refuses them.
func FuzzOpen(f *testing.F) {
	f.Add(encoded())
	f.Add(string(fulltext.Encode(nil)))
	f.Fuzz(func(t *testing.T, text string) {
		x, err := fulltext.Open(text)
		if err != nil {
			return
		}
		for _, q := range []string{"s", "strom", "stadtwerke energie gas", "xtrom"} {
			page, err := x.Search(q, catalogue.SearchFilter{}, 3, "")
			require.NoError(t, err)
			_, err = x.Search(q, catalogue.SearchFilter{Locale: "de-DE", CategoryID: "c"}, 3, page.Next)
			require.NoError(t, err)
		}
	})
}
