package pfm

import (
	"context"
	"errors"
	"iter"
	"net/url"
	"time"

	"aviso/internal/money"
)

// Supplier gives access to banks. Package xs2a implements it for Berlin Group
// NextGenPSD2 XS2A, package enablebanking for an aggregator. Its methods call the bank without retries; a failure on the bank's
// side is a *SupplierError.
type Supplier interface {
	// RequestConsent starts a consent and says what the user does first.
	RequestConsent(ctx context.Context, bank BankEndpoint, req ConsentRequest) (ConsentProgress, error)
	// ContinueConsent goes on with a consent after the user's answer, or, with an empty
	// answer, looks how it stands. The request has new return addresses, in case the user
	// goes to the bank once more.
	ContinueConsent(
		ctx context.Context, bank BankEndpoint, req ConsentRequest, s Session, a UserAnswer,
	) (ConsentProgress, error)
	// Consent returns the current state of a consent.
	Consent(ctx context.Context, bank BankEndpoint, s Session) (Consent, error)
	// EndConsent terminates a consent, and revokes what the session's Secret gives access
	// to. It returns nil if the consent has already ended, or if the bank no longer knows
	// it.
	EndConsent(ctx context.Context, bank BankEndpoint, s Session) error

	// RenewSession returns the session with a Secret that lasts for a sync. If the Secret
	// differs, the old one may no longer work, so store it before anything else. Nobody else
	// may renew the session at the same time.
	RenewSession(ctx context.Context, bank BankEndpoint, s Session) (Session, error)
	// Accounts returns the accounts of the consent with their balances. What cannot be
	// read of them is Incomplete.
	Accounts(ctx context.Context, bank BankEndpoint, s Session) ([]BankAccount, error)
	// Transactions yields the account's rows since the day `from`, page by page: booked
	// rows, and pending rows if the bank lists them. A row that cannot be read is yielded
	// as Unreadable, so that it can be counted. It stops after the first error,
	// which it yields with a zero row.
	Transactions(
		ctx context.Context, bank BankEndpoint, s Session, resourceID string, from Date,
	) iter.Seq2[BankTransaction, error]
}

// SupplierOf returns the Supplier that reads a bank.
type SupplierOf func(BankEndpoint) Supplier

// BankEndpoint says how to reach a bank's API.
type BankEndpoint struct {
	// BaseURL is the address before /v1, without a trailing slash.
	BaseURL string `dynamodbav:"baseUrl"`
	// AuthorizationServers are the URLs of the bank's authorization servers, besides the origin of
	// BaseURL: the issuer's, or an origin for all that is there.
	AuthorizationServers []string `dynamodbav:"authorizationServers,omitempty"`
	// TransportSecret names the secret that holds our client certificate for TLS (a
	// QWAC), SealSecret the secret that holds the certificate for signing requests (a
	// QSealC). Each is empty if the bank does not require it.
	TransportSecret string `dynamodbav:"transportSecret,omitempty"`
	SealSecret      string `dynamodbav:"sealSecret,omitempty"`
	// SealSerial is how the bank wants the serial number of the seal's certificate.
	SealSerial SealSerial `dynamodbav:"sealSerial,omitempty"`
	SCA        SCA        `dynamodbav:"-"`
	// ASPSP is set if an aggregator reads the bank. BaseURL is then the aggregator's.
	ASPSP ASPSP `dynamodbav:"-"`
}

// SealSerial is the case of the hexadecimal digits of a serial number in a signature's keyId. The standard does not say
// which; its example has SealSerialUpper.
type SealSerial string

// The cases. An empty one is SealSerialUpper.
const (
	SealSerialUpper SealSerial = "Upper"
	SealSerialLower SealSerial = "Lower"
)

// ASPSP is a bank as an aggregator knows it.
type ASPSP struct {
	// Name and Country identify the bank.
	Name    string `dynamodbav:"name"`
	Country string `dynamodbav:"country"`
	// Secret names the secret that holds our application's ID and key.
	Secret string `dynamodbav:"secret"`
	// PSUHeaders are what the bank wants to know about a present user: all of these
	// headers or none.
	PSUHeaders []string `dynamodbav:"psuHeaders,omitempty"`
}

// SupplierName says which Supplier reads a bank.
type SupplierName string

// The suppliers.
const (
	SupplierXS2A       SupplierName = "Xs2a"
	SupplierAggregator SupplierName = "Aggregator"
)

// Supplier returns which supplier reads the bank.
func (e BankEndpoint) Supplier() SupplierName {
	if e.ASPSP.Name != "" {
		return SupplierAggregator
	}
	return SupplierXS2A
}

// SCA is what a bank's answers do not say about how users authorise consents.
type SCA struct {
	// ClientID is our ID at the bank's authorization server. If it is empty, that is the
	// organizationIdentifier of our QWAC, as the standard has it.
	ClientID string `dynamodbav:"clientId,omitempty"`
	// MetadataURL is the address of the authorization server's metadata (RFC 8414), for a
	// bank that wants a token before the consent (TokenFirst). Other banks link it.
	MetadataURL string `dynamodbav:"metadataUrl,omitempty"`
	TokenFirst  bool   `dynamodbav:"tokenFirst,omitempty"`
	// AsksPSUID and AsksIBANs say that the bank wants the user's ID, or the accounts, with
	// the request for the consent.
	AsksPSUID bool `dynamodbav:"asksPsuId,omitempty"`
	AsksIBANs bool `dynamodbav:"asksIbans,omitempty"`
}

// aggregator returns the address of the aggregator that reads the bank; empty if none does.
func (e BankEndpoint) aggregator() string {
	if e.Supplier() == SupplierAggregator {
		return e.BaseURL
	}
	return ""
}

// Session is the authority under which accounts are read.
type Session struct {
	// ConnectionID is the connection that the Secret belongs to.
	ConnectionID string
	ConsentID    string
	// Secret is what only the supplier understands, such as tokens. The supplier has
	// sealed it. It is empty if the consent's ID is enough.
	Secret string
	// PSUIPAddress is the user's address if the user is present. It is empty for an
	// unattended call, which banks limit to four per account and day.
	PSUIPAddress string
	// PSUHeaders are further headers about a present user that the bank wants.
	PSUHeaders map[string]string
	Access
}

// Access says which parts of the accounts a consent covers.
type Access struct {
	// CardAccounts says that the bank lists card accounts apart from the others.
	CardAccounts bool `dynamodbav:"cardAccounts,omitempty"`
	// NoBalances and NoRows say that the user granted only the other of both. Then the bank is not asked.
	NoBalances bool `dynamodbav:"noBalances,omitempty"`
	NoRows     bool `dynamodbav:"noRows,omitempty"`
}

// ConsentRequest requests a recurring consent to read all accounts that the user picks,
// with balances and transactions.
type ConsentRequest struct {
	ConnectionID string
	PSUIPAddress string
	PSUUserAgent string
	PSUHeaders   map[string]string
	// Brand is the partner's name for users, so that the bank can say who asks; may be empty.
	Brand string
	// RedirectURL is where the bank sends a user who has authorised the consent,
	// RefusedURL where it sends a user who refuses or fails.
	RedirectURL string
	RefusedURL  string
	// CallbackURL and State are the parts of RedirectURL, for a supplier that sends the
	// state as a parameter of its own.
	CallbackURL, State string
	// ValidUntil is the last day on which the consent should be valid.
	ValidUntil Date
}

// UserAnswer is what the user brings back from a step.
type UserAnswer struct {
	// Callback is the query with which the bank sent the user back.
	Callback url.Values
	// PSUID is the user's ID at the bank, IBANs are the accounts to read.
	PSUID string
	IBANs []string
}

// ConsentProgress says how a consent that is being authorised goes on.
type ConsentProgress struct {
	// Session is what to continue with, or to read the accounts with.
	Session Session
	// Next is what the user does next.
	Next Step
	// Consent is the state of the consent if nothing is left for the user to do.
	Consent Consent
}

// Step is what the user does next to authorise a consent.
type Step struct {
	// Kind is empty if nothing is left to do.
	Kind StepKind `json:"kind" dynamodbav:"next,omitempty"`
	// URL is the bank's page of StepRedirect.
	URL string `json:"url,omitempty" dynamodbav:"bankUrl,omitempty"`
	// Once says that the query that the bank sends the user back with works only once.
	Once bool `json:"once,omitempty" dynamodbav:"once,omitempty"`
	// Message is the bank's text to the user in StepWait; may be empty.
	Message string `json:"message,omitempty" dynamodbav:"message,omitempty"`
	// OtherMustSign says that StepWait waits for another person, who must authorise the consent, too.
	OtherMustSign bool `json:"otherMustSign,omitempty" dynamodbav:"otherMustSign,omitempty"`
	// AsksPSUID and AsksIBANs are what StepAsk asks for. Refused says that the bank did not
	// accept the previous answer.
	AsksPSUID bool `json:"asksPsuId,omitempty" dynamodbav:"asksPsuId,omitempty"`
	AsksIBANs bool `json:"asksIbans,omitempty" dynamodbav:"asksIbans,omitempty"`
	Refused   bool `json:"refused,omitempty" dynamodbav:"refused,omitempty"`
}

// StepKind is a kind of Step.
type StepKind string

// The kinds of step.
const (
	// StepRedirect sends the user to the bank's page.
	StepRedirect StepKind = "Redirect"
	// StepWait waits for the user to confirm in the bank's app.
	StepWait StepKind = "Wait"
	// StepAsk asks the user for what the bank wants to know first.
	StepAsk StepKind = "Ask"
)

// ConsentState is the standard's consentStatus.
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

// Consent is the current state of a consent at the bank.
type Consent struct {
	State ConsentState
	// ValidUntil is the last day on which the consent is valid. The bank may have
	// chosen an earlier day than requested.
	ValidUntil Date
	// LastAction is the day on which the consent's state last changed; empty if the bank
	// does not say.
	LastAction Date
	Access
}

// BankAccount is an account as the bank describes it. A session's Secret may hold it as JSON,
// without what every sync reads.
type BankAccount struct {
	// ResourceID is stable within one consent only.
	ResourceID string `json:"uid"`
	// IdentificationHash is the same under every consent. Accounts in several currencies
	// may share it. Empty if the supplier has none.
	IdentificationHash string `json:"hash,omitempty"`
	IBAN               string `json:"iban,omitempty"`
	BBAN               string `json:"bban,omitempty"`
	MaskedPAN          string `json:"card,omitempty"`
	Currency           string `json:"currency"`
	// Name is the name that the user or the bank gave the account, Product the bank's
	// product name. Either may be empty.
	Name    string `json:"name,omitempty"`
	Product string `json:"product,omitempty"`
	// CashAccountType is the ISO 20022 ExternalCashAccountType1Code, such as
	// CACC, SVGS, CARD or LOAN; often empty.
	CashAccountType string        `json:"type,omitempty"`
	Balances        []BankBalance `json:"-"`
	// Incomplete: the bank did not send all of it in a form that can be read. Without a
	// ResourceID, nothing of the account can be read.
	Incomplete bool `json:"-"`
	// SignsInverted: see Account. The supplier sets it only if the bank says so.
	SignsInverted bool `json:"-"`
}

// BankBalance is one of an account's balances.
type BankBalance struct {
	// Type is the standard's balanceType, such as closingBooked, interimAvailable or
	// expected.
	Type     string
	Amount   money.Amount
	Currency string
	// CreditLimitIncluded: part of it may be lent.
	CreditLimitIncluded bool
	// ReferenceDate is the day of the balance; empty if the bank did not send it.
	ReferenceDate Date
}

// BankTransaction is one row of a bank statement. The amount is negative for a
// debit. Fields that the bank left out are empty.
type BankTransaction struct {
	// Unreadable: the bank sent a row that cannot be read. All other fields are empty.
	Unreadable     bool
	ID             string
	EntryReference string
	EndToEndID     string
	MandateID      string
	CreditorID     string
	Booked         bool
	Amount         money.Amount
	// IsCredit: the bank says in a field of its own that the row is an income.
	IsCredit bool
	// Currency is empty if it is that of the account.
	Currency string
	// Billed is what the account was billed, where the bank sends that beside Amount.
	Billed         money.Amount
	BilledCurrency string
	BookingDate    Date
	ValueDate      Date
	// TransactionDate is the day of a card payment.
	TransactionDate Date
	CreditorName    string
	CreditorAccount string
	DebtorName      string
	DebtorAccount   string
	// UltimateCreditor and UltimateDebtor are the parties for which creditor and debtor
	// act, such as the shop behind a payment service.
	UltimateCreditor string
	UltimateDebtor   string
	// Remittance is the unstructured remittance information or, if there is none, the
	// structured one.
	Remittance            string
	AdditionalInformation string
	PurposeCode           string
	// BankTransactionCode is the ISO 20022 domain-family-subfamily code, such as
	// PMNT-CCRD-POSD.
	BankTransactionCode            string
	ProprietaryBankTransactionCode string
	// MerchantCategoryCode is the ISO 18245 code of a card payment.
	MerchantCategoryCode string
	// BalanceAfter is the account's balance after the row; nil if the bank does not say it.
	BalanceAfter *money.Amount
}

// Equal reports whether two rows say the same, which == does not know of their balances.
func (b BankTransaction) Equal(o BankTransaction) bool {
	if b.BalanceAfter != nil && o.BalanceAfter != nil && *b.BalanceAfter == *o.BalanceAfter {
		b.BalanceAfter = o.BalanceAfter
	}
	return b == o
}

// SupplierErrorKind classifies a bank's failures by how to react.
type SupplierErrorKind string

// The kinds of failure.
const (
	// SupplierUnavailable: no response in time, a 5xx, or a problem with one of our
	// certificates. Retry later.
	SupplierUnavailable SupplierErrorKind = "SupplierUnavailable"
	// SupplierRateLimited: the bank's rate limit. Retry after RetryAfter.
	SupplierRateLimited SupplierErrorKind = "SupplierRateLimited"
	// SupplierInvalidResponse: a response that violates the standard. Retry a few
	// times, although it rarely helps.
	SupplierInvalidResponse SupplierErrorKind = "SupplierInvalidResponse"
	// SupplierRejected: a 4xx about the request itself. A retry does not help.
	SupplierRejected SupplierErrorKind = "SupplierRejected"
	// SupplierConsentExpired and SupplierConsentInvalid: the consent is no longer
	// valid. Only the user can fix that.
	SupplierConsentExpired SupplierErrorKind = "SupplierConsentExpired"
	SupplierConsentInvalid SupplierErrorKind = "SupplierConsentInvalid"
	// SupplierConsentUnknown: the bank does not know the consent.
	SupplierConsentUnknown SupplierErrorKind = "SupplierConsentUnknown"
)

// SupplierError is a failure on the bank's side. Its text holds no personal
// data.
type SupplierError struct {
	Kind SupplierErrorKind
	// Operation is what failed, such as "read transactions".
	Operation string
	// Status is the bank's HTTP status, or 0 if there was no response.
	Status int
	// BankCode is the standard's message code, such as CONSENT_EXPIRED; may be empty.
	BankCode string
	// Message is the bank's own text about it, for the partner's support; may be empty. The error's text has none of it.
	Message string
	// RequestID is the X-Request-ID, by which the bank can find the call; may be empty.
	RequestID string
	// RetryAfter is how long the bank asks us to wait; zero if it does not say.
	RetryAfter time.Duration
	// Pages is how many pages of an account's rows were read before.
	Pages int
	// Err is the cause on our side, such as a timeout; may be nil.
	Err error
}

// FailureOf returns the bank's failure behind an error; the zero value if there is none.
func FailureOf(err error) SupplierError {
	if e, ok := errors.AsType[*SupplierError](err); ok {
		return *e
	}
	return SupplierError{}
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

// AfterPages returns err as the failure to read what follows these pages.
func AfterPages(err error, pages int) error {
	e := FailureOf(err)
	if e.Kind == "" {
		return err
	}
	e.Pages = pages
	return &e
}

// IsAboutConsent reports whether the bank says that the consent does not allow the call.
func (e SupplierError) IsAboutConsent() bool {
	return e.Kind == SupplierConsentInvalid || e.Kind == SupplierConsentExpired || e.Kind == SupplierConsentUnknown
}

// Temporary reports whether a retry may succeed without the user.
func (e *SupplierError) Temporary() bool {
	switch e.Kind {
	case SupplierUnavailable, SupplierRateLimited, SupplierInvalidResponse:
		return true
	default:
		return false
	}
}
