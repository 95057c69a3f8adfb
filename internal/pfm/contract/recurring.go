package contract

import (
	"cmp"
	"slices"

	"aviso/internal/money"
	"aviso/internal/pfm"
)

// Recurring returns the group's series in the form of contracts, the one with the latest payment
// first. Those without an ID are not contracts. Merchant and currency are the record's.
func (g *Group) Recurring() ([]Subscription, error) {
	// A copy, because label writes the IDs of contracts, and readers must not change the group.
	named := Group{Held: slices.Clone(g.Held), Contracts: slices.Clone(g.Contracts)}
	found := named.label()
	slices.SortFunc(found, func(a, b *series) int {
		return cmp.Or(cmp.Compare(b.latest().Date, a.latest().Date), cmp.Compare(a.latest().ID, b.latest().ID))
	})
	contracts := slices.DeleteFunc(slices.Clone(found), func(s *series) bool { return s.contract == "" })
	var list []Subscription
	for _, s := range found {
		c, err := s.subscription()
		if err != nil {
			return nil, err
		}
		if s.contract != "" {
			c.PriceChanges = s.priceChanges(contracts)
		}
		list = append(list, c)
	}
	return list, nil
}

func (s *series) subscription() (Subscription, error) {
	days := make([]int, len(s.members))
	for k := range s.members {
		days[k] = dayOf(s.day(k))
	}
	next, latest, amount := s.cadence.next(days), s.latest(), s.amount()
	category, _ := pfm.CategoryOf(latest.Category)
	perYear, err := amount.Times(s.cadence.perYear)
	c := Subscription{
		ID: s.contract, Category: category, Amount: amount, YearlyCost: perYear.Neg(),
		Frequency: s.cadence.frequency, TimesPerYear: s.cadence.perYear, Last: latest.Date,
		NextExpected: dateOf(next),
		// One payment may be missed.
		Overdue: dateOf(s.cadence.after(next, 1) + s.cadence.tolerance),
	}
	for _, i := range s.members {
		e := s.entries[i]
		c.First = earlier(c.First, earlier(e.Since, e.Date))
		c.TransactionIDs = append(c.TransactionIDs, e.ID)
	}
	return c, err
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
	if isHabit(top, e.Category) {
		return e.Category == pfm.TransportParking && s.cadence.perYear <= 13 && s.isSteady()
	}
	return s.cadence.perYear <= 13 && (e.Merchant || s.isSteady() && isServed(top, e.Category))
}

// isSteady reports whether one amount was paid so often that it was agreed on.
func (s *series) isSteady() bool {
	const often = 4
	first := s.entries[s.members[0]].Amount
	return len(s.members) >= often && !slices.ContainsFunc(s.members, func(i int) bool { return !s.entries[i].Amount.Equal(first) })
}

// isServed reports whether a business or an association takes the same amount for such things again and again, and
// relatives do not.
func isServed(top, category int) bool {
	return slices.Contains([]int{housing, transport, health, media, finance}, top) ||
		slices.Contains([]int{pfm.LeisureSports, pfm.LeisureCharity, pfm.LeisureEducation}, category)
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

// Top-level categories.
const (
	housing   = 500
	food      = 520
	shopping  = 530
	transport = 540
	health    = 550
	media     = 570
	finance   = 580
	transfers = 590
	income    = 600
)
