package pfm

// ContractDeadline is until when a contract must be cancelled.
type ContractDeadline struct {
	EarliestEnd     Date             `json:"earliestEnd" format:"date"`
	EarliestFreeEnd Date             `json:"earliestFreeEnd" format:"date"`
	Costs           bool             `json:"costs"`
	Certainty       string           `json:"certainty,omitempty" enum:"Exact,Latest"`
	Form            *ContractForm    `json:"form,omitempty"`
	SendBy          []ContractSendBy `json:"sendBy" nullable:"false"`
	NextChance      Date             `json:"nextChance,omitempty" format:"date"`
	Missing         []string         `json:"missing" nullable:"false"`
}

// certaintyLatest: the law is not known, and may allow an earlier end than the contract does.
const certaintyLatest = "Latest"

// Shown returns the deadline as users see it. If its end is only the latest one, it has no day that looks like the last
// chance; reminders still go by the contract's.
func (d *ContractDeadline) Shown() *ContractDeadline {
	if d == nil || d.Certainty != certaintyLatest {
		return d
	}
	shown := *d
	shown.SendBy, shown.NextChance = []ContractSendBy{}, ""
	return &shown
}

// ContractForm is what a cancellation must look like to count, and why.
type ContractForm struct {
	Requirement string `json:"requirement" enum:"Text,Written,Registered,NewProvider"`
	Reason      string `json:"reason"`
}

// ContractSendBy is the last day to send a cancellation by a channel.
type ContractSendBy struct {
	Channel string `json:"channel" enum:"Email,Mail,RegisteredMail,Fax"`
	Date    Date   `json:"date" format:"date"`
}
