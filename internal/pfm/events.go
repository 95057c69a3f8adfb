package pfm

import (
	"time"

	"aviso/internal/owner"
)

// The types of the events that tell partners of connections.
const (
	EventActivated           = "connection.activated"
	EventFailed              = "connection.failed"
	EventRefreshed           = "connection.refreshed"
	EventActionRequired      = "connection.action_required"
	EventExpiring            = "connection.expiring"
	EventExpired             = "connection.expired"
	EventRevoked             = "connection.revoked"
	EventDeleted             = "connection.deleted"
	EventTransactionsUpdated = "transactions.updated"
)

// Event is what partners are to be told of a change of a connection. It is
// written together with the change.
type Event struct {
	Type string
	At   time.Time
	// Data is marshalled to the JSON object of the type's schema.
	Data any
}

// ConnectionEventData is the data of the events of connections.
type ConnectionEventData struct {
	ConnectionID string           `json:"connectionId"`
	ProviderID   string           `json:"providerId"`
	Status       ConnectionStatus `json:"connectionStatus"`
	Reason       StatusReason     `json:"statusReason"`
	// ConsentExpiresAt is with EventExpiring and EventExpired only.
	ConsentExpiresAt *time.Time `json:"consentExpiresAt,omitempty"`
}

// TransactionsEventData is the data of EventTransactionsUpdated.
type TransactionsEventData struct {
	ConnectionID string `json:"connectionId"`
	Added        int    `json:"added"`
	Modified     int    `json:"modified"`
	// Removed is 0 as long as no sync removes transactions: one that the bank no
	// longer tells becomes Void, or stays.
	Removed int    `json:"removed"`
	Since   string `json:"since"`
}

// ChangesToken makes the token with which a partner asks for the changes of a
// user's transactions after a position.
type ChangesToken func(user owner.User, since ChangePosition) string

// SyncChanges is what syncs of a connection have changed since partners were
// last told; the zero value is nothing.
type SyncChanges struct {
	Since           ChangePosition
	Added, Modified int
}

// tell adds an event that goes out with the next write of c.
func (c *Connection) tell(kind string, at time.Time) {
	d := ConnectionEventData{ConnectionID: c.ID, ProviderID: c.ProviderID, Status: c.Status, Reason: c.Reason}
	if kind == EventExpiring || kind == EventExpired {
		end := c.ConsentExpiresAt.UTC()
		d.ConsentExpiresAt = &end
	}
	c.Events = append(c.Events, Event{Type: kind, At: at, Data: d})
}

// tellStep adds the event of a step that c has just taken; was is c before. A
// connection that goes with its user tells nothing: user.erased does. The
// status in the event of a deletion is the last that partners were shown.
func (c *Connection) tellStep(was Connection, at time.Time) {
	switch c.Status {
	case ConnectionActive:
		c.tell(EventActivated, at)
	case ConnectionFailed:
		c.tell(EventFailed, at)
	case ConnectionActionRequired:
		c.tell(EventActionRequired, at)
	case ConnectionExpired:
		c.tell(EventExpired, at)
	case ConnectionRevoked:
		c.tell(EventRevoked, at)
	case ConnectionDeleting:
		if c.Reason != ReasonUserErased {
			was.tell(EventDeleted, at)
			c.Events = was.Events
		}
	case ConnectionPending: // somebody has just asked for it
	}
}

// tellRefreshed adds the events of a sync that ended well.
func (c *Connection) tellRefreshed(changes SyncChanges, token ChangesToken, at time.Time) {
	c.tell(EventRefreshed, at)
	if changes.Added+changes.Modified > 0 {
		c.Events = append(c.Events, Event{Type: EventTransactionsUpdated, At: at, Data: TransactionsEventData{
			ConnectionID: c.ID, Added: changes.Added, Modified: changes.Modified, Since: token(c.Owner, changes.Since),
		}})
	}
}

// IsRefreshed tells whether the next write of c says that a sync ended well.
func (c Connection) IsRefreshed() bool {
	for _, e := range c.Events {
		if e.Type == EventRefreshed {
			return true
		}
	}
	return false
}
