package transaction

import (
	"cmp"
	"slices"
	"time"

	"aviso/internal/pfm"
)

// RowChange is a row to write: a new row if Old is nil, otherwise the row that
// replaces Old.
type RowChange struct {
	Old *Transaction
	New Transaction
}

// Number records the change as number n of the user's changes. A change that partners
// cannot see, such as another ID from the bank, has no number and no time.
func (c *RowChange) Number(n int64) {
	switch {
	case c.Old == nil:
		c.New.Added, c.New.Changed = n, n
	case c.New.seen().SameAs(c.Old.seen()):
		c.New.Changed, c.New.UpdatedAt = c.Old.Changed, c.Old.UpdatedAt
	default:
		c.New.Changed = n
	}
}

// Reconcile compares the known rows of one account with a statement, and returns what
// to write. Each known row matches at most once, so two equal purchases stay two. A
// pending row that the bank no longer lists becomes void, a booked one only if the bank
// has withdrawn it.
func Reconcile(known []Transaction, st Statement, newID func() string, now time.Time) []RowChange {
	return compare(known, st).changes(st, newID, now)
}

// compare matches a statement with the known rows.
func compare(known []Transaction, st Statement) *matching {
	return matchRows(known, inOrder(withoutShadows(known, distinct(st.Rows))), st.Requested)
}

func (m *matching) changes(st Statement, newID func() string, now time.Time) []RowChange {
	withdrawn := m.withdrawn(st, pfm.DateOf(now))
	var changes []RowChange
	for i, f := range m.fetched {
		if m.match[i] < 0 {
			f.ID, f.CreatedAt, f.UpdatedAt, f.DayGuessed = newID(), now, now, false
			changes = append(changes, RowChange{New: f})
			continue
		}
		old := m.known[m.match[i]]
		next := f.updating(old, now)
		if !next.SameAs(old) {
			changes = append(changes, RowChange{Old: &old, New: next})
		}
	}
	for i, old := range m.known {
		if m.taken[i] || !st.IsWhole() {
			continue
		}
		next := old
		next.UpdatedAt = now
		switch {
		case old.State == Uncleared:
			next.State = Void
		case withdrawn[i] > 0:
			next.Missing += withdrawn[i]
			if next.Missing >= withdrawnAfter {
				next.State = Void
			}
		default:
			continue
		}
		changes = append(changes, RowChange{Old: &old, New: next})
	}
	return changes
}

// inOrder returns the rows in the order of days.
func inOrder(rows []Transaction) []Transaction {
	sorted := slices.Clone(rows)
	slices.SortStableFunc(sorted, byDay)
	return sorted
}

func byDay(a, b Transaction) int { return cmp.Compare(a.RecordDate, b.RecordDate) }

const (
	// OverlapDays is how many days before the last success a sync reads again, because
	// pending rows are booked, and bookings arrive, days later.
	OverlapDays = 14
	// PendingDays is how long before the first day of a sync a pending row may be, and
	// still be compared with what the bank lists now.
	PendingDays = 45
)

// Statement holds a bank's rows of one account.
type Statement struct {
	pfm.Account
	// Requested is the first day that was requested, From that of the first row if it is
	// earlier.
	Requested, From pfm.Date
	Rows            []Transaction
	// Unreadable is how many rows cannot be read. Err is set if none can be, or if only the first pages could.
	Unreadable int
	Err        error
	// UsesSigns: the bank tells expenses by a minus, or in a field of its own.
	UsesSigns bool
	// SignsFound: the account's SignsInverted has just been inferred.
	SignsFound bool
}

// IsWhole reports whether a row that the statement lacks is one that the bank does not list.
func (st Statement) IsWhole() bool { return st.Unreadable == 0 && st.Err == nil }
