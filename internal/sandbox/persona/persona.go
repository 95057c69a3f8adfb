// Package persona simulates the people who hold accounts at the sandbox banks: who
// they are, which accounts they have, and what happens on them day by day.
//
// Nothing is stored. Everything follows from the persona, the bank and the calendar:
// the simulation runs through each day from Epoch on, with random numbers seeded only
// by persona, bank, day and activity. So tomorrow's statement contains every row of
// today's, unchanged and in the same order, and some more; two processes never
// disagree; and the balance of an account is exactly its opening balance plus its rows.
//
// People, companies and brands are fictional.
package persona

import (
	_ "embed"
	"encoding/json"
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

// Kind is the ISO 20022 cash account type.
type Kind string

// These are the account types that personas have.
const (
	Current Kind = "CACC"
	Savings Kind = "SVGS"
	Card    Kind = "CARD"
)

// Account is one account of a persona at a bank.
type Account struct {
	// Key identifies the account among the persona's own; the consent form uses it.
	Key      string
	Kind     Kind
	Name     string
	Product  string
	Currency string
	// IBAN identifies the account, except a credit card, which has a masked
	// card number instead. Accounts in two currencies may share an IBAN.
	IBAN      string
	MaskedPAN string
	// Limit is the credit limit.
	Limit Cents
	// Opening is the balance on the morning of Epoch.
	Opening Cents
}

// plan is an account before it is opened at a bank; amounts are in euro.
type plan struct {
	Key            string
	Kind           Kind
	Opening, Limit Cents
	// Shares is the key of the account whose IBAN this one shares.
	Shares, Currency string
	Joint            bool
}

// Accounts returns the persona's accounts at the branch, the main one first.
func (p Persona) Accounts(b Branch) []Account {
	words, accounts := phrasebooks()[b.Language], make([]Account, len(p.accounts))
	for i, plan := range p.accounts {
		d := &rng{seed(p.ID, b.Bank, plan.Key)}
		a := Account{Key: plan.Key, Kind: plan.Kind, Currency: b.Currency, Opening: plan.Opening * b.scale(),
			Limit: plan.Limit * b.scale()}
		called := "current"
		switch {
		case plan.Currency != "":
			called, a.Currency, a.Opening, a.Limit = "dollars", plan.Currency, plan.Opening, plan.Limit
		case plan.Joint:
			called = "joint"
		case plan.Kind == Savings:
			called = "savings"
		case plan.Kind == Card:
			called = "credit"
		}
		a.Name, a.Product = words[called+"Name"], words[called]
		switch {
		case plan.Kind == Card:
			a.MaskedPAN = maskedPAN(d)
		case plan.Shares != "":
			a.IBAN = iban(b.Country, &rng{seed(p.ID, b.Bank, plan.Shares)})
		default:
			a.IBAN = iban(b.Country, d)
		}
		accounts[i] = a
	}
	return accounts
}

// Sector is what a brand sells.
type Sector string

// Brand is an invented company. Other parts of the service may refer to it by its slug.
type Brand struct {
	Slug   string
	Name   string
	Sector Sector
	// MCC is the ISO 18245 merchant category code of its card terminals.
	MCC string
	// Price is the monthly price, for brands with subscriptions.
	Price Cents
}

//go:embed data/brands.json
var brandData []byte

// Brands returns every brand that can appear on a statement.
func Brands() []Brand { return brands() }

var brands = sync.OnceValue(func() []Brand { return mustParse[[]Brand](brandData) })

// phrasebook maps names to the phrases of banks in one language. In the texts of rows
// {brand} is a name, {BRAND} the same in capitals, {city} the place of the terminal,
// {cc} its country, {card} the masked card number, {dm} and {time} when the card was
// used, {month} the month and {ref} a reference number. current, savings, credit,
// joint and dollars are account products; with the suffix Name they are the names
// that owners give such accounts.
type phrasebook map[string]string

// place holds a country's names for statements.
type place struct {
	Cities []string
	// Roles are the names of those who have a role in a life.
	Roles map[string]string
}

// abroad lists where people use their cards when they travel or buy online.
var abroad = []struct{ city, country, currency string }{
	{"NEW YORK", "US", "USD"}, {"SAN FRANCISCO", "US", "USD"}, {"LONDON", "GB", "GBP"},
	{"EDINBURGH", "GB", "GBP"}, {"ZURICH", "CH", "CHF"},
}

//go:embed data/phrasebooks.json
var phrasebookData []byte

//go:embed data/places.json
var placeData []byte

// The data is parsed on first use, because programs that link this package may never need
// it.
var (
	phrasebooks = sync.OnceValue(func() map[string]phrasebook {
		return mustParse[map[string]phrasebook](phrasebookData)
	})
	places = sync.OnceValue(func() map[string]place { return mustParse[map[string]place](placeData) })
)

// mustParse parses embedded data.
func mustParse[T any](data []byte) T {
	var v T
	if err := json.Unmarshal(data, &v); err != nil {
		panic("persona: " + err.Error())
	}
	return v
}
