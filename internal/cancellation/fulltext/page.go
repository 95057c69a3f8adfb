package fulltext

import (
	"cmp"
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
	End bool `json:"e,omitempty"`
	// Score is the part of the key that depends only on the query and the document.
	Score key    `json:"s,omitempty"`
	Order string `json:"n,omitempty"`
	ID    string `json:"i,omitempty"`
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
	return p.Score<<documentBits + key(after)
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
	return documents, listPosition{Score: page[h.limit-1] >> documentBits, Order: orderOf(last.Name), ID: last.ID}
}
