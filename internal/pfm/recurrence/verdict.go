package recurrence

import (
	"cmp"
	"fmt"
	"slices"

	"aviso/internal/money"
	"aviso/internal/pfm"
	"aviso/internal/pfm/contract"
)

// Verdict describes one series of a group.
type Verdict struct {
	Label
	// Contract is the ID if the series is a subscription.
	Contract string
	// Amount is what is paid each time: the current price or, if amounts change all
	// the time, the median of about the last year.
	Amount money.Amount
	// TimesPerYear is the number of payments in a year. For every four weeks it is
	// 13, not 12.
	TimesPerYear int
	// First and Last are the days of the first and the last payment. Count is the
	// number of payments.
	First, Last pfm.Date
	Count       int
	// NextExpected is when the next payment is due if the series continues. If there
	// is no payment by Overdue, the series has ended.
	NextExpected, Overdue pfm.Date
	// Latest is the ID of the last payment, and Category its category.
	Latest   string
	Category int
	// IDs are the payments that are held, oldest first.
	IDs []string
	// PriceChanges are those that the held payments show, oldest first.
	PriceChanges []contract.PriceChange
}

// Ended reports whether the payments have stopped as of today.
func (v Verdict) Ended(today pfm.Date) bool { return today > v.Overdue }

// PerYear returns the exact sum of a year's payments, with their sign.
func (v Verdict) PerYear() (money.Amount, error) {
	var sum money.Amount
	for range v.TimesPerYear {
		var err error
		if sum, err = sum.Add(v.Amount); err != nil {
			return money.Amount{}, fmt.Errorf("yearly sum: %w", err)
		}
	}
	return sum, nil
}

// Verdicts returns the group's series, the one with the latest payment first.
func (g *Group) Verdicts() []Verdict {
	var out []Verdict
	// Groups that were stored before contracts had IDs have them from here.
	named := Group{Held: slices.Clone(g.Held), Contracts: slices.Clone(g.Contracts)}
	found := named.label()
	contracts := slices.DeleteFunc(slices.Clone(found), func(s *series) bool { return s.contract == "" })
	for _, s := range found {
		v := s.verdict()
		if s.contract != "" {
			v.PriceChanges = s.priceChanges(contracts)
		}
		out = append(out, v)
	}
	slices.SortFunc(out, func(a, b Verdict) int {
		return cmp.Or(cmp.Compare(b.Last, a.Last), cmp.Compare(a.Latest, b.Latest))
	})
	return out
}

func (s *series) verdict() Verdict {
	days := make([]int, len(s.members))
	for k := range s.members {
		days[k] = dayOf(s.day(k))
	}
	latest := s.latest()
	next := s.cadence.next(days)
	v := Verdict{
		Label: s.label(), Contract: s.contract, Amount: s.amount(), TimesPerYear: s.cadence.perYear,
		Last: latest.Date, Latest: latest.ID, Category: latest.Category,
		NextExpected: dateOf(next),
		// One payment may be missed.
		Overdue: dateOf(s.cadence.after(next, 1) + s.cadence.tolerance),
	}
	for _, i := range s.all() {
		e := s.entries[i]
		v.First = earlier(v.First, earlier(e.Since, e.Date))
		v.Count += 1 + e.Before
		v.IDs = append(v.IDs, e.ID)
	}
	return v
}

// latest returns the last payment in step.
func (s *series) latest() Entry { return s.entries[s.members[len(s.members)-1]] }

// amount returns the current price. If the amount seldom changes, that is the last
// one, unless it is far from the one before, like a salary with a bonus.
func (s *series) amount() money.Amount {
	recent := s.members[max(0, len(s.members)-12):]
	amounts := make([]money.Amount, len(recent))
	for k, i := range recent {
		amounts[k] = s.entries[i].Amount
	}
	last := amounts[len(amounts)-1]
	changes := 0
	for k := 1; k < len(amounts); k++ {
		if !amounts[k].Equal(amounts[k-1]) {
			changes++
		}
	}
	f := newFinder([]Entry{s.entries[recent[max(0, len(recent)-2)]], s.latest()})
	if changes <= max(1, len(amounts)/3) && f.ratio(0, 1) <= maxRise {
		return last
	}
	slices.SortFunc(amounts, money.Amount.Cmp)
	return amounts[len(amounts)/2]
}

func (s *series) label() Label {
	return Label{Frequency: s.cadence.frequency, Subscription: s.isContract()}
}

// isContract reports whether the last payment shows that the series is paid under a
// contract with a merchant.
func (s *series) isContract() bool {
	e := s.latest()
	if e.Amount.Sign() >= 0 {
		return false
	}
	// A subcategory's ID is within ten above that of its category.
	top := e.Category - e.Category%10
	switch {
	case top == transfers, top == income:
		return false
	case slices.Contains([]int{pfm.HousingRent, pfm.FinanceLoans, pfm.FinanceTaxes, pfm.FinanceSavings}, e.Category):
		return false
	case e.Mandate:
		return true
	}
	return e.Merchant && s.cadence.perYear <= 13 && !isHabit(top, e.Category)
}

// isHabit reports whether people buy such things regularly without a contract, such
// as a lunch menu at a fixed price, a haircut or a full tank.
func isHabit(top, category int) bool {
	if top == food || top == shopping {
		return true
	}
	return slices.Contains([]int{
		pfm.TransportTaxi, pfm.TransportFuel, pfm.TransportParking, pfm.HealthPharmacy, pfm.HealthBeauty,
		pfm.LeisureTravel, pfm.LeisureEvents, pfm.LeisureGambling,
	}, category)
}

// The top-level categories that never mean a contract, or only with a mandate.
const (
	food      = 520
	shopping  = 530
	transfers = 590
	income    = 600
)
