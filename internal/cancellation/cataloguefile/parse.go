package cataloguefile

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/catalogue"
	"aviso/internal/cancellation/deadline"
	"aviso/internal/cancellation/letter"
	"aviso/internal/jsonschema"
)

// MaxMB is the maximum size of a file in megabytes, uncompressed.
const MaxMB = 64

//go:embed catalogue.schema.json
var schema []byte

// Parse reads a catalogue file. It returns *jsonschema.Invalid if the file is not valid,
// or r's error.
func Parse(r io.Reader) (catalogue.Edition, error) {
	lines, err := jsonschema.NewFile(schema, formats(), MaxMB)
	if err != nil {
		return catalogue.Edition{}, fmt.Errorf("catalogue file: %w", err)
	}
	f := &file{
		locales: letter.Writer{}.Locales(),
		lines:   map[string]int{}, labels: map[string]map[cancellation.Locale]string{},
	}
	if err = lines.Read(r, f.addLine); err == nil {
		f.checkCategories()
		err = lines.Err(len(f.edition.Entries), "organization")
	}
	if err != nil {
		return catalogue.Edition{}, fmt.Errorf("catalogue file: %w", err)
	}
	return f.edition, nil
}

// file has the content read so far.
type file struct {
	locales []cancellation.Locale // the locales of letters
	edition catalogue.Edition
	// entryLines are the lines of the entries. lines has the line numbers by the ID of a category or organization.
	entryLines []jsonschema.Line
	lines      map[string]int
	// labels caches standard labels: a large file has a hundred thousand fields.
	labels map[string]map[cancellation.Locale]string
}

// organization is an organization in the file's form.
type organization struct {
	catalogue.Organization
	Category  string
	Confirmed *bool
	Products  []product
}

// product is a product in the file's form.
type product struct {
	catalogue.Product
	Fields []field
}

// field is a template field in the file's form.
type field struct {
	catalogue.Field
	standard bool // given as its key only
}

// UnmarshalJSON implements json.Unmarshaler. A standard field is a string, its key.
func (f *field) UnmarshalJSON(text []byte) error {
	f.standard = json.Unmarshal(text, &f.Key) == nil
	if f.standard {
		return nil
	}
	return json.Unmarshal(text, &f.Field)
}

func (f *file) addLine(l jsonschema.Line) {
	var read struct {
		Category     *catalogue.Category
		Organization *organization
	}
	l.Decode(&read)
	if c := read.Category; c != nil {
		c.ID = catalogue.CategoryID(c.Slug)
		f.checkUnique(l, "/category/slug", c.ID)
		f.edition.Categories = append(f.edition.Categories, *c)
	}
	if read.Organization != nil {
		f.addOrganization(l, *read.Organization)
	}
}

// checkUnique records the line of an ID, or reports that an earlier line has the same slug.
func (f *file) checkUnique(l jsonschema.Line, path, id string) {
	if line, exists := f.lines[id]; exists {
		l.Fail(path, fmt.Sprintf("line %d already uses this slug", line))
		return
	}
	f.lines[id] = l.Number
}

// checkCategories is called at the end, because categories may come last.
func (f *file) checkCategories() {
	for i, e := range f.edition.Entries {
		if f.lines[e.Organization.CategoryID] == 0 {
			f.entryLines[i].Fail("/organization/category", "the file has no category with this slug")
		}
	}
}

func (f *file) addOrganization(l jsonschema.Line, o organization) {
	o.ID, o.CategoryID = catalogue.OrganizationID(o.Slug), catalogue.CategoryID(o.Category)
	f.checkUnique(l, "/organization/slug", o.ID)
	o.Locales = slices.DeleteFunc(o.Locales, isInvalidLocale)
	o.Unconfirmed = o.Confirmed != nil && !*o.Confirmed
	entry := catalogue.Entry{Organization: o.Organization}
	slugs := map[string]bool{}
	for i, p := range o.Products {
		path := "/organization/products/" + strconv.Itoa(i)
		if slugs[p.Slug] {
			l.Fail(path+"/slug", "another product of this organization already uses this slug")
		}
		slugs[p.Slug] = true
		p.OrganizationID, p.ID = o.ID, catalogue.ProductID(o.Slug, p.Slug)
		p.Locales = slices.DeleteFunc(p.Locales, isInvalidLocale)
		isForeign := func(locale cancellation.Locale) bool { return !slices.Contains(o.Locales, locale) }
		if len(o.Locales) > 0 && slices.ContainsFunc(p.Locales, isForeign) {
			l.Fail(path+"/locales", "must contain only locales of the organization")
		}
		f.checkChannels(l, path+"/channels/", p.Product)
		isMail := func(c cancellation.Channel) bool { return c.Kind == cancellation.ChannelEmail }
		if o.Unconfirmed && slices.ContainsFunc(p.Channels, isMail) {
			l.Fail(path+"/channels", "must not contain Email before the organization has confirmed it")
		}
		if deadline.Overlap(p.Terms) {
			l.Fail(path+"/terms", "must not be valid for the same contract twice")
		}
		p.Product.Fields = f.readFields(l, path+"/fields", p)
		entry.Products = append(entry.Products, p.Product)
	}
	f.edition.Entries, f.entryLines = append(f.edition.Entries, entry), append(f.entryLines, l)
}

// checkChannels checks that each kind of channel occurs once. It also checks that all paper channels have the same
// address, because they share one letter.
func (f *file) checkChannels(l jsonschema.Line, path string, p catalogue.Product) {
	kinds := map[cancellation.ChannelKind]bool{}
	var paper *cancellation.PostalAddress
	for i, c := range p.Channels {
		at := path + strconv.Itoa(i)
		if kinds[c.Kind] {
			l.Fail(at+"/kind", "another channel of this product has the same kind")
		}
		kinds[c.Kind] = true
		if !c.Kind.OnPaper() || c.Address == nil {
			continue
		}
		if paper != nil && !reflect.DeepEqual(paper, c.Address) {
			l.Fail(at+"/address", "must be the same for Mail and RegisteredMail")
		}
		paper = c.Address
		// The schema has already rejected locales without letters.
		unnamed := slices.IndexFunc(p.Locales, func(l cancellation.Locale) bool {
			return slices.Contains(f.locales, l) && letter.Writer{}.CheckCountry(l, c.Address.CountryCode) != nil
		})
		if unnamed >= 0 {
			locale := string(p.Locales[unnamed])
			l.Fail(at+"/address/countryCode", "letters in "+locale+" cannot be addressed to this country")
		}
	}
}

// readFields reads the fields of a template.
func (f *file) readFields(l jsonschema.Line, path string, p product) []catalogue.Field {
	keys := map[string]bool{}
	var list []catalogue.Field
	for i, field := range p.Fields {
		at := path + "/" + strconv.Itoa(i)
		if field.Key != "" && keys[field.Key] {
			l.Fail(at, "another field of the template already uses this key")
		}
		keys[field.Key] = true
		if field.standard {
			f.fillStandard(l, at, &field, p.Locales)
		} else {
			checkLabels(l, at+"/labels/", &field, p.Locales)
		}
		list = append(list, field.Field)
	}
	required := []string{catalogue.FieldName}
	if slices.ContainsFunc(p.Channels, func(c cancellation.Channel) bool { return c.Kind.OnPaper() }) {
		required = append(required, catalogue.FieldAddress, catalogue.FieldZIP, catalogue.FieldCity)
	}
	for _, key := range required {
		if !keys[key] {
			l.Fail(path, "the template must have the field "+key)
		}
	}
	for i, field := range list {
		if slices.Contains(required, field.Key) && field.Accepts("") {
			l.Fail(path+"/"+strconv.Itoa(i)+"/format", "must not accept the empty text in the field "+field.Key)
		}
	}
	return list
}

// fillStandard sets the format and labels of a standard field. Fields with the same key
// and locales share one map of labels.
func (f *file) fillStandard(l jsonschema.Line, path string, field *field, locales []cancellation.Locale) {
	field.Format = catalogue.StandardFormats[field.Key]
	id := fmt.Sprint(field.Key, locales)
	labels, cached := f.labels[id]
	if !cached {
		labels = make(map[cancellation.Locale]string, len(locales))
		for _, locale := range locales {
			labels[locale] = catalogue.StandardLabel(field.Key, locale)
			if labels[locale] == "" {
				l.Fail(path, "this standard field has no label in the language of one of the product's locales; "+
					"write the field as an object with labels")
				return
			}
		}
		f.labels[id] = labels
	}
	field.Labels = labels
}

// checkLabels checks that there is a label for every locale of the product. It drops all others.
func checkLabels(l jsonschema.Line, path string, field *field, locales []cancellation.Locale) {
	labels := make(map[cancellation.Locale]string, len(locales))
	for _, locale := range locales {
		label, exists := field.Labels[locale]
		if !exists {
			l.Fail(path+string(locale), "a label is required for every locale of the product")
		}
		labels[locale] = label
	}
	field.Labels = labels
}
