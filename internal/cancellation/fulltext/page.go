package fulltext

import (
	"encoding/json"
	"fmt"
	"slices"
	"sort"

	"aviso/internal/cancellation"
)

// key orders hits: by weight, then by the number of words in the document's own name
// that the query lacks, then by document. Documents are numbered by name and ID.
type key uint64

const documentBits = 24

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

// collector keeps the best hits from a key on.
type collector struct {
	from  key
	limit int
	best  []key // unsorted; contains the best limit+1
	// worst is the first key that can no longer be among the best.
	worst key
}

// newCollector returns a collector for the hits after p among the documents from first
// up to, but not including, end.
func (x *Index) newCollector(p listPosition, limit, first, end int) *collector {
	c := &collector{limit: limit, worst: ^key(0)}
	switch {
	case p.End:
		c.from = ^key(0)
	case p.ID != "":
		var tokenizer Tokenizer
		after := first + sort.Search(end-first, func(i int) bool {
			id, order := x.text(first+i, docID), orderOf(&tokenizer, x.text(first+i, docName))
			return order > p.Order || order == p.Order && id > p.ID
		})
		c.from = key(p.Score)<<documentBits + key(after)
	}
	return c
}

func (c *collector) add(k key) {
	if k < c.from || k >= c.worst {
		return
	}
	if c.best = append(c.best, k); len(c.best) >= 4*(c.limit+1) {
		c.trim()
		c.worst = c.best[c.limit]
	}
}

func (c *collector) trim() {
	slices.Sort(c.best)
	c.best = c.best[:min(len(c.best), c.limit+1)]
}

// page returns the collected documents and the position after them.
func (x *Index) page(c *collector) ([]cancellation.SearchDocument, listPosition) {
	c.trim()
	hits := c.best[:min(len(c.best), c.limit)]
	documents := make([]cancellation.SearchDocument, len(hits))
	for i, k := range hits {
		documents[i] = x.document(k.document())
	}
	if len(c.best) <= c.limit {
		return documents, listPosition{End: true}
	}
	last := documents[c.limit-1]
	score := hits[c.limit-1].score()
	return documents, listPosition{Score: score, Order: orderOf(&Tokenizer{}, last.Name), ID: last.ID}
}
