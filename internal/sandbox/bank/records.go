package bank

import (
	"net/url"
	"slices"
	"strings"
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
	// Access is what was asked for, and Brand for whom, if that was said.
	Access Access
	Brand  string `dynamodbav:",omitempty"`
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

// key returns the key of a record that is read by its whole key, as all but approvals are.
func key(bank, kind, id string) sandboxdb.Key {
	return sandboxdb.Key{PK: "B#" + bank + "#" + kind + "#" + id, SK: kind}
}

// Key returns the key of the record.
func (c Consent) Key() sandboxdb.Key { return key(c.Bank, "CONSENT", c.ID) }

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
	// Persona and CustomerNumber are set when the customer logs in.
	Persona, CustomerNumber string
	// OAuth is the authorization request; nil if the customer did not come through the
	// authorization server.
	OAuth     *AuthorizationRequest `dynamodbav:",omitempty"`
	ExpiresAt time.Time
	Version   int
}

// AuthorizationRequest is what a client sends its user to the authorization server with. Issuer
// is the server's name in its answer.
type AuthorizationRequest struct{ State, Challenge, Issuer string }

// Key returns the key of the record.
func (a Authorisation) Key() sandboxdb.Key { return key(a.Bank, "AUTHORISATION", a.ID) }

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

// Customer holds the customer's latest consent.
type Customer struct {
	Bank, ID, ConsentID string
	Forget              time.Time
	Version             int
}

// Key returns the key of the record.
func (c Customer) Key() sandboxdb.Key { return key(c.Bank, "CUSTOMER", c.ID) }

// Next implements sandboxdb.Versioned.
func (c Customer) Next() (sandboxdb.Record, int) { c.Version++; return c, c.Version - 1 }

// KeepUntil returns when the record expires.
func (c Customer) KeepUntil() time.Time { return c.Forget }

// Approval records that a customer approved a consent, so that the control page can list
// it. Its ID differs from the consent's ID, which opens the accounts and must not pass
// through a browser.
type Approval struct {
	// ID begins with the real time, so that IDs sort in the order of approval.
	ID              string
	Bank, ConsentID string
	Persona         string
	CustomerNumber  string
	// ConnectionID is the Aviso connection that the consent is for, taken from the return
	// address. It is empty if the return address belongs to another client.
	ConnectionID string
	At           time.Time
	// Ahead is how far At is ahead of real time.
	Ahead   time.Duration `dynamodbav:",omitempty"`
	Version int
}

// Key puts the approvals of all banks into one partition, because they are rare.
func (a Approval) Key() sandboxdb.Key { return sandboxdb.Key{PK: "APPROVALS", SK: a.ID} }

// Next implements sandboxdb.Versioned.
func (a Approval) Next() (sandboxdb.Record, int) { a.Version++; return a, a.Version - 1 }

// KeepUntil returns when the record expires.
func (a Approval) KeepUntil() time.Time { return a.At.Add(-a.Ahead).AddDate(0, 0, 30) }

// approvalTime is how an approval's ID begins.
const approvalTime = "20060102T150405.000Z"

// newApproval records the approval of a consent through an authorisation.
func (v *visit) newApproval(c Consent, a Authorisation) Approval {
	return Approval{
		ID:   v.Now().UTC().Format(approvalTime) + "-" + v.NewID(),
		Bank: c.Bank, ConsentID: c.ID, Persona: c.Persona, CustomerNumber: a.CustomerNumber,
		ConnectionID: connectionOf(a.RedirectURI), At: v.now, Ahead: c.Ahead,
	}
}

// connectionOf reads the connection from the state of a return address, which is the
// connection's ID, a dot and a secret. The secret is not stored.
func connectionOf(redirectURI string) string {
	u, err := url.Parse(redirectURI)
	if err != nil {
		return ""
	}
	if id, _, _ := strings.Cut(u.Query().Get("state"), "."); isUUID(id) {
		return id
	}
	return ""
}

// Overrides change how a bank behaves for one consent.
type Overrides struct {
	// SCADue means that the customer has to authenticate again.
	SCADue bool
	// Trouble is the fault that the bank simulates until TroubleEnds; empty if there is
	// none.
	Trouble     persona.Behaviour
	TroubleEnds time.Time
}

// behaviour returns how the bank answers account reads now.
func (o Overrides) behaviour(p persona.Persona, now time.Time) persona.Behaviour {
	if o.faultActive(now) {
		return o.Trouble
	}
	return p.Behaviour
}

func (o Overrides) faultActive(now time.Time) bool {
	return o.Trouble != "" && now.Before(o.TroubleEnds)
}

// Ledger holds how a customer's rows differ from the persona's history. It passes to the
// customer's next consent, because the accounts stay the same.
type Ledger struct {
	// Issue counts how often all IDs were reissued.
	Issue int
	// Changes are in the order in which they were made. None is ever undone, so that a
	// row once reported does not change again.
	Changes []Change
	// Own is the ID of the rows that a developer has added, and OwnIn the accounts that
	// have some. Both are empty before the first.
	Own   string   `dynamodbav:",omitempty"`
	OwnIn []string `dynamodbav:",omitempty"`
}

// Change is one change of an account's rows.
type Change struct {
	Account string
	Kind    ChangeKind
	Day     persona.Day
	// Row is the identity of the changed row. It is 0 for an added row, whose identity
	// follows from the position of the change.
	Row uint64
}

// ChangeKind is what happens to a row.
type ChangeKind string

// The kinds of change.
const (
	RowAdded    ChangeKind = "added"
	RowBooked   ChangeKind = "booked"
	RowVanished ChangeKind = "vanished"
)

// maxChanges keeps the consent's record small.
const maxChanges = 200

// amend applies the changes to a statement. Rows that were booked early come after the
// other rows of that day, so that a later statement still begins with the rows of an
// earlier one. own are the account's rows that a developer has added.
func (l Ledger) amend(
	st persona.Statement, own []persona.Entry, p persona.Persona, b persona.Branch, today persona.Day,
) persona.Statement {
	if len(own)+len(l.Changes) == 0 {
		return st
	}
	st.Booked = slices.Clone(st.Booked) // the customer's other statements share the rows
	changed := slices.Clone(own)
	for place, c := range l.Changes {
		if c.Account != st.Account.Key {
			continue
		}
		if c.Kind == RowAdded {
			if e, ok := p.Extra(b, c.Account, c.Day, place); ok {
				changed = append(changed, e)
			}
			continue
		}
		e, found := take(c.Row, &changed, &st.Pending, &st.Booked, &st.Released)
		if found && c.Kind == RowBooked {
			e.Booked, e.Vanishes = c.Day, 0
			changed = append(changed, e)
		}
	}
	for _, e := range changed {
		if e.Booked <= today {
			st.Booked = append(st.Booked, e)
		} else {
			st.Pending = append(st.Pending, e)
		}
	}
	slices.SortStableFunc(st.Booked, func(a, b persona.Entry) int { return int(a.Booked - b.Booked) })
	slices.SortStableFunc(st.Pending, func(a, b persona.Entry) int { return int(a.Entered - b.Entered) })
	return st
}

// take removes a row from the list that contains it.
func take(row uint64, lists ...*[]persona.Entry) (persona.Entry, bool) {
	for _, list := range lists {
		if i := slices.IndexFunc(*list, func(e persona.Entry) bool { return e.Identity == row }); i >= 0 {
			e := (*list)[i]
			*list = slices.Delete(*list, i, i+1)
			return e, true
		}
	}
	return persona.Entry{}, false
}

// identity returns the number from which the IDs of a row are made.
func (l Ledger) identity(e persona.Entry) uint64 {
	return e.Identity ^ uint64(l.Issue)*0x9e3779b97f4a7c15
}

// Access is the access object of the standard, with the ways in which Aviso asks: a nil list is
// absent; an empty list asks for all accounts that the customer picks.
type Access struct {
	Accounts     []Reference `json:"accounts,omitzero"`
	Balances     []Reference `json:"balances,omitzero"`
	Transactions []Reference `json:"transactions,omitzero"`
	AllPSD2      string      `json:"allPsd2,omitempty"`
}

// Reference names an account.
type Reference struct {
	IBAN      string `json:"iban,omitempty"`
	MaskedPAN string `json:"maskedPan,omitempty"`
	Currency  string `json:"currency,omitempty"`
}

// lists returns the three lists of accounts.
func (a Access) lists() [][]Reference { return [][]Reference{a.Accounts, a.Balances, a.Transactions} }

// listed reports whether the access has lists, of accounts that the customer picks.
func (a Access) listed() bool {
	return slices.ContainsFunc(a.lists(), func(l []Reference) bool { return l != nil })
}

// check requires exactly one of the ways to ask for access. No sandbox bank wants accounts to be named.
func (a Access) check() error {
	switch {
	case slices.ContainsFunc(a.lists(), func(l []Reference) bool { return len(l) > 0 }):
		return formatError("access", "The customer chooses the accounts, so the access must not name any.")
	case a.AllPSD2 != "" && a.AllPSD2 != "allAccounts":
		return formatError("access/allPsd2", "The member must be allAccounts.")
	case a.listed() == (a.AllPSD2 != ""):
		return formatError("access", "The access must use exactly one of the ways to ask for accounts.")
	}
	return nil
}

// grant returns what the access allows on an account.
func (a Access) grant(acc persona.Account) Grant {
	all := a.AllPSD2 != ""
	return Grant{acc.Key, all || a.Balances != nil, all || a.Transactions != nil}
}

// reference returns the name of an account in the interface.
func reference(acc persona.Account) Reference {
	return Reference{IBAN: acc.IBAN, MaskedPAN: acc.MaskedPAN, Currency: acc.Currency}
}
