package pfm

import (
	"cmp"
	"slices"
	"time"
)

// RowChange is one row to write: a new one where Old is nil, else the row that
// Old becomes.
type RowChange struct {
	Old *Transaction
	New Transaction
}

// settleDays is how far a row may move from the day it was pending on to the
// day it is booked on.
const settleDays = 10

// reconcile compares the rows of one account that are known with those just
// fetched for the same days, and tells what to write. Each known row is matched
// at most once, so that two equal purchases stay two. A pending row that the
// bank no longer tells becomes void. A booked one that it no longer tells stays:
// banks cut off history.
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
		next := f.keep(old, now)
		if next.looksLike(old) { // only what the bank knows it by may have changed
			next.UpdatedAt = old.UpdatedAt
		}
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

// distinct drops rows that a bank tells twice under one id, and takes ids away
// that it gives to different rows.
func distinct(fetched []Transaction) []Transaction {
	places := map[string][]int{} // in out, by the bank's id
	out := make([]Transaction, 0, len(fetched))
	for _, f := range fetched {
		if f.BankID != "" {
			at := slices.IndexFunc(places[f.BankID], func(i int) bool { return toldTwice(out[i], f) })
			if at >= 0 {
				if f.State == Cleared {
					out[places[f.BankID][at]] = f
				}
				continue
			}
			places[f.BankID] = append(places[f.BankID], len(out))
		}
		out = append(out, f)
	}
	for _, rows := range places {
		if len(rows) > 1 {
			for _, i := range rows {
				out[i].BankID = ""
			}
		}
	}
	return out
}

// toldTwice tells whether two rows of one id are one: the same on two pages, or
// pending and booked at the same time, where the text may differ. Some banks
// give all payments of a standing order one id; those are different rows.
func toldTwice(a, b Transaction) bool {
	if a.State == b.State {
		return a.Content == b.Content && a.RecordDate == b.RecordDate
	}
	return a.Content == b.Content || a.Amount.Equal(b.Amount) && a.Currency == b.Currency
}

// matchRows finds for each fetched row the known one that it has been before, or
// -1, and tells which known ones were found. Fetched rows come in order of days,
// and the earliest known one that is alike is taken, which leaves the most for
// those to come.
func matchRows(known, fetched []Transaction) (match []int, taken []bool) {
	match, taken = make([]int, len(fetched)), make([]bool, len(known))
	for i := range match {
		match[i] = -1
	}
	ids, contents := indexRows(known)
	sameID := func(f Transaction) []int { return ids[f.BankID] }
	sameContent := func(f Transaction) []int { return contents[f.Content] }
	// Each pass is about one likeness, the surest first.
	for _, pass := range []struct {
		candidates func(Transaction) []int
		alike      func(k, f Transaction) bool
	}{
		// Nothing but the state may have changed.
		{sameID, func(k, f Transaction) bool { return k.Content == f.Content && k.RecordDate == f.RecordDate }},
		{sameID, func(k, f Transaction) bool { return k.Content == f.Content && (k.State != Cleared || near(k, f)) }},
		// The bank has given it a new id, or gives none.
		{sameContent, func(k, f Transaction) bool { return k.RecordDate == f.RecordDate && k.State == f.State }},
		// The bank has worded it anew. Some number the rows of each answer, so that
		// a booked one must at least have kept its day.
		{sameID, func(k, f Transaction) bool { return k.State != Cleared || k.RecordDate == f.RecordDate }},
		// It was pending, and has been booked or has moved.
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
				if !taken[k] && pass.alike(known[k], f) {
					match[i], taken[k] = k, true
					break
				}
			}
		}
	}
	return match, taken
}

// indexRows finds known rows by the bank's id and by content, each in order of
// days.
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

// near tells whether a row can have moved from the one day to the other.
func near(a, b Transaction) bool { return daysBetween(a, b) <= settleDays }
