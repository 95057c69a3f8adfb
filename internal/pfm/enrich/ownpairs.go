package enrich

import (
	"cmp"
	"slices"

	"aviso/internal/money"
	"aviso/internal/pfm"
)

// OwnRow is what of a row tells whether it is one half of a transfer between
// the user's own accounts.
type OwnRow struct {
	ID, AccountID string
	Date          pfm.Date
	Amount        money.Amount
	CurrencyCode  string
}

// Pair is a transfer between two accounts of the user, by the ids of its rows.
type Pair struct{ Out, In string }

// pairDays is how many days may lie between the two halves.
const pairDays = 3

// OwnPairs finds the transfers between the accounts of one user: equal and
// opposite amounts in the same currency on different accounts within three
// days. The nearest days are paired first and no row twice; the order of the
// rows makes no difference.
func OwnPairs(rows []OwnRow) []Pair {
	in := map[string][]OwnRow{}
	for _, r := range rows {
		if r.Amount.Sign() > 0 {
			in[r.CurrencyCode] = append(in[r.CurrencyCode], r)
		}
	}
	for _, of := range in {
		slices.SortFunc(of, func(a, b OwnRow) int { return byAmountAndDate(a, b.Amount, b.Date) })
	}

	type candidate struct {
		out, in OwnRow
		days    int
	}
	var candidates []candidate
	for _, out := range rows {
		if out.Amount.Sign() >= 0 || out.Date == "" {
			continue
		}
		wanted, of := out.Amount.Neg(), in[out.CurrencyCode]
		first, last := out.Date.AddDays(-pairDays), out.Date.AddDays(pairDays)
		at, _ := slices.BinarySearchFunc(of, first, func(r OwnRow, d pfm.Date) int { return byAmountAndDate(r, wanted, d) })
		for ; at < len(of) && of[at].Amount.Equal(wanted) && of[at].Date <= last; at++ {
			if of[at].AccountID != out.AccountID {
				candidates = append(candidates, candidate{out, of[at], daysBetween(out.Date, of[at].Date)})
			}
		}
	}
	slices.SortFunc(candidates, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.days, b.days), cmp.Compare(a.out.Date, b.out.Date), cmp.Compare(a.out.ID, b.out.ID),
			cmp.Compare(a.in.Date, b.in.Date), cmp.Compare(a.in.ID, b.in.ID))
	})

	var pairs []Pair
	taken := map[string]bool{}
	for _, c := range candidates {
		if !taken[c.out.ID] && !taken[c.in.ID] {
			taken[c.out.ID], taken[c.in.ID] = true, true
			pairs = append(pairs, Pair{Out: c.out.ID, In: c.in.ID})
		}
	}
	return pairs
}

func byAmountAndDate(r OwnRow, amount money.Amount, date pfm.Date) int {
	return cmp.Or(r.Amount.Cmp(amount), cmp.Compare(r.Date, date))
}

func daysBetween(a, b pfm.Date) int {
	return int(max(a.Time().Sub(b.Time()), b.Time().Sub(a.Time())).Hours() / 24)
}
