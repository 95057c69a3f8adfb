package pfm

import (
	"cmp"
	"slices"
	"time"
)

// pairDays is how far apart the two sides of a transfer may be.
const pairDays = 3

// ownTransfers finds transfers between the user's own accounts: two rows of
// equal and opposite amount and the same currency, on different accounts, at
// most three days apart. Each row is in one pair at most, the nearest in time
// first; the result is the ids of all rows in a pair. It does not depend on the
// order of rows.
func ownTransfers(rows []Transaction) map[string]bool {
	byAmount := map[string][]Transaction{}
	for _, r := range rows {
		if r.State != Void && r.Amount.Sign() != 0 {
			value := r.Amount
			if value.Sign() < 0 {
				value = value.Neg()
			}
			key := r.Currency + plain(value)
			byAmount[key] = append(byAmount[key], r)
		}
	}
	paired := map[string]bool{}
	for _, same := range byAmount {
		pairs := oppositeSides(same)
		for _, p := range pairs {
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
	date    Date
}

// oppositeSides are all rows of equal amounts that may be two sides of one
// transfer, the likeliest first.
func oppositeSides(rows []Transaction) []pair {
	var pairs []pair
	for _, out := range rows {
		for _, in := range rows {
			if out.Amount.Sign() >= 0 || in.Amount.Sign() <= 0 || out.AccountID == in.AccountID {
				continue
			}
			if days := daysBetween(out, in); days <= pairDays {
				pairs = append(pairs, pair{out: out.ID, in: in.ID, days: days, date: min(out.RecordDate, in.RecordDate)})
			}
		}
	}
	slices.SortFunc(pairs, func(a, b pair) int {
		return cmp.Or(cmp.Compare(a.days, b.days), cmp.Compare(a.date, b.date), cmp.Compare(a.out, b.out), cmp.Compare(a.in, b.in))
	})
	return pairs
}

// daysBetween is how many days lie between two rows, whichever came first.
func daysBetween(a, b Transaction) int {
	days := int(a.RecordDate.Time().Sub(b.RecordDate.Time()) / (24 * time.Hour))
	return max(days, -days)
}
