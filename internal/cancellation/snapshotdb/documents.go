package snapshotdb

import (
	"compress/gzip"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"strings"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/fulltext"
)

// Snapshots used to hold documents instead of an index: a compressed stream of gob values,
// first the number of documents, then blocks. Such a snapshot stays in force until the first
// import after an upgrade. The compression has a checksum.

// indexOf builds the index of such a snapshot.
func indexOf(snapshot string) (*fulltext.Index, error) {
	documents, err := decodeSnapshot(snapshot)
	if err != nil {
		return nil, err
	}
	return fulltext.Open(string(fulltext.Encode(documents)))
}

// maxPreallocated bounds what is allocated before any document has been read.
const maxPreallocated = 1 << 20

// block has search documents by column and each text only once.
type block struct {
	Texts []string
	// The columns have one index into Texts for each document.
	IDs, OrganizationIDs, CategoryIDs, Names, OrganizationNames, URLs, Locales []uint32
	Flags                                                                      []byte
	// CategoryNames has the names of a document's category, one a line. Snapshots from
	// before the search knew categories lack it.
	CategoryNames []uint32
}

// The bits of Flags.
const (
	flagProduct = 1 << iota
	flagExtraConsent
)

var errSnapshotCorrupt = errors.New("snapshot is corrupt: its parts do not match")

func decodeSnapshot(encoded string) ([]cancellation.SearchDocument, error) {
	r, err := gzip.NewReader(strings.NewReader(encoded))
	if err != nil {
		return nil, fmt.Errorf("decompress snapshot: %w", err)
	}
	stream := gob.NewDecoder(r)
	var n int
	if err := stream.Decode(&n); err != nil {
		return nil, fmt.Errorf("decode snapshot: %w", err)
	}
	if n < 0 {
		return nil, errSnapshotCorrupt
	}
	documents := make([]cancellation.SearchDocument, 0, min(n, maxPreallocated))
	for len(documents) < n {
		var b block
		if err := stream.Decode(&b); err != nil {
			return nil, fmt.Errorf("decode snapshot: %w", err)
		}
		if len(b.Flags) == 0 || !b.valid() {
			return nil, errSnapshotCorrupt
		}
		documents = b.appendTo(documents)
	}
	// The checksum is at the end.
	if _, err := io.Copy(io.Discard, r); err != nil { //nolint:gosec // only an importer writes snapshots
		return nil, fmt.Errorf("decompress snapshot: %w", err)
	}
	return documents, nil
}

func (b block) appendTo(documents []cancellation.SearchDocument) []cancellation.SearchDocument {
	locales := map[uint32][]cancellation.Locale{} // shared by documents with the same locales
	categories := map[uint32][]string{}           // likewise
	for i, flags := range b.Flags {
		n := b.Locales[i]
		if _, known := locales[n]; !known {
			locales[n] = nil
			for l := range strings.FieldsSeq(b.Texts[n]) {
				locales[n] = append(locales[n], cancellation.Locale(l))
			}
		}
		var names []string
		if len(b.CategoryNames) > 0 {
			n := b.CategoryNames[i]
			if _, known := categories[n]; !known && b.Texts[n] != "" {
				categories[n] = strings.Split(b.Texts[n], "\n")
			}
			names = categories[n]
		}
		d := cancellation.SearchDocument{
			Kind: cancellation.SearchOrganization, ID: b.Texts[b.IDs[i]], OrganizationID: b.Texts[b.OrganizationIDs[i]],
			CategoryID: b.Texts[b.CategoryIDs[i]], CategoryNames: names, Name: b.Texts[b.Names[i]],
			OrganizationName: b.Texts[b.OrganizationNames[i]], ExtraConsent: flags&flagExtraConsent != 0,
			URL: b.Texts[b.URLs[i]], Locales: locales[n],
		}
		if flags&flagProduct != 0 {
			d.Kind = cancellation.SearchProduct
		}
		documents = append(documents, d)
	}
	return documents
}

// valid reports whether all columns have the same length and refer to existing
// texts.
func (b block) valid() bool {
	columns := [][]uint32{b.IDs, b.OrganizationIDs, b.CategoryIDs, b.Names, b.OrganizationNames, b.URLs, b.Locales}
	if len(b.CategoryNames) > 0 {
		columns = append(columns, b.CategoryNames)
	}
	for _, column := range columns {
		if len(column) != len(b.Flags) {
			return false
		}
		for _, n := range column {
			if int(n) >= len(b.Texts) {
				return false
			}
		}
	}
	return true
}
