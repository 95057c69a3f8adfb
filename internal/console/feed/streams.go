package feed

import (
	"context"
	"encoding/json"
	"errors"

	lambdaevents "github.com/aws/aws-lambda-go/events"

	"aviso/internal/clock"
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
	events := batch{}
	for i, r := range e.Records {
		if r.EventName != string(lambdaevents.DynamoDBOperationTypeInsert) {
			continue
		}
		if text(r, "queue") == outbox.EventQueue && !events.add(i, r) {
			f.skip(ctx, r.EventSourceArn, r.Change.SequenceNumber)
		}
	}
	first := f.addEvents(ctx, events, len(e.Records))
	if first == len(e.Records) {
		return lambdaevents.DynamoDBEventResponse{}, nil
	}
	return lambdaevents.DynamoDBEventResponse{
		BatchItemFailures: []failure{{ItemIdentifier: e.Records[first].Change.SequenceNumber}},
	}, nil
}

// part is what a batch has of one partner, and where its first record is.
type part struct {
	first  int
	events []Event
}

type batch map[owner.PartnerID]*part

// add adds the record at index i, if it has a partner, and reports whether it could be read.
func (b batch) add(i int, r record) bool {
	partner, e, err := eventOf(r)
	if err != nil || partner == "" {
		return err == nil
	}
	if b[partner] == nil {
		b[partner] = &part{first: i}
	}
	b[partner].events = append(b[partner].events, e)
	return true
}

// addEvents stores a batch partner by partner, so that one's failure is not another's. It returns
// the index of the first record that was not stored, or end.
func (f *Feed) addEvents(ctx context.Context, b batch, end int) int {
	for partner, p := range b {
		if err := f.store.AddEvents(ctx, partner, p.events); err != nil {
			f.failed(ctx, "events", partner, err)
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

func seen(r record) clock.Real { return clock.Real(r.Change.ApproximateCreationDateTime.UTC()) }

func text(r record, name string) string {
	if v, ok := r.Change.NewImage[name]; ok && v.DataType() == lambdaevents.DataTypeString {
		return v.String()
	}
	return ""
}
