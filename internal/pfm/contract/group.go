package contract

import (
	"cmp"
	"maps"
	"slices"

	"aviso/internal/money"
	"aviso/internal/pfm"
	"aviso/internal/pfm/transaction"
)

// held is how many direct debits and standing orders a group keeps, and also how
// many other payments. They are counted separately, so that daily purchases do not
// displace a yearly debit by the same merchant.
const held = 24

// Row is what a group stores about a payment.
type Row struct {
	ID     string
	Date   pfm.Date
	Amount money.Amount
	// Category is the L2 ID.
	Category int
	// Merchant reports whether the payment was to a known merchant.
	Merchant bool
	// Mandate is set on direct debits and StandingOrder on standing orders: the
	// payment was agreed on in advance.
	Mandate, StandingOrder bool
}

// isAgreed reports whether the payment was agreed on in advance.
func (r Row) isAgreed() bool { return r.Mandate || r.StandingOrder }

// Label is what was found out about a payment.
type Label struct {
	Frequency    transaction.Frequency `json:"frequency"`
	Subscription bool                  `json:"subscription,omitempty"`
}

// once returns the label of a payment about which nothing is known yet.
func once() Label { return Label{Frequency: transaction.Once} }

// Entry is a payment that a group holds.
type Entry struct {
	Row
	Label
	// Since and Before describe the earlier payments of the same series that are no
	// longer held: the first day, and how many there were.
	Since  pfm.Date
	Before int
	// Contract is the place of the contract's ID in Group.Contracts, from 1; 0 if the
	// payment never belonged to a contract.
	Contract int
}

// Group has payments to or from one party in one currency: the latest, and a summary of earlier
// ones. So it is small enough to be stored, and the rows that a sync adds, changes or removes
// are enough to update it, without reading years of history.
//
// Its zero value is an empty group. The state depends on the order of the rows only, not on how
// they were batched. As long as all rows fit, only the IDs of contracts depend on their order:
// they stay as they are once a contract was found.
type Group struct {
	// Held is sorted by date and ID. It is stored as Pack has it.
	Held []Entry `json:"-"`
	// First is the day of the earliest payment that is no longer held.
	First pfm.Date `json:"first,omitempty"`
	// Contracts are the IDs of the contracts that were found among the payments.
	Contracts []string `json:"contracts,omitempty"`
}

// Add adds new and changed rows, of any dates, and returns the labels that changed, by ID.
// A new row counts as labelled Once before. A row older than all those in a full
// group gets its label and is dropped at once. A changed row that was dropped
// before counts as new.
func (g *Group) Add(rows ...Row) map[string]Label {
	before := g.labels()
	after := make(map[string]Label, len(before)+len(rows))
	for _, r := range rows {
		if _, known := before[r.ID]; !known {
			before[r.ID] = once()
		}
		e := Entry{Row: r, Label: once()}
		if i := g.index(r.ID); i >= 0 {
			e = g.Held[i]
			e.Row = r
			g.Held = slices.Delete(g.Held, i, i+1)
		}
		at, _ := slices.BinarySearchFunc(g.Held, e, inOrder)
		g.Held = slices.Insert(g.Held, at, e)
		found := g.label()
		if oldest, full := g.surplus(r.isAgreed()); full {
			after[g.Held[oldest].ID] = g.Held[oldest].Label
			g.drop(oldest, found)
			g.label() // after each row, so that the IDs of contracts do not depend on batches
		}
	}
	maps.Copy(after, g.labels())
	return changes(before, after)
}

// Remove removes rows and returns the labels that changed. It ignores rows that are
// not held.
func (g *Group) Remove(ids ...string) map[string]Label {
	before := g.labels()
	for _, id := range ids {
		if i := g.index(id); i >= 0 {
			g.passHistory(i, g.series())
			g.Held = slices.Delete(g.Held, i, i+1)
			delete(before, id)
		}
	}
	g.label()
	return changes(before, g.labels())
}

// Empty reports whether there is nothing left to store.
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

// surplus returns the oldest entry of a kind, agreed or not, and whether there are
// too many of that kind.
func (g *Group) surplus(isAgreed bool) (oldest int, full bool) {
	n := 0
	for i, v := range slices.Backward(g.Held) {
		if v.isAgreed() == isAgreed {
			n, oldest = n+1, i
		}
	}
	return oldest, n > held
}

// label sets the label of every entry to that of its series, and identifies contracts.
func (g *Group) label() []*series {
	found := g.series()
	for i := range g.Held {
		g.Held[i].Label = once()
	}
	for _, s := range found {
		l := s.label()
		for _, i := range s.members {
			g.Held[i].Label = l
		}
	}
	g.identify(found)
	return found
}

// drop removes the entry but keeps what its series knows from it.
func (g *Group) drop(i int, found []*series) {
	g.First = earlier(g.First, g.Held[i].Date)
	e := &g.Held[i]
	e.Since, e.Before = earlier(e.Since, e.Date), e.Before+1
	g.passHistory(i, found)
	g.Held = slices.Delete(g.Held, i, i+1)
}

// passHistory adds an entry's Since and Before to the next entry of its series.
func (g *Group) passHistory(i int, found []*series) {
	from := g.Held[i]
	for _, s := range found {
		at := slices.Index(s.members, i)
		if at < 0 || len(s.members) == 1 {
			continue
		}
		next := s.members[(at+1)%len(s.members)]
		to := &g.Held[next]
		to.Since, to.Before = earlier(to.Since, from.Since), to.Before+from.Before
	}
}

// series finds the recurring payments among those that are held.
func (g *Group) series() []*series {
	f := newFinder(g.Held)
	f.find()
	return f.found
}

func inOrder(a, b Entry) int {
	return cmp.Or(cmp.Compare(a.Date, b.Date), cmp.Compare(a.ID, b.ID))
}

// earlier returns the earlier of two days, either of which may be unknown.
func earlier(a, b pfm.Date) pfm.Date {
	if a == "" || b != "" && b < a {
		return b
	}
	return a
}

// changes returns the labels that differ.
func changes(before, after map[string]Label) map[string]Label {
	maps.DeleteFunc(after, func(id string, l Label) bool { return l == before[id] })
	return after
}
