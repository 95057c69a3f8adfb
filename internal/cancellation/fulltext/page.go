package fulltext

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strings"

	"aviso/internal/cancellation"
)

// key orders hits: by weight, then by the number of words in the document's own name
// that the query lacks, then by document. Documents are numbered by name and ID.
type key uint64

const documentBits = 24

// maxDocuments is the number of documents that fit into keys.
const maxDocuments = 1 << documentBits

func keyOf(document int, w weight, extraWords int) key {
	return key(w)<<32 | key(min(max(extraWords, 0), 255))<<documentBits | key(document)
}

func (k key) document() int { return int(k & (1<<documentBits - 1)) }

// score returns the part of the key that depends only on the query and the document.
func (k key) score() uint64 { return uint64(k >> documentBits) }

// pagePosition is where a page starts in each of the two lists.
type pagePosition struct {
	Organizations listPosition `json:"o"`
	Products      listPosition `json:"p"`
}

// listPosition is the position after a hit. It identifies the hit by score, name and ID,
// which do not depend on the rest of the catalogue. The next page therefore starts at
// the same point in another version. The zero value is the start of the list.
type listPosition struct {
	// End is set if the list has no more hits.
	End   bool   `json:"e,omitempty"`
	Score uint64 `json:"s,omitempty"`
	Order string `json:"n,omitempty"`
	ID    string `json:"i,omitempty"`
}

func parsePosition(position string) (pagePosition, error) {
	var p pagePosition
	if position == "" {
		return p, nil
	}
	if err := json.Unmarshal([]byte(position), &p); err != nil {
		return p, fmt.Errorf("search position: %w", err)
	}
	return p, nil
}

// String encodes the position. It is empty at the end of both lists.
func (p pagePosition) String() string {
	if p.Organizations.End && p.Products.End {
		return ""
	}
	text, _ := json.Marshal(p) // only strings and numbers: cannot fail
	return string(text)
}

// hits are the keys of documents, from one on. Only the best are kept, one more than limit.
type hits struct {
	from  key
	keys  []key
	limit int
}

func (h *hits) add(k key) {
	if k < h.from {
		return
	}
	if h.keys = append(h.keys, k); len(h.keys) >= 8*(h.limit+1) {
		h.sort()
	}
}

func (h *hits) sort() {
	slices.Sort(h.keys)
	h.keys = h.keys[:min(len(h.keys), h.limit+1)]
}

// keyAfter returns the first key after p among the documents from first up to, but not including,
// end.
func (x *Index) keyAfter(p listPosition, first, end int) key {
	switch {
	case p.End:
		return ^key(0)
	case p.ID == "":
		return 0
	}
	after := first + sort.Search(end-first, func(i int) bool {
		f := strings.Split(x.documents[first+i].line, "\t")
		return cmp.Or(cmp.Compare(orderOf(f[fieldName]), p.Order), cmp.Compare(f[fieldID], p.ID)) > 0
	})
	return key(p.Score)<<documentBits + key(after)
}

// page returns the first documents and the position after them.
func (x *Index) page(h hits) ([]cancellation.SearchDocument, listPosition) {
	h.sort()
	page := h.keys[:min(len(h.keys), h.limit)]
	documents := make([]cancellation.SearchDocument, len(page))
	for i, k := range page {
		documents[i] = x.document(k.document())
	}
	if len(h.keys) <= h.limit {
		return documents, listPosition{End: true}
	}
	last := documents[h.limit-1]
	return documents, listPosition{Score: page[h.limit-1].score(), Order: orderOf(last.Name), ID: last.ID}
}
