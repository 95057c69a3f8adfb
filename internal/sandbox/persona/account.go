package persona

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
	words, accounts := phrasesFor(b.Language), make([]Account, len(p.accounts))
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
