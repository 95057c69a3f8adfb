package aggregator

import (
	"time"

	"aviso/internal/sandbox/persona"
	"aviso/internal/sandbox/sandboxdb"
)

const (
	// attemptLife is how long a user may take to decide.
	attemptLife = 30 * time.Minute
	// keepEnded is how long a session is known after its end.
	keepEnded = 30 * 24 * time.Hour
	// keepApplication is how long an application is known without being registered again.
	keepApplication = 365 * 24 * time.Hour
)

// Application is a client of the API.
type Application struct {
	ID string
	// PublicKey is in PKIX, DER.
	PublicKey    []byte
	RedirectURLs []string
	Registered   time.Time
}

// Key returns the key of the record.
func (a Application) Key() sandboxdb.Key {
	return sandboxdb.Key{PK: "AGGREGATOR#APPLICATION#" + a.ID, SK: "APPLICATION"}
}

// KeepUntil returns when the record expires.
func (a Application) KeepUntil() time.Time { return a.Registered.Add(keepApplication) }

// attempt is an authorisation that a user decides on.
type attempt struct {
	ID, Application    string
	Name, Country      string
	State, RedirectURL string
	ValidUntil         time.Time
	Started            time.Time
	// Code is what the user brings back; empty until the user has agreed. Session is set
	// once the code is used.
	Code, Persona, Session string
	Decided                bool
	Version                int
}

// Key returns the key of the record.
func (a attempt) Key() sandboxdb.Key {
	return sandboxdb.Key{PK: "AGGREGATOR#ATTEMPT#" + a.ID, SK: "ATTEMPT"}
}

// Next implements sandboxdb.Versioned.
func (a attempt) Next() (sandboxdb.Record, int) { a.Version++; return a, a.Version - 1 }

// KeepUntil returns when the record expires.
func (a attempt) KeepUntil() time.Time { return a.Started.Add(attemptLife) }

// session is what gives access to accounts.
type session struct {
	ID, Application string
	Name, Country   string
	Persona         string
	Status          string
	ValidUntil      time.Time
	Created, Closed time.Time
	Version         int
}

// Key returns the key of the record.
func (s session) Key() sandboxdb.Key {
	return sandboxdb.Key{PK: "AGGREGATOR#SESSION#" + s.ID, SK: "SESSION"}
}

// Next implements sandboxdb.Versioned.
func (s session) Next() (sandboxdb.Record, int) { s.Version++; return s, s.Version - 1 }

// KeepUntil returns when the record expires.
func (s session) KeepUntil() time.Time { return s.ValidUntil.Add(keepEnded) }

// lookup finds the session of an account, because data calls do not name the session.
type lookup struct {
	// UID identifies the account in the session only.
	UID              string `dynamodbav:"-"`
	Session, Account string
	Until            time.Time
}

// Key returns the key of the record.
func (l lookup) Key() sandboxdb.Key {
	return sandboxdb.Key{PK: "AGGREGATOR#ACCOUNT#" + l.UID, SK: "ACCOUNT"}
}

// KeepUntil returns when the record expires.
func (l lookup) KeepUntil() time.Time { return l.Until }

func callKey(uid, call string, day persona.Day) sandboxdb.Key {
	return sandboxdb.Key{PK: lookup{UID: uid}.Key().PK, SK: "CALLS#" + day.String() + "#" + call}
}
