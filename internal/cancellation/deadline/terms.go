package deadline

import (
	"cmp"
	"slices"
)

// Terms are a product's terms about the end of a contract.
type Terms struct {
	// ValidFrom and ValidUntil limit the terms to contracts concluded in this period.
	// Either may be empty.
	ValidFrom  Date `dynamodbav:"validFrom,omitempty"`
	ValidUntil Date `dynamodbav:"validUntil,omitempty"`
	// Sector may be empty; no statute is then applied.
	Sector Sector `dynamodbav:"sector,omitempty"`
	// MinimumTerm is the first term, or empty if there is none.
	MinimumTerm Period `dynamodbav:"minimumTerm,omitempty"`
	// NoticePeriod is how long before the end a notice must arrive.
	NoticePeriod Period  `dynamodbav:"noticePeriod"`
	Renewal      Renewal `dynamodbav:"renewal"`
	// RenewalTerm is set if the renewal is Fixed.
	RenewalTerm Period `dynamodbav:"renewalTerm,omitempty"`
	EndOf       EndOf  `dynamodbav:"endOf,omitempty"`
	// ConcludedAt is only in terms that a user agreed.
	ConcludedAt ConcludedAt `dynamodbav:"-"`
	// Source names the document with these terms.
	Source string `dynamodbav:"source"`
}

// Sector is a kind of contract. It decides which statutes apply, so law/*.yaml has all of them.
type Sector string

// The sectors that the code knows.
const (
	Telecom       Sector = "Telecom"
	HomeInsurance Sector = "HomeInsurance"
)

// IsSupply reports whether the end of the contract can leave a household without supply.
func (s Sector) IsSupply() bool {
	return slices.Contains([]Sector{"Energy", "EnergyBasicSupply", "Water"}, s)
}

// Renewal is the kind of renewal after the first term.
type Renewal string

// The renewals.
const (
	// RenewalNone means that the contract ends by itself.
	RenewalNone Renewal = "None"
	// RenewalFixed means that the contract renews for a term again and again.
	RenewalFixed Renewal = "Fixed"
	// RenewalOpen means that the contract continues until somebody cancels it.
	RenewalOpen Renewal = "Open"
)

// EndOf is the kind of day on which a contract can end. A contract's own periods are counted from its start.
type EndOf string

// The days.
const (
	EndOfDay              EndOf = "Day"
	EndOfMonth            EndOf = "Month"
	EndOfQuarter          EndOf = "Quarter"
	EndOfHalfYear         EndOf = "HalfYear"
	EndOfCalendarYear     EndOf = "CalendarYear"
	EndOfContractMonth    EndOf = "ContractMonth"
	EndOfContractHalfYear EndOf = "ContractHalfYear"
	EndOfContractYear     EndOf = "ContractYear"
)

// calendarMonths returns the length of calendar periods in months, or zero for other days.
func (e EndOf) calendarMonths() int {
	return map[EndOf]int{EndOfMonth: 1, EndOfQuarter: 3, EndOfHalfYear: 6, EndOfCalendarYear: 12}[e]
}

// contractMonths returns the length of the contract's own periods in months, or zero for other days.
func (e EndOf) contractMonths() int {
	return map[EndOf]int{EndOfContractMonth: 1, EndOfContractHalfYear: 6, EndOfContractYear: 12}[e]
}

// covers reports whether the terms apply to a contract concluded on a day.
func (t Terms) covers(concluded Date) bool { return Span{t.ValidFrom, t.ValidUntil}.has(concluded) }

// Overlap reports whether two of the terms are valid on the same day.
func Overlap(all []Terms) bool {
	for i, a := range all {
		if slices.ContainsFunc(all[:i], func(b Terms) bool { return a.covers(b.ValidFrom) || b.covers(a.ValidFrom) }) {
			return true
		}
	}
	return false
}

// with returns the product's terms with the terms that the user has agreed with the organization. Agreed terms that
// are set replace the product's.
func (t Terms) with(a Terms) Terms {
	t.MinimumTerm = cmp.Or(a.MinimumTerm, t.MinimumTerm)
	t.NoticePeriod = cmp.Or(a.NoticePeriod, t.NoticePeriod)
	t.RenewalTerm = cmp.Or(a.RenewalTerm, t.RenewalTerm)
	t.Renewal = cmp.Or(a.Renewal, t.Renewal)
	t.EndOf = cmp.Or(a.EndOf, t.EndOf)
	t.Sector = cmp.Or(a.Sector, t.Sector)
	t.ConcludedAt = a.ConcludedAt
	return t
}

// complete reports whether the terms are enough to compute an end.
func (t Terms) complete() bool {
	return t.Renewal == RenewalOpen || t.Renewal == RenewalNone && !t.MinimumTerm.isZero() ||
		t.Renewal == RenewalFixed && !t.RenewalTerm.isZero()
}
