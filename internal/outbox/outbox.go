// Package outbox starts asynchronous work without losing or inventing any: a
// change and the message it must cause are written in one transaction, and the
// message goes to its queue afterwards, at least once. The table's stream feeds
// the relay; what a stream that failed leaves behind is sent again by
// housekeeping.
package outbox

import (
	"encoding/json"
	"fmt"
	"time"

	"aviso/internal/dynamo"
)

// The logical names of the queues that messages are for.
const (
	// SyncQueue wakes bank-sync for one connection.
	SyncQueue = "sync"
	// LetterQueue wakes letter-dispatch for one cancellation.
	LetterQueue = "letters"
	// DeliveryQueue wakes webhook-delivery for one delivery.
	DeliveryQueue = "deliveries"
)

// ResendAfter is how long a message may lie in the outbox before its stream
// record counts as lost.
const ResendAfter = 2 * time.Minute

// Message is work to be done by whoever reads the queue.
type Message struct {
	// ID is unique. Writing the same one twice sends it once or twice.
	ID string
	// Queue is the logical name of the queue: one of those above, or another that
	// the relay's sender knows.
	Queue string
	// Body becomes the JSON text of the queue message.
	Body any
}

// row is a message waiting to be sent.
type row struct {
	Queue     string `dynamodbav:"queue"`
	Body      string `dynamodbav:"body"`
	CreatedAt string `dynamodbav:"createdAt"`
}

// Put adds m to a transaction. A body that is not JSON fails the commit.
func Put(x *dynamo.Transaction, table dynamo.Table, m Message, now time.Time) {
	body, err := json.Marshal(m.Body)
	if err != nil {
		x.Fail(fmt.Errorf("marshal message for %s: %w", m.Queue, err))
		return
	}
	x.Put(table, dynamo.Key{PK: m.ID}, row{Queue: m.Queue, Body: string(body), CreatedAt: dynamo.Time(now)})
}
