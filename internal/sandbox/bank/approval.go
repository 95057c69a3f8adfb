package bank

import (
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"

	"aviso/internal/sandbox/persona"
)

// Approval notes that a customer approved a consent, for the control page to
// list. Its id is not the consent's: that one opens the accounts and must not
// pass through a browser.
type Approval struct {
	// ID begins with the time, so that ids are in the order of approval.
	ID              string
	Bank, ConsentID string
	Persona         string
	CustomerNumber  string
	// ConnectionID is Aviso's name for what the consent is for, as its return
	// address tells it; empty where that is another's.
	ConnectionID string
	At           time.Time
	Version      int
}

// KeepUntil is when the record may be forgotten.
func (a Approval) KeepUntil() time.Time { return a.At.AddDate(0, 0, 30) }

func (s *server) newApproval(c Consent, a Authorisation) Approval {
	now := s.Now().UTC()
	return Approval{
		ID:   now.Format("20060102T150405.000Z") + "-" + s.NewID(),
		Bank: c.Bank, ConsentID: c.ID, Persona: c.Persona, CustomerNumber: a.CustomerNumber,
		ConnectionID: connectionOf(a.RedirectURI), At: now,
	}
}

// connectionOf reads the connection off the state of a return address, which is
// the connection's id, a dot and a secret. The secret is not kept.
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

// Orders are how a bank is to behave towards one consent, instead of as the
// persona's bank does.
type Orders struct {
	// SCADue: the customer has to authenticate again.
	SCADue bool
	// Trouble is what the bank makes until TroubleEnds; empty is none.
	Trouble     persona.Behaviour
	TroubleEnds time.Time
}

// behaviour is how the bank answers account reads now.
func (o Orders) behaviour(p persona.Persona, now time.Time) persona.Behaviour {
	if o.troubled(now) {
		return o.Trouble
	}
	return p.Behaviour
}

func (o Orders) troubled(now time.Time) bool { return o.Trouble != "" && now.Before(o.TroubleEnds) }
