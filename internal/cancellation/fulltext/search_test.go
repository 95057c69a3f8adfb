package fulltext_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/catalogue"
	"aviso/internal/cancellation/fulltext"
)

// organization and product return documents whose IDs are their slugs.
func organization(slug, name string, change ...func(*catalogue.SearchDocument)) catalogue.SearchDocument {
	d := catalogue.SearchDocument{
		Kind: catalogue.SearchOrganization, ID: slug, OrganizationID: slug, CategoryID: "energy", Name: name, OrganizationName: name,
		URL: "https://" + slug + ".example/", Locales: []cancellation.Locale{"de-DE"},
	}
	for _, f := range change {
		f(&d)
	}
	return d
}

func product(of catalogue.SearchDocument, slug, name string) catalogue.SearchDocument {
	of.Kind, of.ID, of.Name = catalogue.SearchProduct, of.ID+"/"+slug, name
	return of
}

// found returns the IDs of the hits, organizations before products.
func found(t *testing.T, x *fulltext.Index, query string) []string {
	t.Helper()
	page, err := x.Search(query, catalogue.SearchFilter{}, 100, "")
	require.NoError(t, err)
	return append(ids(page.Organizations), ids(page.Products)...)
}

func ids(documents []catalogue.SearchDocument) []string {
	list := []string{}
	for _, d := range documents {
		list = append(list, d.ID)
	}
	return list
}

func TestSpellingDoesNotMatter(t *testing.T) {
	t.Parallel()
	for name, queries := range map[string][]string{
		"Stadtwerke München":  {"münchen", "MÜNCHEN", "muenchen", "munchen", "mu\u0308nchen", "stadtwerke  münchen!", "mÜnch", "muench", "Mue"},
		"Straßenbahn Weiß":    {"strassenbahn", "straßenbahn", "weiss", "STRASSENBAHN", "WEIẞ"},
		"Ørsted":              {"orsted", "oersted", "ørsted", "ØRSTED"},
		"Ålesund Kraft":       {"alesund", "aalesund", "ålesund", "A\u030alesund"},
		"Præsteø Avis":        {"praesteoe", "prasteo", "præstø", "praesto"},
		"Énergie Côte d'Azur": {"energie", "cote", "azur", "d'azur", "dazur", "ÉNERGIE"},
		"Łódź Gaz":            {"lodz", "łódź", "LODZ"},
		"Bauer":               {"bauer", "baur", "Baue"},
		"E.ON":                {"eon", "e.on", "e on", "E.O"},
		"1&1 Telecom":         {"1&1", "11", "1 1"},
		"McFit-Studio":        {"mcfitstudio", "mcfit studio", "mcfit-st"},
		"ΔΕΗ Ενέργειας":       {"δεη", "ενεργειας", "ΕΝΕΡΓΕΙΑΣ", "ενεργ"},
		"МТС Связь":           {"мтс", "связь", "СВЯ"},
		"東京ガス":                {"東京", "京", "東京ガス", "ガス"},
		"한국전력":                {"한국전력", "한국"},
		"O2":                  {"o2", "O"},
	} {
		t.Run(name, func(t *testing.T) {
			x := fulltext.New([]catalogue.SearchDocument{organization("wanted", name), organization("other", "Zzyzx Quixotry")})
			for _, q := range queries {
				assert.Equal(t, []string{"wanted"}, found(t, x, q), q)
			}
		})
	}
}

func TestAcceptsOneTypo(t *testing.T) {
	t.Parallel()
	x := fulltext.New([]catalogue.SearchDocument{
		organization("vodafone", "Vodafone"), organization("bank", "Bank"), organization("aok", "AOK"),
		organization("mueller", "Müller"), organization("bauer", "Neue Bauerndörfer"),
	})
	for query, wanted := range map[string][]string{
		"vodaphone": {},                                                                                          // two
		"vodafne":   {"vodafone"},                                                                                // missing
		"vodaffone": {"vodafone"},                                                                                // too many
		"vodafine":  {"vodafone"},                                                                                // wrong
		"vdoafone":  {"vodafone"},                                                                                // swapped
		"odafone":   {"vodafone"}, "wodafone": {"vodafone"}, "ovdafone": {"vodafone"}, "xvodafone": {"vodafone"}, // at the start
		"vodafon": {"vodafone"}, "vodafonx": {"vodafone"}, "vodafoen": {"vodafone"}, "vodafonex": {"vodafone"}, // at the end
		"vdaf": {"vodafone"}, "vodx": {"vodafone"}, "vofa": {"vodafone"}, // while typing
		"bnk": {"bank"}, "bakn": {"bank"}, "bxnk": {"bank"}, "banck": {"bank"},
		"aoj": {}, "aokx": {}, "ao": {"aok"}, // too short
		"mxller": {"mueller"}, "mxeller": {"mueller"}, "mullr": {"mueller"}, "muelelr": {"mueller"}, "mulller": {"mueller"}, "umeller": {"mueller"},
		"baxerndoerfer": {"bauer"}, "bauerndxrfer": {"bauer"}, "bauxerndörfer": {"bauer"},
		"vodafne mxller": {},
		"mxller x":       {"mueller"},
	} {
		t.Run(query, func(t *testing.T) {
			if query == "vodafne mxller" { // no document has both, so only the rarer word counts, here the first
				assert.Len(t, found(t, x, query), 1)
				return
			}
			assert.Equal(t, wanted, found(t, x, query))
		})
	}
}

func TestOrderOfHits(t *testing.T) {
	t.Parallel()
	t.Run("whole words, then prefixes, then typos", func(t *testing.T) {
		x := fulltext.New([]catalogue.SearchDocument{
			organization("typo", "Bern"), organization("typing", "Bernstein"), organization("beginning", "Bornheim"),
			organization("whole", "Zur Born"), organization("start", "Born Zur Alten Mühle"),
		})
		assert.Equal(t, []string{"start", "whole", "beginning", "typo", "typing"}, found(t, x, "born"))
	})
	t.Run("a prefix match costs more before the last word", func(t *testing.T) {
		x := fulltext.New([]catalogue.SearchDocument{organization("first", "Stadtwerke Bern"), organization("last", "Stadt Bernau")})
		assert.Equal(t, []string{"last", "first"}, found(t, x, "stadt bern"))
	})
	t.Run("names that begin with the word, then shorter ones, then by name and ID", func(t *testing.T) {
		x := fulltext.New([]catalogue.SearchDocument{
			organization("in", "Club Born"), organization("long", "Born Club Nord"), organization("b", "Born Club"),
			organization("a", "Born Club"), organization("z", "Born Zoo"), organization("exact", "Born"),
		})
		assert.Equal(t, []string{"exact", "a", "b", "z", "long", "in"}, found(t, x, "born"))
	})
	t.Run("products by their own name, then by their organization's", func(t *testing.T) {
		magenta, other := organization("magenta", "Magenta Telekom"), organization("other", "Other")
		x := fulltext.New([]catalogue.SearchDocument{
			magenta, other, product(magenta, "mobile", "Mobil L"), product(other, "magenta", "Tarif Magenta"),
			product(other, "mobile", "Mobil L"),
		})
		assert.Equal(t, []string{"magenta", "other/magenta", "magenta/mobile"}, found(t, x, "magenta"))
		assert.Equal(t, []string{"magenta/mobile"}, found(t, x, "mobil magenta"), "words of both names")
		assert.Equal(t, []string{"magenta/mobile"}, found(t, x, "magneta mobi"), "with a typo and half typed")
		assert.Equal(t, []string{"magenta/mobile", "other/mobile"}, found(t, x, "mobil"))
	})
	t.Run("does not depend on the order of the documents", func(t *testing.T) {
		r := seeded(3)
		documents, made := randomCatalogue(r, 300)
		x := fulltext.New(documents)
		shuffled := append([]catalogue.SearchDocument{}, documents...)
		r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		y := fulltext.New(shuffled)
		for _, q := range append(misspellings(r, made, 50), query{Text: "s"}, query{Text: "Stadtwerke"}) {
			assert.Equal(t, found(t, x, q.Text), found(t, y, q.Text), q.Text)
		}
	})
}

func TestIgnoresWordsThatMatchNothing(t *testing.T) {
	t.Parallel()
	x := fulltext.New([]catalogue.SearchDocument{
		organization("vodafone", "Vodafone"), organization("a", "Alpha GmbH"), organization("b", "Beta GmbH"),
	})
	assert.Equal(t, []string{"vodafone"}, found(t, x, "Vodafone kündigen"), "a word in no name is ignored")
	assert.Equal(t, []string{"vodafone"}, found(t, x, "Vodafone GmbH"), "of words that no name has together, the most common one")
	assert.Equal(t, []string{"a"}, found(t, x, "Alpha GmbH"), "no word is ignored if a name has them all")
	assert.Empty(t, found(t, x, "kündigen"))
}

func TestStopWords(t *testing.T) {
	t.Parallel()
	x := fulltext.New([]catalogue.SearchDocument{
		organization("garden", "Haus & Garten"), organization("union", "Bund und Rat"), organization("church", "Kirche und Rat"),
		organization("energy", "Energie Nord"), organization("eon", "E.ON Energie"), organization("times", "The Times"),
		organization("garden-mart", "Garten Haus und Hof Markt"), organization("coast", "Gas Andernach"),
	})
	for query, want := range map[string][]string{
		"Haus und Garten":    {"garden", "garden-mart"},
		"und Garten Haus":    {"garden", "garden-mart"},
		"maison et jardin":   {},
		"Quark und Zwieback": {},
		"the times":          {"times"},
		"e.on energie":       {"eon"},
		"gas and":            {"coast"},
		"und":                {"union", "church", "garden-mart"},
	} {
		t.Run(query, func(t *testing.T) {
			assert.Equal(t, want, found(t, x, query))
		})
	}
}

func TestFindsByCategory(t *testing.T) {
	t.Parallel()
	in := func(names ...string) func(*catalogue.SearchDocument) {
		return func(d *catalogue.SearchDocument) { d.CategoryID, d.CategoryNames = names[0], names }
	}
	telecom, energy := in("Internet und Telefon", "Internet and phone", "Internet en telefonie"), in("Strom und Gas", "Prąd i gaz")
	vodafone := organization("vodafone", "Vodafone", telecom)
	x := fulltext.New([]catalogue.SearchDocument{
		vodafone, product(vodafone, "cable", "Kabel"), organization("phone", "Telefon Nord", telecom),
		organization("vattenfall", "Vattenfall", energy), organization("gasag", "Gasag", energy),
		organization("church", "Kirche und Staat", in("Kirchen")), organization("phoenix", "Telefonix", in("Software")),
	})
	for query, want := range map[string][]string{
		"Internet und Telefon": {"phone", "vodafone", "vodafone/cable"},
		"internet":             {"vodafone", "phone", "vodafone/cable"},
		"telefon":              {"phone", "phoenix", "vodafone", "vodafone/cable"},
		"gas":                  {"gasag", "vattenfall"},
		"prad":                 {"gasag", "vattenfall"},
		"strm":                 {"gasag", "vattenfall"},
		"stro":                 {"gasag", "vattenfall"},
		"st":                   {"church"},
		"vodafone internet":    {"vodafone", "vodafone/cable"},
		"kabel vodafone phone": {"vodafone/cable"},
		"vattenfall telefon":   {"vattenfall"},
		"und":                  {"church"},
	} {
		t.Run(query, func(t *testing.T) {
			assert.Equal(t, want, found(t, x, query))
		})
	}
}

func TestFilters(t *testing.T) {
	t.Parallel()
	inAustria := func(d *catalogue.SearchDocument) { d.Locales = []cancellation.Locale{"de-AT", "en-GB"} }
	ofTelecom := func(d *catalogue.SearchDocument) { d.CategoryID, d.Unconfirmed = "telecom", true }
	a, b, c := organization("a", "Nord"), organization("b", "Nord", inAustria), organization("c", "Nord", ofTelecom)
	x := fulltext.New([]catalogue.SearchDocument{a, b, c, product(a, "p", "Nord"), product(b, "p", "Nord"), product(c, "p", "Nord")})
	for name, test := range map[string]struct {
		filter catalogue.SearchFilter
		want   []string
	}{
		"none":             {catalogue.SearchFilter{}, []string{"a", "b", "c"}},
		"a locale":         {catalogue.SearchFilter{Locale: "de-DE"}, []string{"a", "c"}},
		"a second locale":  {catalogue.SearchFilter{Locale: "en-GB"}, []string{"b"}},
		"an unused locale": {catalogue.SearchFilter{Locale: "fr-FR"}, []string{}},
		"a category":       {catalogue.SearchFilter{CategoryID: "telecom"}, []string{"c"}},
		"confirmed":        {catalogue.SearchFilter{Confirmed: new(true)}, []string{"a", "b"}},
		"not confirmed":    {catalogue.SearchFilter{Confirmed: new(false)}, []string{"c"}},
		"both":             {catalogue.SearchFilter{CategoryID: "energy", Locale: "de-AT"}, []string{"b"}},
	} {
		t.Run(name, func(t *testing.T) {
			page, err := x.Search("nord", test.filter, 10, "")
			require.NoError(t, err)
			products := []string{}
			for _, id := range test.want {
				products = append(products, id+"/p")
			}
			assert.Equal(t, test.want, ids(page.Organizations))
			assert.Equal(t, products, ids(page.Products))
		})
	}
}

func TestAnyInputIsAnswered(t *testing.T) {
	t.Parallel()
	documents, _ := randomCatalogue(seeded(4), 200)
	x := fulltext.New(documents)
	for name, query := range map[string]string{
		"nothing": "", "spaces": " \t\n", "signs": "!?.,;:-_()[]{}'\"`´", "stars": "***", "emoji": "🎉👩‍👩‍👧‍👦🇩🇪", "control characters": "\x00\x01\x7f\u200b\u202e",
		"accents alone": "\u0301\u0308\u0308", "broken UTF-8": "\xff\xfe\xc3", "no such word": "qqqqxxxx",
	} {
		t.Run("finds nothing for "+name, func(t *testing.T) {
			assert.Empty(t, found(t, x, query))
		})
	}
	for name, query := range map[string]string{
		"operators":  `NEAR("a" b, 5) AND NOT own : ^x* OR {a b}`,
		"quotes":     `"' OR 1=1; DROP TABLE x --`,
		"10 KB":      strings.Repeat("Stadtwerke ", 1000),
		"one word":   strings.Repeat("a", 10_000),
		"many words": strings.Repeat("a b c d e f g h i j k l m n o p q r s t u v w x y z ", 10),
		"one letter": "s",
		"mixed":      "Stadtwerke 東京 🎉 \x00 مرحبا",
	} {
		t.Run("does not fail for "+name, func(t *testing.T) {
			found(t, x, query)
		})
	}
	t.Run("an empty catalogue", func(t *testing.T) {
		assert.Empty(t, found(t, fulltext.New(nil), "stadtwerke"))
	})
	t.Run("rejects an unknown position", func(t *testing.T) {
		_, err := x.Search("a", catalogue.SearchFilter{}, 10, "rubbish")
		assert.Error(t, err)
	})
}

func TestDocumentsAreReturnedUnchanged(t *testing.T) {
	t.Parallel()
	o := organization("o", "Partei der Mitte", func(d *catalogue.SearchDocument) {
		d.ExtraConsent, d.Locales = true, []cancellation.Locale{"de-DE", "fr-FR"}
	})
	p := product(o, "p", "Mitgliedschaft")
	x := fulltext.New([]catalogue.SearchDocument{p, o})
	page, err := x.Search("partei", catalogue.SearchFilter{}, 10, "")
	require.NoError(t, err)
	assert.Equal(t, []catalogue.SearchDocument{o}, page.Organizations)
	assert.Equal(t, []catalogue.SearchDocument{p}, page.Products)
	assert.Empty(t, page.Next)
}

// A word that only a typo finds must not win over one that a name has.
func TestAnExactShortNameBeatsATypo(t *testing.T) {
	x := fulltext.New([]catalogue.SearchDocument{
		organization("o2", "O2"), organization("mewa", "Telefonia Bałtycka Mewa"), organization("bonn", "Stadtwerke Bonn"),
	})
	assert.Equal(t, []string{"o2"}, found(t, x, "O2 Telefonica"))
}

// The exact name comes before a longer one without a stop word of it, here the last "u".
func TestStopWordsOfANameCount(t *testing.T) {
	t.Parallel()
	x := fulltext.New([]catalogue.SearchDocument{
		organization("a", "Seguros Barrtosa Márquedo S.L."), organization("b", "Seguros Márquedo S.L.U."),
	})
	page, err := x.Search("Seguros Márquedo S.L.U.", catalogue.SearchFilter{}, 10, "")
	require.NoError(t, err)
	assert.Equal(t, "Seguros Márquedo S.L.U.", page.Organizations[0].Name)
}
