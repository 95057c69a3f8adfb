package cataloguefile

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"

	"aviso/internal/cancellation"
	"aviso/internal/jsonlines"
)

// MaxMB is the largest file, not compressed.
const MaxMB = 64

//go:embed catalogue.schema.json
var schema []byte

// Parse reads a file. The error is *jsonlines.Invalid when the file is not valid, and
// otherwise that of r.
func Parse(r io.Reader, letters Letters) (cancellation.Edition, error) {
	lines, err := jsonlines.New(schema, formats(letters), MaxMB)
	if err != nil {
		return cancellation.Edition{}, fmt.Errorf("catalogue file: %w", err)
	}
	f := &file{
		letters: letters, locales: letters.Locales(), categoryLines: map[string]int{}, organizationLines: map[string]int{},
		labels: map[string]map[cancellation.Locale]string{},
	}
	if err = lines.Read(r, f.take); err == nil {
		f.checkCategories()
		err = lines.Err(len(f.entries), "organization")
	}
	if err != nil {
		return cancellation.Edition{}, fmt.Errorf("catalogue file: %w", err)
	}
	return cancellation.Edition{Categories: f.categories, Entries: f.entries}, nil
}

// file is what has been read so far.
type file struct {
	letters    Letters
	locales    []cancellation.Locale // of letters
	categories []cancellation.Category
	entries    []cancellation.Entry
	// Where each slug stands, by line.
	categoryLines, organizationLines map[string]int
	// categoryUses are checked at the end: categories may come last.
	categoryUses []categoryUse
	// labels have been made before: a large file has a hundred thousand fields.
	labels map[string]map[cancellation.Locale]string
}

type categoryUse struct {
	line jsonlines.Line
	slug string
}

// organization and product are as the file has them.
type organization struct {
	cancellation.Organization
	Category string
	Products []product
}

type product struct {
	cancellation.Product
	Fields []field
}

// field is given by its key alone where it is a standard one.
type field struct {
	cancellation.Field
	standard bool
}

func (f *field) UnmarshalJSON(text []byte) error {
	f.standard = json.Unmarshal(text, &f.Key) == nil
	if f.standard {
		return nil
	}
	return json.Unmarshal(text, &f.Field)
}

func (f *file) take(l jsonlines.Line) {
	var read struct {
		Category     *cancellation.Category
		Organization *organization
	}
	l.Decode(&read)
	if c := read.Category; c != nil {
		unique(l, "/category/slug", f.categoryLines, c.Slug)
		c.ID = cancellation.CategoryID(c.Slug)
		f.categories = append(f.categories, *c)
	}
	if read.Organization != nil {
		f.takeOrganization(l, *read.Organization)
	}
}

// unique notes where a slug stands, or says that it stands elsewhere, too.
func unique(l jsonlines.Line, path string, lines map[string]int, slug string) {
	if line, there := lines[slug]; there {
		l.Fail(path, fmt.Sprintf("line %d has this slug, too", line))
		return
	}
	lines[slug] = l.Number
}

func (f *file) checkCategories() {
	for _, use := range f.categoryUses {
		if _, known := f.categoryLines[use.slug]; !known {
			use.line.Fail("/organization/category", "there is no category of this slug in the file")
		}
	}
}

func (f *file) takeOrganization(l jsonlines.Line, o organization) {
	unique(l, "/organization/slug", f.organizationLines, o.Slug)
	f.categoryUses = append(f.categoryUses, categoryUse{l, o.Category})
	o.ID, o.CategoryID = cancellation.OrganizationID(o.Slug), cancellation.CategoryID(o.Category)
	o.Locales = slices.DeleteFunc(o.Locales, isNoLocale)
	entry := cancellation.Entry{Organization: o.Organization}
	slugs := map[string]bool{}
	for i, p := range o.Products {
		path := "/organization/products/" + strconv.Itoa(i)
		if slugs[p.Slug] {
			l.Fail(path+"/slug", "another product of the organization has this slug")
		}
		slugs[p.Slug] = true
		p.OrganizationID, p.ID = o.ID, cancellation.ProductID(o.Slug, p.Slug)
		p.Locales = slices.DeleteFunc(p.Locales, isNoLocale)
		foreign := func(locale cancellation.Locale) bool { return !slices.Contains(o.Locales, locale) }
		if len(o.Locales) > 0 && slices.ContainsFunc(p.Locales, foreign) {
			l.Fail(path+"/locales", "every locale must be one of the organization's")
		}
		f.checkChannels(l, path+"/channels/", p.Product)
		p.Product.Fields = f.takeFields(l, path+"/fields", p)
		entry.Products = append(entry.Products, p.Product)
	}
	f.entries = append(f.entries, entry)
}

// checkChannels requires that no channel is there twice and that all paper goes to
// one address, since a letter says the same whichever way it goes.
func (f *file) checkChannels(l jsonlines.Line, path string, p cancellation.Product) {
	kinds := map[cancellation.ChannelKind]bool{}
	var paper *cancellation.PostalAddress
	for i, c := range p.Channels {
		at := path + strconv.Itoa(i)
		if kinds[c.Kind] {
			l.Fail(at+"/kind", "the channel is there twice")
		}
		kinds[c.Kind] = true
		if !c.Kind.OnPaper() || c.Address.IsZero() {
			continue
		}
		if paper != nil && !sameAddress(*paper, c.Address) {
			l.Fail(at+"/address", "all channels on paper must have the same address")
		}
		paper = &c.Address
		if locale, there := f.unreached(c.Address.CountryCode, p.Locales); there {
			l.Fail(at+"/address/countryCode", "letters in "+string(locale)+" have no name for this country")
		}
	}
}

func sameAddress(a, b cancellation.PostalAddress) bool {
	return slices.Equal(a.Recipient, b.Recipient) && a.Street == b.Street && a.PostalCode == b.PostalCode &&
		a.City == b.City && a.CountryCode == b.CountryCode
}

// unreached is the first locale in which no letter can be addressed to a country.
// Locales without letters have been refused before.
func (f *file) unreached(country string, locales []cancellation.Locale) (cancellation.Locale, bool) {
	i := slices.IndexFunc(locales, func(l cancellation.Locale) bool {
		return slices.Contains(f.locales, l) && f.letters.CheckCountry(l, country) != nil
	})
	if i < 0 {
		return "", false
	}
	return locales[i], true
}

// takeFields reads a template.
func (f *file) takeFields(l jsonlines.Line, path string, p product) []cancellation.Field {
	keys := map[string]bool{}
	var list []cancellation.Field
	for i, field := range p.Fields {
		at := path + "/" + strconv.Itoa(i)
		if field.Key != "" && keys[field.Key] {
			l.Fail(at, "another field of the template has this key")
		}
		keys[field.Key] = true
		if field.standard {
			f.label(l, at, &field, p.Locales)
		} else {
			checkLabels(l, at+"/labels/", &field, p.Locales)
		}
		list = append(list, field.Field)
	}
	required := []string{cancellation.FieldName}
	if slices.ContainsFunc(p.Channels, func(c cancellation.Channel) bool { return c.Kind.OnPaper() }) {
		required = append(required, cancellation.FieldAddress, cancellation.FieldZIP, cancellation.FieldCity)
	}
	for _, key := range required {
		if !keys[key] {
			l.Fail(path, "the template needs the field "+key)
		}
	}
	return list
}

// label gives a standard field its labels and format. Fields of the same key and
// locales share their labels.
func (f *file) label(l jsonlines.Line, path string, field *field, locales []cancellation.Locale) {
	field.Format = standardFormats[field.Key]
	id := fmt.Sprint(field.Key, locales)
	labels, made := f.labels[id]
	if !made {
		labels = make(map[cancellation.Locale]string, len(locales))
		for _, locale := range locales {
			labels[locale] = standardLabel(field.Key, locale)
			if labels[locale] == "" {
				l.Fail(path, "there is no standard label in the language of one of the locales; "+
					"give the field as an object with labels")
				return
			}
		}
		f.labels[id] = labels
	}
	field.Labels = labels
}

// checkLabels requires a label for every locale of the product, and keeps no other.
func checkLabels(l jsonlines.Line, path string, field *field, locales []cancellation.Locale) {
	labels := make(map[cancellation.Locale]string, len(locales))
	for _, locale := range locales {
		label, there := field.Labels[locale]
		if !there {
			l.Fail(path+string(locale), "a label for every locale of the product is required")
		}
		labels[locale] = label
	}
	field.Labels = labels
}
