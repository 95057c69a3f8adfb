package pfm

// ContractDeadline is until when a contract must be cancelled.
type ContractDeadline struct {
	_ struct{} `doc:"When a contract can end. getDeadline explains each step, and takes more facts."`

	EarliestEnd     Date             `json:"earliestEnd" format:"date" doc:"When the contract ends if it is cancelled today by the product's first channel."`
	EarliestFreeEnd Date             `json:"earliestFreeEnd" format:"date" doc:"The earliest end that costs nothing and rests on confirmed law. sendBy and nextChance refer to it."`
	Costs           bool             `json:"costs" doc:"True if earliestEnd may cost something."`
	Form            *ContractForm    `json:"form,omitempty" doc:"Absent if any text will do."`
	SendBy          []ContractSendBy `json:"sendBy" nullable:"false" doc:"The last day to send a cancellation by each channel, the product's first channel first. Empty if the contract ends by itself."`
	NextChance      Date             `json:"nextChance,omitempty" format:"date" doc:"When the contract ends if the first day of sendBy is missed."`
	Missing         []string         `json:"missing" nullable:"false" doc:"Facts that would change the deadline, as in getDeadline."`
}

// ContractForm is what a cancellation must look like to count, and why.
type ContractForm struct {
	_ struct{} `doc:"What a cancellation must look like to be valid, as in getDeadline."`

	Requirement string `json:"requirement" enum:"Text,Written,Registered,NewProvider" doc:"What is required."`
	Reason      string `json:"reason" doc:"Why, for the user."`
}

// ContractSendBy is the last day to send a cancellation by a channel.
type ContractSendBy struct {
	_ struct{} `doc:"The last day for one channel."`

	Channel string `json:"channel" enum:"Email,Mail,RegisteredMail,Fax" doc:"How the cancellation is sent."`
	Date    Date   `json:"date" format:"date" doc:"The last day to send it."`
}
