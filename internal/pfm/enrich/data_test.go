package enrich

import (
	"encoding/csv"
	"maps"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/money"
	"aviso/internal/pfm"
	"aviso/internal/pfm/transaction"
	"aviso/internal/sandbox/persona"
)

// merchantLine is a row of merchants.csv.
type merchantLine struct{ slug, name, category, countries, aliases, organization string }

func merchantRows(t *testing.T) []merchantLine {
	t.Helper()
	f, err := os.Open("data/merchants.csv")
	require.NoError(t, err)
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	require.NoError(t, err)
	var out []merchantLine
	for _, c := range rows[1:] {
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
		assert.Equal(t, want, e.mcc(code).category.SubcategoryID, code)
	}
	for _, code := range []string{"", "0", "0000", "0001", "3400x", "9999", "10000", "-1", "54 11"} {
		assert.Zero(t, e.mcc(code), code)
	}
	assigned := 0
	for n := range mccCount {
		if r := e.mcc(strconv.Itoa(n)); r.known() {
			assigned++
			assert.NotEqual(t, pfm.Uncategorised().ID, r.category.ID)
			assert.Equal(t, pfm.SourceMCC, r.result().Source)
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

func TestRejectsInvalidData(t *testing.T) {
	good := fstest.MapFS{}
	for _, name := range []string{"codes", "countries", "keywords", "lexicon", "mcc", "merchants", "trades"} {
		text, err := os.ReadFile("data/" + name + ".csv")
		require.NoError(t, err)
		head, _, _ := strings.Cut(string(text), "\n")
		good["data/"+name+".csv"] = &fstest.MapFile{Data: []byte(head + "\n")}
	}
	_, err := load(good)
	require.NoError(t, err)

	for name, row := range map[string]string{
		"codes no category":           "code,A-B-C,,+",
		"codes no parts":              "code,SALA,601,+",
		"codes top category":          "purpose,SALA,600,+",
		"codes sign":                  "purpose,SALA,601,x",
		"keywords no word":            "de,---,501,",
		"keywords category":           "de,miete,1,",
		"keywords sign":               "de,miete,501,?",
		"lexicon kind":                "colour,red",
		"mcc range":                   "0010,0009,521",
		"mcc number":                  "a,b,521",
		"mcc end":                     "9000,x,521",
		"mcc category":                "0001,0001,x",
		"mcc twice":                   "0001,0003,521\n0002,0002,521",
		"trades category":             "de,x,backerei",
		"trades no word":              "de,521,backerei||metzgerei",
		"merchants category":          "a,A,500,DE,,",
		"merchants number of columns": "a,A,521",
	} {
		t.Run(name, func(t *testing.T) {
			file := "data/" + strings.Fields(name)[0] + ".csv"
			bad := fstest.MapFS{}
			maps.Copy(bad, good)
			bad[file] = &fstest.MapFile{Data: append(append([]byte{}, good[file].Data...), row+"\n"...)}
			_, err := load(bad)
			assert.Error(t, err)
		})
	}
	t.Run("another header", func(t *testing.T) {
		bad := fstest.MapFS{"data/lexicon.csv": {Data: []byte("a,b\n")}}
		_, err := load(bad)
		assert.Error(t, err)
	})
	t.Run("missing file", func(t *testing.T) {
		_, err := load(fstest.MapFS{})
		assert.Error(t, err)
	})
}

func TestKeywordsCoverManyLanguages(t *testing.T) {
	l, err := load(os.DirFS("."))
	require.NoError(t, err)
	for language := range l.languages {
		assert.Len(t, language, 2)
	}
	assert.GreaterOrEqual(t, len(l.languages), 8)
	for _, k := range l.keywords {
		assert.NotEqual(t, pfm.Uncategorised().ID, k.category.ID, k.rule)
	}
}

// categories returns the subcategories by ID.
func categories() map[int]pfm.Category {
	out := map[int]pfm.Category{}
	for _, top := range pfm.Taxonomy() {
		for _, sub := range top.Subcategories {
			out[sub.SubcategoryID] = sub
		}
	}
	return out
}
