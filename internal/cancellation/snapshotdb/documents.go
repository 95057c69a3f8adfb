package snapshotdb

import (
	"bytes"
	"compress/gzip"
	"encoding/gob"
	"errors"
	"fmt"
	"slices"
	"strings"

	"aviso/internal/cancellation"
)

// A snapshot is a compressed stream of gob values: the number of documents, then
// blocks. Reading it needs little more memory than the documents themselves.

// maxBlock is how many documents a block holds.
const maxBlock = 4096

// maxPreallocated bounds what is allocated before any document has been read.
const maxPreallocated = 1 << 20

// block stores search documents by column and each text only once. That compresses
// well and is fast to read.
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

// encodeSnapshot returns the same bytes for the same documents.
func encodeSnapshot(documents []cancellation.SearchDocument) ([]byte, error) {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	stream := gob.NewEncoder(w)
	if err := stream.Encode(len(documents)); err != nil {
		return nil, fmt.Errorf("encode snapshot: %w", err)
	}
	for part := range slices.Chunk(documents, maxBlock) {
		if err := stream.Encode(toBlock(part)); err != nil {
			return nil, fmt.Errorf("encode snapshot: %w", err)
		}
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("compress snapshot: %w", err)
	}
	return b.Bytes(), nil
}

func decodeSnapshot(encoded []byte) ([]cancellation.SearchDocument, error) {
	r, err := gzip.NewReader(bytes.NewReader(encoded))
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
	return documents, nil
}

func toBlock(documents []cancellation.SearchDocument) block {
	var b block
	numbers := map[string]uint32{}
	number := func(text string) uint32 {
		n, known := numbers[text]
		if !known {
			n = uint32(len(b.Texts))
			b.Texts, numbers[text] = append(b.Texts, text), n
		}
		return n
	}
	for _, d := range documents {
		var flags byte
		if d.Kind == cancellation.SearchProduct {
			flags |= flagProduct
		}
		if d.ExtraConsent {
			flags |= flagExtraConsent
		}
		locales := make([]string, len(d.Locales))
		for i, l := range d.Locales {
			locales[i] = string(l)
		}
		b.IDs, b.OrganizationIDs = append(b.IDs, number(d.ID)), append(b.OrganizationIDs, number(d.OrganizationID))
		b.CategoryIDs, b.URLs = append(b.CategoryIDs, number(d.CategoryID)), append(b.URLs, number(d.URL))
		b.CategoryNames = append(b.CategoryNames, number(strings.Join(d.CategoryNames, "\n")))
		b.Names = append(b.Names, number(d.Name))
		b.OrganizationNames = append(b.OrganizationNames, number(d.OrganizationName))
		b.Locales, b.Flags = append(b.Locales, number(strings.Join(locales, " "))), append(b.Flags, flags)
	}
	return b
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
