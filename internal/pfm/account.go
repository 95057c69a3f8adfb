package pfm

import (
	"strings"
	"time"

	"aviso/internal/money"
	"aviso/internal/owner"
)

// AccountType is the kind of an account.
type AccountType string

// The account types.
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
	// Number is the domestic or masked account number; may be empty.
	Number   string
	IBAN     string
	Type     AccountType
	Currency string
	// Balance is the booked balance in major units; negative if the user owes it.
	Balance   money.Amount
	CreatedAt time.Time
	UpdatedAt time.Time
	// HeldSince is when the connection took the account over from another one; zero if it
	// did not.
	HeldSince time.Time
	// ResourceID is the bank's ID for the account. It is valid under ConsentID only.
	ResourceID string
	ConsentID  string
}

// AccountView is an account with its connection.
type AccountView struct {
	Account    Account
	Connection Connection
}

// accountType translates an ISO 20022 ExternalCashAccountType1Code. Most banks leave
// the code out. PSD2 covers payment accounts, so the default is a current account.
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

// MultiCurrency is the currency of an account that combines sub-accounts in several
// currencies. NextGenPSD2 uses the ISO 4217 code for "no currency".
const MultiCurrency = "XXX"

// bookedBalance returns the balance to show in the account's currency, and false if
// the bank sent none. Booked balances come first, because available balances may
// include a credit line.
func bookedBalance(a BankAccount) (money.Amount, bool) {
	for _, kind := range []string{
		"interimBooked", "closingBooked", "openingBooked",
		"expected", "interimAvailable", "forwardAvailable", "nonInvoiced",
	} {
		for _, b := range a.Balances {
			if b.Type == kind && (b.Currency == a.Currency || a.Currency == MultiCurrency) {
				return b.Amount, true
			}
		}
	}
	return money.Amount{}, false
}

// matchAccounts returns, for each fetched account, the known account that it is, or
// the zero value if it is new. Each pass matches by one criterion, the most reliable
// first:
//
//  1. IBAN, currency, and the bank's resource ID under the same consent, because
//     some banks give all of a customer's pots the same IBAN;
//  2. IBAN and currency;
//  3. the resource ID, which identifies an account within one consent only;
//  4. the domestic or masked number.
//
// The last two do not apply if the IBANs differ. Each known account matches at most
// once.
func matchAccounts(known []Account, fetched []BankAccount, consentID string) []Account {
	sameIBAN := func(a Account, f BankAccount) bool { return f.IBAN != "" && a.IBAN == f.IBAN }
	sameResource := func(a Account, f BankAccount) bool {
		return a.ConsentID == consentID && a.ResourceID == f.ResourceID && f.ResourceID != ""
	}
	otherIBAN := func(a Account, f BankAccount) bool { return f.IBAN != "" && a.IBAN != "" && a.IBAN != f.IBAN }
	match, taken := make([]Account, len(fetched)), make([]bool, len(known))
	for _, matches := range []func(Account, BankAccount) bool{
		func(a Account, f BankAccount) bool { return sameIBAN(a, f) && sameResource(a, f) },
		sameIBAN,
		func(a Account, f BankAccount) bool { return sameResource(a, f) && !otherIBAN(a, f) },
		func(a Account, f BankAccount) bool {
			return a.Number != "" && a.Number == accountNumber(f) && !otherIBAN(a, f)
		},
	} {
		for i, f := range fetched {
			for k, a := range known {
				if match[i].ID == "" && !taken[k] && a.Currency == f.Currency && matches(a, f) {
					match[i], taken[k] = a, true
				}
			}
		}
	}
	return match
}

// mismatch reports whether a new consent brings none of the known accounts, although
// they could be recognised. A currency does not identify an account, so it is not
// compared. An account without an IBAN or number is recognised under its own consent
// only. Once an account has been read under a consent, the user may open and close
// others at the bank.
func mismatch(known []Account, fetched []BankAccount, consentID string) bool {
	recognisable := false
	for _, a := range known {
		if a.ConsentID == consentID {
			return false
		}
		recognisable = recognisable || a.IBAN != "" || a.Number != ""
		for _, f := range fetched {
			f.Currency = a.Currency
			if matchAccounts([]Account{a}, []BankAccount{f}, consentID)[0].ID != "" {
				return false
			}
		}
	}
	return recognisable
}

func accountNumber(a BankAccount) string { return firstOf(a.BBAN, a.MaskedPAN) }

// refreshed returns the account with the bank's current data.
func (a Account) refreshed(fetched BankAccount, consentID string, now time.Time) Account {
	next := a
	next.Name = firstOf(fetched.Name, fetched.Product, a.Name, fetched.IBAN, accountNumber(fetched))
	// If the bank leaves out a number or IBAN this time, the old one still applies.
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

// heldSince returns when the connection got the account.
func (a Account) heldSince() time.Time {
	if a.HeldSince.IsZero() {
		return a.CreatedAt
	}
	return a.HeldSince
}

// sameAs reports whether all stored fields are equal. Equal amounts may have
// different trailing zeros.
func (a Account) sameAs(b Account) bool {
	sameBalance := a.Balance.Equal(b.Balance)
	a.Balance, b.Balance = money.Amount{}, money.Amount{}
	return sameBalance && a == b
}

// firstOf returns the first text that is not empty.
func firstOf(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}
