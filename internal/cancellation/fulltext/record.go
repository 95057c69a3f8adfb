package fulltext

import (
	"encoding/binary"
	"strings"

	"aviso/internal/cancellation"
)

// records hold what a hit shows of its document. All text is in one string with few
// duplicates, so the garbage collector has nothing to scan.
type records struct {
	text string
	rows []record
}

// record is a document. The numbers are the offsets of its texts.
type record struct {
	id, organizationID, categoryID, name, organizationName, url, locales uint32
	isProduct, extraConsent                                              bool
}

// writer collects records: organizations first, then products.
type writer struct {
	records
	text strings.Builder
	// organizations has the rows of organizations by ID.
	organizations map[string]int
	// known has the offsets of texts that may be repeated. Organizations' own texts
	// rarely are, so they are left out.
	known map[string]uint32
}

func newWriter(documents int) *writer {
	const usual = 80 // bytes of text per document
	w := &writer{
		records:       records{rows: make([]record, 0, documents)},
		organizations: map[string]int{}, known: map[string]uint32{},
	}
	w.text.Grow(usual * documents)
	return w
}

func (w *writer) add(d cancellation.SearchDocument) {
	r := record{
		id: w.write(d.ID), categoryID: w.writeOnce(d.CategoryID), locales: w.writeOnce(joinLocales(d.Locales)),
		isProduct: d.Kind == cancellation.SearchProduct, extraConsent: d.ExtraConsent,
	}
	organization := &r
	if r.isProduct {
		r.name, organization = w.writeOnce(d.Name), nil
		if row, known := w.organizations[d.OrganizationID]; known {
			organization = &w.rows[row]
		}
	} else {
		r.name, r.url = w.write(d.Name), w.write(d.URL)
		w.organizations[d.ID] = len(w.rows)
	}
	r.organizationID = w.writeShared(d.OrganizationID, organization, func(o *record) uint32 { return o.id })
	r.organizationName = w.writeShared(d.OrganizationName, organization, func(o *record) uint32 { return o.name })
	r.url = w.writeShared(d.URL, organization, func(o *record) uint32 { return o.url })
	w.rows = append(w.rows, r)
}

// writeShared returns the offset of a text that is usually the organization's.
func (w *writer) writeShared(text string, organization *record, offset func(*record) uint32) uint32 {
	if organization != nil {
		if at := offset(organization); read(w.text.String(), at) == text {
			return at
		}
	}
	return w.writeOnce(text)
}

// writeOnce returns the offset of a text and writes it if it is new.
func (w *writer) writeOnce(text string) uint32 {
	at, known := w.known[text]
	if !known {
		at = w.write(text)
		w.known[text] = at
	}
	return at
}

// write appends a text, prefixed with its length, and returns its offset.
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

// at returns the text at an offset.
func (r records) at(offset uint32) string { return read(r.text, offset) }

func read(text string, offset uint32) string {
	head := text[offset:min(int(offset)+binary.MaxVarintLen64, len(text))]
	length, size := binary.Uvarint([]byte(head))
	from := int(offset) + size
	return text[from : from+int(length)]
}

func (r records) document(row int) cancellation.SearchDocument {
	d := r.rows[row]
	kind := cancellation.SearchOrganization
	if d.isProduct {
		kind = cancellation.SearchProduct
	}
	return cancellation.SearchDocument{
		Kind: kind, ID: r.at(d.id), Name: r.at(d.name), URL: r.at(d.url), CategoryID: r.at(d.categoryID),
		OrganizationID: r.at(d.organizationID), OrganizationName: r.at(d.organizationName),
		ExtraConsent: d.extraConsent, Locales: splitLocales(r.at(d.locales)),
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
