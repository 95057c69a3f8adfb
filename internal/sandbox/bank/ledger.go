package bank

import (
	"slices"

	"aviso/internal/sandbox/persona"
)

// Ledger holds how a customer's rows differ from the persona's history. It passes to the
// customer's next consent, because the accounts stay the same.
type Ledger struct {
	// Issue counts how often all IDs were reissued.
	Issue int
	// Changes are in the order in which they were made. None is ever undone, so that a
	// row once reported does not change again.
	Changes []Change
	// Own is the ID of the rows that a developer has added, and OwnIn the accounts that
	// have some. Both are empty before the first.
	Own   string   `dynamodbav:",omitempty"`
	OwnIn []string `dynamodbav:",omitempty"`
}

// Change is one change of an account's rows.
type Change struct {
	Account string
	Kind    ChangeKind
	Day     persona.Day
	// Row is the identity of the changed row. It is 0 for an added row, whose identity
	// follows from the position of the change.
	Row uint64
}

// ChangeKind is what happens to a row.
type ChangeKind string

// The kinds of change.
const (
	RowAdded    ChangeKind = "added"
	RowBooked   ChangeKind = "booked"
	RowVanished ChangeKind = "vanished"
)

// maxChanges keeps the consent's record small.
const maxChanges = 200

// added returns the row that a change adds.
func (c Change) added(p persona.Persona, b persona.Branch, place int) (persona.Entry, bool) {
	return p.Extra(b, c.Account, c.Day, place)
}

// amend applies the changes to a statement. Rows that were booked early come after the
// other rows of that day, so that a later statement still begins with the rows of an
// earlier one. own are the account's rows that a developer has added.
func (l Ledger) amend(
	st persona.Statement, own []persona.Entry, p persona.Persona, b persona.Branch, today persona.Day,
) persona.Statement {
	if len(own)+len(l.Changes) == 0 {
		return st
	}
	st.Booked = slices.Clone(st.Booked) // the customer's other statements share the rows
	changed := slices.Clone(own)
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

// take removes a row from the list that contains it.
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

// identity returns the number from which the IDs of a row are made.
func (l Ledger) identity(e persona.Entry) uint64 {
	return e.Identity ^ uint64(l.Issue)*0x9e3779b97f4a7c15
}
