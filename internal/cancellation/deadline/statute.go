package deadline

import (
	"cmp"
	"slices"
	"time"
)

// Statute is a law that overrides a contract. Its limits change the terms; its exit is a further way to end the
// contract.
type Statute struct {
	Article `yaml:",inline"`

	// Concluded limits the statute to contracts concluded in this period.
	Concluded Span
	Customers []Customer
	When      When
	Limits    Limits
	Exit      *Exit
	// Form is the required form of a cancellation.
	Form *FormRule
	// Note is the text of a statute that changes no date.
	Note message
	// OnlyIf is the text of a fact on which the statute depends and which nobody asks for. Without the fact, the answer
	// is that of Answer.Certain.
	OnlyIf message `yaml:"onlyIf"`
}

// isUncertain reports whether a contract may end as if there was no such statute.
func (s Statute) isUncertain() bool { return s.Unconfirmed || s.OnlyIf != "" }

// When is the condition under which a statute applies to a contract.
type When struct {
	Condition Condition
	// Over is the length in conditions that compare one.
	Over Period
}

// Condition is a kind of When.
type Condition string

// The conditions.
const (
	Always Condition = ""
	// FirstTermOver: the first term is longer than Over.
	FirstTermOver Condition = "FirstTermOver"
	// OpenOrFirstTermOver: the contract is open-ended, or its first term is longer than
	// Over.
	OpenOrFirstTermOver Condition = "OpenOrFirstTermOver"
	// HasFirstTerm: the contract has a first term, and continues after it.
	HasFirstTerm Condition = "HasFirstTerm"
	// NotReminded: the contract renews for terms longer than Over, and the organization did not remind the user in
	// time.
	NotReminded Condition = "NotReminded"
	// RunsOpen: the contract is open-ended now.
	RunsOpen Condition = "RunsOpen"
	// HasEnd: the contract ends by itself.
	HasEnd Condition = "HasEnd"
	// EndsWithCalendarYear: the contract's periods end with the calendar year.
	EndsWithCalendarYear Condition = "EndsWithCalendarYear"
	// WrittenForm: the contract requires writing.
	WrittenForm Condition = "WrittenForm"
	// WrittenFormAtDistance: so does one that was concluded at a distance.
	WrittenFormAtDistance Condition = "WrittenFormAtDistance"
)

// Limits are the maximum times for which a contract may bind.
type Limits struct {
	FirstTerm Period `yaml:"firstTerm"`
	// FromConclusion is set if the first term starts on the day of the signature.
	FromConclusion bool `yaml:"fromConclusion"`
	// ToNextMonth is set if the contract may last until the first of the month after FirstTerm.
	ToNextMonth     bool `yaml:"toNextMonth"`
	Notice, Renewal Period
	// NoRenewal is set if the contract ends with its first term, even if its text differs.
	NoRenewal bool `yaml:"noRenewal"`
}

// Exit is a way to end a contract by law.
type Exit struct {
	// From is the first day on which the way is open.
	From ExitFrom
	// After is the minimum age of the contract, for AfterTime and AfterConclusion.
	After Period
	// EndOf is the kind of day.
	EndOf  EndOf `yaml:"endOf"`
	Notice Period
	// Grace is the number of working days of a month that still count as the month before. Saturdays are working days
	// here.
	Grace int
	// AtMost is set if Notice is only a maximum for the contract's notice.
	AtMost bool `yaml:"atMost"`
	// OnlyOnceOpen is set if the notice is valid only once the way is open.
	OnlyOnceOpen bool `yaml:"onlyOnceOpen"`
	// Costs is set if the exit may cost the user something.
	Costs bool
	// Once is set if the contract can end in this way on one day only.
	Once bool
	// NextMonth is set if periods of the contract are counted from the first of the month, the one after its start if it
	// does not start on such a day.
	NextMonth bool `yaml:"nextMonth"`
	// Within is the time after the signature in which the notice must arrive. It may be empty.
	Within Period
	// ByNewProvider is set if only the new provider can cancel in this way.
	ByNewProvider bool `yaml:"byNewProvider"`
}

// ExitFrom says when a way opens.
type ExitFrom string

// The times at which a way opens.
const (
	FromStart       ExitFrom = "Start"
	FirstTermEnd    ExitFrom = "FirstTermEnd"
	AfterFirstTerm  ExitFrom = "AfterFirstTerm"
	AfterTime       ExitFrom = "AfterTime"
	AfterConclusion ExitFrom = "AfterConclusion"
)

// contract has the facts that decide which statutes apply.
type contract struct {
	Terms

	facts   Facts
	written bool
	// latest is the latest legal last day of the first term. It may be zero.
	latest time.Time
}

func (s Statute) applies(c contract) bool {
	customer := cmp.Or(c.facts.Customer, Consumer)
	return slices.Contains(s.Sectors, c.Sector) && slices.Contains(s.Customers, customer) &&
		s.Concluded.has(c.facts.concluded()) && s.InForce.has(c.facts.CancelledOn) && s.holds(c)
}

func (s Statute) holds(c contract) bool {
	open := c.Renewal == RenewalOpen
	switch s.When.Condition {
	case FirstTermOver:
		return c.MinimumTerm.longer(s.When.Over)
	case OpenOrFirstTermOver:
		return open || c.MinimumTerm.longer(s.When.Over)
	case HasFirstTerm:
		return !c.MinimumTerm.isZero() && c.Renewal != RenewalNone
	case NotReminded:
		return c.Renewal == RenewalFixed && c.RenewalTerm.longer(s.When.Over) && c.facts.RenewalReminder == ReminderNotSent
	case RunsOpen:
		return open
	case HasEnd:
		return c.Renewal == RenewalNone
	case EndsWithCalendarYear:
		return c.EndOf == EndOfCalendarYear
	case WrittenForm:
		return c.written
	case WrittenFormAtDistance:
		return c.written && c.ConcludedAt == Distance
	default:
		return true
	}
}

// statutesFor returns the statutes of the query's country that apply to a contract.
func (q Query) statutesFor(c contract) []Statute {
	var list []Statute
	for _, s := range lawOf(q.Law).Statutes {
		if s.applies(c) && (!q.certain || !s.isUncertain()) && s.ID != q.without {
			list = append(list, s)
		}
	}
	return list
}
