// Package transaction turns a bank's rows into transactions that keep their IDs, and has what users
// see of them: lists, changes, categories of their choice, and insights.
package transaction

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"aviso/internal/money"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/textfold"
)

// RecordState is the booking state of a transaction.
type RecordState string

// The states of a transaction.
const (
	Cleared   RecordState = "Cleared"   // booked
	Uncleared RecordState = "Uncleared" // pending
	Void      RecordState = "Void"      // vanished while it was pending, or withdrawn by the bank
)

// RecordType is the direction of a transaction.
type RecordType string

// The directions of a transaction.
const (
	Income  RecordType = "Income"
	Expense RecordType = "Expense"
)

// PaymentType is the payment method.
type PaymentType string

// The payment methods that banks tell.
const (
	PaidCash       PaymentType = "Cash"
	PaidDebitCard  PaymentType = "DebitCard"
	PaidCreditCard PaymentType = "CreditCard"
	PaidTransfer   PaymentType = "Transfer"
)

// Frequency is how often a payment recurs.
type Frequency string

// Once is the frequency of a payment that is not known to recur.
const Once Frequency = "Once"

// Transaction is one row of an account.
type Transaction struct {
	ID        string     `dynamodbav:"-"`
	Owner     owner.User `dynamodbav:"-"`
	AccountID string     `dynamodbav:"-"`
	// AccountName is the account's name when the row was last written.
	AccountName string `dynamodbav:"an,omitempty"`
	// ConnectionID is the connection whose sync last wrote the row.
	ConnectionID string   `dynamodbav:"c"`
	RecordDate   pfm.Date `dynamodbav:"-"`
	// DayGuessed: the bank sends no day that has come, so a known row keeps its day. It is
	// not stored.
	DayGuessed bool `dynamodbav:"-"`
	// Amount is in major units; negative for an expense.
	Amount       money.Amount `dynamodbav:"v"`
	Currency     string       `dynamodbav:"cu"`
	Note         string       `dynamodbav:"n,omitempty"`
	PaymentType  PaymentType  `dynamodbav:"p"`
	State        RecordState  `dynamodbav:"s"`
	Frequency    Frequency    `dynamodbav:"f"`
	Subscription bool         `dynamodbav:"su,omitempty"`
	Category     pfm.Category `dynamodbav:"-"`
	// Source and RuleID record how Category was found.
	Source   pfm.CategorySource `dynamodbav:"ks"`
	RuleID   string             `dynamodbav:"kr,omitempty"`
	Merchant pfm.Merchant       `dynamodbav:"-"`
	// PartyName is the counterparty's name as a person would write it; empty for cash, between the user's own
	// accounts, and if the row names nobody. Debit means that the text speaks of a direct debit.
	PartyName string `dynamodbav:"pn,omitempty"`
	Debit     bool   `dynamodbav:"dd,omitempty"`
	// Found is what the rules found, if the user has chosen another category.
	Found
	// Payee is the counterparty's account; may be empty.
	Payee     string    `dynamodbav:"pa,omitempty"`
	CreatedAt time.Time `dynamodbav:"t1"`
	UpdatedAt time.Time `dynamodbav:"t2"`

	// BankID is the bank's ID for the row; empty if it gives none. EntryReference is its
	// other one, if it gives two.
	BankID         string `dynamodbav:"b,omitempty"`
	EntryReference string `dynamodbav:"er,omitempty"`
	// BalanceAfter is the account's balance after the row, without trailing zeros; empty
	// if the bank does not say it.
	BalanceAfter string `dynamodbav:"ba,omitempty"`
	// Content is a digest of the fields that do not change from pending to booked.
	Content string `dynamodbav:"h"`
	// Counterparty and the codes after it are the bank's details from which category
	// and merchant are found.
	Counterparty         string `dynamodbav:"cp,omitempty"`
	BankTransactionCode  string `dynamodbav:"bc,omitempty"`
	PurposeCode          string `dynamodbav:"pc,omitempty"`
	MerchantCategoryCode string `dynamodbav:"mc,omitempty"`
	MandateID            string `dynamodbav:"ma,omitempty"`
	CreditorID           string `dynamodbav:"ci,omitempty"`
	// Missing is how many statements in a row lacked the row although it was booked.
	Missing int `dynamodbav:"mi,omitempty"`
	// AlsoPending means that the last statement had the row as pending, too.
	AlsoPending bool `dynamodbav:"ap,omitempty"`

	// Revision counts the writes of the row, for optimistic locking.
	Revision int64 `dynamodbav:"r"`
	// Added is the number of the change that added the row, and Changed that of the last
	// one that partners can see; see Change.
	Added   int64 `dynamodbav:"as"`
	Changed int64 `dynamodbav:"-"`
}

// Enrich returns the transaction with its category, its merchant and what else its text says. countryCode is the bank's
// country.
type Enrich func(t Transaction, countryCode string) Transaction

// Type returns the direction. A zero amount is an expense.
func (t Transaction) Type() RecordType {
	if t.Amount.Sign() > 0 {
		return Income
	}
	return Expense
}

// fromBank converts a bank's row. It leaves out the ID and the times, which reconcile
// sets.
func fromBank(b pfm.BankTransaction, a pfm.Account, today pfm.Date) Transaction {
	t := Transaction{
		Owner: a.Owner, AccountID: a.ID, AccountName: a.Name, ConnectionID: a.ConnectionID,
		RecordDate: cmp.Or(b.BookingDate, b.ValueDate, today), Amount: b.Amount, Currency: b.Currency,
		State: Uncleared, Frequency: Once, Category: pfm.Uncategorised(), Source: pfm.SourceNone,
		BankTransactionCode: b.BankTransactionCode, PurposeCode: b.PurposeCode,
		MerchantCategoryCode: b.MerchantCategoryCode, MandateID: b.MandateID, CreditorID: b.CreditorID,
	}
	if b.Booked {
		t.State = Cleared
	}
	t.BankID, t.EntryReference = bankIDs(b)
	if b.BalanceAfter != nil {
		t.BalanceAfter = canonical(*b.BalanceAfter)
	}
	t.Counterparty, t.Payee = b.CreditorName, b.CreditorAccount
	if b.Amount.Sign() > 0 {
		t.Counterparty, t.Payee = b.DebtorName, b.DebtorAccount
	}
	t.Note = cmp.Or(b.Remittance, b.AdditionalInformation, t.Counterparty)
	t.PaymentType = paymentType(b, a.Type)
	t.Content = contentOf(t)
	return t
}

// bankIDs returns the bank's IDs for the row, the most specific first, without those that
// say nothing.
func bankIDs(b pfm.BankTransaction) (id, reference string) {
	ids := slices.DeleteFunc([]string{b.ID, b.EntryReference}, saysNothing)
	switch {
	case len(ids) == 0:
		return "", ""
	case len(ids) == 1 || ids[0] == ids[1]:
		return ids[0], ""
	default:
		return ids[0], ids[1]
	}
}

// contentOf returns a digest of amount, counterparty and text. It leaves out the day,
// which changes when a pending row is booked.
func contentOf(t Transaction) string {
	h := sha256.New()
	for _, part := range []string{
		canonical(t.Amount), t.Currency, strings.ToUpper(t.Payee), textfold.Name(t.Counterparty), textfold.Name(t.Note),
	} {
		h.Write([]byte(part))
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// canonical returns the amount as text without the bank's trailing zeros, so that equal
// amounts have equal texts.
func canonical(a money.Amount) string {
	s := a.String()
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// paymentType returns the payment method for an ISO 20022 bank transaction code, which
// consists of domain, family and sub-family, such as PMNT-CCRD-CWDL.
func paymentType(b pfm.BankTransaction, account pfm.AccountType) PaymentType {
	family, sub := "", ""
	if parts := strings.Split(strings.ToUpper(b.BankTransactionCode), "-"); len(parts) == 3 {
		family, sub = parts[1], parts[2]
	}
	card := PaidDebitCard
	if account == pfm.AccountCreditCard || sub == "POSC" {
		card = PaidCreditCard
	}
	switch {
	case sub == "CWDL", sub == "CDPT", family == "CNTR":
		return PaidCash
	case family == "CCRD", family == "MCRD", b.MerchantCategoryCode != "", account == pfm.AccountCreditCard:
		return card
	default:
		return PaidTransfer
	}
}

// updating returns t as the new version of old. It keeps what a fetch does not change:
// the ID, the recurrence, and the category that the user has set.
func (t Transaction) updating(old Transaction, now time.Time) Transaction {
	t.ID, t.CreatedAt, t.UpdatedAt, t.Revision = old.ID, old.CreatedAt, now, old.Revision
	t.Added, t.Changed = old.Added, old.Changed
	t.Frequency, t.Subscription = old.Frequency, old.Subscription
	// A purchase that is pending stays on the first day that we know. Banks move its day, or
	// send the last on which it may be booked.
	if t.DayGuessed || t.State == Uncleared && old.State == Uncleared {
		t.RecordDate, t.DayGuessed = min(old.RecordDate, t.RecordDate), false
	}
	if old.isChosen() {
		return t.Unchosen().Choose(old.Category)
	}
	return t
}

// seen returns the part of t that partners see.
func (t Transaction) seen() Transaction {
	t.ConnectionID, t.BankID, t.Content, t.Counterparty, t.MandateID, t.CreditorID = "", "", "", "", "", ""
	t.EntryReference, t.Missing, t.AlsoPending, t.Debit = "", 0, false, false
	t.BankTransactionCode, t.PurposeCode, t.MerchantCategoryCode = "", "", ""
	t.Added, t.Changed, t.Found = 0, 0, Found{}
	return t
}

// SameAs reports whether all stored fields are equal, except UpdatedAt, Revision,
// ConnectionID and BalanceAfter: rows stay as they are when another connection takes their
// account over, or when a late row changes the balances after it.
func (t Transaction) SameAs(o Transaction) bool {
	same := t.Amount.Equal(o.Amount)
	t.Amount, o.Amount = money.Amount{}, money.Amount{}
	t.UpdatedAt, o.UpdatedAt, t.Revision, o.Revision = time.Time{}, time.Time{}, 0, 0
	t.ConnectionID, t.BalanceAfter = o.ConnectionID, o.BalanceAfter
	return same && t == o
}
