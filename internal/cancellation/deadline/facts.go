package deadline

import "cmp"

// Facts are what is known about one contract. Those that are empty are unknown, except
// CancelledOn.
type Facts struct {
	// ContractStart is the first day of the contract.
	ContractStart Date
	// CancelledOn is the day on which the cancellation is sent.
	CancelledOn Date
	// ConcludedOn is the day of the signature. It decides which law applies.
	ConcludedOn Date
	// LastRenewal is the first day of the term that runs now, if the user knows it.
	LastRenewal Date
	// Customer is as what the user concluded the contract. Unknown counts as a consumer.
	Customer Customer
	// RenewalReminder says whether the organization told the user in time that the
	// contract would renew. Unknown counts as told.
	RenewalReminder RenewalReminder
}

// Customer is as what a user concludes a contract.
type Customer string

// The customers.
const (
	Consumer Customer = "Consumer"
	// SmallBusiness is one that some statutes protect like a consumer.
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

// The facts that an answer may miss.
const (
	MissingTerms       = "terms"
	MissingStart       = "contractStart"
	MissingCustomer    = "customer"
	MissingReminder    = "renewalReminder"
	MissingConcludedOn = "concludedOn"
	MissingHolidays    = "holidays"
	// MissingSector: without it no statute is applied.
	MissingSector = "sector"
	// MissingLaw: no statute of the country and sector is known.
	MissingLaw = "law"
)
