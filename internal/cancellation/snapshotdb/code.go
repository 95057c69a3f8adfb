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

// A snapshot is a stream of gob values, compressed: their number of documents,
// then blocks. What is held at once while it is read is little more than the
// documents.

// maxBlock is how many documents a block holds.
const maxBlock = 4096

// maxPreallocated bounds the room that is made on the word of a number alone.
const maxPreallocated = 1 << 20

// block is search documents, column by column and each text once: that is small
// when compressed, and quickly read.
type block struct {
	Texts []string
	// The columns have a number for each document: its text's.
	IDs, OrganizationIDs, CategoryIDs, Names, OrganizationNames, URLs, Locales []uint32
	Flags                                                                      []byte
}

// What Flags holds.
const (
	flagProduct = 1 << iota
	flagExtraConsent
)

var errSnapshotCorrupt = errors.New("snapshot: its parts do not fit together")

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
		b.Names = append(b.Names, number(d.Name))
		b.OrganizationNames = append(b.OrganizationNames, number(d.OrganizationName))
		b.Locales, b.Flags = append(b.Locales, number(strings.Join(locales, " "))), append(b.Flags, flags)
	}
	return b
}

func (b block) appendTo(documents []cancellation.SearchDocument) []cancellation.SearchDocument {
	locales := map[uint32][]cancellation.Locale{} // shared by all that have the same
	for i, flags := range b.Flags {
		n := b.Locales[i]
		if _, known := locales[n]; !known {
			locales[n] = nil
			for l := range strings.FieldsSeq(b.Texts[n]) {
				locales[n] = append(locales[n], cancellation.Locale(l))
			}
		}
		d := cancellation.SearchDocument{
			Kind: cancellation.SearchOrganization, ID: b.Texts[b.IDs[i]], OrganizationID: b.Texts[b.OrganizationIDs[i]],
			CategoryID: b.Texts[b.CategoryIDs[i]], Name: b.Texts[b.Names[i]],
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

// fits reports whether all columns are as long as one another and name texts that
// are there.
func (b block) valid() bool {
	columns := [][]uint32{b.IDs, b.OrganizationIDs, b.CategoryIDs, b.Names, b.OrganizationNames, b.URLs, b.Locales}
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
