package bank

import (
	"time"

	"aviso/internal/sandbox/persona"
	"aviso/internal/sandbox/sandboxdb"
)

// State is the consentStatus of the standard.
type State string

// The states a consent can be in.
const (
	Received        State = "received"
	Rejected        State = "rejected"
	Valid           State = "valid"
	RevokedByPSU    State = "revokedByPsu"
	Expired         State = "expired"
	TerminatedByTPP State = "terminatedByTpp"
)

// SCAStatus is the scaStatus of the standard.
type SCAStatus string

// The states an authorisation can be in.
const (
	SCAReceived      SCAStatus = "received"
	SCAAuthenticated SCAStatus = "psuAuthenticated"
	SCAFinalised     SCAStatus = "finalised"
	SCAFailed        SCAStatus = "failed"
)

// authoriseWithin is how long a link to the consent page works.
const authoriseWithin = 30 * time.Minute

// Consent is a request for access to a customer's accounts, with its outcome.
type Consent struct {
	Bank, ID string
	State    State
	// Access is what was asked for.
	Access    Access
	Recurring bool
	// ValidUntil and LastAction are days of the bank's calendar.
	ValidUntil, LastAction persona.Day
	FrequencyPerDay        int
	// AuthoriseBy is when the last link to the consent page expires.
	AuthoriseBy time.Time
	// Authorisations are the IDs of its authorisations, oldest first.
	Authorisations []string
	// Persona and Grants are set when the customer approves.
	Persona string
	Grants  []Grant
	// Overrides and Ledger are set on the control page.
	Overrides Overrides `dynamodbav:"Orders"`
	Ledger    Ledger
	// Ahead is how far the customer's time was ahead of real time when the service last told. It
	// counts for the pages that the customer opens.
	Ahead time.Duration `dynamodbav:",omitempty"`
	// Version counts the writes of the record; 0 means not yet written.
	Version int
}

// Grant is what a client may read of one account.
type Grant struct {
	Account                string
	Balances, Transactions bool
}

// status returns the current state: days and deadlines pass without a write.
func (c Consent) status(now time.Time, today persona.Day) State {
	switch {
	case c.State == Received && now.After(c.AuthoriseBy):
		return Rejected
	case c.State == Valid && today > c.ValidUntil:
		return Expired
	default:
		return c.State
	}
}

// Key returns the key of the record. All records of banks but approvals are read by their whole
// key.
func (c Consent) Key() sandboxdb.Key {
	return sandboxdb.Key{PK: "B#" + c.Bank + "#CONSENT#" + c.ID, SK: "CONSENT"}
}

// CallKey returns the key of a counter: how often a day an endpoint is called for an account.
func (c Consent) CallKey(day, endpoint, account string) sandboxdb.Key {
	return sandboxdb.Key{PK: c.Key().PK, SK: "CALLS#" + day + "#" + endpoint + "#" + account}
}

// Next implements sandboxdb.Versioned.
func (c Consent) Next() (sandboxdb.Record, int) { c.Version++; return c, c.Version - 1 }

// KeepUntil returns when the record expires.
func (c Consent) KeepUntil() time.Time {
	return time.Unix(int64(c.ValidUntil+60)*86400, 0)
}

// Authorisation is one link with which the customer can decide on a consent. Its ID is
// the unguessable part of the page's address. It differs from the consent's ID, which
// opens the accounts and must not pass through a browser.
type Authorisation struct {
	Bank, ID, ConsentID string
	Status              SCAStatus
	// RedirectURI and NokRedirectURI are where the customer goes afterwards.
	RedirectURI, NokRedirectURI string
	// Brand is the name under which the customer knows the requester; often empty.
	Brand string
	// Persona and CustomerNumber are set when the customer logs in.
	Persona, CustomerNumber string
	// OAuth is the authorization request; nil if the customer did not come through the
	// authorization server.
	OAuth     *AuthorizationRequest `dynamodbav:",omitempty"`
	ExpiresAt time.Time
	Version   int
}

// AuthorizationRequest is what a client sends its user to the authorization server with.
type AuthorizationRequest struct{ State, Challenge string }

// Key returns the key of the record.
func (a Authorisation) Key() sandboxdb.Key {
	return sandboxdb.Key{PK: "B#" + a.Bank + "#AUTHORISATION#" + a.ID, SK: "AUTHORISATION"}
}

// Next implements sandboxdb.Versioned.
func (a Authorisation) Next() (sandboxdb.Record, int) { a.Version++; return a, a.Version - 1 }

// KeepUntil returns when the record expires.
func (a Authorisation) KeepUntil() time.Time { return a.ExpiresAt.Add(7 * 24 * time.Hour) }

func (a Authorisation) status(now time.Time) SCAStatus {
	if a.open() && now.After(a.ExpiresAt) {
		return SCAFailed
	}
	return a.Status
}

// open reports whether the customer has not decided yet.
func (a Authorisation) open() bool { return a.Status == SCAReceived || a.Status == SCAAuthenticated }

// refusedURI returns where the customer goes without having approved.
func (a Authorisation) refusedURI() string {
	if a.OAuth != nil {
		return a.answer("error", "access_denied")
	}
	if a.NokRedirectURI != "" {
		return a.NokRedirectURI
	}
	return a.RedirectURI
}

// Customer holds the customer's latest recurring consent.
type Customer struct {
	Bank, ID, ConsentID string
	Forget              time.Time
	Version             int
}

// Key returns the key of the record.
func (c Customer) Key() sandboxdb.Key {
	return sandboxdb.Key{PK: "B#" + c.Bank + "#CUSTOMER#" + c.ID, SK: "CUSTOMER"}
}

// Next implements sandboxdb.Versioned.
func (c Customer) Next() (sandboxdb.Record, int) { c.Version++; return c, c.Version - 1 }

// KeepUntil returns when the record expires.
func (c Customer) KeepUntil() time.Time { return c.Forget }
