package persona

// Behaviour is how a bank answers when this persona's accounts are read.
type Behaviour string

// The behaviours. Log-in and consent always work; only account reads differ.
const (
	// Healthy answers as it should.
	Healthy Behaviour = "healthy"
	// Slow answers after every sensible time-out.
	Slow Behaviour = "slow"
	// Failing answers 500.
	Failing Behaviour = "failing"
	// Garbled answers 200 with a body that breaks off.
	Garbled Behaviour = "garbled"
	// Throttled answers 429.
	Throttled Behaviour = "throttled"
	// Revoked withdraws the consent as soon as the accounts are read.
	Revoked Behaviour = "revoked"
)

// Persona is a person with accounts at every sandbox bank.
type Persona struct {
	// ID is the value of the log-in form's field.
	ID   string
	Name string
	// Summary tells a developer what this persona is good for.
	Summary   string
	Behaviour Behaviour

	accounts []plan
	life     []habit
}

// All lists the personas. The first is healthy and the log-in page's default.
func All() []Persona {
	return []Persona{
		{"anna", "Anna Sommer", "A healthy household: salary, rent, savings and a credit card.", Healthy, employeeAccounts(), employeeLife()},
		{"family", "Klara and Bruno Weidner", "A family that shares an account, with child benefit and childcare.", Healthy, familyAccounts(), familyLife()},
		{"student", "Milo Brandt", "A student with one account that is often overdrawn.", Healthy, studentAccounts(), studentLife()},
		{"freelancer", "Noor Delacroix", "A freelancer with irregular income, a dollar account under the same IBAN and payments abroad.", Healthy, freelancerAccounts(), freelancerLife()},
		{"newcomer", "Tadeo Lindqvist", "A new customer: one account, no transactions.", Healthy, newcomerAccounts(), nil},
		{"slow", "Sil Langmoed", "The bank answers account reads too slowly.", Slow, employeeAccounts(), employeeLife()},
		{"failing", "Fay Larsson", "The bank answers account reads with status 500.", Failing, employeeAccounts(), employeeLife()},
		{"garbled", "Gil Arbeloa", "The bank answers account reads with broken JSON.", Garbled, employeeAccounts(), employeeLife()},
		{"throttled", "Thea Rosell", "The bank answers account reads with status 429.", Throttled, employeeAccounts(), employeeLife()},
		{"revoked", "Remy Vokes", "Withdraws the consent at the bank as soon as the accounts are first read.", Revoked, employeeAccounts(), employeeLife()},
	}
}

// Find is the persona with this id, and false where there is none.
func Find(id string) (Persona, bool) {
	for _, p := range All() {
		if p.ID == id {
			return p, true
		}
	}
	return Persona{}, false
}

// Branch is what an account takes on from its bank.
type Branch struct {
	// Bank is the bank's slug.
	Bank     string
	Country  string
	Currency string
	Language string
}

// scale is how many units of the branch's currency buy what one euro buys.
func (b Branch) scale() Cents {
	if b.Currency == "SEK" {
		return 11
	}
	return 1
}
