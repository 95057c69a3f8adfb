// Package outbox starts asynchronous work reliably. One transaction writes a change and its message, and the message
// is then sent to its queue at least once. The table's stream feeds the relay; housekeeping resends messages that a
// failed stream left behind.
package outbox

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"aviso/internal/dynamo"
	"aviso/internal/observe"
	"aviso/internal/owner"
)

// The logical names of the queues.
const (
	// SyncQueue wakes bank-sync for one connection.
	SyncQueue = "sync"
	// LetterQueue wakes letter-dispatch for one cancellation, or for a mail to a partner.
	LetterQueue = "letters"
	// DeliveryQueue wakes webhook-delivery for one delivery.
	DeliveryQueue = "deliveries"
	// ClockQueue wakes the function clock for one user. Production has none.
	ClockQueue = "clocks"
)

// ResendAfter is how long a message may stay in the outbox. After that, its stream record counts as lost.
const ResendAfter = 2 * time.Minute

// Message is work for the reader of a queue.
type Message struct {
	// ID is unique. A message that is written twice is sent once or twice.
	ID string
	// Queue is the logical name of a queue that the relay's sender knows.
	Queue string
	// Body is encoded as the JSON text of the queue message.
	Body any
	// User is the user whom the message is about. It is empty if the message is about nobody.
	User owner.UserID
}

// Box is the table that a store puts its messages into.
type Box struct {
	Table dynamo.Table
	// Holds says that the writer sends messages about users itself, in their order, with SendFor. The stream's relay
	// skips them. If the writer fails for good, housekeeping sends them.
	Holds bool
}

// Row is a message waiting to be sent.
type Row struct {
	dynamo.Key

	Queue     string `dynamodbav:"queue"`
	Body      string `dynamodbav:"body"`
	CreatedAt string `dynamodbav:"createdAt"`
	TraceID   string `dynamodbav:"traceId,omitempty"`
	// Held is the user that SendFor sends the message for. It is empty unless the Box holds messages.
	Held owner.UserID `dynamodbav:"held,omitempty"`
}

// Put adds m to a transaction. Its reader continues the trace of ctx. If the body cannot be encoded, the commit
// fails.
func Put(ctx context.Context, x *dynamo.Transaction, box Box, m Message, now time.Time) {
	body, err := json.Marshal(m.Body)
	if err != nil {
		x.Fail(fmt.Errorf("marshal message for %s: %w", m.Queue, err))
		return
	}
	row := Row{Queue: m.Queue, Body: string(body), CreatedAt: dynamo.Time(now), TraceID: string(observe.TraceFrom(ctx))}
	if box.Holds {
		row.Held = m.User
	}
	x.Put(box.Table, dynamo.Key{PK: m.ID}, row)
}
