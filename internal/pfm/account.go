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

// accountTypes translates ISO 20022 ExternalCashAccountType1Code. Banks mostly
// leave the code out; PSD2 is about payment accounts, so then it is a current
// account.
var accountTypes = map[string]AccountType{
	"":     AccountCurrent,
	"CACC": AccountCurrent, "CASH": AccountCurrent, "TRAN": AccountCurrent, "SLRY": AccountCurrent, "CISH": AccountCurrent,
	"SVGS": AccountSaving, "LLSV": AccountSaving, "ONDP": AccountSaving,
	"CARD": AccountCreditCard,
	"LOAN": AccountLoan, "MGLD": AccountLoan,
	"ODFT": AccountOverdraft,
	"TRAS": AccountInvestment,
}

func accountType(cashAccountType string) AccountType {
	if t, ok := accountTypes[strings.ToUpper(cashAccountType)]; ok {
		return t
	}
	return AccountGeneral
}

// balanceOrder is which of a bank's balances is shown, best first: what is
// booked, since the available ones may hold a credit line.
var balanceOrder = []string{"interimBooked", "closingBooked", "openingBooked", "expected", "interimAvailable", "forwardAvailable", "nonInvoiced"}

// bookedBalance picks the balance to show in the account's currency; false when
// the bank told none. XXX marks an account of several currencies.
func bookedBalance(a BankAccount) (money.Amount, bool) {
	for _, kind := range balanceOrder {
		for _, b := range a.Balances {
			if b.Type == kind && (b.Currency == a.Currency || a.Currency == "XXX") {
				return b.Amount, true
			}
		}
	}
	return money.Amount{}, false
}

// matchAccount finds the account that the bank's one has been before: by IBAN
// and currency, else by the domestic or masked number, else by the bank's
// resource id, which is the same account only within one consent.
func matchAccount(known []Account, fetched BankAccount, consentID string) (Account, bool) {
	for _, a := range known {
		if a.Currency != fetched.Currency {
			continue
		}
		switch {
		case fetched.IBAN != "" || a.IBAN != "":
			if a.IBAN == fetched.IBAN {
				return a, true
			}
		case accountNumber(fetched) != "" || a.Number != "":
			if a.Number == accountNumber(fetched) {
				return a, true
			}
		case a.ConsentID == consentID && a.ResourceID == fetched.ResourceID:
			return a, true
		}
	}
	return Account{}, false
}

func accountNumber(a BankAccount) string {
	if a.BBAN != "" {
		return a.BBAN
	}
	return a.MaskedPAN
}

// refreshed is the account with what the bank says of it now.
func (a Account) refreshed(fetched BankAccount, consentID string, now time.Time) Account {
	next := a
	next.Name = firstOf(fetched.Name, fetched.Product, a.Name, fetched.IBAN, accountNumber(fetched))
	next.Number, next.IBAN, next.Currency = accountNumber(fetched), fetched.IBAN, fetched.Currency
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
