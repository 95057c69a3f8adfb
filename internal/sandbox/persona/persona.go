package persona

import (
	_ "embed"
	"slices"
	"sync"
)

// Behaviour is how a bank answers when this persona's accounts are read.
type Behaviour string

// Login and consent always work; only account reads differ.
const (
	// Healthy returns correct responses.
	Healthy Behaviour = "healthy"
	// Slow takes longer than any reasonable timeout.
	Slow Behaviour = "slow"
	// Failing returns 500.
	Failing Behaviour = "failing"
	// Garbled returns 200 with a truncated body.
	Garbled Behaviour = "garbled"
	// Throttled returns 429.
	Throttled Behaviour = "throttled"
	// Blocked returns 403: the bank refuses, and trying again does not help.
	Blocked Behaviour = "blocked"
	// Revoked withdraws the consent at the first account read.
	Revoked Behaviour = "revoked"
)

// Persona is a person with accounts at every sandbox bank.
type Persona struct {
	// ID is the value of the login form's field.
	ID   string
	Name string
	// Summary tells a developer what to use this persona for.
	Summary   string
	Behaviour Behaviour

	accounts []plan
	life     []activity
}

// personaRecord is a persona as data/personas.json defines it.
type personaRecord struct {
	Persona
	Accounts []plan
	// Life is the name of an entry in data/lives.json.
	Life string
	// Like is the ID of an earlier persona with the same accounts and life.
	Like string
}

//go:embed data/personas.json
var personaData []byte

// All returns the personas. The first is healthy and the default of the login page.
func All() []Persona { return personas() }

var personas = sync.OnceValue(func() []Persona {
	var all []Persona
	lives := mustParse[map[string][]activity](lifeData)
	for _, w := range mustParse[[]personaRecord](personaData) {
		p := w.Persona
		p.accounts, p.life = w.Accounts, lives[w.Life]
		if i := indexOf(all, w.Like); i >= 0 {
			p.accounts, p.life = all[i].accounts, all[i].life
		}
		all = append(all, p)
	}
	return all
})

func indexOf(personas []Persona, id string) int {
	return slices.IndexFunc(personas, func(p Persona) bool { return p.ID == id })
}

// Find returns the persona with this ID and whether there is one.
func Find(id string) (Persona, bool) {
	if i := indexOf(All(), id); i >= 0 {
		return All()[i], true
	}
	return Persona{}, false
}

// Branch holds what an account takes from its bank.
type Branch struct {
	// Bank is the bank's slug.
	Bank     string
	Country  string
	Currency string
	Language string
}

// scale returns how many units of the branch's currency buy what one euro buys.
func (b Branch) scale() Cents {
	if b.Currency == "SEK" {
		return 11
	}
	return 1
}
