package transaction

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"aviso/internal/pfm"
)

// seenDays is how many days of a statement a sync keeps digests of: those that the next one
// reads again, if it comes within four days.
const seenDays = OverlapDays + 4

// Seen is what a sync has seen when it ended. If the next one sees the same, and nobody has
// changed the user's rows in between, then comparing the rows again would change nothing.
type Seen struct {
	// Number is that of the user's last change. It changes with every write of rows and of
	// choices for merchants.
	Number int64 `json:"n"`
	// From is the first day of Days.
	From pfm.Date `json:"f"`
	// Days has a digest of the booked rows of each day that has some, and under "" one of all
	// pending rows. It is nil if the next sync has to compare.
	Days map[pfm.Date]string `json:"d"`
	// isCut: the statements begin before From.
	isCut bool
}

// Numbers follows the numbers that a sync's own changes get.
type Numbers struct {
	// Last is that of the last change.
	Last int64
	// Took: the sync has changed rows. Broken: others have, too.
	Took, Broken bool
}

// Take records that the sync is about to take n numbers after last. A write that is tried again
// breaks the row of numbers, because the first try may have succeeded.
func (n *Numbers) Take(last int64, taken int) {
	if n == nil {
		return
	}
	n.Broken = n.Broken || last != n.Last
	n.Took, n.Last = n.Took || taken > 0, last+int64(taken)
}

// SeenOf returns what there is to see in statements, or the zero value if the next sync
// could not compare itself with it.
func SeenOf(statements []Statement, today pfm.Date) Seen {
	requested := statements[0].Requested
	seen := Seen{From: max(requested, today.AddDays(-seenDays))}
	seen.isCut = requested < seen.From
	sums := map[pfm.Date]uint64{}
	for _, st := range statements {
		if st.Requested != requested || st.SignsFound {
			return Seen{}
		}
		for _, row := range st.Rows {
			switch {
			case row.State != Cleared:
				sums[""] += digestOf(row)
			case row.RecordDate < requested: // some banks list more than is requested
				return Seen{}
			case row.RecordDate >= seen.From:
				sums[row.RecordDate] += digestOf(row)
			}
		}
	}
	seen.Days = make(map[pfm.Date]string, len(sums))
	for day, sum := range sums {
		seen.Days[day] = base64.RawStdEncoding.EncodeToString(binary.BigEndian.AppendUint64(nil, sum))
	}
	return seen
}

// digestOf returns a number for all that is known of a fetched row. Numbers are added, because
// banks list rows in any order, and the same purchase twice.
func digestOf(t Transaction) uint64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%+v", t))
	return binary.BigEndian.Uint64(sum[:])
}

// Adds reports whether s may show anything new after before. number is that of the user's last
// change now.
func (s Seen) Adds(before Seen, number int64) bool {
	if s.Days == nil || s.isCut || before.Days == nil || number != before.Number || s.From < before.From {
		return true
	}
	for day, digest := range before.Days {
		if (day == "" || day >= s.From) && s.Days[day] != digest {
			return true
		}
	}
	for day := range s.Days {
		if before.Days[day] == "" {
			return true
		}
	}
	return false
}

// inKeyOrder is the order in which rows are stored.
func inKeyOrder(a, b Transaction) int { return cmp.Or(byDay(a, b), cmp.Compare(a.ID, b.ID)) }

// IsSettled reports whether a statement would change nothing more after these changes to the
// known rows, not even on a later day or in another order: it lists all booked rows of its days,
// and none twice.
func IsSettled(known []Transaction, changes []RowChange, st Statement, newID func() string, now time.Time) bool {
	changed := map[string]bool{}
	next := make([]Transaction, 0, len(known)+len(changes))
	for _, c := range changes {
		changed[c.New.ID] = true
		next = append(next, c.New)
	}
	for _, row := range known {
		if !changed[row.ID] {
			next = append(next, row)
		}
	}
	slices.SortFunc(next, inKeyOrder)
	m := compare(next, st)
	if len(m.fetched) < len(st.Rows) { // what was left out depends on the order of the rows
		return false
	}
	for i, row := range next {
		if !m.taken[i] && row.State == Cleared && row.RecordDate >= st.Requested {
			return false
		}
	}
	return len(m.changes(st, newID, now)) == 0
}
