package contract

import (
	"slices"

	"aviso/internal/money"
	"aviso/internal/pfm"
)

// level is a price that was paid several times in a row. A single other amount in between,
// such as a bill with an extra, does not end it.
type level struct {
	amount money.Amount
	// first and second are the places in the members of the first two payments at this
	// price, or both that of the only one.
	first, second int
	payments      int
	// again: this price was left before.
	again bool
}

// How many payments of one amount make it a price that can change, if they come every month,
// and if they come seldom.
const monthlyPayments, rarePayments = 3, 2

// mostRise is by how many percent the price of a young contract may rise without looking like
// the end of a promotion.
const mostRise = "10"

// priceChanges returns the changes of the series' price, oldest first. Amounts that change
// all the time are not a price. others are the other contracts of the group.
func (s *series) priceChanges(others []*series) []PriceStep {
	var changes []PriceStep
	levels := s.levels()
	for i := 1; i < len(levels); i++ {
		was, is := levels[i-1], levels[i]
		if is.again || s.isPromotion(was, is, i == 1) || s.isMerged(is, others) || !s.isSimilar(was, is) {
			continue
		}
		first := s.entries[s.members[is.first]]
		changes = append(changes, PriceStep{
			Old: was.amount, New: is.amount, Since: first.Date, SeenOn: s.day(is.second), TransactionID: first.ID,
		})
	}
	return changes
}

// isRare reports whether there are at most six payments in a year, so that two of one amount
// are not a coincidence.
func (s *series) isRare() bool { return s.cadence.perYear <= 6 }

// levels returns the prices, oldest first, without those that were paid for too short a time
// or only in between. It returns none if amounts change too often to be a price.
func (s *series) levels() []level {
	var found []level
	var left []money.Amount // prices that were paid only in between
	loose := 0
	var to int
	for from := 0; from < len(s.members); from = to {
		to = s.sameFrom(from)
		amount := s.entries[s.members[from]].Amount
		at := slices.IndexFunc(found, func(l level) bool { return l.amount.Equal(amount) })
		// One payment that comes seldom is enough if the price was never another.
		isPrice := to-from > 1 || to == len(s.members) && s.isRare() && loose == 0 && len(found) == 1
		switch {
		case at >= 0:
			for _, l := range found[at+1:] {
				left = append(left, l.amount)
			}
			found = found[:at+1]
			found[at].payments += to - from
		case isPrice:
			found = append(found, level{
				amount: amount, first: from, second: min(from+1, to-1), payments: to - from,
				again: slices.ContainsFunc(left, amount.Equal),
			})
		default:
			loose++
		}
	}
	if loose > len(s.members)/4 || len(found) == 0 {
		return nil
	}
	least := monthlyPayments
	if s.isRare() {
		least = rarePayments
	}
	now := found[len(found)-1]
	before := slices.DeleteFunc(found[:len(found)-1], func(l level) bool { return l.payments < least })
	return append(before, now)
}

// sameFrom returns the place after the last payment of one amount in a row.
func (s *series) sameFrom(from int) int {
	to := from + 1
	for to < len(s.members) && s.entries[s.members[to]].Amount.Equal(s.entries[s.members[from]].Amount) {
		to++
	}
	return to
}

// isSimilar reports whether one price can have become the other. Beyond that it is more
// likely another contract.
func (s *series) isSimilar(was, is level) bool {
	f := newFinder([]Entry{s.entries[s.members[was.first]], s.entries[s.members[is.first]]})
	return f.ratio(0, 1) <= maxRise
}

// isPromotion reports whether the change looks like the end of a lower price for the first
// months, which was agreed on from the start. Energy and insurance have none.
func (s *series) isPromotion(was, is level, isFirst bool) bool {
	category := s.latest().Category
	if !isFirst || s.cadence.perYear != 12 || s.entries[s.members[0]].Before > 0 ||
		slices.Contains([]int{pfm.HousingUtilities, pfm.HousingInsurance, pfm.FinanceInsurance}, category) {
		return false
	}
	percent, err := is.amount.PercentAbove(was.amount)
	return err == nil && percent.Cmp(money.MustParse(mostRise)) > 0 && slices.Contains([]int{3, 6, 12, 24}, is.first)
}

// isMerged reports whether another contract with the merchant ended just before the price
// rose: then one debit may have taken the place of two.
func (s *series) isMerged(is level, others []*series) bool {
	since := dayOf(s.day(is.first))
	return slices.ContainsFunc(others, func(o *series) bool {
		last := dayOf(o.latest().Date)
		return o != s && last < since && last >= since-2*366/s.cadence.perYear
	})
}
