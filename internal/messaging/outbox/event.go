package outbox

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"aviso/internal/clock"
	"aviso/internal/dynamo"
	"aviso/internal/owner"
)

// EventQueue is the name under which the outbox has events.
const EventQueue = "events"

// Event is something that has happened to a partner's user. Partners receive it by webhook. The transaction of the
// change also writes the event, so events and changes never disagree.
type Event struct {
	// ID is a UUID; receivers recognize duplicates by it.
	ID string `json:"eventId"`
	// Type is <object>.<what happened>, such as cancellation.sent.
	Type       string          `json:"eventType"`
	OccurredAt clock.OfUser    `json:"occurredAt"`
	Partner    owner.PartnerID `json:"partner"`
	User       owner.UserID    `json:"userId"`
	// Data is the JSON object of the type's schema.
	Data json.RawMessage `json:"data"`
	// IsSimulated is set if a partner requested the event and nothing happened. It may be for one subscription only.
	IsSimulated    bool   `json:"isSimulated,omitempty"`
	SubscriptionID string `json:"subscriptionId,omitempty"`
	// ExceptSubscriptionID is a subscription that does not get the event.
	ExceptSubscriptionID string `json:"exceptSubscriptionId,omitempty"`
}

// NewEvent returns an event with its data.
func NewEvent(id, kind string, at clock.OfUser, user owner.User, data any) (Event, error) {
	raw, err := json.Marshal(data)
	if err != nil {
		return Event{}, fmt.Errorf("marshal data of %s: %w", kind, err)
	}
	return Event{ID: id, Type: kind, OccurredAt: at, Partner: user.Partner, User: user.ID, Data: raw}, nil
}

// PutEvent adds e to a transaction, as a message to send after the commit.
func PutEvent(ctx context.Context, x *dynamo.Transaction, box Box, e Event, now time.Time) {
	Put(ctx, x, box, Message{ID: e.ID, Queue: EventQueue, Body: e, User: e.User}, now)
}
