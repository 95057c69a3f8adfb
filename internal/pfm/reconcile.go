package pfm

import "time"

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
// fetched for the same days, and tells what to write. A row is the same as one
// known
//
//  1. when the bank's id is the same; else
//  2. when day and content are the same (the bank has given it a new id); else
//  3. when the known one was pending or void, the content is the same and the
//     days are near: the pending row has been booked.
//
// Each known row is matched at most once, so that two equal purchases stay two.
// A pending row that the bank no longer tells becomes void. A booked one that
// it no longer tells stays: banks cut off history.
func reconcile(known, fetched []Transaction, newID func() string, now time.Time) []RowChange {
	fetched = distinct(fetched)
	m := newMatcher(known)
	match := make([]int, len(fetched))
	for i := range match {
		match[i] = -1
	}
	for _, find := range []func(Transaction) int{m.byBankID, m.byDayAndContent, m.bySettling} {
		for i, f := range fetched {
			if match[i] < 0 {
				match[i] = find(f)
			}
		}
	}
	var changes []RowChange
	for i, f := range fetched {
		if match[i] < 0 {
			f.ID, f.CreatedAt, f.UpdatedAt = newID(), now, now
			changes = append(changes, RowChange{New: f})
			continue
		}
		old := known[match[i]]
		next := f
		next.ID, next.CreatedAt, next.UpdatedAt = old.ID, old.CreatedAt, now
		if !next.sameAs(old) {
			changes = append(changes, RowChange{Old: &old, New: next})
		}
	}
	for i, old := range known {
		if !m.taken[i] && old.State == Uncleared {
			next := old
			next.State, next.UpdatedAt = Void, now
			changes = append(changes, RowChange{Old: &old, New: next})
		}
	}
	return changes
}

// distinct drops rows that a bank tells twice (as pending and booked, or on two
// pages), and takes ids away that it gives to different rows.
func distinct(fetched []Transaction) []Transaction {
	first := map[string]int{}
	ambiguous := map[string]bool{}
	out := make([]Transaction, 0, len(fetched))
	for _, f := range fetched {
		at, seen := first[f.BankID]
		switch {
		case f.BankID == "" || !seen:
			first[f.BankID] = len(out)
			out = append(out, f)
		case out[at].Content == f.Content:
			if f.State == Cleared {
				out[at] = f
			}
		default:
			ambiguous[f.BankID] = true
			out = append(out, f)
		}
	}
	for i := range out {
		if ambiguous[out[i].BankID] {
			out[i].BankID = ""
		}
	}
	return out
}

// matcher finds known rows, each once.
type matcher struct {
	known     []Transaction
	taken     []bool
	bankIDs   map[string]int
	byContent map[string][]int
}

func newMatcher(known []Transaction) *matcher {
	m := &matcher{known: known, taken: make([]bool, len(known)), bankIDs: map[string]int{}, byContent: map[string][]int{}}
	for i, k := range known {
		if k.BankID != "" {
			m.bankIDs[k.BankID] = i
		}
		m.byContent[k.Content] = append(m.byContent[k.Content], i)
	}
	return m
}

func (m *matcher) take(i int) int {
	if i >= 0 {
		m.taken[i] = true
	}
	return i
}

func (m *matcher) byBankID(f Transaction) int {
	if i, ok := m.bankIDs[f.BankID]; ok && f.BankID != "" && !m.taken[i] {
		return m.take(i)
	}
	return -1
}

func (m *matcher) byDayAndContent(f Transaction) int {
	for _, i := range m.byContent[f.Content] {
		if !m.taken[i] && m.known[i].RecordDate == f.RecordDate {
			return m.take(i)
		}
	}
	return -1
}

func (m *matcher) bySettling(f Transaction) int {
	best, bestGap := -1, settleDays+1
	for _, i := range m.byContent[f.Content] {
		if m.taken[i] || m.known[i].State == Cleared {
			continue
		}
		if gap := daysBetween(m.known[i].RecordDate, f.RecordDate); gap < bestGap {
			best, bestGap = i, gap
		}
	}
	return m.take(best)
}

func daysBetween(a, b Date) int {
	days := int(b.Time().Sub(a.Time()) / (24 * time.Hour))
	return max(days, -days)
}
