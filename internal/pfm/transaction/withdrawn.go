package transaction

import "aviso/internal/pfm"

const (
	// withdrawnAfter is how many statements must lack a booked row before it is void.
	// Banks leave rows out now and then.
	withdrawnAfter = 2
	// edgeDays is how many days after the first requested day a statement may lack rows.
	// Banks choose rows by another day than the one that we show.
	edgeDays = 3
	// recentDays is how much history every bank gives.
	recentDays = 7
)

// withdrawn returns how many more statements lack each booked row, by its index. Banks
// cut off history, so a row counts only if the statement has booked rows of its day or
// before, or if it is recent and nothing else has changed. If the bank listed a purchase
// under two IDs and now lists one of them, the other row is void at once.
func (m *matching) withdrawn(st Statement, today pfm.Date) map[int]int {
	missing := map[int]int{}
	first, isNew := pfm.Date(""), false
	for i, f := range m.fetched { // in the order of days
		isNew = isNew || m.match[i] < 0
		if first == "" && f.State == Cleared {
			first = f.RecordDate
		}
	}
	if first == "" || !st.IsWhole() {
		return missing
	}
	var earlier []int
	for k, row := range m.known {
		switch {
		case m.taken[k] || row.State != Cleared || row.RecordDate < st.Requested.AddDays(edgeDays):
		case row.RecordDate >= first:
			missing[k] = 1
		case row.RecordDate >= today.AddDays(-recentDays):
			earlier = append(earlier, k)
		}
	}
	if len(earlier) == 1 && len(missing) == 0 && !isNew {
		missing[earlier[0]] = 1
	}
	m.dropTwins(missing)
	return missing
}

// dropTwins makes the rows void that the bank has listed twice. Of such a pair it keeps
// the row that partners know best.
func (m *matching) dropTwins(missing map[int]int) {
	if len(missing) == 0 {
		return
	}
	twins := map[string]int{} // fetched rows that are known with an ID
	key := func(t Transaction) string { return amountKey(t) + string(t.RecordDate) }
	for i, k := range m.match {
		if k >= 0 && m.known[k].State == Cleared && m.known[k].BankID != "" {
			twins[key(m.known[k])] = i
		}
	}
	for k, row := range m.known {
		i, isTwin := twins[key(row)]
		if missing[k] == 0 || row.BankID == "" || !isTwin || !looksLike(row, m.fetched[i]) {
			continue
		}
		if other := m.match[i]; row.isKnownLongerThan(m.known[other]) {
			m.match[i], m.taken[k], m.taken[other] = k, true, false
			delete(missing, k)
			k = other
		}
		missing[k] = withdrawnAfter
	}
}

// isKnownLongerThan reports whether the user has categorised t and not o, or else
// whether t was read before o.
func (t Transaction) isKnownLongerThan(o Transaction) bool {
	if t.isChosen() != o.isChosen() {
		return t.isChosen()
	}
	return t.CreatedAt.Before(o.CreatedAt)
}
