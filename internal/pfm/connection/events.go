package connection

import (
	"slices"
	"time"

	"aviso/internal/dynamo/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/transaction"
)

// The types of the events about connections.
const (
	EventActivated           = "connection.activated"
	EventFailed              = "connection.failed"
	EventRefreshed           = "connection.refreshed"
	EventActionRequired      = "connection.action_required"
	EventExpiring            = "connection.expiring"
	EventExpired             = "connection.expired"
	EventRevoked             = "connection.revoked"
	EventDeleted             = "connection.deleted"
	EventSyncFailed          = "connection.sync_failed"
	EventSyncRecovered       = "connection.sync_recovered"
	EventTransactionsUpdated = "transactions.updated"
)

// EventData is the data of all events except EventTransactionsUpdated.
type EventData struct {
	ConnectionID string       `json:"connectionId"`
	ProviderID   string       `json:"providerId"`
	Status       Status       `json:"connectionStatus"`
	Reason       StatusReason `json:"statusReason"`
	// ConsentExpiresAt is set for EventExpiring and EventExpired only.
	ConsentExpiresAt *time.Time `json:"consentExpiresAt,omitempty"`
}

// TransactionsEventData is the data of EventTransactionsUpdated.
type TransactionsEventData struct {
	ConnectionID string `json:"connectionId"`
	Added        int    `json:"added"`
	Modified     int    `json:"modified"`
	// Removed is always 0, because no sync removes transactions: one that the bank no
	// longer lists becomes Void, or stays.
	Removed int    `json:"removed"`
	Since   string `json:"since"`
}

// ChangesToken returns the token with which a partner requests the changes to a user's
// transactions after a position.
type ChangesToken func(user owner.User, since transaction.ChangePosition) string

// SyncChanges counts the changes by syncs of a connection since partners were last
// notified.
type SyncChanges struct {
	Since           transaction.ChangePosition
	Added, Modified int
}

// addEvent adds an event, which the next write of c stores.
func (c *Connection) addEvent(kind string, at time.Time) {
	d := EventData{ConnectionID: c.ID, ProviderID: c.ProviderID, Status: c.Status, Reason: c.Reason}
	if kind == EventExpiring || kind == EventExpired {
		end := c.ConsentExpiresAt.UTC()
		d.ConsentExpiresAt = &end
	}
	c.Events = append(c.Events, pfm.Event{Type: kind, At: at, Data: d})
}

// addStatusEvent adds the event for c's new status; old is c before the change. A
// connection that is deleted with its user has no event of its own, because
// user.erased covers it. The event of a deletion has the last status that partners saw.
func (c *Connection) addStatusEvent(old Connection, at time.Time) {
	switch c.Status {
	case Deleting:
		if c.Reason != ReasonUserErased {
			old.addEvent(EventDeleted, at)
			c.Events = old.Events
		}
	case Pending: // no event: the partner has just asked for this
	default:
		c.addEvent(map[Status]string{
			Active: EventActivated, Failed: EventFailed, ActionRequired: EventActionRequired, Expired: EventExpired,
			Revoked: EventRevoked,
		}[c.Status], at)
	}
}

// setSyncFailing records whether syncs of an Active connection fail. It adds an event if
// that has changed, so partners hear once of syncs that keep failing. The event for
// another status covers both.
func (c *Connection) setSyncFailing(failing bool, at time.Time) {
	if failing == c.SyncFailing || !c.IsActive() {
		return
	}
	c.SyncFailing = failing
	kind := EventSyncRecovered
	if failing {
		kind = EventSyncFailed
	}
	c.addEvent(kind, at)
}

// addTransactionsEvent adds the event of the changes by syncs, if there are any.
func (c *Connection) addTransactionsEvent(changes SyncChanges, token ChangesToken, at time.Time) {
	if changes.Added+changes.Modified > 0 {
		c.Events = append(c.Events, pfm.Event{Type: EventTransactionsUpdated, At: at, Data: TransactionsEventData{
			ConnectionID: c.ID, Added: changes.Added, Modified: changes.Modified, Since: token(c.Owner, changes.Since),
		}})
	}
}

// IsRefreshed reports whether the next write of c stores an EventRefreshed.
func (c Connection) IsRefreshed() bool {
	return slices.ContainsFunc(c.Events, func(e pfm.Event) bool { return e.Type == EventRefreshed })
}
