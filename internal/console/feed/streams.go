package feed

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"

	lambdaevents "github.com/aws/aws-lambda-go/events"

	"aviso/internal/clock"
	"aviso/internal/messaging/outbox"
	"aviso/internal/owner"
)

// HandleStream stores the records of one table's stream. It reports the first record that failed: the stream resumes
// there, and later records are stored again.
func (f *Feed) HandleStream(
	ctx context.Context, e lambdaevents.DynamoDBEvent,
) (res lambdaevents.DynamoDBEventResponse, err error) {
	events, first := map[owner.PartnerID][]Event{}, map[owner.PartnerID]int{}
	for i, r := range e.Records {
		if r.EventName != string(lambdaevents.DynamoDBOperationTypeInsert) || text(r, "queue") != outbox.EventQueue {
			continue
		}
		partner, event, err := eventOf(r)
		if err != nil {
			f.skip(ctx, r.EventSourceArn, r.Change.SequenceNumber)
		}
		if partner == "" {
			continue
		}
		if _, known := first[partner]; !known {
			first[partner] = i
		}
		events[partner] = append(events[partner], event)
	}
	failed := len(e.Records)
	for partner, all := range events { // partners fail independently
		if err := f.store.AddEvents(ctx, partner, all); err != nil {
			f.log.LogAttrs(ctx, slog.LevelError, "console records not stored", slog.String("Service", "console"),
				slog.String("source", "events"), slog.String("partner", string(partner)), slog.String("error", err.Error()))
			failed = min(failed, first[partner])
		}
	}
	if failed < len(e.Records) {
		res.BatchItemFailures = []lambdaevents.DynamoDBBatchItemFailure{{
			ItemIdentifier: e.Records[failed].Change.SequenceNumber,
		}}
	}
	return res, nil
}

// userErased is the type of identity's event for a complete erasure.
const userErased = "user.erased"

var errUnreadable = errors.New("the record is not as expected")

// eventOf reads an event from the outbox. For an erased user it returns no partner, because the event names the user
// and must not be stored.
func eventOf(r lambdaevents.DynamoDBEventRecord) (owner.PartnerID, Event, error) {
	var e outbox.Event
	if json.Unmarshal([]byte(text(r, "body")), &e) != nil || e.ID == "" || e.Partner == "" {
		return "", Event{}, errUnreadable
	}
	if e.Type == userErased && !e.IsSimulated {
		return "", Event{}, nil
	}
	return e.Partner, Event{
		ID: e.ID, Type: e.Type, OccurredAt: e.OccurredAt, User: e.User, TraceID: text(r, "traceId"),
		IsSimulated: e.IsSimulated, Data: string(e.Data),
		SeenAt: clock.Real(r.Change.ApproximateCreationDateTime.UTC()),
	}, nil
}

func text(r lambdaevents.DynamoDBEventRecord, name string) string {
	if v, ok := r.Change.NewImage[name]; ok && v.DataType() == lambdaevents.DataTypeString {
		return v.String()
	}
	return ""
}
