package pfm

import (
	"strings"
	"time"

	"aviso/internal/money"
	"aviso/internal/owner"
)

// AccountType sorts accounts.
type AccountType string

// The types of account.
const (
	AccountCurrent    AccountType = "CurrentAccount"
	AccountSaving     AccountType = "SavingAccount"
	AccountBonus      AccountType = "BonusAccount"
	AccountCreditCard AccountType = "CreditCard"
	AccountLoan       AccountType = "Loan"
	AccountMortgage   AccountType = "Mortgage"
	AccountOverdraft  AccountType = "Overdraft"
	AccountInvestment AccountType = "Investment"
	AccountInsurance  AccountType = "Insurance"
	AccountCash       AccountType = "Cash"
	AccountGeneral    AccountType = "General"
)

// Account is one account of a connection.
type Account struct {
	ID           string
	Owner        owner.User
	ConnectionID string
	Name         string
	// Number is the domestic or masked number; may be empty.
	Number   string
	IBAN     string
	Type     AccountType
	Currency string
	// Balance is what has been booked, in major units; negative is owed.
	Balance   money.Amount
	CreatedAt time.Time
	UpdatedAt time.Time
	// ResourceID is the bank's id of the account under ConsentID, and means
	// nothing under another consent.
	ResourceID string
	ConsentID  string
}

// AccountView is an account with the connection it comes from.
type AccountView struct {
	Account    Account
	Connection Connection
}

// accountType translates ISO 20022 ExternalCashAccountType1Code. Banks mostly
// leave the code out; PSD2 is about payment accounts, so then it is a current
// account.
func accountType(cashAccountType string) AccountType {
	switch strings.ToUpper(cashAccountType) {
	case "", "CACC", "CASH", "TRAN", "SLRY", "CISH":
		return AccountCurrent
	case "SVGS", "LLSV", "ONDP":
		return AccountSaving
	case "CARD":
		return AccountCreditCard
	case "LOAN", "MGLD":
		return AccountLoan
	case "ODFT":
		return AccountOverdraft
	case "TRAS":
		return AccountInvestment
	default:
		return AccountGeneral
	}
}

// MultiCurrency is the currency of an account that sums up its sub-accounts in
// several currencies. NextGenPSD2 takes ISO 4217's code for "no currency".
const MultiCurrency = "XXX"

// bookedBalance picks the balance to show in the account's currency; false when
// the bank told none. What is booked comes first, since the available ones may
// hold a credit line.
func bookedBalance(a BankAccount) (money.Amount, bool) {
	for _, kind := range []string{"interimBooked", "closingBooked", "openingBooked", "expected", "interimAvailable", "forwardAvailable", "nonInvoiced"} {
		for _, b := range a.Balances {
			if b.Type == kind && (b.Currency == a.Currency || a.Currency == MultiCurrency) {
				return b.Amount, true
			}
		}
	}
	return money.Amount{}, false
}

// matchAccounts finds for each of the bank's accounts the one that it has been
// before, and the zero value for a new one. A pass is about one likeness, the
// surest first:
//
//  1. IBAN and currency, and the bank's resource id under the same consent:
//     some banks give all pots of a customer one IBAN;
//  2. IBAN and currency;
//  3. the resource id, which is the same account only within one consent;
//  4. the domestic or masked number.
//
// The last two are no likeness where the IBANs differ. Each known account is
// matched at most once.
func matchAccounts(known []Account, fetched []BankAccount, consentID string) []Account {
	sameIBAN := func(a Account, f BankAccount) bool { return f.IBAN != "" && a.IBAN == f.IBAN }
	sameResource := func(a Account, f BankAccount) bool {
		return a.ConsentID == consentID && a.ResourceID == f.ResourceID && f.ResourceID != ""
	}
	otherIBAN := func(a Account, f BankAccount) bool { return f.IBAN != "" && a.IBAN != "" && a.IBAN != f.IBAN }
	match, taken := make([]Account, len(fetched)), make([]bool, len(known))
	for _, alike := range []func(Account, BankAccount) bool{
		func(a Account, f BankAccount) bool { return sameIBAN(a, f) && sameResource(a, f) },
		sameIBAN,
		func(a Account, f BankAccount) bool { return sameResource(a, f) && !otherIBAN(a, f) },
		func(a Account, f BankAccount) bool {
			return a.Number != "" && a.Number == accountNumber(f) && !otherIBAN(a, f)
		},
	} {
		for i, f := range fetched {
			for k, a := range known {
				if match[i].ID == "" && !taken[k] && a.Currency == f.Currency && alike(a, f) {
					match[i], taken[k] = a, true
				}
			}
		}
	}
	return match
}

func accountNumber(a BankAccount) string { return firstOf(a.BBAN, a.MaskedPAN) }

// refreshed is the account with what the bank says of it now.
func (a Account) refreshed(fetched BankAccount, consentID string, now time.Time) Account {
	next := a
	next.Name = firstOf(fetched.Name, fetched.Product, a.Name, fetched.IBAN, accountNumber(fetched))
	// What the bank leaves out this time it has not taken back.
	next.Number, next.IBAN = firstOf(accountNumber(fetched), a.Number), firstOf(fetched.IBAN, a.IBAN)
	next.Currency = fetched.Currency
	next.Type = accountType(fetched.CashAccountType)
	next.ResourceID, next.ConsentID = fetched.ResourceID, consentID
	if balance, ok := bookedBalance(fetched); ok {
		next.Balance = balance
	}
	if !next.sameAs(a) {
		next.UpdatedAt = now
	}
	return next
}

// sameAs tells whether nothing that is kept differs; equal amounts may be
// written with more or fewer zeros.
func (a Account) sameAs(b Account) bool {
	sameBalance := a.Balance.Equal(b.Balance)
	a.Balance, b.Balance = money.Amount{}, money.Amount{}
	return sameBalance && a == b
}

func firstOf(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}
