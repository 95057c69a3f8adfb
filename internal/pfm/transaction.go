package pfm

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"aviso/internal/money"
	"aviso/internal/owner"
	"aviso/internal/textfold"
)

// RecordState tells how firm a transaction is.
type RecordState string

// The states of a transaction.
const (
	Cleared   RecordState = "Cleared"   // booked
	Uncleared RecordState = "Uncleared" // pending
	Void      RecordState = "Void"      // was pending and vanished
)

// RecordType tells the direction.
type RecordType string

// The directions of a transaction.
const (
	Income  RecordType = "Income"
	Expense RecordType = "Expense"
)

// PaymentType tells how was paid.
type PaymentType string

// The ways to pay.
const (
	PaidCash       PaymentType = "Cash"
	PaidDebitCard  PaymentType = "DebitCard"
	PaidCreditCard PaymentType = "CreditCard"
	PaidTransfer   PaymentType = "Transfer"
	PaidVoucher    PaymentType = "Voucher"
	PaidMobile     PaymentType = "MobilePayment"
	PaidWeb        PaymentType = "WebPayment"
)

// Frequency tells how often a payment comes.
type Frequency string

// Once is the frequency of a payment that is not known to come again.
const Once Frequency = "Once"

// Merchant is who was paid; the zero value where that is not known.
type Merchant struct{ ID, Name string }

// Transaction is one row of an account.
type Transaction struct {
	ID        string
	Owner     owner.User
	AccountID string
	// AccountName is the account's name when the row was last written.
	AccountName  string
	ConnectionID string
	RecordDate   Date
	// Amount is in major units; negative for an expense.
	Amount       money.Amount
	Currency     string
	Note         string
	PaymentType  PaymentType
	State        RecordState
	Frequency    Frequency
	Subscription bool
	Category     Category
	// Source and RuleID say how Category was found.
	Source   CategorySource
	RuleID   string
	Merchant Merchant
	// Payee is the counterparty's account; may be empty.
	Payee     string
	CreatedAt time.Time
	UpdatedAt time.Time

	// BankID is the bank's id of the row, empty where it gives none.
	BankID string
	// Content is a digest of what stays the same from pending to booked.
	Content string
	// Counterparty, and the codes after it, are what the bank said that tells
	// what the payment was for.
	Counterparty         string
	BankTransactionCode  string
	PurposeCode          string
	MerchantCategoryCode string
	MandateID            string
	CreditorID           string

	// Revision counts the writes of the row; a write names the one it follows.
	Revision int64
	// Added is the number of the change that added the row; see Change.
	Added int64
}

// CategorySource says how a transaction got its category.
type CategorySource string

// The sources, the first of which that applies wins.
const (
	SourceOverride    CategorySource = "Override"
	SourceOwnTransfer CategorySource = "OwnTransfer"
	SourceBankCode    CategorySource = "BankCode"
	SourceMerchant    CategorySource = "Merchant"
	SourceMCC         CategorySource = "Mcc"
	SourceKeyword     CategorySource = "Keyword"
	SourceNone        CategorySource = "None"
)

// Enrich finds category and merchant of a transaction from what the bank says of
// it, and the rule that did. countryCode is the bank's.
type Enrich func(t Transaction, countryCode string) (Category, Merchant, CategorySource, string)

// Type is the direction: what is not an income is an expense.
func (t Transaction) Type() RecordType {
	if t.Amount.Sign() > 0 {
		return Income
	}
	return Expense
}

// fromBank is the transaction that a bank's row describes, without the id and
// the times that only a comparison with what is known can give.
func fromBank(b BankTransaction, a Account, today Date) Transaction {
	t := Transaction{
		Owner: a.Owner, AccountID: a.ID, AccountName: a.Name, ConnectionID: a.ConnectionID,
		RecordDate: Date(firstOf(string(b.BookingDate), string(b.ValueDate), string(today))),
		Amount:     b.Amount, Currency: b.Currency, State: Uncleared, Frequency: Once, Category: Uncategorised(), Source: SourceNone,
		BankID:              firstOf(b.ID, b.EntryReference),
		BankTransactionCode: b.BankTransactionCode, PurposeCode: b.PurposeCode, MerchantCategoryCode: b.MerchantCategoryCode,
		MandateID: b.MandateID, CreditorID: b.CreditorID,
	}
	if b.Booked {
		t.State = Cleared
	}
	t.Counterparty, t.Payee = b.CreditorName, b.CreditorAccount
	if b.Amount.Sign() > 0 {
		t.Counterparty, t.Payee = b.DebtorName, b.DebtorAccount
	}
	t.Note = firstOf(b.Remittance, b.AdditionalInformation, t.Counterparty)
	t.PaymentType = paymentType(b, a.Type)
	t.Content = contentOf(t)
	return t
}

// contentOf is a digest of amount, counterparty and text. The day is left out:
// it moves when a pending row is booked.
func contentOf(t Transaction) string {
	h := sha256.New()
	for _, part := range []string{plain(t.Amount), t.Currency, strings.ToUpper(t.Payee), textfold.Name(t.Counterparty), textfold.Name(t.Note)} {
		h.Write([]byte(part))
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// plain gives a value one spelling, whatever zeros the bank writes.
func plain(a money.Amount) string {
	s := a.String()
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// paymentType reads the ISO 20022 bank transaction code: domain, family and
// sub-family, such as PMNT-CCRD-CWDL.
func paymentType(b BankTransaction, account AccountType) PaymentType {
	family, sub := "", ""
	if parts := strings.Split(strings.ToUpper(b.BankTransactionCode), "-"); len(parts) == 3 {
		family, sub = parts[1], parts[2]
	}
	card := PaidDebitCard
	if account == AccountCreditCard || sub == "POSC" {
		card = PaidCreditCard
	}
	switch {
	case sub == "CWDL", sub == "CDPT", family == "CNTR":
		return PaidCash
	case family == "CCRD", family == "MCRD", b.MerchantCategoryCode != "", account == AccountCreditCard:
		return card
	default:
		return PaidTransfer
	}
}

// keep takes over from the known row what a fetch does not change: its id, what
// is known of its recurrence, and the category that the user has chosen.
func (t Transaction) keep(old Transaction, now time.Time) Transaction {
	t.ID, t.CreatedAt, t.UpdatedAt, t.Revision = old.ID, old.CreatedAt, now, old.Revision
	t.Added, t.Frequency, t.Subscription = old.Added, old.Frequency, old.Subscription
	if old.Source == SourceOverride {
		t.Category, t.Source, t.RuleID = old.Category, old.Source, old.RuleID
	}
	return t
}

// looksLike tells whether a partner would see no difference, times apart.
func (t Transaction) looksLike(o Transaction) bool {
	t.BankID, t.Content = o.BankID, o.Content
	return t.sameAs(o)
}

// sameAs tells whether nothing that is kept differs, ids and times apart.
func (t Transaction) sameAs(o Transaction) bool {
	same := t.Amount.Equal(o.Amount)
	t.Amount, o.Amount = money.Amount{}, money.Amount{}
	t.UpdatedAt, o.UpdatedAt, t.Revision, o.Revision = time.Time{}, time.Time{}, 0, 0
	return same && t == o
}
