package enrich

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"hash/crc32"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"
)

// make rules passes the file nsi.min.json of the npm package name-suggestion-index.
var nsi = flag.String("nsi", "", "write brands/brands.tsv and testdata/brands*.csv from this file")

// europe are the countries whose brands are kept.
const europe = "AD AL AT BA BE BG CH CY CZ DE DK EE ES FI FO FR GB GG GI GR HR HU IE IM IS IT JE LI LT LU LV MC MD ME MK MT " +
	"NL NO PL PT RO RS SE SI SK SM TR UA VA XK"

// nsiItem is one item of the file.
type nsiItem struct {
	ID          string `json:"id"`
	DisplayName string `json:"displayName"`
	LocationSet struct {
		Include, Exclude []any
	} `json:"locationSet"`
	MatchNames []string          `json:"matchNames"`
	Tags       map[string]string `json:"tags"`
	// kind is the item's path, such as "brands/shop/bakery".
	kind, category string
	countries      []string
}

// place returns the countries of Europe that a place of a location set is in; "*" is the
// world.
func place(location any) []string {
	code, _ := location.(string)
	code = strings.TrimSuffix(strings.ToUpper(code), ".GEOJSON")
	switch code {
	case "001":
		return []string{"*"}
	case "150", "EU":
		return strings.Fields(europe)
	case "154":
		return strings.Fields("DK EE FI FO GB IE IS LT LV NO SE")
	case "155":
		return strings.Fields("AT BE CH DE FR LI LU MC NL")
	case "151":
		return strings.Fields("BG CZ HU MD PL RO SK UA")
	case "039":
		return strings.Fields("AD AL BA ES GI GR HR IT ME MK MT PT RS SI SM XK")
	case "FX":
		return []string{"FR"}
	}
	if code, _, _ = strings.Cut(code, "-"); len(code) == 2 && strings.Contains(europe, code) {
		return []string{code}
	}
	return nil
}

func (i *nsiItem) locate() {
	found := map[string]bool{}
	for _, l := range i.LocationSet.Include {
		for _, c := range place(l) {
			found[c] = true
		}
	}
	excluded := map[string]bool{}
	for _, l := range i.LocationSet.Exclude {
		if code, _ := l.(string); len(code) == 2 {
			for _, c := range place(l) {
				excluded[c] = true
			}
		}
	}
	if found["*"] && len(excluded) > 0 {
		for c := range strings.FieldsSeq(europe) {
			found[c] = true
		}
		delete(found, "*")
	}
	maps.DeleteFunc(found, func(c string, _ bool) bool { return excluded[c] })
	i.countries = slices.Sorted(maps.Keys(found))
}

// names returns the names that a statement may have, the usual one first.
func (i *nsiItem) names() []string {
	out := []string{i.plainName()}
	for _, tag := range slices.Sorted(maps.Keys(i.Tags)) {
		key, _, _ := strings.Cut(tag, ":")
		named := key == "name" || key == "brand" || key == "operator" || key == "network" || strings.HasSuffix(key, "_name")
		// Who operates a brand or a network runs others, too.
		other := strings.HasSuffix(tag, "wikidata") || strings.HasSuffix(tag, "type") ||
			key == "operator" && (i.Tags["brand"] != "" || i.Tags["network"] != "")
		if named && !other {
			out = append(out, strings.Split(i.Tags[tag], ";")...)
		}
	}
	out = append(out, i.MatchNames...)
	return out
}

// plainName is the item's name without what tells two items apart: "EWW (Schweiz)".
func (i *nsiItem) plainName() string {
	name, _, _ := strings.Cut(i.DisplayName, " (")
	return name
}

// readNSI returns the items of Europe whose kind has a category.
func readNSI(t *testing.T) []*nsiItem {
	t.Helper()
	kinds := map[string]string{}
	for _, c := range csvRows(t, "brands/kinds.csv")[1:] {
		kinds[c[0]] = c[1]
	}
	raw, err := os.ReadFile(*nsi)
	require.NoError(t, err)
	var file struct {
		NSI map[string]struct{ Items []*nsiItem }
	}
	require.NoError(t, json.Unmarshal(raw, &file))
	var out []*nsiItem
	for _, kind := range slices.Sorted(maps.Keys(file.NSI)) {
		for _, item := range file.NSI[kind].Items {
			item.kind, item.category = kind, kinds[kind]
			item.locate()
			operator := strings.HasPrefix(kind, "operators/")
			town := strings.ContainsAny(item.DisplayName, " ") && slices.ContainsFunc(
				[]string{"Stadt", "Ville", "Gemeinde", "Gemeente", "Commun", "Comune", "Ayuntamiento", "Council", "Mairie", "kommun"},
				func(w string) bool { return strings.Contains(item.DisplayName, w) })
			if item.category == "" || len(item.countries) == 0 || operator && (item.Tags["operator:type"] == "government" || town) {
				continue
			}
			out = append(out, item)
		}
	}
	return out
}

func csvRows(t *testing.T, file string) [][]string {
	t.Helper()
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	require.NoError(t, err)
	return rows
}

// ands are the words for & by country, besides that of English.
var ands = map[string]string{
	"DE": "und and", "AT": "und and", "LI": "und", "CH": "und et and", "LU": "und et", "FR": "et and", "BE": "et en and", "NL": "en and",
	"ES": "y and", "IT": "e and", "PT": "e and", "DK": "og and", "NO": "og and", "SE": "och and", "PL": "i and",
}

// brandUse is a name in a country, and the items that have it.
type brandUse struct{ form, country string }

// use is an item that has a form, and the rank of the form among its names.
type use struct {
	item *nsiItem
	rank int
}

// TestWriteBrands writes the file of brands. It prints which brands have another category
// than before.
func TestWriteBrands(t *testing.T) {
	if *nsi == "" {
		return
	}
	r := load()
	uses := map[brandUse][]use{}
	items := readNSI(t)
	for _, item := range items {
		seen := map[brandUse]bool{}
		for rank, name := range item.names() {
			for _, c := range item.countries {
				spellings := []string{name}
				for and := range strings.FieldsSeq(cmp.Or(ands[c], "and")) {
					spellings = append(spellings, strings.NewReplacer("&", " "+and+" ", "+", " "+and+" ").Replace(name))
				}
				for _, spelling := range spellings {
					key := brandUse{formOf(spelling), c}
					if key.form != "" && !seen[key] && (rank == 0 || !r.isPlain(key.form)) {
						seen[key] = true
						uses[key] = append(uses[key], use{item, min(rank, 1)})
					}
				}
			}
		}
	}
	own := ownForms(t)
	lines := map[string][]string{} // the countries of each line
	dropped := 0
	for key, all := range uses {
		best, ok := choose(all)
		if !ok {
			dropped++
			continue
		}
		id, name := cmp.Or(best.Tags["brand:wikidata"], best.Tags["operator:wikidata"], best.Tags["network:wikidata"]), best.plainName()
		if id == "" {
			id = slugOf(name)
		}
		sameElsewhere := false
		for _, m := range own[key.form] {
			if slices.Contains(strings.Split(m.countries, ";"), key.country) || m.countries == "*" {
				id = ""
				break
			}
			if m.category[:2] != best.category[:2] && (key.country == "*" || len(best.countries) > broad) {
				id = ""
				break
			}
			if !sameElsewhere && m.category[:2] == best.category[:2] && overlaps(best.countries, strings.Split(m.countries, ";")) {
				id, name, sameElsewhere = m.slug, m.name, true
			}
		}
		if id != "" {
			line := strings.Join([]string{key.form, "%s", best.category, id, name}, "\t")
			lines[line] = append(lines[line], key.country)
		}
	}
	before := categoriesOf(brandFile)
	var out []string
	for line, countries := range lines {
		slices.Sort(countries)
		out = append(out, strings.Replace(line, "\t%s\t", "\t"+strings.Join(countries, ";")+"\t", 1))
	}
	slices.SortFunc(out, func(a, b string) int {
		formA, _, _ := strings.Cut(a, "\t")
		formB, _, _ := strings.Cut(b, "\t")
		return cmp.Or(strings.Compare(strings.ReplaceAll(formA, " ", ""), strings.ReplaceAll(formB, " ", "")), strings.Compare(a, b))
	})
	written := strings.Join(out, "\n") + "\n"
	require.NoError(t, os.WriteFile("brands/brands.tsv", []byte(written), 0o644))
	after := categoriesOf(written)
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if now, ok := after[name]; ok && now != before[name] {
			fmt.Printf("%s: category %s, was %s\n", name, now, before[name])
		}
	}
	fmt.Printf("%d items, %d lines, %d bytes; %d names in a country are ambiguous\n", len(items), len(out), len(written), dropped)
	writeBrandSets(t, items)
}

// categoriesOf returns the categories of a file of brands by name and country.
func categoriesOf(file string) map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(file) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		out[c[4]+" in "+c[1]+" as "+c[0]] = c[2]
	}
	return out
}

// formOf returns the folded words of a name, or nothing if too little of it is left: the
// number of "Studio 100" is not a word on a statement.
func formOf(name string) string {
	words := foldedWords(name)
	form := strings.Join(words, " ")
	letters := strings.ReplaceAll(form, " ", "")
	fields := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	lost := slices.ContainsFunc(fields, func(w string) bool { return len(w) >= 3 && strings.Trim(w, "0123456789") == "" })
	switch {
	case len(letters) < 2, strings.Trim(letters, "0123456789") == "", lost && len(words) < 2 && len(letters) < 8:
		return ""
	}
	return form
}

// choose returns the item that a name means: one of the brands rather than of the
// operators, and of the category that most of them have. A supermarket's filling station
// has the supermarket's name. It returns false if several are as likely.
func choose(all []use) (*nsiItem, bool) {
	weight := func(u use) int {
		if strings.HasPrefix(u.item.kind, "brands/") {
			return 100 - 60*u.rank
		}
		return 10 - 5*u.rank
	}
	votes := map[string]int{}
	for _, u := range all {
		votes[u.item.category[:2]] += weight(u)
	}
	has := func(kind string) bool {
		return slices.ContainsFunc(all, func(u use) bool { return path.Base(u.item.kind) == kind })
	}
	switch {
	case has("supermarket") && has("fuel"):
		votes["52"] += 1000
	case has("fuel") && has("convenience"):
		votes["54"] += 1000
	}
	top, second, winner := 0, 0, ""
	for category, n := range votes {
		if n > top {
			top, second, winner = n, top, category
		} else {
			second = max(second, n)
		}
	}
	var best *use
	for i, u := range all {
		if u.item.category[:2] != winner {
			continue
		}
		if best == nil || cmp.Or(weight(*best)-weight(u), strings.Compare(u.item.ID, best.item.ID)) < 0 {
			best = &all[i]
		}
	}
	return best.item, top > second
}

// ownForms returns the merchants of merchants.csv by their forms.
func ownForms(t *testing.T) map[string][]merchantLine {
	out := map[string][]merchantLine{}
	for _, m := range merchantRows(t) {
		name, _, _ := strings.Cut(m.name, " (")
		for alias := range strings.SplitSeq(name+"|"+m.aliases, "|") {
			form := strings.Join(foldedWords(alias), " ")
			out[form] = append(out[form], m)
		}
	}
	return out
}

// broad is the number of countries from which on an item is not about one of them.
const broad = 25

// isPlain reports whether all words of a form are keywords or words of lexicon.csv: the
// other names of a brand do not mean it then.
func (r *rules) isPlain(form string) bool {
	for word := range strings.SplitSeq(form, " ") {
		if !r.isWeak([]string{word}) {
			return false
		}
	}
	return true
}

// overlaps reports whether a brand of the world, or of these countries, is in one of the
// others.
func overlaps(countries, others []string) bool {
	return countries[0] == "*" || slices.ContainsFunc(countries, func(c string) bool { return slices.Contains(others, c) })
}

func slugOf(name string) string { return strings.Join(foldedWords(name), "-") }

// plainKinds is how other people assign categories to kinds of shops: the convention of
// our own sets, written without our kinds.csv.
var plainKinds = map[string]string{
	"520": "supermarket convenience bakery butcher deli greengrocer frozen_food beverages alcohol wine confectionery chocolate coffee " +
		"tea pastry health_food dairy seafood fast_food restaurant cafe bar pub ice_cream",
	"530": "clothes shoes electronics jewelry department_store variety_store toys sports books chemist cosmetics perfumery bag " +
		"fashion_accessories watches stationery gift computer baby_goods fabric outdoor boutique",
	"540": "fuel charging_station car_rental bicycle_rental parking car_repair tyres car_wash car_parts taxi car_sharing vehicle_inspection",
	"550": "pharmacy optician hairdresser beauty hearing_aids dentist medical_supply massage",
	"560": "hotel hostel fitness_centre cinema pet travel_agency amusement_arcade bowling_alley casino gambling camp_site",
	"500": "doityourself furniture hardware kitchen bed interior_decoration lighting garden_centre houseware flooring paint",
}

// towns are where the lines' shops are.
const towns = "AT=LINZ,VILLACH BE=GENT,NAMUR BG=SOFIA,VARNA CH=BERN,CHUR CZ=BRNO,ZLIN DE=KOELN,GOETTINGEN,HALLE DK=AARHUS,VEJLE " +
	"EE=TALLINN,TARTU ES=MADRID,GIJON FI=OULU,VANTAA FR=LYON,ANNECY,LILLE GB=LEEDS,DERBY GR=ATHINA,VOLOS HR=ZAGREB,OSIJEK HU=PECS,EGER " +
	"IE=CORK,SLIGO IT=TORINO,LECCE LT=KAUNAS LU=ESCH LV=RIGA NL=UTRECHT,ZWOLLE NO=BERGEN,HAMAR PL=KRAKOW,OPOLE PT=BRAGA,FARO " +
	"RO=CLUJ,IASI RS=NIS SE=MALMO,GAVLE SI=KOPER SK=KOSICE TR=IZMIR,BURSA"

// writeBrandSets writes a line for each name of the shops in two files, by a hash of the
// item: the conditions under which a name counts were made with the first.
func writeBrandSets(t *testing.T, items []*nsiItem) {
	t.Helper()
	top := map[string]string{}
	for category, kinds := range plainKinds {
		for kind := range strings.FieldsSeq(kinds) {
			top[kind] = category
		}
	}
	places := map[string][]string{}
	for country := range strings.FieldsSeq(towns) {
		places[country[:2]] = strings.Split(country[3:], ",")
	}
	meanings := map[string]map[string]bool{} // of a name in a country
	type line struct{ name, country, category, id string }
	var all []line
	for _, i := range items {
		category := top[path.Base(i.kind)]
		if !strings.HasPrefix(i.kind, "brands/") || category == "" {
			continue
		}
		home := slices.DeleteFunc(slices.Clone(i.countries), func(c string) bool { return places[c] == nil })
		for _, c := range home {
			key := strings.ToUpper(i.plainName()) + c
			if meanings[key] == nil {
				meanings[key] = map[string]bool{}
			}
			meanings[key][category] = true
		}
		if len(home) > 0 && !slices.ContainsFunc([]rune(i.plainName()), func(r rune) bool { return r >= latinEnd && unicode.IsLetter(r) }) {
			all = append(all, line{i.plainName(), home[crc32.ChecksumIEEE([]byte(i.ID))%uint32(len(home))], category, i.ID})
		}
	}
	slices.SortFunc(all, func(a, b line) int { return strings.Compare(a.name+a.id, b.name+b.id) })
	head := []string{"note", "payee", "amount", "currencyCode", "countryCode", "mcc", "bankTransactionCode", "categoryId"}
	sets := map[string][][]string{"brands": {head}, "brands-development": {head}}
	for _, l := range all {
		key := strings.ToUpper(l.name) + l.country
		if len(meanings[key]) != 1 {
			continue
		}
		delete(meanings, key) // one line for each name
		h := crc32.ChecksumIEEE([]byte("set" + l.id))
		name := upper(l.name, h)
		town := places[l.country][h%uint32(len(places[l.country]))]
		row := []string{fmt.Sprintf("KARTENZAHLUNG %d", 100000+h%900000), fmt.Sprintf("%s %d %s", name, 1000+h%9000, town),
			fmt.Sprintf("-%d.%02d", 3+h%90, h%100), "EUR", l.country, "", "", l.category}
		set := "brands"
		if h>>16%2 == 0 {
			set = "brands-development"
		}
		sets[set] = append(sets[set], row)
	}
	for set, rows := range sets {
		file, err := os.Create("testdata/" + set + ".csv")
		require.NoError(t, err)
		w := csv.NewWriter(file)
		require.NoError(t, w.WriteAll(rows))
		require.NoError(t, file.Close())
	}
}

// upper writes a name as statements do: in upper case, and without accents. Some write an
// umlaut as two letters.
func upper(name string, h uint32) string {
	long := strings.NewReplacer("Ä", "AE", "Ö", "OE", "Ü", "UE", "Ø", "OE", "Æ", "AE", "ß", "SS", "ẞ", "SS")
	short := strings.NewReplacer("Ø", "O", "Æ", "AE", "ß", "SS", "ẞ", "SS", "Ł", "L", "Đ", "D")
	name = strings.ToUpper(name)
	if h>>8%3 == 0 {
		name = long.Replace(name)
	}
	return stripAccents(short.Replace(name))
}

func stripAccents(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(s))
}

func TestBrandFileIsWellFormed(t *testing.T) {
	taxonomy, last := categories(), ""
	meanings := map[brandUse]bool{}
	for line := range strings.Lines(brandFile) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		require.Len(t, c, 5, line)
		letters := strings.ReplaceAll(c[0], " ", "")
		require.LessOrEqual(t, last, letters, "the search needs this order")
		last = letters
		require.Equal(t, c[0], strings.Join(foldedWords(c[0]), " "), "rows are folded so")
		category, err := strconv.Atoi(c[2])
		require.NoError(t, err)
		require.Contains(t, taxonomy, category)
		require.Regexp(t, `^Q\d+$|^[^A-Z\s]+$`, c[3], line)
		require.NotEmpty(t, c[4])
		for country := range strings.SplitSeq(c[1], ";") {
			require.False(t, meanings[brandUse{c[0], country}], "two meanings of %s in %s", c[0], country)
			meanings[brandUse{c[0], country}] = true
		}
	}
}
