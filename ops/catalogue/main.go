// Command catalogue turns the records of datenanfragen.de (CC0) into a catalogue file for the operator command
// import-catalogue. SOURCE is a file of JSON Lines or the folder of the records. The command prints everything that
// it skips, with the reason.
package main

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cataloguefile"
	"aviso/internal/cancellation/letter"
	"aviso/internal/textfold"
)

// kinds.json has the categories of the file. Each kind of record has a category and the fields of a cancellation. A
// record has the first kind with one of the record's words or categories.
//
//go:embed kinds.json
var kindsFile []byte

type kind struct {
	Category     string
	Categories   []string
	Words        *regexp.Regexp
	Fields       []string
	ExtraConsent bool
}

type record struct {
	Slug, Name, Address, Fax, Web string
	Runs, Categories              []string
	Countries                     []string `json:"relevant-countries"`
}

// object is an object of the file; see internal/cancellation/cataloguefile.
type object = map[string]any

func main() {
	source := flag.String("source", "", "a file of JSON Lines, or the folder of the records")
	out := flag.String("out", "ops/catalogue/starter.jsonl.gz", "the catalogue file to write")
	date := flag.String("date", time.Now().UTC().Format(time.DateOnly), "the day on which the source was read")
	flag.Parse()
	log.SetFlags(0)
	if err := run(*source, *out, *date); err != nil {
		log.Fatal("catalogue: ", err)
	}
}

func run(source, out, date string) error {
	records, err := read(source)
	if err != nil {
		return err
	}
	counts := map[string]int{}
	file, err := convert(records, "datenanfragen.de (CC0), "+date, func(slug, why, text string) {
		fmt.Println(slug + ": " + why + ": " + text)
		counts[why]++
	})
	if err != nil {
		return err
	}
	edition, err := cataloguefile.Parse(bytes.NewReader(file))
	if err != nil {
		return err
	}
	var packed bytes.Buffer
	w, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression) // the level is valid
	if _, err := w.Write(file); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	for _, why := range slices.Sorted(maps.Keys(counts)) {
		fmt.Printf("%5d %s\n", counts[why], why)
	}
	fmt.Printf("%d of %d organizations in %s, %d bytes\n", len(edition.Entries), len(records), out, packed.Len())
	return os.WriteFile(out, packed.Bytes(), 0o644)
}

// read returns the records of a file or folder.
func read(source string) ([]record, error) {
	var all []record
	err := filepath.WalkDir(source, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for d := json.NewDecoder(bytes.NewReader(text)); d.More(); {
			var r record
			if err := d.Decode(&r); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			all = append(all, r)
		}
		return nil
	})
	slices.SortFunc(all, func(a, b record) int { return strings.Compare(a.Slug, b.Slug) })
	return all, err
}

// convert returns the catalogue file. It reports to skip everything that it leaves out, with the reason.
func convert(records []record, source string, skip func(slug, why, text string)) ([]byte, error) {
	var kinds struct {
		Names map[string]map[string]string
		Kinds []kind
	}
	if err := json.Unmarshal(kindsFile, &kinds); err != nil {
		return nil, fmt.Errorf("kinds.json: %w", err)
	}
	var lines []object
	for _, slug := range slices.Sorted(maps.Keys(kinds.Names)) {
		lines = append(lines, object{"category": object{"slug": slug, "names": kinds.Names[slug]}})
	}
	for _, r := range records {
		left := func(why, text string) { skip(r.Slug, why, text) }
		if o := organizationOf(r, kinds.Kinds, left); o != nil {
			o["source"] = source
			lines = append(lines, object{"organization": o})
		}
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	for _, line := range lines {
		if err := encoder.Encode(line); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

// organizationOf returns the organization of a record, or nil if nothing is left.
func organizationOf(r record, kinds []kind, skip func(why, text string)) object {
	if rules().Person.MatchString(r.Name) || !printable(r.Name) {
		skip("a name of a person, or one that no letter can show", r.Name)
		return nil
	}
	var channels []object
	a, dropped, problem := parseAddress(r)
	for _, line := range dropped {
		skip("a line of the address", line)
	}
	if problem == "" && len(localesOf(r.Countries, a)) == 0 {
		problem = "to whose country no letter can be addressed"
	}
	if problem != "" {
		a = nil
		skip("the address, "+problem, strings.ReplaceAll(r.Address, "\n", " / "))
	} else {
		for _, paper := range []string{"Mail", "RegisteredMail"} {
			channels = append(channels, object{"kind": paper, "address": a})
		}
	}
	switch fax := noDigit.ReplaceAllString(r.Fax, ""); {
	case faxNumber.MatchString(fax):
		channels = append(channels, object{"kind": "Fax", "fax": fax})
	case fax != "":
		skip("the fax number", r.Fax)
	}
	if len(channels) == 0 {
		skip("the organization, which has neither address nor fax", r.Name)
		return nil
	}
	k, locales := kindOf(r, kinds), localesOf(r.Countries, a)
	var products []object
	for _, name := range productNames(r) {
		fields := append([]string{"NAME", "ADDRESS", "ZIP", "CITY"}, k.Fields...)
		if k.Category == "insurance" && carInsurance.MatchString(name) {
			fields = append(fields, "LICENSE_PLATE")
		}
		products = append(products, object{
			"slug": slugOf(name), "name": name, "locales": locales, "form": "Text",
			"channels": channels, "fields": fields,
		})
	}
	web := r.Web
	if !strings.HasPrefix(web, "http") || strings.ContainsAny(web, " \t") {
		web = ""
	}
	return object{
		"slug": r.Slug, "category": k.Category, "name": r.Name, "extraConsent": k.ExtraConsent, "url": web,
		"locales": locales, "confirmed": false, "products": products,
	}
}

var (
	faxNumber    = regexp.MustCompile(`^\+[1-9][0-9]{6,14}$`)
	noDigit      = regexp.MustCompile(`[^+0-9]+`)
	carInsurance = regexp.MustCompile(`(?i)\bkfz|auto|motor|car insurance`)
)

func printable(text string) bool { return letter.Writer{}.Check(text) == nil }

func kindOf(r record, kinds []kind) kind {
	name := " " + strings.ToLower(r.Name+" "+strings.Join(r.Runs, " ")+" "+r.Web) + " "
	for _, k := range kinds {
		if k.Words != nil && !k.Words.MatchString(name) {
			continue
		}
		if len(k.Categories) == 0 || slices.ContainsFunc(k.Categories, func(c string) bool { return slices.Contains(r.Categories, c) }) {
			return k
		}
	}
	return kinds[len(kinds)-1]
}

// maxProducts is the maximum number of products of an organization.
const maxProducts = 50

var (
	remark  = regexp.MustCompile(`\s*[(\[][^)\]]*[)\]]`)
	former  = regexp.MustCompile(`(?i)\(.*(former|ehem|früher|retired|eingestellt|closed).*\)`)
	website = regexp.MustCompile(`(?i)^(https?:|www\.)|^[\w.-]+\.[a-z]{2,6}(/.*)?$|^[\w.-]+\.[\w.-]+\.[a-z]{2,6}$`)
	noBrand = regexp.MustCompile(`(?i)newsletter|\bforum\b|\bblog\b|\bwebsite\b|webseite|internetauftritt|community|facebook|twitter|@`)
)

// productNames returns the names of the organization and its brands. It skips web sites and former brands.
func productNames(r record) []string {
	names, slugs := []string{}, map[string]bool{}
	for i, name := range append([]string{r.Name}, r.Runs...) {
		if i > 0 && (former.MatchString(name) || website.MatchString(name) || noBrand.MatchString(name)) {
			continue
		}
		if i > 0 {
			name = strings.TrimSpace(remark.ReplaceAllString(name, ""))
		}
		slug := slugOf(name)
		if slug == "" || slugs[slug] || rules().Person.MatchString(name) || !printable(name) || len(names) == maxProducts {
			continue
		}
		slugs[slug] = true
		names = append(names, name)
	}
	return names
}

var noSlug = regexp.MustCompile(`[^a-z0-9]+`)

// slugOf returns a name as a slug.
func slugOf(name string) string {
	slug := strings.Trim(noSlug.ReplaceAllString(textfold.Name(name), "-"), "-")
	return strings.Trim(slug[:min(len(slug), 100)], "-")
}

// localesOf returns the locales in which letters to this address can be written. Locales of the record's countries
// come first.
func localesOf(countries []string, a *address) []string {
	var list []string
	writer := letter.Writer{}
	known := writer.Locales()
	for _, c := range append(slices.Clone(countries), "gb", "de") {
		if len(list) > 0 && (c == "gb" || c == "de") && !slices.Contains(countries, c) {
			continue // only if nothing better is left
		}
		of := rules().Locales[c]
		if of == nil {
			of = []string{"en-GB"}
		}
		for _, l := range of {
			locale := cancellation.Locale(l)
			if slices.Contains(known, locale) && !slices.Contains(list, l) &&
				(a == nil || writer.CheckCountry(locale, a.CountryCode) == nil) {
				list = append(list, l)
			}
		}
	}
	return list
}
