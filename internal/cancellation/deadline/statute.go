package deadline

import "slices"

// Statute is a law that beats a contract. Its caps change the terms; its exit is a further
// way to end the contract.
type Statute struct {
	ID, Country string
	// Citation is as lawyers of the country write it. URL is the official text.
	Citation, URL string
	Sectors       []Sector
	ConsumersOnly bool
	// ConcludedFrom and ConcludedUntil limit it to contracts concluded in this period.
	// Either may be empty.
	ConcludedFrom, ConcludedUntil Date
	// InForceFrom limits it to notices from this day on.
	InForceFrom Date
	Condition   Condition
	// Over is the length for the conditions that compare one.
	Over Period

	MaxMinimum, MaxNotice, MaxRenewal Period
	// NoRenewal is set if the contract ends with its first term, whatever it says.
	NoRenewal bool
	Exit      Exit
	// Costs is set if the exit may cost the user something.
	Costs bool
	// Note is the text of a statute that changes no date.
	Note message
}

// source returns the statute as the source of a step.
func (s Statute) source() string { return s.Citation + ", " + s.URL }

// Condition is what must be true of a contract for a statute to apply.
type Condition int

// The conditions.
const (
	Always Condition = iota
	// FirstTermOver: the first term is longer than Over.
	FirstTermOver
	// OpenOrFirstTermOver: the contract is open-ended, or its first term is longer than
	// Over.
	OpenOrFirstTermOver
	// HasFirstTerm: the contract has a first term, and goes on after it.
	HasFirstTerm
	// NotReminded: it renews for terms longer than Over, and the organization did not
	// remind the user in time.
	NotReminded
	// RunsOpen: it runs open-ended.
	RunsOpen
	// WrittenForm: the contract asks for writing.
	WrittenForm
)

// Exit is a way to end a contract by law.
type Exit struct {
	// From is the first day on which the way is open.
	From ExitFrom
	// After is counted from the contract's start, for AfterTime.
	After Period
	// EndOf is the kind of day. Empty means that the statute has no exit.
	EndOf  EndOf
	Notice Period
	// AtMost is set if Notice is the longest that a contract may ask for.
	AtMost bool
	// OnlyOnceOpen is set if the notice itself counts only once the way is open.
	OnlyOnceOpen bool
}

// ExitFrom says from when on a way is open.
type ExitFrom int

// From when on.
const (
	FromStart ExitFrom = iota
	AfterFirstTerm
	// AfterTime: the contract has lasted for After. The first end is the last day of it.
	AfterTime
)

// contract is what decides which statutes apply.
type contract struct {
	Terms

	facts   Facts
	written bool
}

func (s Statute) applies(c contract) bool {
	return slices.Contains(s.Sectors, c.Sector) && (!s.ConsumersOnly || c.facts.Customer != Business) &&
		within(c.facts.concluded(), s.ConcludedFrom, s.ConcludedUntil) && c.facts.CancelledOn >= s.InForceFrom &&
		s.holds(c)
}

func (s Statute) holds(c contract) bool {
	open := c.Renewal == RenewalOpen
	switch s.Condition {
	case FirstTermOver:
		return c.MinimumTerm.longer(s.Over)
	case OpenOrFirstTermOver:
		return open || c.MinimumTerm.longer(s.Over)
	case HasFirstTerm:
		return !c.MinimumTerm.isZero() && c.Renewal != RenewalNone
	case NotReminded:
		return c.Renewal == RenewalFixed && c.RenewalTerm.longer(s.Over) && c.facts.RenewalReminder == ReminderNotSent
	case RunsOpen:
		return open
	case WrittenForm:
		return c.written
	default:
		return true
	}
}

// statutesFor returns the statutes of a country that apply to a contract.
func statutesFor(country string, c contract) []Statute {
	return slices.DeleteFunc(statutes(), func(s Statute) bool { return s.Country != country || !s.applies(c) })
}
