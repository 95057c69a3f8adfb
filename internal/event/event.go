// Package event is what partners are told by webhook: written to the outbox in
// the transaction that changes something, so that no event is lost and none is
// invented. What becomes of events is for the notification area.
package event

import (
	"encoding/json"
	"fmt"
	"time"

	"aviso/internal/dynamo"
	"aviso/internal/outbox"
	"aviso/internal/owner"
)

// Queue is the outbox's name for where events go.
const Queue = "events"

// Event is something that has happened to a partner's user.
type Event struct {
	// ID is a UUID; receivers tell repetitions by it.
	ID string `json:"eventId"`
	// Type is <object>.<what happened>: cancellation.sent.
	Type       string          `json:"eventType"`
	OccurredAt time.Time       `json:"occurredAt"`
	Partner    owner.PartnerID `json:"partner"`
	User       owner.UserID    `json:"userId"`
	// Data is the JSON object of the type's schema.
	Data json.RawMessage `json:"data"`
	// IsSimulated: a partner has asked for it, nothing has happened. It may then
	// be for one subscription only.
	IsSimulated    bool   `json:"isSimulated,omitempty"`
	SubscriptionID string `json:"subscriptionId,omitempty"`
}

// New is an event with its data.
func New(id, kind string, at time.Time, user owner.User, data any) (Event, error) {
	raw, err := json.Marshal(data)
	if err != nil {
		return Event{}, fmt.Errorf("marshal data of %s: %w", kind, err)
	}
	return Event{ID: id, Type: kind, OccurredAt: at, Partner: user.Partner, User: user.ID, Data: raw}, nil
}

// Put adds e to a transaction, as a message to be sent when it is committed.
func Put(x *dynamo.Transaction, outboxTable dynamo.Table, e Event, now time.Time) {
	outbox.Put(x, outboxTable, outbox.Message{ID: e.ID, Queue: Queue, Body: e}, now)
}
