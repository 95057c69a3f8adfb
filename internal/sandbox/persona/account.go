package persona

// Kind is the ISO 20022 cash account type.
type Kind string

// The kinds of account that personas have.
const (
	Current Kind = "CACC"
	Savings Kind = "SVGS"
	Card    Kind = "CARD"
)

// Account is one account of a persona at a bank.
type Account struct {
	// Key names the account among the persona's own; the consent form uses it.
	Key      string
	Kind     Kind
	Name     string
	Product  string
	Currency string
	// IBAN identifies the account, except a credit card, which has a masked
	// card number instead. Accounts in two currencies may share an IBAN.
	IBAN      string
	MaskedPAN string
	// Limit is how far the account may be overdrawn.
	Limit Cents
	// Opening is the balance on the morning of Epoch.
	Opening Cents
}

// plan is an account before it is opened at a bank; amounts are in euro.
type plan struct {
	key            string
	kind           Kind
	opening, limit Cents
	// shares names the account whose IBAN this one shares.
	shares, currency string
	joint            bool
}

// Accounts lists the persona's accounts at the branch, the main one first.
func (p Persona) Accounts(b Branch) []Account {
	words, accounts := wording(b.Language), make([]Account, len(p.accounts))
	for i, plan := range p.accounts {
		d := &dice{seed(p.ID, b.Bank, plan.key)}
		a := Account{Key: plan.key, Kind: plan.kind, Currency: b.Currency, Opening: plan.opening * b.scale(), Limit: plan.limit * b.scale()}
		switch {
		case plan.joint:
			a.Name, a.Product = words.jointName, words.joint
		case plan.kind == Savings:
			a.Name, a.Product = words.savingsName, words.savings
		case plan.kind == Card:
			a.Name, a.Product = words.creditName, words.credit
		default:
			a.Name, a.Product = words.currentName, words.current
		}
		if plan.currency != "" {
			a.Name, a.Product, a.Currency = words.usd, words.dollars, plan.currency
			a.Opening, a.Limit = plan.opening, plan.limit
		}
		switch {
		case plan.kind == Card:
			a.MaskedPAN = maskedPAN(d)
		case plan.shares != "":
			a.IBAN = iban(b.Country, &dice{seed(p.ID, b.Bank, plan.shares)})
		default:
			a.IBAN = iban(b.Country, d)
		}
		accounts[i] = a
	}
	return accounts
}

func employeeAccounts() []plan {
	return []plan{
		{key: "current", kind: Current, opening: 185_000, limit: 100_000},
		{key: "savings", kind: Savings, opening: 640_000},
		{key: "card", kind: Card, limit: 250_000},
	}
}

func familyAccounts() []plan {
	return []plan{
		{key: "joint", kind: Current, opening: 210_000, limit: 200_000, joint: true},
		{key: "current", kind: Current, opening: 74_000, limit: 100_000},
		{key: "savings", kind: Savings, opening: 980_000},
	}
}

func studentAccounts() []plan {
	return []plan{{key: "current", kind: Current, opening: 12_050, limit: 60_000}}
}

func freelancerAccounts() []plan {
	return []plan{
		{key: "current", kind: Current, opening: 530_000, limit: 300_000},
		{key: "dollars", kind: Current, opening: 120_000, shares: "current", currency: "USD"},
		{key: "savings", kind: Savings, opening: 1_150_000},
		{key: "card", kind: Card, limit: 500_000},
	}
}

func newcomerAccounts() []plan {
	return []plan{{key: "current", kind: Current}}
}

func wording(language string) phrasebook {
	if w, ok := phrasebooks[language]; ok {
		return w
	}
	if w, ok := morePhrasebooks[language]; ok {
		return w
	}
	return phrasebooks["en"]
}
