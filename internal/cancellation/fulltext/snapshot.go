package fulltext

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"aviso/internal/cancellation"
	"aviso/internal/textfold"
)

// A snapshot is JSON compressed with gzip: first its head, and then the documents in the order
// of the index. The checksum of gzip finds missing and mixed chunks. Change
// cancellation.snapshotLayout with it.
type head struct {
	Format string
	// CategoryNames are those of the documents, by ID.
	CategoryNames map[string][]string
}

const format = "aviso search 4"

// errUnreadable is returned for a snapshot that is damaged or of another release.
var errUnreadable = errors.New("the search's snapshot cannot be read")

// New returns an index of documents.
func New(documents []cancellation.SearchDocument) (*Index, error) {
	text, err := encode(documents)
	if err != nil {
		return nil, err
	}
	return open(bytes.NewReader(text))
}

// encode returns a snapshot of documents.
func encode(documents []cancellation.SearchDocument) ([]byte, error) {
	first, orders := head{Format: format, CategoryNames: map[string][]string{}}, map[string]string{}
	for _, d := range slices.Backward(documents) {
		first.CategoryNames[d.CategoryID], orders[d.Name] = d.CategoryNames, orderOf(d.Name)
	}
	var text bytes.Buffer
	packed := gzip.NewWriter(&text)
	out := json.NewEncoder(packed)
	err := out.Encode(first)
	for _, d := range slices.SortedFunc(slices.Values(documents), func(a, b cancellation.SearchDocument) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(orders[a.Name], orders[b.Name]), cmp.Compare(a.ID, b.ID))
	}) {
		d.CategoryNames = nil
		err = errors.Join(err, out.Encode(d))
	}
	err = errors.Join(err, packed.Close())
	return text.Bytes(), err
}

// open returns the index of a snapshot. What follows the snapshot is ignored: a longer one that
// it has replaced may have left chunks behind.
func open(text io.Reader) (*Index, error) {
	unpacked, err := gzip.NewReader(text)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errUnreadable, err)
	}
	unpacked.Multistream(false)
	in, b := json.NewDecoder(unpacked), newBuilder()
	var first head
	if err := in.Decode(&first); err != nil || first.Format != format {
		return nil, errUnreadable
	}
	for {
		var d cancellation.SearchDocument
		switch err := in.Decode(&d); {
		case errors.Is(err, io.EOF):
			return b.Index, nil
		case err != nil:
			return nil, fmt.Errorf("%w: %w", errUnreadable, err)
		}
		d.CategoryNames = first.CategoryNames[d.CategoryID]
		b.add(d)
	}
}

// orderOf returns the form of a name by which equally good hits are sorted; the ID breaks
// ties. It is cut off so that page positions stay short.
func orderOf(name string) string {
	const longest = 120
	order := textfold.Short(strings.Join(words(name), " "))
	for len(order) > longest {
		_, size := utf8.DecodeLastRuneInString(order)
		order = order[:len(order)-size]
	}
	return order
}
