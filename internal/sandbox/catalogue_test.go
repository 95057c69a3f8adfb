package sandbox

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// locales are the languages of letters.
var locales = []string{"de-AT", "de-CH", "de-DE", "en-GB", "en-IE", "es-ES", "fr-FR", "it-IT", "nl-NL", "pl-PL", "sv-SE"}

// fewLocales have letters, but few organizations.
var fewLocales = []string{"cs-CZ", "da-DK", "fi-FI", "fr-BE", "nb-NO", "nl-BE", "pt-PT"}

// languages are the languages of category names.
var languages = []string{"de", "en", "es", "fr", "it", "nl", "pl", "sv"}

var slug = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

func TestCatalogueHoldsEveryFile(t *testing.T) {
	all := string(Catalogue())
	size := 0
	for _, name := range dataFiles(t) {
		data := readFile(t, name)
		assert.Contains(t, all, data, name)
		size += len(data)
	}
	assert.Len(t, all, size)
}

func TestEachFileIsSortedBySlug(t *testing.T) {
	for _, name := range dataFiles(t) {
		t.Run(name, func(t *testing.T) {
			var slugs []string
			for _, l := range parse(t, readFile(t, name)) {
				if l.Category != nil {
					slugs = append(slugs, l.Category.Slug)
				} else {
					slugs = append(slugs, l.Organization.Slug)
				}
			}
			assert.True(t, slices.IsSorted(slugs), slugs)
		})
	}
}

func TestEachCountryHasItsFile(t *testing.T) {
	for _, locale := range locales {
		country := strings.ToLower(locale[3:])
		t.Run(country, func(t *testing.T) {
			lines := parse(t, readFile(t, "catalogue/"+country+".jsonl"))
			assert.GreaterOrEqual(t, len(lines), 35)
			for _, l := range lines {
				require.NotNil(t, l.Organization)
				assert.Equal(t, []string{locale}, l.Organization.Locales, l.Organization.Slug)
			}
		})
	}
}

func TestCategoriesAreNamedInEveryLanguage(t *testing.T) {
	categories, organizations := read(t)
	assert.GreaterOrEqual(t, len(categories), 14)
	used := map[string]bool{}
	for _, o := range organizations {
		used[o.Category] = true
	}
	for _, c := range categories {
		assert.Regexp(t, slug, c.Slug)
		assert.True(t, used[c.Slug], "%s is empty", c.Slug)
		for _, language := range languages {
			assert.NotEmpty(t, strings.TrimSpace(c.Names[language]), "%s in %s", c.Slug, language)
		}
	}
}

func TestOrganizationsAreManyAndComplete(t *testing.T) {
	categories, organizations := read(t)
	assert.GreaterOrEqual(t, len(organizations), 420)
	slugs, speakers := map[string]bool{}, map[string]int{}
	for _, o := range organizations {
		assert.Regexp(t, slug, o.Slug)
		assert.False(t, slugs[o.Slug], "%s is there twice", o.Slug)
		slugs[o.Slug] = true
		assert.Contains(t, categories, o.Category, o.Slug)
		assert.Equal(t, strings.TrimSpace(o.Name), o.Name)
		assert.NotEmpty(t, o.Name, o.Slug)
		require.NotNil(t, o.ExtraConsent, o.Slug)
		require.NotNil(t, o.URL, o.Slug)
		assert.Contains(t, []string{"", "https://" + o.Slug + ".example", "https://www." + o.Slug + ".example"}, *o.URL)
		assertLocales(t, slices.Concat(locales, fewLocales), o.Locales, o.Slug)
		assert.NotEmpty(t, o.Products, o.Slug)
		assert.LessOrEqual(t, len(o.Products), 4, o.Slug)
		for _, locale := range o.Locales {
			speakers[locale]++
		}
	}
	for _, locale := range fewLocales {
		assert.Positive(t, speakers[locale], locale)
	}
	for _, locale := range locales {
		assert.GreaterOrEqual(t, speakers[locale], 50, locale)
	}
}

// assertLocales requires some of the allowed locales, each once.
func assertLocales(t *testing.T, allowed, got []string, of string) {
	t.Helper()
	assert.NotEmpty(t, got, of)
	assert.Subset(t, allowed, got, of)
	assert.Len(t, slices.Compact(slices.Sorted(slices.Values(got))), len(got), "%s: a locale twice", of)
}

func TestMembershipThatRevealsConvictionsNeedsConsent(t *testing.T) {
	_, organizations := read(t)
	countries := map[string]map[string]bool{}
	for _, o := range organizations {
		switch o.Category {
		case "political-parties", "religious-communities", "trade-unions":
			assert.True(t, *o.ExtraConsent, o.Slug)
			if countries[o.Category] == nil {
				countries[o.Category] = map[string]bool{}
			}
			countries[o.Category][o.Locales[0]] = true
		case "test-organizations":
		default:
			assert.False(t, *o.ExtraConsent, o.Slug)
		}
	}
	for _, category := range []string{"political-parties", "religious-communities", "trade-unions"} {
		assert.Len(t, countries[category], len(locales), "%s: one in each country", category)
	}
}

func TestProductsAreComplete(t *testing.T) {
	_, organizations := read(t)
	for _, o := range organizations {
		slugs := map[string]bool{}
		for _, p := range o.Products {
			of := o.Slug + "/" + p.Slug
			assert.Regexp(t, slug, p.Slug, of)
			assert.False(t, slugs[p.Slug], "%s is there twice", of)
			slugs[p.Slug] = true
			assert.NotEmpty(t, strings.TrimSpace(p.Name), of)
			assertLocales(t, o.Locales, p.Locales, of)
			assert.Contains(t, []string{"Text", "Written", "WetInk"}, p.Form, of)
			if p.Form == "Written" {
				onPaper := slices.ContainsFunc(p.Channels, func(c channel) bool { return c.Address != nil })
				assert.True(t, onPaper, "%s: no channel on paper", of)
			}
		}
	}
}

func TestManyProductsHaveTerms(t *testing.T) {
	_, organizations := read(t)
	products, countries, sectors, renewals := 0, map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, o := range organizations {
		for _, p := range o.Products {
			if len(p.Terms) == 0 {
				continue
			}
			products++
			countries[p.Locales[0][3:]] = true
			for _, t := range p.Terms {
				sectors[t.Sector], renewals[t.Renewal] = true, true
			}
		}
	}
	assert.GreaterOrEqual(t, products, 60)
	assert.GreaterOrEqual(t, len(countries), 10)
	assert.GreaterOrEqual(t, len(sectors), 6)
	assert.Len(t, renewals, 3)
}

func TestSomeAreInactive(t *testing.T) {
	_, organizations := read(t)
	var whole, parts int
	for _, o := range organizations {
		if o.Inactive {
			whole++
			continue
		}
		var active int
		for _, p := range o.Products {
			if p.Inactive {
				parts++
			} else {
				active++
			}
		}
		assert.Positive(t, active, "%s has nothing to cancel", o.Slug)
	}
	assert.GreaterOrEqual(t, whole, 3)
	assert.GreaterOrEqual(t, parts, 2)
}
