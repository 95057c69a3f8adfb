package feed

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	lambdaevents "github.com/aws/aws-lambda-go/events"

	"aviso/internal/dynamo/owner"
	"aviso/internal/messaging/outbox"
)

type (
	stream  = lambdaevents.DynamoDBEvent
	record  = lambdaevents.DynamoDBEventRecord
	failure = lambdaevents.DynamoDBBatchItemFailure
)

// HandleStream takes the records of one table's stream. It reports the first that could not
// be stored: the stream resumes there, and what was stored after it is stored again.
func (f *Feed) HandleStream(ctx context.Context, e stream) (lambdaevents.DynamoDBEventResponse, error) {
	events, attempts := batch[Event]{}, batch[Attempt]{}
	for i, r := range e.Records {
		if r.EventName != string(lambdaevents.DynamoDBOperationTypeInsert) {
			continue
		}
		var known bool
		switch {
		case text(r, "queue") == outbox.EventQueue:
			known = events.add(i, r, eventOf)
		case strings.HasPrefix(text(r, "sk"), attemptPrefix):
			known = attempts.add(i, r, attemptOf)
		default: // another row of the table
			known = true
		}
		if !known {
			f.skip(ctx, r.EventSourceArn, r.Change.SequenceNumber)
		}
	}
	first := min(
		store(ctx, f, "events", events, len(e.Records), f.store.AddEvents),
		store(ctx, f, "attempts", attempts, len(e.Records), f.store.AddAttempts))
	if first == len(e.Records) {
		return lambdaevents.DynamoDBEventResponse{}, nil
	}
	return lambdaevents.DynamoDBEventResponse{
		BatchItemFailures: []failure{{ItemIdentifier: e.Records[first].Change.SequenceNumber}},
	}, nil
}

// part is what a batch has of one partner, and where its first record is.
type part[T any] struct {
	first   int
	records []T
}

type batch[T any] map[owner.PartnerID]*part[T]

// add adds the record at index i, if it has a partner, and reports whether it could be read.
func (b batch[T]) add(i int, r record, read func(record) (owner.PartnerID, T, error)) bool {
	partner, one, err := read(r)
	if err != nil || partner == "" {
		return err == nil
	}
	if b[partner] == nil {
		b[partner] = &part[T]{first: i}
	}
	b[partner].records = append(b[partner].records, one)
	return true
}

// store stores a batch partner by partner, so that one's failure is not another's. It returns
// the index of the first record that was not stored, or end.
func store[T any](
	ctx context.Context, f *Feed, source string, b batch[T], end int,
	add func(context.Context, owner.PartnerID, []T) error,
) int {
	for partner, p := range b {
		if err := add(ctx, partner, p.records); err != nil {
			f.failed(ctx, source, partner, err)
			end = min(end, p.first)
		}
	}
	return end
}

// userErased is the type of the event that identity sends when an erasure is complete.
const userErased = "user.erased"

var errUnreadable = errors.New("the record is not as expected")

// eventOf reads an event from the outbox. The event that says that a user was erased has no
// partner here: it names the user, of whom nothing may stay.
func eventOf(r record) (owner.PartnerID, Event, error) {
	var e outbox.Event
	if json.Unmarshal([]byte(text(r, "body")), &e) != nil || e.ID == "" || e.Partner == "" {
		return "", Event{}, errUnreadable
	}
	if e.Type == userErased && !e.IsSimulated {
		return "", Event{}, nil
	}
	return e.Partner, Event{
		ID: e.ID, Type: e.Type, OccurredAt: e.OccurredAt, SeenAt: seen(r), User: e.User, TraceID: text(r, "traceId"),
		IsSimulated: e.IsSimulated, Data: e.Data,
	}, nil
}

// The keys of attempts in NotificationTable; docs/data-model.md has them.
const (
	attemptPrefix      = "A#"
	partnerPrefix      = "P#"
	subscriptionMarker = "#SUBSCRIPTION#"
)

func attemptOf(r record) (owner.PartnerID, Attempt, error) {
	// A partner's ID may be any text, a subscription's is a UUID.
	pk, _ := strings.CutPrefix(text(r, "pk"), partnerPrefix)
	at := strings.LastIndex(pk, subscriptionMarker)
	eventID := text(r, "eventId")
	if at <= 0 || eventID == "" {
		return "", Attempt{}, errUnreadable
	}
	subscription, _, _ := strings.Cut(pk[at+len(subscriptionMarker):], "#")
	return owner.PartnerID(pk[:at]), Attempt{
		ID: text(r, "id"), EventID: eventID, EventType: text(r, "eventType"), SubscriptionID: subscription,
		Number: int(number(r, "number")), Outcome: text(r, "outcome"), HTTPStatus: int(number(r, "httpStatus")),
		Detail: text(r, "detail"), Duration: time.Duration(number(r, "durationMs")) * time.Millisecond,
		StartedAt: millis(number(r, "startedAt")), NextAttemptAt: millis(number(r, "nextAttemptAt")), SeenAt: seen(r),
	}, nil
}

func seen(r record) time.Time { return r.Change.ApproximateCreationDateTime.UTC() }

func text(r record, name string) string {
	if v, ok := r.Change.NewImage[name]; ok && v.DataType() == lambdaevents.DataTypeString {
		return v.String()
	}
	return ""
}

// number returns a whole number, or 0.
func number(r record, name string) int64 {
	v, ok := r.Change.NewImage[name]
	if !ok || v.DataType() != lambdaevents.DataTypeNumber {
		return 0
	}
	n, err := v.Integer()
	if err != nil {
		return 0
	}
	return n
}

func millis(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
