package pfm

// ContractDeadline is until when a contract must be cancelled.
type ContractDeadline struct {
	EarliestEnd     Date             `json:"earliestEnd" format:"date"`
	EarliestFreeEnd Date             `json:"earliestFreeEnd" format:"date"`
	Costs           bool             `json:"costs"`
	Form            *ContractForm    `json:"form,omitempty"`
	SendBy          []ContractSendBy `json:"sendBy" nullable:"false"`
	NextChance      Date             `json:"nextChance,omitempty" format:"date"`
	Missing         []string         `json:"missing" nullable:"false"`
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
