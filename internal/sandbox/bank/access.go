package bank

import (
	"slices"

	"aviso/internal/sandbox/persona"
)

// Access is the access object of the standard. A nil list is absent; an empty list asks
// for all accounts that the customer picks.
type Access struct {
	Accounts                     []Reference      `json:"accounts,omitzero"`
	Balances                     []Reference      `json:"balances,omitzero"`
	Transactions                 []Reference      `json:"transactions,omitzero"`
	AdditionalInformation        *AdditionalRight `json:"additionalInformation,omitempty"`
	AvailableAccounts            string           `json:"availableAccounts,omitempty"`
	AvailableAccountsWithBalance string           `json:"availableAccountsWithBalance,omitempty"`
	AllPSD2                      string           `json:"allPsd2,omitempty"`
	RestrictedTo                 []string         `json:"restrictedTo,omitempty"`
}

// AdditionalRight asks for more than the standard set.
type AdditionalRight struct {
	OwnerName []Reference `json:"ownerName,omitzero"`
}

// Reference names an account.
type Reference struct {
	IBAN            string `json:"iban,omitempty"`
	MaskedPAN       string `json:"maskedPan,omitempty"`
	Currency        string `json:"currency,omitempty"`
	CashAccountType string `json:"cashAccountType,omitempty"`
}

// lists returns the three lists of accounts.
func (a Access) lists() [][]Reference { return [][]Reference{a.Accounts, a.Balances, a.Transactions} }

// dedicated reports whether the access names accounts.
func (a Access) dedicated() bool {
	return slices.ContainsFunc(a.lists(), func(l []Reference) bool { return len(l) > 0 })
}

// ownerNames reports whether the access asks for the account owner's name.
func (a Access) ownerNames() bool {
	const with = "allAccountsWithOwnerName"
	return a.AdditionalInformation != nil || a.AllPSD2 == with || a.AvailableAccounts == with ||
		a.AvailableAccountsWithBalance == with
}

// grant returns what the access allows on an account. It returns false if the access does
// not ask for that account.
func (a Access) grant(acc persona.Account) (Grant, bool) {
	if len(a.RestrictedTo) > 0 && !slices.Contains(a.RestrictedTo, string(acc.Kind)) {
		return Grant{}, false
	}
	g := Grant{Account: acc.Key}
	switch {
	case a.AllPSD2 != "":
		g.Balances, g.Transactions = true, true
	case a.AvailableAccountsWithBalance != "":
		g.Balances = true
	case a.AvailableAccounts != "":
	case a.dedicated():
		names := func(l []Reference) bool {
			return slices.ContainsFunc(l, func(r Reference) bool { return r.names(acc) })
		}
		g.Balances, g.Transactions = names(a.Balances), names(a.Transactions)
		return g, g.Balances || g.Transactions || names(a.Accounts)
	default:
		g.Balances, g.Transactions = a.Balances != nil, a.Transactions != nil
	}
	return g, true
}

func (r Reference) names(acc persona.Account) bool {
	if r.Currency != "" && r.Currency != acc.Currency {
		return false
	}
	return r.IBAN != "" && r.IBAN == acc.IBAN || r.MaskedPAN != "" && r.MaskedPAN == acc.MaskedPAN
}

// reference returns the name of an account in the interface.
func reference(acc persona.Account) Reference {
	return Reference{IBAN: acc.IBAN, MaskedPAN: acc.MaskedPAN, Currency: acc.Currency}
}
