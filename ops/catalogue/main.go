// Command catalogue turns the records of datenanfragen.de (CC0) into a catalogue file for the
// operator command import-catalogue. SOURCE is a file of JSON Lines or the folder of the
// records. It prints what it leaves out, and why.
package main

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
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

// kinds.json has the categories of the file, and for each kind of record its category and
// the fields of a cancellation. The first kind whose words or categories a record has is its
// kind.
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

// The file's format; see internal/cancellation/cataloguefile.
type (
	organization struct {
		Slug         string    `json:"slug"`
		Category     string    `json:"category"`
		Name         string    `json:"name"`
		ExtraConsent bool      `json:"extraConsent"`
		URL          string    `json:"url"`
		Locales      []string  `json:"locales"`
		Confirmed    bool      `json:"confirmed"`
		Source       string    `json:"source"`
		Products     []product `json:"products"`
	}
	product struct {
		Slug     string    `json:"slug"`
		Name     string    `json:"name"`
		Locales  []string  `json:"locales"`
		Form     string    `json:"form"`
		Channels []channel `json:"channels"`
		Fields   []string  `json:"fields"`
	}
	channel struct {
		Kind    string   `json:"kind"`
		Fax     string   `json:"fax,omitempty"`
		Address *address `json:"address,omitempty"`
	}
)

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
	file, left, err := convert(records, "datenanfragen.de (CC0), "+date)
	if err != nil {
		return err
	}
	if _, err := cataloguefile.Parse(bytes.NewReader(file), letter.Writer{}); err != nil {
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
	counts := map[string]int{}
	for _, l := range left {
		fmt.Println(l)
		counts[l.why]++
	}
	for _, why := range slices.Sorted(maps.Keys(counts)) {
		fmt.Printf("%5d %s\n", counts[why], why)
	}
	fmt.Printf("%d of %d organizations in %s, %d bytes\n", bytes.Count(file, []byte(`{"organization"`)), len(records), out, packed.Len())
	return os.WriteFile(out, packed.Bytes(), 0o644)
}

// read returns the records of a file or folder.
func read(source string) ([]record, error) {
	files := []string{source}
	if info, err := os.Stat(source); err != nil {
		return nil, err
	} else if info.IsDir() {
		if files, err = filepath.Glob(filepath.Join(source, "*.json")); err != nil {
			return nil, err
		}
	}
	var all []record
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		for d := json.NewDecoder(bytes.NewReader(text)); d.More(); {
			var r record
			if err := d.Decode(&r); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			all = append(all, r)
		}
	}
	slices.SortFunc(all, func(a, b record) int { return strings.Compare(a.Slug, b.Slug) })
	return all, nil
}

// leftOut is something that is not in the file.
type leftOut struct{ slug, why, text string }

func (l leftOut) String() string { return l.slug + ": " + l.why + ": " + l.text }

// convert returns the catalogue file, and what is not in it.
func convert(records []record, source string) ([]byte, []leftOut, error) {
	var kinds struct {
		Names map[string]map[string]string
		Kinds []kind
	}
	if err := json.Unmarshal(kindsFile, &kinds); err != nil {
		return nil, nil, fmt.Errorf("kinds.json: %w", err)
	}
	var out bytes.Buffer
	lines := json.NewEncoder(&out)
	lines.SetEscapeHTML(false)
	for _, slug := range slices.Sorted(maps.Keys(kinds.Names)) {
		line := map[string]any{"category": map[string]any{"slug": slug, "names": kinds.Names[slug]}}
		if err := lines.Encode(line); err != nil {
			return nil, nil, err
		}
	}
	var left []leftOut
	for _, r := range records {
		o, missing := organizationOf(r, kinds.Kinds, source)
		left = append(left, missing...)
		if o == nil {
			continue
		}
		if err := lines.Encode(map[string]any{"organization": o}); err != nil {
			return nil, nil, err
		}
	}
	return out.Bytes(), left, nil
}

// organizationOf returns the organization of a record, or nil if nothing is left.
func organizationOf(r record, kinds []kind, source string) (*organization, []leftOut) {
	var left []leftOut
	leave := func(why, text string) { left = append(left, leftOut{r.Slug, why, text}) }
	if name := r.Name; rules().Person.MatchString(name) || !printable(name) {
		leave("a name of a person, or one that no letter can show", name)
		return nil, left
	}
	k := kindOf(r, kinds)
	var channels []channel
	a, dropped, problem := parseAddress(r)
	for _, line := range dropped {
		leave("a line of the address", line)
	}
	if problem == "" && len(localesOf(r.Countries, a)) == 0 {
		problem = "to whose country no letter can be addressed"
	}
	if problem != "" {
		a = nil
		leave("the address, "+problem, strings.ReplaceAll(r.Address, "\n", " / "))
	} else {
		channels = append(channels, channel{Kind: "Mail", Address: a}, channel{Kind: "RegisteredMail", Address: a})
	}
	switch fax := strings.Map(digit, r.Fax); {
	case faxNumber.MatchString(fax):
		channels = append(channels, channel{Kind: "Fax", Fax: fax})
	case fax != "":
		leave("the fax number", r.Fax)
	}
	if len(channels) == 0 {
		leave("the organization, which has neither address nor fax", r.Name)
		return nil, left
	}
	web := r.Web
	if !strings.HasPrefix(web, "http") || strings.ContainsAny(web, " \t") {
		web = ""
	}
	o := &organization{
		Slug: r.Slug, Category: k.Category, Name: r.Name, ExtraConsent: k.ExtraConsent, URL: web,
		Locales: localesOf(r.Countries, a), Source: source,
	}
	for _, name := range productNames(r) {
		fields := append([]string{"NAME", "ADDRESS", "ZIP", "CITY"}, k.Fields...)
		if k.Category == "insurance" && carInsurance.MatchString(name) {
			fields = append(fields, "LICENSE_PLATE")
		}
		o.Products = append(o.Products, product{
			Slug: slugOf(name), Name: name, Locales: o.Locales, Form: "Text", Channels: channels, Fields: fields,
		})
	}
	return o, left
}

var (
	faxNumber    = regexp.MustCompile(`^\+[1-9][0-9]{6,14}$`)
	carInsurance = regexp.MustCompile(`(?i)\bkfz|auto|motor|car insurance`)
)

func digit(r rune) rune {
	if r == '+' || r >= '0' && r <= '9' {
		return r
	}
	return -1
}

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

// maxProducts is the most that an organization may have.
const maxProducts = 50

var (
	remark  = regexp.MustCompile(`\s*[(\[][^)\]]*[)\]]`)
	former  = regexp.MustCompile(`(?i)\(.*(former|ehem|früher|retired|eingestellt|closed).*\)`)
	website = regexp.MustCompile(`(?i)^(https?:|www\.)|^[\w.-]+\.[a-z]{2,6}(/.*)?$|^[\w.-]+\.[\w.-]+\.[a-z]{2,6}$`)
	noBrand = regexp.MustCompile(`(?i)newsletter|\bforum\b|\bblog\b|\bwebsite\b|webseite|internetauftritt|community|facebook|twitter|@`)
)

// productNames returns the organization's name and those of its brands, without web sites and
// what is gone.
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

// localesOf returns the locales in which letters to this address can be written, those of the
// record's countries first.
func localesOf(countries []string, a *address) []string {
	var list []string
	writer := letter.Writer{}
	known := writer.Locales()
	for _, c := range append(slices.Clone(countries), "gb", "de") {
		if len(list) > 0 && (c == "gb" || c == "de") && !slices.Contains(countries, c) {
			continue // only if there is no better one
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
