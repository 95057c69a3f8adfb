package persona

import (
	_ "embed"
	"slices"
	"sync"
)

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
	life     []activity
}

// personaRecord is a persona as the data have it.
type personaRecord struct {
	Persona
	Accounts []plan
	// Life names an entry of data/lives.json.
	Life string
	// Like names a persona before this one that has the same accounts and life.
	Like string
}

//go:embed data/personas.json
var personaData []byte

// All lists the personas. The first is healthy and the log-in page's default.
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

// Find is the persona with this id, and false where there is none.
func Find(id string) (Persona, bool) {
	if i := indexOf(All(), id); i >= 0 {
		return All()[i], true
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
