package pfm

import (
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

// Account is one account of a connection, and what is stored of it.
type Account struct {
	ID           string     `dynamodbav:"id"`
	Owner        owner.User `dynamodbav:"-"`
	ConnectionID string     `dynamodbav:"connectionId"`
	Name         string     `dynamodbav:"name"`
	// Number is the domestic or masked account number; may be empty.
	Number   string      `dynamodbav:"number,omitempty"`
	IBAN     string      `dynamodbav:"iban,omitempty"`
	Type     AccountType `dynamodbav:"type"`
	Currency string      `dynamodbav:"currency"`
	// Balance is the booked balance in major units; negative if the user owes it.
	Balance   money.Amount `dynamodbav:"balance"`
	CreatedAt time.Time    `dynamodbav:"createdAt"`
	UpdatedAt time.Time    `dynamodbav:"updatedAt"`
	// HeldSince is when the connection took the account over from another one; zero if it
	// did not.
	HeldSince time.Time `dynamodbav:"heldSince,omitempty"`
	// ResourceID is the bank's ID for the account. It is valid under ConsentID only.
	ResourceID string `dynamodbav:"resourceId"`
	ConsentID  string `dynamodbav:"consentId"`
	// SignsInverted: the bank sends purchases by card, and what is owed, as positive amounts.
	SignsInverted bool `dynamodbav:"signsInverted,omitempty"`
	// IdentificationHash: see BankAccount.
	IdentificationHash string `dynamodbav:"identificationHash,omitempty"`
	// MissingFrom is the first day from which rows of the account may be missing, because the bank refused them or a
	// later page of them; empty if none are.
	MissingFrom Date `dynamodbav:"missingFrom,omitempty"`
	// LimitedUntil is the end of the bank's limit on reads of this account without the user. It is zero if the bank did
	// not say when the limit ends.
	LimitedUntil time.Time `dynamodbav:"limitedUntil,omitempty"`
}

// MultiCurrency is the currency of an account that combines sub-accounts in several
// currencies. NextGenPSD2 uses the ISO 4217 code for "no currency".
const MultiCurrency = "XXX"
