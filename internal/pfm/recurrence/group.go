package recurrence

import (
	"cmp"
	"maps"
	"slices"

	"aviso/internal/money"
	"aviso/internal/pfm"
)

// held is how many payments a group keeps of direct debits and standing orders,
// and how many of all others. They are counted apart, lest daily purchases drive
// out a yearly debit of the same merchant.
const held = 24

// Row is what a group knows of a payment.
type Row struct {
	ID     string       `json:"id"`
	Date   pfm.Date     `json:"date"`
	Amount money.Amount `json:"amount"`
	// Category is the L2 id.
	Category int `json:"category,omitempty"`
	// Merchant tells whether it was a known merchant that was paid.
	Merchant bool `json:"merchant,omitempty"`
	// Mandate and Standing tell that the payment was agreed on beforehand: by a
	// direct debit mandate, or by a standing order.
	Mandate  bool `json:"mandate,omitempty"`
	Standing bool `json:"standing,omitempty"`
}

// ordered tells whether the payment was agreed on beforehand.
func (r Row) ordered() bool { return r.Mandate || r.Standing }

// Label is what is said of a payment.
type Label struct {
	Frequency    pfm.Frequency `json:"frequency"`
	Subscription bool          `json:"subscription,omitempty"`
}

// once is the label of a payment of which nothing is known yet.
func once() Label { return Label{Frequency: pfm.Once} }

// Change says that a payment has a new label.
type Change struct {
	ID string
	Label
}

// Entry is a payment that a group holds.
type Entry struct {
	Row
	Label
	// Since and Before are the first day and the number of the payments of the
	// same series that came before this one and are no longer held.
	Since  pfm.Date `json:"since,omitempty"`
	Before int      `json:"before,omitempty"`
}

// Group is the state kept of one Key. Its zero value is an empty group. What it
// becomes depends on the order of the rows alone, not on how they were batched,
// and as long as all fit in, not on the order either.
type Group struct {
	// Held is sorted by date and id.
	Held []Entry `json:"held"`
	// First is the day of the earliest payment that is no longer held.
	First pfm.Date `json:"first,omitempty"`
}

// Add takes new and changed rows, of any dates, and tells whose label is now
// another. A new row counts as labelled Once before. A row dated before all that
// a full group holds gets its label and is let go at once; a changed row that
// was let go before is taken for a new one.
func (g *Group) Add(rows ...Row) []Change {
	before := g.labels()
	after := make(map[string]Label, len(before)+len(rows))
	for _, r := range rows {
		if _, known := before[r.ID]; !known {
			before[r.ID] = once()
		}
		e := Entry{Row: r, Label: once()}
		if i := g.index(r.ID); i >= 0 {
			e.Label, e.Since, e.Before = g.Held[i].Label, g.Held[i].Since, g.Held[i].Before
			g.Held = slices.Delete(g.Held, i, i+1)
		}
		at, _ := slices.BinarySearchFunc(g.Held, e, inOrder)
		g.Held = slices.Insert(g.Held, at, e)
		if oldest, over := g.over(r.ordered()); over {
			found := g.label()
			after[g.Held[oldest].ID] = g.Held[oldest].Label
			g.letGo(oldest, found)
		}
	}
	g.label()
	maps.Copy(after, g.labels())
	return changes(before, after)
}

// Remove forgets rows and tells whose label is now another. Rows that are not
// held are passed over.
func (g *Group) Remove(ids ...string) []Change {
	before := g.labels()
	for _, id := range ids {
		if i := g.index(id); i >= 0 {
			g.handOn(i, g.series())
			g.Held = slices.Delete(g.Held, i, i+1)
			delete(before, id)
		}
	}
	g.label()
	return changes(before, g.labels())
}

// Empty tells whether nothing is left to keep.
func (g *Group) Empty() bool { return len(g.Held) == 0 && g.First == "" }

func (g *Group) labels() map[string]Label {
	m := make(map[string]Label, len(g.Held))
	for _, e := range g.Held {
		m[e.ID] = e.Label
	}
	return m
}

func (g *Group) index(id string) int {
	return slices.IndexFunc(g.Held, func(e Entry) bool { return e.ID == id })
}

// over is the oldest entry of its kind where there are too many.
func (g *Group) over(ordered bool) (oldest int, over bool) {
	n := 0
	for i, v := range slices.Backward(g.Held) {
		if v.ordered() == ordered {
			n, oldest = n+1, i
		}
	}
	return oldest, n > held
}

// label gives every entry the label of its series.
func (g *Group) label() []*series {
	found := g.series()
	for i := range g.Held {
		g.Held[i].Label = once()
	}
	for _, s := range found {
		l := s.label()
		for _, i := range s.all() {
			g.Held[i].Label = l
		}
	}
	return found
}

// letGo drops the entry, but not what its series owes to it.
func (g *Group) letGo(i int, found []*series) {
	g.First = earlier(g.First, g.Held[i].Date)
	e := &g.Held[i]
	e.Since, e.Before = earlier(e.Since, e.Date), e.Before+1
	g.handOn(i, found)
	g.Held = slices.Delete(g.Held, i, i+1)
}

// handOn gives what an entry knows of the past to the next of its series.
func (g *Group) handOn(i int, found []*series) {
	from := g.Held[i]
	for _, s := range found {
		all := s.all()
		at := slices.Index(all, i)
		if at < 0 || len(all) == 1 {
			continue
		}
		next := all[(at+1)%len(all)]
		to := &g.Held[next]
		to.Since, to.Before = earlier(to.Since, from.Since), to.Before+from.Before
	}
}

// series reads the group's recurring payments out of what is held.
func (g *Group) series() []*series {
	f := newFinder(g.Held)
	f.find()
	return f.found
}

func inOrder(a, b Entry) int {
	return cmp.Or(cmp.Compare(a.Date, b.Date), cmp.Compare(a.ID, b.ID))
}

// earlier is the earlier of two days, either of which may be unknown.
func earlier(a, b pfm.Date) pfm.Date {
	if a == "" || b != "" && b < a {
		return b
	}
	return a
}

// changes lists by id what differs.
func changes(before, after map[string]Label) []Change {
	var out []Change
	for id, l := range after {
		if l != before[id] {
			out = append(out, Change{ID: id, Label: l})
		}
	}
	slices.SortFunc(out, func(a, b Change) int { return cmp.Compare(a.ID, b.ID) })
	return out
}
