package feed

import (
	"time"

	"aviso/internal/clock"
	"aviso/internal/dynamo"
	"aviso/internal/owner"
)

// Request is a call of a partner from the log, without body and query.
type Request struct {
	// ID is the ID of the log event, and Source its log stream.
	ID        string     `dynamodbav:"id" json:"-"`
	Source    string     `dynamodbav:"-" json:"-"`
	At        clock.Real `dynamodbav:"at" json:"-"`
	TraceID   string     `dynamodbav:"traceId" json:"traceId"`
	RequestID string     `dynamodbav:"requestId" json:"requestId"`
	Service   string     `dynamodbav:"service" json:"Service"`
	Route     string     `dynamodbav:"route" json:"Route"`
	// Operation is the operationId in the API's document. Problem is the code of the response's problem.
	Operation string `dynamodbav:"operation,omitempty" json:"operation"`
	Problem   string `dynamodbav:"problem,omitempty" json:"problem"`
	Status    int    `dynamodbav:"status" json:"status"`
	Micros    int64  `dynamodbav:"micros" json:"-"`
	// UserDigest is owner.User.Digest of the acting user; empty if there is none.
	UserDigest string `dynamodbav:"userDigest,omitempty" json:"userDigest"`
	// Faults are fields of a product's template, each with what is wrong.
	Faults []string `dynamodbav:"faults,omitempty" json:"faults"`
	// Replayed says that the response was stored under the Idempotency-Key.
	Replayed bool `dynamodbav:"replayed,omitempty" json:"replayed"`
}

// Position is the position after this request in a list of requests.
func (r Request) Position() string { return dynamo.Time(r.At.Time()) + "#" + r.ID }

// Took is how long the answer took.
func (r Request) Took() time.Duration { return time.Duration(r.Micros) * time.Microsecond }

// Failed reports whether the answer was an error.
func (r Request) Failed() bool { return r.Status >= 400 }

// Lines are the lines of one partner in one delivery. A repeated delivery has the same lines.
type Lines struct {
	// ID and At belong to the first line. Source is the log stream.
	ID, Source string
	At         clock.Real
	Requests   []Request
	// Callbacks has counts by outcome.
	Callbacks map[string]int
}

// Event is an event for partners.
type Event struct {
	ID         string       `dynamodbav:"id"`
	Type       string       `dynamodbav:"type"`
	OccurredAt clock.OfUser `dynamodbav:"occurredAt"`
	SeenAt     clock.Real   `dynamodbav:"seenAt"`
	// User is empty for events without a user.
	User        owner.UserID `dynamodbav:"user,omitempty"`
	TraceID     string       `dynamodbav:"traceId,omitempty"`
	IsSimulated bool         `dynamodbav:"simulated,omitempty"`
	// Data is the JSON object that subscriptions get.
	Data string `dynamodbav:"data"`
}

// Position is the position after this event in a list of events.
func (e Event) Position() string { return e.positionAt(e.SeenAt.Time()) }

// OwnPosition is the position after this event in its user's list, which is in the user's time.
func (e Event) OwnPosition() string { return e.positionAt(e.OccurredAt.Time()) }

func (e Event) positionAt(t time.Time) string {
	return dynamo.Time(t.Truncate(time.Millisecond)) + "#" + e.ID
}

// Trace is everything with one trace ID.
type Trace struct {
	Requests []Request
	Events   []Event
}
