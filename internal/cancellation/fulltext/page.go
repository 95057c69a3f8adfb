package fulltext

import (
	"encoding/json"
	"fmt"
	"slices"
	"sort"

	"aviso/internal/cancellation"
)

// key orders hits: weight, then the words of the own name that the query lacks,
// then the document, whose number is its place by name and id.
type key uint64

const documentBits = 24

func keyOf(document int, w weight, spare int) key {
	return key(w)<<32 | key(min(max(spare, 0), 255))<<documentBits | key(document)
}

func (k key) document() int { return int(k & (1<<documentBits - 1)) }

// score is the part of the key that depends on query and document alone.
func (k key) score() uint64 { return uint64(k >> documentBits) }

// both is the position of a page: where each of the two lists goes on.
type both struct {
	Organizations place `json:"o"`
	Products      place `json:"p"`
}

// place is behind a hit. It names the hit by score, name and id, none of which
// changes with the rest of the catalogue: the page after it begins at the same
// place in another version, too.
type place struct {
	// End: the list has no more hits. Without End and ID, it begins.
	End   bool   `json:"e,omitempty"`
	Score uint64 `json:"s,omitempty"`
	Order string `json:"n,omitempty"`
	ID    string `json:"i,omitempty"`
}

func parsePosition(position string) (both, error) {
	var b both
	if position == "" {
		return b, nil
	}
	if err := json.Unmarshal([]byte(position), &b); err != nil {
		return b, fmt.Errorf("search position: %w", err)
	}
	return b, nil
}

// String is empty at the end of both lists.
func (b both) String() string {
	if b.Organizations.End && b.Products.End {
		return ""
	}
	text, _ := json.Marshal(b) // text and numbers only: can't fail
	return string(text)
}

// collector keeps the best hits from a key on.
type collector struct {
	from  key
	limit int
	best  []key // unsorted; holds the limit+1 best ones
	// worst: keys from it on can't be among the best any more.
	worst key
}

// collect makes the collector of the hits behind p, whose documents are those
// from the first number up to end.
func (x *Index) collect(p place, limit, first, end int) *collector {
	c := &collector{limit: limit, worst: ^key(0)}
	switch {
	case p.End:
		c.from = ^key(0)
	case p.ID != "":
		var cutter Cutter
		after := first + sort.Search(end-first, func(i int) bool {
			id, order := x.at(x.rows[first+i].id), orderOf(&cutter, x.at(x.rows[first+i].name))
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

// page is what was collected, and the place behind it.
func (x *Index) page(c *collector) ([]cancellation.SearchDocument, place) {
	c.trim()
	hits := c.best[:min(len(c.best), c.limit)]
	documents := make([]cancellation.SearchDocument, len(hits))
	for i, k := range hits {
		documents[i] = x.document(k.document())
	}
	if len(c.best) <= c.limit {
		return documents, place{End: true}
	}
	last := documents[c.limit-1]
	return documents, place{Score: hits[c.limit-1].score(), Order: orderOf(&Cutter{}, last.Name), ID: last.ID}
}
