package fulltext

import (
	"encoding/binary"
	"strings"

	"aviso/internal/cancellation"
)

// records hold what is shown of each document. All text is in one string, each
// piece once, so that the collector has nothing to look through.
type records struct {
	text string
	rows []record
}

// record is a document; the numbers are where its pieces of text begin.
type record struct {
	id, organizationID, categoryID, name, organizationName, url, locales uint32
	isProduct, extraConsent                                              bool
}

// writer collects records.
type writer struct {
	records
	text   strings.Builder
	places map[string]uint32
}

func newWriter(documents int) *writer {
	const usual = 80 // bytes of text a document
	w := &writer{records: records{rows: make([]record, 0, documents)}, places: make(map[string]uint32, 3*documents)}
	w.text.Grow(usual * documents)
	return w
}

func (w *writer) add(d cancellation.SearchDocument) {
	w.rows = append(w.rows, record{
		id: w.place(d.ID), organizationID: w.place(d.OrganizationID), categoryID: w.place(d.CategoryID), name: w.place(d.Name),
		organizationName: w.place(d.OrganizationName), url: w.place(d.URL), locales: w.place(joinLocales(d.Locales)),
		isProduct: d.Kind == cancellation.SearchProduct, extraConsent: d.ExtraConsent,
	})
}

// place is where the text begins: its length, then itself.
func (w *writer) place(text string) uint32 {
	at, known := w.places[text]
	if !known {
		at = uint32(w.text.Len())
		w.places[text] = at
		var length [binary.MaxVarintLen64]byte
		w.text.Write(length[:binary.PutUvarint(length[:], uint64(len(text)))])
		w.text.WriteString(text)
	}
	return at
}

func (w *writer) finish() records {
	w.records.text = strings.Clone(w.text.String()) // without the builder's spare room
	return w.records
}

// at is the text at a place.
func (r records) at(place uint32) string {
	head := r.text[place:min(int(place)+binary.MaxVarintLen64, len(r.text))]
	length, size := binary.Uvarint([]byte(head))
	from := int(place) + size
	return r.text[from : from+int(length)]
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
