package cancellationdb

import (
	"bytes"
	"compress/gzip"
	"encoding/gob"
	"errors"
	"fmt"
	"strings"

	"aviso/internal/cancellation"
)

// snapshot is search documents, column by column and each text once: that is
// small when compressed, and quickly read.
type snapshot struct {
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

var errSnapshotCorrupt = errors.New("snapshot: its columns do not fit together")

// encodeSnapshot gives the same bytes for the same documents.
func encodeSnapshot(documents []cancellation.SearchDocument) ([]byte, error) {
	var s snapshot
	numbers := map[string]uint32{}
	number := func(text string) uint32 {
		n, known := numbers[text]
		if !known {
			n = uint32(len(s.Texts))
			s.Texts, numbers[text] = append(s.Texts, text), n
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
		s.IDs, s.OrganizationIDs = append(s.IDs, number(d.ID)), append(s.OrganizationIDs, number(d.OrganizationID))
		s.CategoryIDs, s.URLs = append(s.CategoryIDs, number(d.CategoryID)), append(s.URLs, number(d.URL))
		s.Names, s.OrganizationNames = append(s.Names, number(d.Name)), append(s.OrganizationNames, number(d.OrganizationName))
		s.Locales, s.Flags = append(s.Locales, number(strings.Join(locales, " "))), append(s.Flags, flags)
	}
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if err := gob.NewEncoder(w).Encode(s); err != nil {
		return nil, fmt.Errorf("encode snapshot: %w", err)
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
	var s snapshot
	if err := gob.NewDecoder(r).Decode(&s); err != nil {
		return nil, fmt.Errorf("decode snapshot: %w", err)
	}
	if !s.fits() {
		return nil, errSnapshotCorrupt
	}
	locales := map[uint32][]cancellation.Locale{}
	documents := make([]cancellation.SearchDocument, len(s.Flags))
	for i, flags := range s.Flags {
		n := s.Locales[i]
		if _, known := locales[n]; !known {
			for l := range strings.FieldsSeq(s.Texts[n]) {
				locales[n] = append(locales[n], cancellation.Locale(l))
			}
		}
		d := cancellation.SearchDocument{
			Kind: cancellation.SearchOrganization, ID: s.Texts[s.IDs[i]], OrganizationID: s.Texts[s.OrganizationIDs[i]], CategoryID: s.Texts[s.CategoryIDs[i]],
			Name: s.Texts[s.Names[i]], OrganizationName: s.Texts[s.OrganizationNames[i]], ExtraConsent: flags&flagExtraConsent != 0,
			URL: s.Texts[s.URLs[i]], Locales: locales[n],
		}
		if flags&flagProduct != 0 {
			d.Kind = cancellation.SearchProduct
		}
		documents[i] = d
	}
	return documents, nil
}

// fits tells whether all columns are as long as one another and name texts that
// are there.
func (s snapshot) fits() bool {
	for _, column := range [][]uint32{s.IDs, s.OrganizationIDs, s.CategoryIDs, s.Names, s.OrganizationNames, s.URLs, s.Locales} {
		if len(column) != len(s.Flags) {
			return false
		}
		for _, n := range column {
			if int(n) >= len(s.Texts) {
				return false
			}
		}
	}
	return true
}
