package outbox

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"aviso/internal/dynamo"
)

// Sender puts a message on a queue. An error means that it may not be there.
type Sender interface {
	Send(ctx context.Context, queue, body string) error
}

// Relay sends what commits left in the outbox.
type Relay struct {
	table  dynamo.Table
	sender Sender
	log    *slog.Logger
}

// NewRelay sends the named table's messages by sender.
func NewRelay(db *dynamodb.Client, table string, sender Sender, log *slog.Logger) *Relay {
	return &Relay{table: dynamo.NewTable(db, table), sender: sender, log: log}
}

// HandleStream sends the messages of a batch of stream records. It stops at the
// first that fails, and reports it, so that the stream goes on from there.
func (r *Relay) HandleStream(ctx context.Context, e events.DynamoDBEvent) (events.DynamoDBEventResponse, error) {
	for _, record := range e.Records {
		if record.EventName != string(events.DynamoDBOperationTypeInsert) {
			continue
		}
		image := record.Change.NewImage
		err := r.send(ctx, text(image, "pk"), text(image, "queue"), text(image, "body"))
		if err != nil {
			r.log.ErrorContext(ctx, "outbox message not sent", "sequence", record.Change.SequenceNumber, "error", err.Error())
			return events.DynamoDBEventResponse{BatchItemFailures: []events.DynamoDBBatchItemFailure{{ItemIdentifier: record.Change.SequenceNumber}}}, nil
		}
	}
	return events.DynamoDBEventResponse{}, nil
}

// Resend sends messages written before the given time that are still there: their
// stream record was lost, or gave up. It returns how many it sent. The scan is
// cheap, because sent messages are deleted.
func (r *Relay) Resend(ctx context.Context, before time.Time) (int, error) {
	sent, failed := 0, error(nil)
	for item, err := range r.table.Scan(ctx, dynamo.Query{Eventual: true}) {
		if err != nil {
			return sent, errors.Join(failed, err)
		}
		m, err := dynamo.Decode[row](item)
		if err == nil && m.CreatedAt >= dynamo.Time(before) {
			continue
		}
		if err == nil {
			err = r.send(ctx, item.Text("pk"), m.Queue, m.Body)
		}
		if err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		sent++
	}
	return sent, failed
}

// send puts the message on its queue, then deletes it. A crash between the two
// sends it twice; its reader must not mind.
func (r *Relay) send(ctx context.Context, id, queue, body string) error {
	if id == "" || queue == "" || body == "" {
		return errors.New("outbox row lacks its id, queue or body")
	}
	if err := r.sender.Send(ctx, queue, body); err != nil {
		return fmt.Errorf("send outbox message: %w", err)
	}
	if err := r.table.Delete(ctx, dynamo.Key{PK: id}); err != nil {
		return fmt.Errorf("delete outbox message: %w", err)
	}
	return nil
}

// text is a string attribute of a stream image, or empty.
func text(image map[string]events.DynamoDBAttributeValue, name string) string {
	if v, ok := image[name]; ok && v.DataType() == events.DataTypeString {
		return v.String()
	}
	return ""
}

// Waiting counts the messages written before the given time that were not sent.
// Housekeeping sends those again every minute, so some are left only while that
// fails.
func Waiting(ctx context.Context, db *dynamodb.Client, table string, before time.Time) (int, error) {
	waiting := 0
	q := dynamo.Query{Eventual: true, Attributes: "pk", Filter: dynamo.Expr("createdAt < ?", dynamo.Time(before))}
	for _, err := range dynamo.NewTable(db, table).Scan(ctx, q) {
		if err != nil {
			return 0, fmt.Errorf("count what waits in the outbox: %w", err)
		}
		waiting++
	}
	return waiting, nil
}
