package feed

import (
	"encoding/json"
	"time"

	"aviso/internal/clock"
	"aviso/internal/dynamo/owner"
)

// Request is a call of a partner, as the log has it: without body, query and user.
type Request struct {
	// ID is the ID of the log event, and Source the stream that has it.
	ID, Source string
	At         time.Time
	TraceID    string
	RequestID  string
	Service    string
	Route      string
	// Operation is its name in the API's document, Problem the code of the problem in the answer.
	Operation, Problem string
	Status             int
	Duration           time.Duration
	// Replayed says that the answer is an earlier one, stored under the Idempotency-Key.
	Replayed bool
}

// Failed reports whether the answer was an error.
func (r Request) Failed() bool { return r.Status >= 400 }

// Lines are those of one partner that came together. If they come again, it is as they were.
type Lines struct {
	// ID and At are those of the first line, Source is the stream that has them.
	ID, Source string
	At         time.Time
	Requests   []Request
	// Callbacks are counted by outcome.
	Callbacks map[string]int
}

// Event is an event for partners.
type Event struct {
	ID         string
	Type       string
	OccurredAt clock.OfUser
	SeenAt     clock.Real
	// User is empty for events that concern nobody.
	User        owner.UserID
	TraceID     string
	IsSimulated bool
	// Data is the JSON object that subscriptions get.
	Data json.RawMessage
}

// Position is where a list of events goes on after this one.
func (e Event) Position() string {
	return e.SeenAt.Time().UTC().Truncate(time.Millisecond).Format("2006-01-02T15:04:05.000000000Z") + "#" + e.ID
}

// OwnPosition is where the list of its user's events goes on after this one: by the user's time.
func (e Event) OwnPosition() string {
	return e.OccurredAt.Time().UTC().Truncate(time.Millisecond).Format("2006-01-02T15:04:05.000000000Z") + "#" + e.ID
}

// Attempt is a callback of an event and its outcome.
type Attempt struct {
	ID, EventID, EventType, SubscriptionID string
	Number                                 int
	Outcome                                string
	// HTTPStatus is 0 if there was no response, NextAttemptAt zero after the last attempt.
	HTTPStatus               int
	Detail                   string
	Duration                 time.Duration
	StartedAt, NextAttemptAt time.Time
}

// Trace is what has one trace ID.
type Trace struct {
	Requests []Request
	Events   []Event
}
