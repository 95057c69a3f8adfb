package fulltext

import (
	"encoding/binary"
	"strings"

	"aviso/internal/cancellation"
)

// record is a document: the offsets of its texts, and flags.
type record [docFields]uint32

// The fields of a record.
const (
	docID = iota
	docOrganizationID
	docCategoryID
	docName
	docOrganizationName
	docURL
	docLocales
	docFlags
	docFields
)

// The bits of docFlags. From docLength on is the number of words in the document's own
// name, 255 at most.
const (
	isProduct uint32 = 1 << iota
	hasExtraConsent
	docLength = 8
)

// writer collects records: organizations first, then products. Few texts are written twice.
type writer struct {
	text []byte
	rows []record
	// organizations has the rows of organizations by ID.
	organizations map[string]int
	// known has the offsets of texts that may be repeated. Organizations' own texts
	// rarely are, so they are left out.
	known map[string]uint32
}

func newWriter() *writer {
	return &writer{organizations: map[string]int{}, known: map[string]uint32{}}
}

func (w *writer) add(d cancellation.SearchDocument, length uint8) {
	var r record
	r[docFlags] = uint32(length) << docLength
	if d.ExtraConsent {
		r[docFlags] |= hasExtraConsent
	}
	r[docID], r[docCategoryID], r[docLocales] = w.write(d.ID), w.writeOnce(d.CategoryID), w.writeOnce(joinLocales(d.Locales))
	organization := &r
	if d.Kind == cancellation.SearchProduct {
		r[docFlags] |= isProduct
		r[docName], organization = w.writeOnce(d.Name), nil
		if row, known := w.organizations[d.OrganizationID]; known {
			organization = &w.rows[row]
		}
	} else {
		r[docName], r[docURL] = w.write(d.Name), w.write(d.URL)
		w.organizations[d.ID] = len(w.rows)
	}
	r[docOrganizationID] = w.writeShared(d.OrganizationID, organization, docID)
	r[docOrganizationName] = w.writeShared(d.OrganizationName, organization, docName)
	r[docURL] = w.writeShared(d.URL, organization, docURL)
	w.rows = append(w.rows, r)
}

// writeShared returns the offset of a text that is usually in a field of the organization.
func (w *writer) writeShared(text string, organization *record, field int) uint32 {
	if organization != nil {
		if at := organization[field]; string(read(w.text, at)) == text {
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
	at := uint32(len(w.text))
	w.text = append(binary.AppendUvarint(w.text, uint64(len(text))), text...)
	return at
}

// encode returns the documents' section.
func (w *writer) encode() []byte {
	data := make([]byte, 0, len(w.rows)*docFields*numberSize)
	for _, r := range w.rows {
		data = appendNumbers(data, r[:]...)
	}
	return data
}

// read returns the text at an offset, or nothing if there is none.
func read[T ~string | ~[]byte](text T, offset uint32) T {
	rest := text[min(int(offset), len(text)):]
	length, size := binary.Uvarint([]byte(rest[:min(binary.MaxVarintLen64, len(rest))]))
	if size <= 0 || length > uint64(len(rest)-size) {
		return text[:0]
	}
	return rest[size:][:length]
}

// records are the encoded documents.
type records struct {
	texts string
	rows  numbers
}

func (r records) len() int { return r.rows.len() / docFields }

func (r records) field(document, field int) uint32 { return r.rows.at(document*docFields + field) }

// text returns the text in a field of a document.
func (r records) text(document, field int) string { return read(r.texts, r.field(document, field)) }

func (r records) isProduct(document int) bool { return r.field(document, docFlags)&isProduct != 0 }

// length returns the number of words in the document's own name.
func (r records) length(document int) int {
	return int(r.field(document, docFlags) >> docLength & 0xff)
}

func (r records) document(i int) cancellation.SearchDocument {
	kind := cancellation.SearchOrganization
	if r.isProduct(i) {
		kind = cancellation.SearchProduct
	}
	return cancellation.SearchDocument{
		Kind: kind, ID: r.text(i, docID), Name: r.text(i, docName), URL: r.text(i, docURL), CategoryID: r.text(i, docCategoryID),
		OrganizationID: r.text(i, docOrganizationID), OrganizationName: r.text(i, docOrganizationName),
		ExtraConsent: r.field(i, docFlags)&hasExtraConsent != 0, Locales: splitLocales(r.text(i, docLocales)),
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
