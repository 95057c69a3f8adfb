package bank

import (
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"

	"aviso/internal/sandbox/persona"
	"aviso/internal/sandbox/sandboxdb"
)

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

func (s *server) newApproval(v *visit, c Consent, a Authorisation) Approval {
	return Approval{
		ID:   s.Now().UTC().Format("20060102T150405.000Z") + "-" + s.NewID(),
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
	id, _, _ := strings.Cut(u.Query().Get("state"), ".")
	if len(id) != 36 || uuid.Validate(id) != nil {
		return ""
	}
	return id
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
