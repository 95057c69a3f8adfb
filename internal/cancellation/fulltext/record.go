package fulltext

import (
	"encoding/binary"
	"strings"

	"aviso/internal/cancellation"
)

// records hold what is shown of each document. All text is in one string, and
// hardly a piece twice, so that the collector has nothing to look through.
type records struct {
	text string
	rows []record
}

// record is a document; the numbers are where its pieces of text begin.
type record struct {
	id, organizationID, categoryID, name, organizationName, url, locales uint32
	isProduct, extraConsent                                              bool
}

// writer collects records: organizations first, then products.
type writer struct {
	records
	text strings.Builder
	// organizations are the rows by id, known the places of texts that may come
	// again. Few of the organizations' own do, so those are not looked for.
	organizations map[string]int
	known         map[string]uint32
}

func newWriter(documents int) *writer {
	const usual = 80 // bytes of text a document
	w := &writer{records: records{rows: make([]record, 0, documents)}, organizations: map[string]int{}, known: map[string]uint32{}}
	w.text.Grow(usual * documents)
	return w
}

func (w *writer) add(d cancellation.SearchDocument) {
	r := record{
		id: w.write(d.ID), categoryID: w.again(d.CategoryID), locales: w.again(joinLocales(d.Locales)),
		isProduct: d.Kind == cancellation.SearchProduct, extraConsent: d.ExtraConsent,
	}
	of := &r
	if r.isProduct {
		r.name, of = w.again(d.Name), nil
		if row, known := w.organizations[d.OrganizationID]; known {
			of = &w.rows[row]
		}
	} else {
		r.name, r.url = w.write(d.Name), w.write(d.URL)
		w.organizations[d.ID] = len(w.rows)
	}
	r.organizationID = w.of(d.OrganizationID, of, func(o *record) uint32 { return o.id })
	r.organizationName = w.of(d.OrganizationName, of, func(o *record) uint32 { return o.name })
	r.url = w.of(d.URL, of, func(o *record) uint32 { return o.url })
	w.rows = append(w.rows, r)
}

// of is the place of a text that is usually that of the organization.
func (w *writer) of(text string, organization *record, place func(*record) uint32) uint32 {
	if organization != nil {
		if at := place(organization); read(w.text.String(), at) == text {
			return at
		}
	}
	return w.again(text)
}

// again is where a text begins that may have been written before.
func (w *writer) again(text string) uint32 {
	at, known := w.known[text]
	if !known {
		at = w.write(text)
		w.known[text] = at
	}
	return at
}

// write writes a text, its length first, and gives its place.
func (w *writer) write(text string) uint32 {
	at := uint32(w.text.Len())
	var length [binary.MaxVarintLen64]byte
	w.text.Write(length[:binary.PutUvarint(length[:], uint64(len(text)))])
	w.text.WriteString(text)
	return at
}

func (w *writer) finish() records {
	w.records.text = w.text.String()
	return w.records
}

// at is the text at a place.
func (r records) at(place uint32) string { return read(r.text, place) }

func read(text string, place uint32) string {
	head := text[place:min(int(place)+binary.MaxVarintLen64, len(text))]
	length, size := binary.Uvarint([]byte(head))
	from := int(place) + size
	return text[from : from+int(length)]
}

func (r records) document(row int) cancellation.SearchDocument {
	d := r.rows[row]
	kind := cancellation.SearchOrganization
	if d.isProduct {
		kind = cancellation.SearchProduct
	}
	return cancellation.SearchDocument{
		Kind: kind, ID: r.at(d.id), OrganizationID: r.at(d.organizationID), CategoryID: r.at(d.categoryID), Name: r.at(d.name),
		OrganizationName: r.at(d.organizationName), ExtraConsent: d.extraConsent, URL: r.at(d.url), Locales: splitLocales(r.at(d.locales)),
	}
}

func joinLocales(locales []cancellation.Locale) string {
	var b strings.Builder
	for i, l := range locales {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(string(l))
	}
	return b.String()
}

func splitLocales(text string) []cancellation.Locale {
	var locales []cancellation.Locale
	for l := range strings.FieldsSeq(text) {
		locales = append(locales, cancellation.Locale(l))
	}
	return locales
}
