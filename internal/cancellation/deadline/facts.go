package deadline

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
	// Consumer reports whether the user concluded the contract as a consumer.
	Consumer *bool
	// Reminded reports whether the organization told the user in time that the contract
	// would renew.
	Reminded *bool
}

func (f Facts) isConsumer() bool { return f.Consumer == nil || *f.Consumer }

func (f Facts) wasReminded() bool { return f.Reminded == nil || *f.Reminded }

// concluded returns the day of the signature, or else the contract's first day.
func (f Facts) concluded() Date {
	if f.ConcludedOn != "" {
		return f.ConcludedOn
	}
	return f.ContractStart
}

// The facts that an answer may miss.
const (
	MissingTerms       = "terms"
	MissingStart       = "contractStart"
	MissingConsumer    = "consumer"
	MissingReminded    = "reminded"
	MissingConcludedOn = "concludedOn"
	MissingHolidays    = "holidays"
)
