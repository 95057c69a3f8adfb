package pfm

import (
	"cmp"
	"slices"
	"time"
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
	case c.New.seen().sameAs(c.Old.seen()):
		c.New.Changed, c.New.UpdatedAt = c.Old.Changed, c.Old.UpdatedAt
	default:
		c.New.Changed = n
	}
}

// settleDays is how many days a row may move between being pending and being booked.
const settleDays = 10

// reconcile compares the known rows of one account with those just fetched for the
// same days, and returns what to write. Each known row matches at most once, so two
// equal purchases stay two. A pending row that the bank no longer lists becomes void. A
// booked one stays, because banks cut off history.
func reconcile(known, fetched []Transaction, newID func() string, now time.Time) []RowChange {
	fetched = distinct(fetched)
	slices.SortStableFunc(fetched, byDay)
	match, taken := matchRows(known, fetched)
	var changes []RowChange
	for i, f := range fetched {
		if match[i] < 0 {
			f.ID, f.CreatedAt, f.UpdatedAt = newID(), now, now
			changes = append(changes, RowChange{New: f})
			continue
		}
		old := known[match[i]]
		next := f.updating(old, now)
		if !next.sameAs(old) {
			changes = append(changes, RowChange{Old: &old, New: next})
		}
	}
	for i, old := range known {
		if !taken[i] && old.State == Uncleared {
			next := old
			next.State, next.UpdatedAt = Void, now
			changes = append(changes, RowChange{Old: &old, New: next})
		}
	}
	return changes
}

// distinct drops rows that a bank lists twice under one ID, and clears IDs that it
// uses for different rows.
func distinct(fetched []Transaction) []Transaction {
	indexes := map[string][]int{} // into out, by the bank's ID
	out := make([]Transaction, 0, len(fetched))
	for _, f := range fetched {
		if f.BankID != "" {
			at := slices.IndexFunc(indexes[f.BankID], func(i int) bool { return isDuplicate(out[i], f) })
			if at >= 0 {
				if f.State == Cleared {
					out[indexes[f.BankID][at]] = f
				}
				continue
			}
			indexes[f.BankID] = append(indexes[f.BankID], len(out))
		}
		out = append(out, f)
	}
	for _, rows := range indexes {
		if len(rows) > 1 {
			for _, i := range rows {
				out[i].BankID = ""
			}
		}
	}
	return out
}

// isDuplicate reports whether two rows with the same ID are the same row: listed on two
// pages, or both as pending and as booked, when the text may differ. Some banks give
// all payments of a standing order the same ID; those are different rows.
func isDuplicate(a, b Transaction) bool {
	if a.State == b.State {
		return a.Content == b.Content && a.RecordDate == b.RecordDate
	}
	return a.Content == b.Content || a.Amount.Equal(b.Amount) && a.Currency == b.Currency
}

// matchRows returns, for each fetched row, the index of the known row that it is, or
// -1, and which known rows are taken. Fetched rows are ordered by day. Each takes the
// earliest known row that matches, which leaves the most for later rows.
func matchRows(known, fetched []Transaction) (match []int, taken []bool) {
	match, taken = make([]int, len(fetched)), make([]bool, len(known))
	for i := range match {
		match[i] = -1
	}
	ids, contents := indexRows(known)
	sameID := func(f Transaction) []int { return ids[f.BankID] }
	sameContent := func(f Transaction) []int { return contents[f.Content] }
	// Each pass matches by one criterion, the most reliable first.
	for _, pass := range []struct {
		candidates func(Transaction) []int
		matches    func(k, f Transaction) bool
	}{
		// At most the state has changed.
		{sameID, func(k, f Transaction) bool { return k.Content == f.Content && k.RecordDate == f.RecordDate }},
		{sameID, func(k, f Transaction) bool { return k.Content == f.Content && (k.State != Cleared || near(k, f)) }},
		// The bank has given it a new ID, or gives none.
		{sameContent, func(k, f Transaction) bool { return k.RecordDate == f.RecordDate && k.State == f.State }},
		// The bank has changed the text. Some banks number the rows of each response, so a
		// booked row must at least have kept its day.
		{sameID, func(k, f Transaction) bool { return k.State != Cleared || k.RecordDate == f.RecordDate }},
		// It was pending, and is booked now or has moved.
		{sameContent, func(k, f Transaction) bool { return k.State == Uncleared && near(k, f) }},
		// It had vanished, and is back.
		{sameContent, func(k, f Transaction) bool { return k.State == Void && near(k, f) }},
		// It was booked, and is pending again.
		{sameContent, func(k, f Transaction) bool { return k.RecordDate == f.RecordDate }},
	} {
		for i, f := range fetched {
			if match[i] >= 0 {
				continue
			}
			for _, k := range pass.candidates(f) {
				if !taken[k] && pass.matches(known[k], f) {
					match[i], taken[k] = k, true
					break
				}
			}
		}
	}
	return match, taken
}

// indexRows indexes known rows by the bank's ID and by content, each ordered by day.
func indexRows(known []Transaction) (ids, contents map[string][]int) {
	order := make([]int, len(known))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return byDay(known[a], known[b]) })
	ids, contents = map[string][]int{}, map[string][]int{}
	for _, i := range order {
		if k := known[i]; k.BankID != "" {
			ids[k.BankID] = append(ids[k.BankID], i)
		}
		contents[known[i].Content] = append(contents[known[i].Content], i)
	}
	return ids, contents
}

func byDay(a, b Transaction) int { return cmp.Compare(a.RecordDate, b.RecordDate) }

// near reports whether a row can have moved from one day to the other.
func near(a, b Transaction) bool { return daysBetween(a, b) <= settleDays }
