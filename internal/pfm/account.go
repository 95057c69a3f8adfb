package pfm

import (
	"time"

	"aviso/internal/dynamo/owner"
	"aviso/internal/money"
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
	// SignsInverted: the bank sends purchases by card, and what is owed, as positive amounts.
	SignsInverted bool
	// IdentificationHash: see BankAccount.
	IdentificationHash string
}

// MultiCurrency is the currency of an account that combines sub-accounts in several
// currencies. NextGenPSD2 uses the ISO 4217 code for "no currency".
const MultiCurrency = "XXX"
