package enrich

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/bench/budget"
	"aviso/internal/money"
	"aviso/internal/pfm"
	"aviso/internal/pfm/transaction"
	"aviso/internal/sandbox/persona"
)

// merchantLine is a row of merchants.csv.
type merchantLine struct{ slug, name, category, countries, aliases, organization string }

func merchantRows(t *testing.T) []merchantLine {
	t.Helper()
	var out []merchantLine
	for _, c := range csvRows(t, "data/merchants.csv")[1:] {
		out = append(out, merchantLine{c[0], c[1], c[2], c[3], c[4], c[5]})
	}
	return out
}

func TestMerchantFileIsWellFormed(t *testing.T) {
	rows := merchantRows(t)
	assert.GreaterOrEqual(t, len(rows), 600)

	slugs, countries, taxonomy := map[string]bool{}, map[string]bool{}, categories()
	slug := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	country := regexp.MustCompile(`^([A-Z]{2}|\*)$`)
	for _, m := range rows {
		assert.Regexp(t, slug, m.slug)
		assert.False(t, slugs[m.slug], "duplicate slug %s", m.slug)
		slugs[m.slug] = true
		assert.NotEmpty(t, m.name, m.slug)
		id, err := strconv.Atoi(m.category)
		require.NoError(t, err, m.slug)
		assert.Contains(t, taxonomy, id, m.slug)
		if m.organization != "" {
			assert.Regexp(t, slug, m.organization, m.slug)
		}
		for c := range strings.SplitSeq(m.countries, ";") {
			assert.Regexp(t, country, c, m.slug)
			countries[c] = true
		}
	}
	delete(countries, "*")
	assert.GreaterOrEqual(t, len(countries), 8)
	for _, b := range persona.Brands() {
		assert.True(t, slugs[b.Slug], "the sandbox's %s is not a merchant", b.Slug)
	}
}

func TestAliasesAreUniquePerCountry(t *testing.T) {
	type place struct{ alias, country string }
	holders := map[place]string{}
	for _, m := range merchantRows(t) {
		for alias := range strings.SplitSeq(m.name+"|"+m.aliases, "|") {
			folded := strings.Join(foldedWords(alias), " ")
			if folded == "" {
				continue
			}
			for country := range strings.SplitSeq(m.countries, ";") {
				p := place{folded, country}
				if other, taken := holders[p]; taken && other != m.slug {
					t.Errorf("%q is an alias of %s and of %s in %s", alias, other, m.slug, country)
				}
				holders[p] = m.slug
			}
		}
	}
}

func TestEveryMerchantIsFoundByItsName(t *testing.T) {
	missed, rows := 0, merchantRows(t)
	for _, m := range rows {
		country, _, _ := strings.Cut(m.countries, ";")
		r := Enrich(Input{CountryCode: strings.TrimPrefix(country, "*"), Transaction: transaction.Transaction{
			Note: "KARTENZAHLUNG", Counterparty: m.name, Amount: money.MustParse("-9.99"), BankTransactionCode: "PMNT-CCRD-POSD",
		}})
		if r.Merchant.Name != m.name {
			missed++
			t.Logf("%s: %s", m.slug, r.RuleID)
		}
	}
	// Some names contain a word that matters more, such as those of cash machines.
	assert.LessOrEqual(t, missed, len(rows)/50)
}

func TestMerchantIDsAreStable(t *testing.T) {
	assert.Equal(
		t,
		uuid.NewSHA1(uuid.MustParse("6ba7b811-9dad-11d1-80b4-00c04fd430c8"), []byte("https://aviso.example/merchants/lidl")).String(),
		pfm.MerchantID("lidl"),
	)
	assert.Equal(t, "5", pfm.MerchantID("lidl")[14:15], "version")
}

func TestMerchantCategoryCodes(t *testing.T) {
	e := engine()
	for code, want := range map[string]int{
		"5411": pfm.FoodGroceries, "0742": pfm.LeisurePets, "742": pfm.LeisurePets, "3000": pfm.LeisureTravel,
		"3299": pfm.LeisureTravel, "3390": pfm.TransportOther, "3501": pfm.LeisureTravel, "3999": pfm.LeisureTravel,
		"4829": pfm.TransferOther, "5541": pfm.TransportFuel, "6011": pfm.TransferCash, "9311": pfm.FinanceTaxes,
	} {
		assert.Equal(t, want, e.mcc(code).Category.SubcategoryID, code)
	}
	for _, code := range []string{"", "0", "0000", "0001", "3400x", "9999", "10000", "-1", "54 11"} {
		assert.Zero(t, e.mcc(code), code)
	}
	assigned := 0
	for n := range 10_000 {
		if r := e.mcc(strconv.Itoa(n)); r.known() {
			assigned++
			assert.NotEqual(t, pfm.Uncategorised().ID, r.Category.ID)
			assert.Equal(t, pfm.SourceMCC, r.Source)
		}
	}
	assert.Greater(t, assigned, 1000)
}

func TestSandboxBrandsHaveKnownMerchantCategoryCodes(t *testing.T) {
	e := engine()
	for _, b := range persona.Brands() {
		assert.NotZero(t, e.mcc(b.MCC), b.Slug)
	}
}

// The loader reads the files without checks of its own.
func TestRulesAreWellFormed(t *testing.T) {
	taxonomy := categories()
	category := func(t *testing.T, column string) {
		t.Helper()
		id, err := strconv.Atoi(column)
		require.NoError(t, err)
		assert.Contains(t, taxonomy, id, "a subcategory")
	}
	language := regexp.MustCompile(`^([a-z]{2}|\*)$`)
	codes := map[int]bool{}
	for name, file := range map[string]struct {
		header string
		check  func(t *testing.T, columns []string)
	}{
		"lexicon": {"kind,words", func(t *testing.T, c []string) { assert.Contains(t, strings.Fields(kindNames), c[0]) }},
		"codes": {"scheme,code,category,sign", func(t *testing.T, c []string) {
			assert.Regexp(t, `^purpose,[A-Z]{4}$|^code,(([A-Z]{4}|\*)-){2}([A-Z]{4}|\*)$`, c[0]+","+c[1])
			category(t, c[2])
			assert.Contains(t, []string{"", "+", "-"}, c[3])
		}},
		"mcc": {"from,to,category", func(t *testing.T, c []string) {
			from, err := strconv.Atoi(c[0])
			require.NoError(t, err)
			to, err := strconv.Atoi(c[1])
			require.NoError(t, err)
			assert.LessOrEqual(t, from, to)
			assert.Regexp(t, `^\d{4},\d{4}$`, c[0]+","+c[1])
			for code := from; code <= to; code++ {
				assert.False(t, codes[code], "%d is twice in it", code)
				codes[code] = true
			}
			category(t, c[2])
		}},
		"keywords": {"language,phrase,category,sign", func(t *testing.T, c []string) {
			assert.Regexp(t, language, c[0])
			assert.NotEmpty(t, foldedWords(c[1]))
			category(t, c[2])
			assert.Contains(t, []string{"", "+", "-"}, c[3])
		}},
		"trades": {"language,category,words", func(t *testing.T, c []string) {
			assert.Regexp(t, language, c[0])
			category(t, c[1])
			for phrase := range strings.SplitSeq(c[2], "|") {
				assert.NotEmpty(t, foldedWords(phrase))
			}
		}},
		"abroad": {"country,words", func(t *testing.T, c []string) { assert.Regexp(t, `^[A-Z]{2}$`, c[0]) }},
		"countries": {"countries,languages", func(t *testing.T, c []string) {
			assert.Regexp(t, `^([A-Z]{2};)*[A-Z]{2},([A-Z]{2};)*[A-Z]{2}$`, c[0]+","+c[1])
		}},
		"merchants": {"slug,name,category,countries,aliases,organization", func(t *testing.T, c []string) { category(t, c[2]) }},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile("data/" + name + ".csv")
			require.NoError(t, err)
			assert.True(t, strings.HasPrefix(string(text), file.header+"\n"))
			assert.NotContains(t, string(text), `"`, "the loader knows no quotes")
			rows := 0
			each(name, func(columns []string) {
				rows++
				require.Len(t, columns, strings.Count(file.header, ",")+1)
				file.check(t, columns)
			})
			assert.NotZero(t, rows)
		})
	}
}

func TestKeywordsCoverManyLanguages(t *testing.T) {
	languages := map[string]bool{}
	for _, k := range load().keywords {
		languages[k.language] = true
		assert.NotEqual(t, pfm.Uncategorised().ID, k.category/10*10, k.text)
	}
	assert.GreaterOrEqual(t, len(languages), 8)
}

func BenchmarkRules(b *testing.B) {
	for b.Loop() {
		load().words()
		newBrands()
	}
	budget.Hold(b, map[string]float64{"finding a category, loading the rules, ms": b.Elapsed().Seconds() * 1e3 / float64(b.N)})
}

// categories returns the subcategories by ID.
func categories() map[int]pfm.Subcategory {
	out := map[int]pfm.Subcategory{}
	for _, top := range pfm.Taxonomy() {
		for _, sub := range top.Subcategories {
			out[sub.ID] = sub
		}
	}
	return out
}
