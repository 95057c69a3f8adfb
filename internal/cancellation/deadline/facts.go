package deadline

import "cmp"

// Facts are the known facts about one contract. Empty ones are unknown, except CancelledOn.
type Facts struct {
	// ContractStart is the first day of the contract.
	ContractStart Date
	// CancelledOn is the day on which the cancellation is sent.
	CancelledOn Date
	// ConcludedOn is the day of the signature. It decides which law applies.
	ConcludedOn Date
	// LastRenewal is the first day of the current term, if the user knows it.
	LastRenewal Date
	// Customer is the user's role in the contract. Unknown counts as a consumer.
	Customer Customer
	// RenewalReminder says whether the organization reminded the user of the renewal in time. Unknown counts as
	// reminded.
	RenewalReminder RenewalReminder
}

// Customer is a user's role in a contract.
type Customer string

// The customers.
const (
	Consumer Customer = "Consumer"
	// SmallBusiness is a business that some statutes protect like a consumer.
	SmallBusiness Customer = "SmallBusiness"
	Business      Customer = "Business"
)

// RenewalReminder says whether there was a timely reminder of a renewal.
type RenewalReminder string

// The reminders.
const (
	ReminderSent    RenewalReminder = "Sent"
	ReminderNotSent RenewalReminder = "NotSent"
)

// concluded returns the day of the signature, or else the contract's first day.
func (f Facts) concluded() Date { return cmp.Or(f.ConcludedOn, f.ContractStart) }

// The facts that may be missing in an answer.
const (
	MissingTerms       = "terms"
	MissingStart       = "contractStart"
	MissingCustomer    = "customer"
	MissingReminder    = "renewalReminder"
	MissingConcludedOn = "concludedOn"
	MissingHolidays    = "holidays"
	// MissingConcludedAt: a right to withdraw depends on where the contract was concluded.
	MissingConcludedAt = "concludedAt"
	// MissingSector: no statute applies without a sector.
	MissingSector = "sector"
	// MissingLaw: no statute of the country and sector is known.
	MissingLaw = "law"
)
