package transaction

import (
	"cmp"
	"slices"
	"time"

	"aviso/internal/pfm"
)

// PairDays is how many days the two sides of a transfer may be apart.
const PairDays = 3

// OwnTransfers finds transfers between the user's own accounts: two rows with opposite
// amounts and the same currency, on different accounts, at most three days apart. Each
// row is in at most one pair; the closest rows are paired first. ownTransfers returns
// the IDs of all paired rows. The order of the rows does not matter.
func OwnTransfers(rows []Transaction) map[string]bool {
	byAmount := map[string][]Transaction{}
	for _, r := range rows {
		if r.State != Void && r.Amount.Sign() != 0 {
			key := r.Currency + canonical(absolute(r.Amount))
			byAmount[key] = append(byAmount[key], r)
		}
	}
	paired := map[string]bool{}
	for _, same := range byAmount {
		for _, p := range candidatePairs(same) {
			if !paired[p.out] && !paired[p.in] {
				paired[p.out], paired[p.in] = true, true
			}
		}
	}
	return paired
}

type pair struct {
	out, in string
	days    int
	date    pfm.Date
}

// candidatePairs returns all pairs of rows with equal amounts that may be the two sides
// of a transfer, the most likely first.
func candidatePairs(rows []Transaction) []pair {
	var pairs []pair
	for _, out := range rows {
		for _, in := range rows {
			if out.Amount.Sign() >= 0 || in.Amount.Sign() <= 0 || out.AccountID == in.AccountID {
				continue
			}
			if days := daysBetween(out, in); days <= PairDays {
				date := min(out.RecordDate, in.RecordDate)
				pairs = append(pairs, pair{out: out.ID, in: in.ID, days: days, date: date})
			}
		}
	}
	slices.SortFunc(pairs, func(a, b pair) int {
		return cmp.Or(
			cmp.Compare(a.days, b.days), cmp.Compare(a.date, b.date),
			cmp.Compare(a.out, b.out), cmp.Compare(a.in, b.in),
		)
	})
	return pairs
}

// daysBetween returns the number of days between two rows, in either order.
func daysBetween(a, b Transaction) int {
	days := int(a.RecordDate.Time().Sub(b.RecordDate.Time()) / (24 * time.Hour))
	return max(days, -days)
}
