package transaction

import (
	"slices"

	"aviso/internal/pfm"
)

const (
	// settleDays is how many days a row may move between being pending and being booked.
	settleDays = 10
	// correctDays is how many days a bank may move a booked row that it lists under
	// another ID. It is less than a week, because people pay weekly.
	correctDays = 5
	// maxRivals bounds the comparisons within a group of rows.
	maxRivals = 10_000
)

// matching finds which fetched rows are which known ones.
type matching struct {
	known, fetched []Transaction
	// from is the first day whose booked rows the bank lists.
	from pfm.Date
	// match has the index of the known row for each fetched one, or -1; taken says which
	// known rows are matched.
	match []int
	taken []bool
}

// pass matches the rows that have a key in common and fit. If it is unique, it leaves out
// rows for which several others fit.
type pass struct {
	keys   func(Transaction) []string
	fits   func(k, f Transaction) bool
	unique bool
}

// matchRows matches fetched rows, ordered by day, from the surest evidence to the weakest.
// An ID never counts alone: banks number rows again, or give many rows one ID.
//  1. the ID and all content: on the same day, then on another one
//  2. all content and the day: with the same balance afterwards, then with another one
//  3. the ID and the amount: the text has changed
//  4. all content within ten days: it was pending, had vanished, or is pending again; then
//     within 45 days if it is booked at last
//
// The rest may be wrong, so each row must have one partner only. Known rows are those that
// are missing from the statement: pending ones, and booked ones of its days.
//  5. the ID and similar text: the amount has changed, of a booked row only on the same day
//  6. the amount and the balance; all content within five days, or 45 if it is pending
//  7. the amount and similar text; then the amount and the day, or ten days if it was pending
//  8. the counterparty and a similar amount, or another currency: it was pending; then
//     another currency and similar text
func matchRows(known, fetched []Transaction, requested pfm.Date) *matching {
	m := &matching{
		known: known, fetched: fetched, from: requested,
		match: make([]int, len(fetched)), taken: make([]bool, len(known)),
	}
	for i, f := range fetched {
		m.match[i] = -1
		if f.State == Cleared {
			m.from = min(m.from, f.RecordDate) // some banks list more than is requested
		}
	}
	for _, p := range m.passes() {
		m.run(p)
	}
	return m
}

func (m *matching) passes() []pass {
	isListed := func(k Transaction) bool { return k.State != Cleared || k.RecordDate >= m.from }
	wasBooked := func(k, f Transaction) bool { return k.State == Cleared && f.State == Cleared && isListed(k) }
	wasPending := func(k, f Transaction) bool { return k.State == Uncleared && near(k, f, settleDays) }
	isBooking := func(k, f Transaction) bool { return wasPending(k, f) && f.State == Cleared }
	isConverted := func(k, f Transaction) bool {
		return isBooking(k, f) && k.Currency != f.Currency && !areOpposite(k, f)
	}
	// A row that was withdrawn does not come back on another day.
	hadVanished := func(k, f Transaction) bool {
		return k.State == Void && k.Missing == 0 && near(k, f, settleDays)
	}
	return []pass{
		{keys: idsOf, fits: func(k, f Transaction) bool { return k.Content == f.Content && sameDay(k, f) }},
		{keys: idsOf, fits: func(k, f Transaction) bool {
			return k.Content == f.Content && (k.State != Cleared || near(k, f, settleDays))
		}},
		{keys: entriesOf, fits: func(k, f Transaction) bool { return k.State == f.State && sameBalance(k, f) }},
		{keys: entriesOf, fits: func(k, f Transaction) bool { return k.State == f.State }},
		{keys: goodIDsOf, fits: func(k, f Transaction) bool {
			return sameAmount(k, f) && (k.State != Cleared || sameDay(k, f))
		}},
		{keys: contentOfRow, fits: wasPending},
		{keys: contentOfRow, fits: hadVanished},
		{keys: contentOfRow, fits: func(k, f Transaction) bool {
			mayBe := k.State != Cleared || f.State != Uncleared || !differ(k.BankID, f.BankID)
			return isListed(k) && sameDay(k, f) && mayBe
		}},
		{keys: contentOfRow, fits: func(k, f Transaction) bool {
			return k.State == Uncleared && f.State == Cleared && near(k, f, PendingDays)
		}},

		{unique: true, keys: goodIDsOf, fits: func(k, f Transaction) bool {
			isFixed := wasBooked(k, f) && k.RecordDate == f.RecordDate
			return (k.State == Uncleared || isFixed) && sameDirection(k, f) && alike(k, f)
		}},
		{unique: true, keys: amountOf, fits: func(k, f Transaction) bool { return wasBooked(k, f) && sameBalance(k, f) }},
		{unique: true, keys: contentOfRow, fits: func(k, f Transaction) bool {
			return wasBooked(k, f) && near(k, f, correctDays) || k.State == Uncleared && near(k, f, PendingDays)
		}},
		{unique: true, keys: amountOf, fits: func(k, f Transaction) bool {
			isNear := wasBooked(k, f) && near(k, f, correctDays) || wasPending(k, f) || hadVanished(k, f)
			return isNear && alike(k, f)
		}},
		{unique: true, keys: amountOf, fits: func(k, f Transaction) bool {
			isOfDay := k.RecordDate == f.RecordDate && (wasBooked(k, f) || k.State == Uncleared)
			return isOfDay || isBooking(k, f)
		}},
		{unique: true, keys: partyOf, fits: func(k, f Transaction) bool {
			return isConverted(k, f) || isBooking(k, f) && closeAmounts(k, f)
		}},
		{unique: true, keys: allRows, fits: func(k, f Transaction) bool { return isConverted(k, f) && alike(k, f) }},
	}
}

// group holds the unmatched rows that have a key in common, by index and in the order of
// days.
type group struct{ known, fetched []int }

func (m *matching) run(p pass) {
	groups := m.groups(p.keys)
	if len(groups) == 0 {
		return
	}
	for i := range m.fetched {
		if m.match[i] >= 0 {
			continue
		}
		for _, key := range p.keys(m.fetched[i]) {
			if g := groups[key]; g != nil && m.match[i] < 0 {
				m.pair(i, g, p)
			}
		}
	}
}

func (m *matching) groups(keys func(Transaction) []string) map[string]*group {
	if !slices.Contains(m.taken, false) {
		return nil
	}
	groups := map[string]*group{}
	for i, f := range m.fetched {
		if m.match[i] >= 0 {
			continue
		}
		for _, key := range keys(f) {
			if groups[key] == nil {
				groups[key] = &group{}
			}
			groups[key].fetched = append(groups[key].fetched, i)
		}
	}
	if len(groups) == 0 {
		return nil
	}
	order := make([]int, 0, len(m.known))
	for k := range m.known {
		if !m.taken[k] {
			order = append(order, k)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return byDay(m.known[a], m.known[b]) })
	for _, k := range order {
		for _, key := range keys(m.known[k]) {
			if g := groups[key]; g != nil {
				g.known = append(g.known, k)
			}
		}
	}
	return groups
}

// pair finds the known row for a fetched one. A fetched row takes the earliest, which
// leaves the most for later rows.
func (m *matching) pair(i int, g *group, p pass) {
	if !p.unique {
		at := slices.IndexFunc(g.known, func(k int) bool { return !m.taken[k] && p.fits(m.known[k], m.fetched[i]) })
		if at >= 0 {
			m.match[i], m.taken[g.known[at]] = g.known[at], true
			g.known = slices.Delete(g.known, at, at+1)
		}
		return
	}
	if len(g.known)*len(g.fetched) > maxRivals {
		return
	}
	var candidates, rivals []int
	for _, k := range g.known {
		if !m.taken[k] && p.fits(m.known[k], m.fetched[i]) {
			candidates = append(candidates, k)
		}
	}
	if len(candidates) == 0 {
		return
	}
	for _, f := range g.fetched {
		if m.match[f] < 0 && p.fits(m.known[candidates[0]], m.fetched[f]) {
			rivals = append(rivals, f)
		}
	}
	// Several rows that look the same are as good as one if all of them find a partner.
	first := m.known[candidates[0]]
	differs := func(k int) bool { return !looksLike(m.known[k], first) }
	if len(candidates) != len(rivals) || slices.ContainsFunc(candidates, differs) {
		return
	}
	m.match[i], m.taken[candidates[0]] = candidates[0], true
}
