package recurrence

import (
	"cmp"
	"fmt"
	"slices"

	"aviso/internal/money"
	"aviso/internal/pfm"
)

// Verdict is what is known of one series of a group.
type Verdict struct {
	Label
	// Amount is what is paid each time: the current price or, where amounts
	// change all the time, the middle one of the last year or so.
	Amount money.Amount
	// TimesPerYear is how often; for every four weeks 13 and not 12.
	TimesPerYear int
	// First and Last are the days of the first and the last payment; Count is
	// how many there were.
	First, Last pfm.Date
	Count       int
	// NextExpected is when the next payment is due if it goes on, and Overdue
	// the day after which it has ended if none came by then.
	NextExpected, Overdue pfm.Date
	// Latest is the id of the last payment, and Category its category.
	Latest   string
	Category int
	// IDs are the payments that are held, oldest first.
	IDs []string
}

// Ended tells whether, as of today, the payments have stopped.
func (v Verdict) Ended(today pfm.Date) bool { return today > v.Overdue }

// PerYear is what a year costs, or brings: exact, and signed as the payments.
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

// Verdicts are the group's series, the one paid last first.
func (g *Group) Verdicts() []Verdict {
	var out []Verdict
	for _, s := range g.series() {
		out = append(out, s.verdict())
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
		Label: s.label(), Amount: s.amount(), TimesPerYear: s.cadence.perYear,
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

// latest is the last payment in step.
func (s *series) latest() Entry { return s.entries[s.members[len(s.members)-1]] }

// amount is the current price. Where few amounts repeat, that is the last one,
// unless it is out of line with the one before, as a salary with a bonus is.
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
	if changes <= max(1, len(amounts)/3) && f.ratio(0, 1) <= aRise {
		return last
	}
	slices.SortFunc(amounts, money.Amount.Cmp)
	return amounts[len(amounts)/2]
}

func (s *series) label() Label {
	return Label{Frequency: s.cadence.frequency, Subscription: s.contract()}
}

// contract tells whether the series is paid under a contract with a merchant,
// as its last payment shows.
func (s *series) contract() bool {
	e := s.latest()
	if e.Amount.Sign() >= 0 {
		return false
	}
	// A subcategory's id lies in the ten above its category's.
	top := e.Category - e.Category%10
	switch {
	case top == transfers, top == income:
		return false
	case slices.Contains([]int{pfm.HousingRent, pfm.FinanceLoans, pfm.FinanceTaxes, pfm.FinanceSavings}, e.Category):
		return false
	case e.Mandate:
		return true
	}
	return e.Merchant && s.cadence.perYear <= 13 && !habit(top, e.Category)
}

// habit tells whether people buy such things again and again without being
// bound: the lunch menu at one price, the haircut, the full tank.
func habit(top, category int) bool {
	if top == food || top == shopping {
		return true
	}
	return slices.Contains([]int{
		pfm.TransportTaxi, pfm.TransportFuel, pfm.TransportParking, pfm.HealthPharmacy, pfm.HealthBeauty,
		pfm.LeisureTravel, pfm.LeisureEvents, pfm.LeisureGambling,
	}, category)
}

// The top-level categories that are no contract, ever or without a mandate.
const (
	food      = 520
	shopping  = 530
	transfers = 590
	income    = 600
)
