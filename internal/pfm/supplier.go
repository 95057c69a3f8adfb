package pfm

import (
	"context"
	"iter"
	"time"

	"aviso/internal/money"
)

// Supplier is the bank side of the area. Its one adapter speaks Berlin Group
// NextGenPSD2 XS2A (package xs2a). Every method makes its calls at once and does
// not retry; failures are *SupplierError.
type Supplier interface {
	// RequestConsent creates a consent that the user has yet to authorise at
	// the returned RedirectURL.
	RequestConsent(ctx context.Context, bank BankEndpoint, req ConsentRequest) (RequestedConsent, error)
	// Consent reads the present state of a consent.
	Consent(ctx context.Context, bank BankEndpoint, consentID string) (Consent, error)
	// EndConsent terminates a consent. One that has already ended, or that the
	// bank no longer knows, is no error.
	EndConsent(ctx context.Context, bank BankEndpoint, consentID string) error

	// Accounts lists the accounts of the consent with their balances.
	Accounts(ctx context.Context, bank BankEndpoint, s Session) ([]BankAccount, error)
	// Transactions yields the account's rows from the day `from` on, page by
	// page, booked and, where the bank tells them, pending ones. It stops after
	// the first error, which it yields with the zero row.
	Transactions(ctx context.Context, bank BankEndpoint, s Session, resourceID string, from Date) iter.Seq2[BankTransaction, error]
}

// BankEndpoint is where and how a bank's interface is reached.
type BankEndpoint struct {
	// BaseURL is the address before /v1, without a slash at the end.
	BaseURL string
	// TransportSecret names the secret with the certificate by which the bank knows
	// our connections (a QWAC), SealSecret that of the certificate with which every
	// request is signed (a QSealC). Empty where the bank asks for none.
	TransportSecret, SealSecret string
}

// Session is the authority under which accounts are read.
type Session struct {
	ConsentID string
	// PSUIPAddress is the user's address while the user is present, and empty
	// for an unattended call, which banks limit to four per account and day.
	PSUIPAddress string
}

// ConsentRequest is what the bank is asked for: a recurring consent to read all
// accounts the user picks, with balances and transactions.
type ConsentRequest struct {
	PSUIPAddress string
	PSUUserAgent string
	// RedirectURL and RefusedURL are where the bank sends the user after
	// authorising and after refusing or failing to.
	RedirectURL string
	RefusedURL  string
	// ValidUntil is the last day on which the consent is to hold.
	ValidUntil Date
}

// RequestedConsent is a consent waiting for the user.
type RequestedConsent struct {
	ID          string
	RedirectURL string
}

// ConsentState is the consentStatus of the standard.
type ConsentState string

// The states of a consent, spelled as in NextGenPSD2 XS2A §14.14.
const (
	ConsentReceived            ConsentState = "received"
	ConsentPartiallyAuthorised ConsentState = "partiallyAuthorised"
	ConsentValid               ConsentState = "valid"
	ConsentRejected            ConsentState = "rejected"
	ConsentRevokedByPSU        ConsentState = "revokedByPsu"
	ConsentExpired             ConsentState = "expired"
	ConsentTerminatedByTPP     ConsentState = "terminatedByTpp"
)

// Consent is the present state of a consent at the bank.
type Consent struct {
	State ConsentState
	// ValidUntil is the last day on which the bank lets the consent hold; the
	// bank may have shortened what was asked.
	ValidUntil Date
}

// BankAccount is an account as the bank describes it.
type BankAccount struct {
	// ResourceID is constant within one consent only.
	ResourceID string
	IBAN       string
	BBAN       string
	MaskedPAN  string
	Currency   string
	// Name is the name the user or the bank gave the account, Product the
	// bank's product name; either may be empty.
	Name    string
	Product string
	// CashAccountType is the ISO 20022 ExternalCashAccountType1Code, such as
	// CACC, SVGS, CARD or LOAN; often empty.
	CashAccountType string
	Balances        []BankBalance
}

// BankBalance is one of an account's balances.
type BankBalance struct {
	// Type is the balanceType of the standard, such as closingBooked,
	// interimAvailable or expected.
	Type     string
	Amount   money.Amount
	Currency string
	// ReferenceDate is the day the balance refers to; zero when not told.
	ReferenceDate Date
}

// BankTransaction is one row of a bank statement. The amount is negative for a
// debit. Fields that the bank left out are empty.
type BankTransaction struct {
	ID              string
	EntryReference  string
	EndToEndID      string
	MandateID       string
	CreditorID      string
	Booked          bool
	Amount          money.Amount
	Currency        string
	BookingDate     Date
	ValueDate       Date
	CreditorName    string
	CreditorAccount string
	DebtorName      string
	DebtorAccount   string
	// Remittance is the unstructured remittance information, else the
	// structured one.
	Remittance            string
	AdditionalInformation string
	PurposeCode           string
	// BankTransactionCode is the ISO 20022 domain-family-subfamily code, such
	// as PMNT-CCRD-POSD.
	BankTransactionCode            string
	ProprietaryBankTransactionCode string
	// MerchantCategoryCode is the ISO 18245 code of a card payment.
	MerchantCategoryCode string
}

// SupplierErrorKind sorts a bank's failures by what to do about them.
type SupplierErrorKind string

// The kinds of failure.
const (
	// SupplierUnavailable: no or no timely answer, a 5xx, or a certificate of ours
	// that is not in order. Try again later.
	SupplierUnavailable SupplierErrorKind = "SupplierUnavailable"
	// SupplierRateLimited: the bank's own limit. Try again after RetryAfter.
	SupplierRateLimited SupplierErrorKind = "SupplierRateLimited"
	// SupplierInvalidResponse: an answer that is not the standard's. Try again
	// a few times; it rarely helps.
	SupplierInvalidResponse SupplierErrorKind = "SupplierInvalidResponse"
	// SupplierRejected: a 4xx about the request itself. Trying again does not
	// help.
	SupplierRejected SupplierErrorKind = "SupplierRejected"
	// SupplierConsentExpired and SupplierConsentInvalid: the consent no longer
	// holds. Only the user can mend that.
	SupplierConsentExpired SupplierErrorKind = "SupplierConsentExpired"
	SupplierConsentInvalid SupplierErrorKind = "SupplierConsentInvalid"
	// SupplierConsentUnknown: the bank does not know the consent.
	SupplierConsentUnknown SupplierErrorKind = "SupplierConsentUnknown"
)

// SupplierError is a failure on the bank's side. Its text holds no personal
// data.
type SupplierError struct {
	Kind SupplierErrorKind
	// Operation is what was tried, such as "read transactions".
	Operation string
	// Status is the bank's HTTP status, or 0 without an answer.
	Status int
	// BankCode is the standard's message code, such as CONSENT_EXPIRED, or
	// empty.
	BankCode string
	// RetryAfter is how long the bank asks to wait; zero when it does not say.
	RetryAfter time.Duration
	// Err is the cause on our side, such as a time-out; may be nil.
	Err error
}

func (e *SupplierError) Error() string {
	s := "bank: " + e.Operation + ": " + string(e.Kind)
	if e.BankCode != "" {
		s += " (" + e.BankCode + ")"
	}
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

func (e *SupplierError) Unwrap() error { return e.Err }

// Temporary tells whether the same call may succeed later without the user.
func (e *SupplierError) Temporary() bool {
	switch e.Kind {
	case SupplierUnavailable, SupplierRateLimited, SupplierInvalidResponse:
		return true
	default:
		return false
	}
}
