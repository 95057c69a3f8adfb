package fulltext_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/catalogue"
	"aviso/internal/cancellation/fulltext"
	"aviso/internal/textfold"
)

// TestBanksForgiveTheSame compares the words of names with those of the search for banks.
func TestBanksForgiveTheSame(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		parts := strings.Split("ba-be-bé-bo-bu-bä-bae-Ae-bö-boe-Ö-bü-bue-bå-baa-bæ-bø-œ-ß-ł-đ-ñ- -&-19", "-")
		name := strings.Join(rapid.SliceOf(rapid.SampledFrom(parts)).Draw(t, "name"), "b")
		require.Equal(t, strings.Join(fulltext.Words(name), " "), textfold.Short(textfold.Name(name)))
	})
}

func TestEveryDocumentIsFoundByItsName(t *testing.T) {
	t.Parallel()
	documents, made := randomCatalogue(seeded(7), 3000)
	x := fulltext.New(documents)
	first := func(t *rapid.T, query string, f catalogue.SearchFilter) []catalogue.SearchDocument {
		page, err := x.Search(query, f, 10, "")
		require.NoError(t, err)
		return page.Organizations
	}
	organizations := slices.DeleteFunc(
		slices.Clone(documents),
		func(d catalogue.SearchDocument) bool { return d.Kind == catalogue.SearchProduct },
	)

	t.Run("first by its full name, in any case", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			d := rapid.SampledFrom(organizations).Draw(t, "organization")
			for _, q := range []string{d.Name, strings.ToUpper(d.Name), strings.ToLower(d.Name)} {
				hits := first(t, q, catalogue.SearchFilter{})
				require.NotEmpty(t, hits)
				require.Equal(t, words(d.Name), words(hits[0].Name), "another name of the same words at most, as accents do not count")
			}
		})
	})
	t.Run("by any prefix of a distinctive word within its category and locale", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			i := rapid.IntRange(0, len(made)-1).Draw(t, "organization")
			d, letters := organizations[i], []rune(strings.FieldsFunc(made[i].Distinctive, unicode.IsSpace)[0])
			if len(letters) < 3 {
				return
			}
			typed := string(letters[:rapid.IntRange(3, len(letters)).Draw(t, "letters")])
			page, err := x.Search(typed, catalogue.SearchFilter{CategoryID: d.CategoryID, Locale: d.Locales[0]}, 200, "")
			require.NoError(t, err)
			require.Contains(t, page.Organizations, d)
		})
	})
	t.Run("products by their name and their organization's", func(t *testing.T) {
		products := slices.DeleteFunc(
			slices.Clone(documents),
			func(d catalogue.SearchDocument) bool { return d.Kind == catalogue.SearchOrganization },
		)
		rapid.Check(t, func(t *rapid.T) {
			d := rapid.SampledFrom(products).Draw(t, "product")
			for _, q := range []string{d.OrganizationName + " " + d.Name, d.Name + " " + d.OrganizationName} {
				page, err := x.Search(q, catalogue.SearchFilter{}, 10, "")
				require.NoError(t, err)
				require.Contains(t, page.Products, d, q)
			}
		})
	})
}

// words returns the words of a name, sorted.
func words(name string) []string {
	w := strings.FieldsFunc(textfold.Short(textfold.Name(name)), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	slices.Sort(w)
	return w
}

func TestFindsMisspeltNamesInALargeCatalogue(t *testing.T) {
	t.Parallel()
	r := seeded(8)
	documents, made := randomCatalogue(r, 10_000)
	missed, err := missedBy(fulltext.New(documents), misspellings(r, made, 1000))
	require.NoError(t, err)
	assert.LessOrEqual(t, len(missed), 30, "at least 97 in 100 are found: %v", missed)
}

// TestMemoryOfAQueryIsBounded measures allocations instead of time, which depends on the
// machine. The longest queries cost a small multiple of what a name costs.
func TestMemoryOfAQueryIsBounded(t *testing.T) { // not parallel: it counts allocations
	documents, made := randomCatalogue(seeded(9), 5000)
	x := fulltext.New(documents)
	allocations := func(query string) float64 {
		return testing.AllocsPerRun(5, func() { _, _ = x.Search(query, catalogue.SearchFilter{}, 10, "") })
	}
	assert.Less(t, allocations(made[0].Full), 300.0)
	assert.Less(t, allocations("s"), 300.0)
	assert.Less(t, allocations(strings.Repeat("stadtwerke energie münchen gmbh ", 6)), 600.0)
	assert.Less(t, allocations(strings.Repeat("abcdefgh", 25)), 600.0)
}

func FuzzSearch(f *testing.F) {
	documents, made := randomCatalogue(seeded(10), 500)
	documents = append(
		documents, organization("tokyo", "東京ガス"), organization("one", "1&1"), organization("mts", "МТС Связь"),
		organization("signs", "!!!"), organization("none", ""),
	)
	x := fulltext.New(documents)
	for _, m := range made[:20] {
		f.Add(m.Full, "")
	}
	for _, q := range []string{"", "a", `"a" OR b*`, "\x00", "\xff\xfe", "🎉", "東京", "é\u0301\u0308",
		strings.Repeat("ae", 100), "ﷺ", "İstanbul", "½ ẞ ǆ"} {
		f.Add(q, "de-DE")
	}
	f.Fuzz(func(t *testing.T, query, locale string) {
		filter := catalogue.SearchFilter{Locale: cancellation.Locale(locale)}
		page, err := x.Search(query, filter, 5, "")
		require.NoError(t, err)
		again, err := x.Search(query, filter, 5, "")
		require.NoError(t, err)
		require.Equal(t, page, again)
		if page.Next != "" {
			next, err := x.Search(query, filter, 5, page.Next)
			require.NoError(t, err)
			for _, d := range page.Organizations {
				require.NotContains(t, ids(next.Organizations), d.ID)
			}
		}
		if strings.TrimFunc(norm.NFKD.String(query), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }) == "" {
			require.Empty(t, page.Organizations)
			require.Empty(t, page.Products)
		}
	})
}
