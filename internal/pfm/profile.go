package pfm

// Profile says how a bank differs from what can be inferred of banks. The zero value is
// good for a bank that nobody has looked at. docs/banks.md explains the settings.
type Profile struct {
	// CardSigns are the signs of rows and balances of card accounts; empty if they are to
	// be inferred from the first rows.
	CardSigns SignStyle `json:"cardSigns,omitempty"`
	// PendingSigns are those of pending rows: SignsMissing if all are expenses that are
	// sent without a minus; empty if that is to be inferred from their words.
	PendingSigns SignStyle `json:"pendingSigns,omitempty"`
	// Date is the date that a row gets; empty for the booking date.
	Date DateChoice `json:"date,omitempty"`
	// RowID is which of the bank's IDs identifies a row; empty for the transaction ID, or
	// else the entry reference.
	RowID IDChoice `json:"rowId,omitempty"`
	// CardAccounts says that the bank lists card accounts apart from the others, without a
	// link to them in the consent.
	CardAccounts bool `json:"cardAccounts,omitempty"`
	// Balances are the types of balance to show, in order of preference.
	Balances []string `json:"balances,omitempty"`
	// Headers are those of the standard about a present user that the bank wants, besides
	// PSU-IP-Address, such as PSU-Accept-Language.
	Headers []string `json:"headers,omitempty"`
	// Texts are regular expressions on the remittance text, with the named groups payee
	// and note. The first that matches says who was paid, and what text is left.
	Texts []string `json:"texts,omitempty"`
}

// SignStyle is how a bank uses the signs of amounts.
type SignStyle string

// The styles of signs.
const (
	SignsAsSent   SignStyle = "AsSent"
	SignsInverted SignStyle = "Inverted"
	SignsMissing  SignStyle = "Missing"
)

// DateChoice is one of the dates that a bank sends with a row.
type DateChoice string

// The dates of a row.
const (
	DateBooking     DateChoice = "Booking"
	DateValue       DateChoice = "Value"
	DateTransaction DateChoice = "Transaction"
)

// IDChoice is one of the IDs that a bank sends with a row.
type IDChoice string

// The IDs of a row.
const (
	IDTransaction IDChoice = "TransactionId"
	IDEntry       IDChoice = "EntryReference"
	IDNone        IDChoice = "None"
)
