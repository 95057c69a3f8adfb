package bank

import (
	"slices"

	"aviso/internal/sandbox/persona"
)

// Ledger is how a customer's rows differ from the persona's history. It goes
// over to the customer's next consent, since the accounts stay what they are.
type Ledger struct {
	// Issue counts how often all ids were given anew.
	Issue int
	// Changes in the order in which they were made; none is ever taken back, so
	// that a row once told does not change behind a reader's back.
	Changes []Change
}

// Change is one change of an account's rows.
type Change struct {
	Account string
	Kind    ChangeKind
	Day     persona.Day
	// Row is the identity of the row that changes; 0 for one that is added, which
	// follows from the place of the change.
	Row uint64
}

// ChangeKind says what happens to a row.
type ChangeKind string

// The kinds of change.
const (
	RowAdded    ChangeKind = "added"
	RowBooked   ChangeKind = "booked"
	RowVanished ChangeKind = "vanished"
)

// maxChanges keeps the consent a small record.
const maxChanges = 200

// added is the row that a change adds.
func (c Change) added(p persona.Persona, b persona.Branch, place int) (persona.Entry, bool) {
	return p.Extra(b, c.Account, c.Day, place)
}

// amend is the statement with the changes made to it. Rows that were booked
// early come after those that the day brought by itself, so that a later
// statement still begins with the rows of an earlier one.
func (l Ledger) amend(st persona.Statement, p persona.Persona, b persona.Branch, today persona.Day) persona.Statement {
	var changed []persona.Entry
	for place, c := range l.Changes {
		if c.Account != st.Account.Key {
			continue
		}
		if c.Kind == RowAdded {
			if e, ok := c.added(p, b, place); ok {
				changed = append(changed, e)
			}
			continue
		}
		e, found := take(c.Row, &changed, &st.Pending, &st.Booked, &st.Released)
		if found && c.Kind == RowBooked {
			e.Booked, e.Vanishes = c.Day, 0
			changed = append(changed, e)
		}
	}
	for _, e := range changed {
		if e.Booked <= today {
			st.Booked = append(st.Booked, e)
		} else {
			st.Pending = append(st.Pending, e)
		}
	}
	slices.SortStableFunc(st.Booked, func(a, b persona.Entry) int { return int(a.Booked - b.Booked) })
	slices.SortStableFunc(st.Pending, func(a, b persona.Entry) int { return int(a.Entered - b.Entered) })
	return st
}

// take removes a row from the list that has it.
func take(row uint64, lists ...*[]persona.Entry) (persona.Entry, bool) {
	for _, list := range lists {
		if i := slices.IndexFunc(*list, func(e persona.Entry) bool { return e.Identity == row }); i >= 0 {
			e := (*list)[i]
			*list = slices.Delete(*list, i, i+1)
			return e, true
		}
	}
	return persona.Entry{}, false
}

// identity is the number from which the ids of a row are made.
func (l Ledger) identity(e persona.Entry) uint64 {
	return e.Identity ^ uint64(l.Issue)*0x9e3779b97f4a7c15
}
