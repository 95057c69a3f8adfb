package outbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"aviso/internal/dynamo"
	"aviso/internal/observe"
	"aviso/internal/owner"
)

// Send sends the messages of committed rows. It returns an error or nil for each. After an error, the message may
// still have been sent.
type Send func(ctx context.Context, rows []Row) []error

// Relay sends the messages in the outbox.
type Relay struct {
	table dynamo.Table
	send  Send
	now   func() time.Time
	log   *slog.Logger
}

// NewRelay returns a Relay that sends the named table's messages with send.
func NewRelay(db *dynamodb.Client, table string, send Send, now func() time.Time, log *slog.Logger) *Relay {
	return &Relay{table: dynamo.NewTable(db, table), send: send, now: now, log: log}
}

// HandleStream sends the messages of a batch of stream records, then deletes their rows. It reports the first failed
// record. The stream resumes there, so later records are sent again.
func (r *Relay) HandleStream(ctx context.Context, e Stream) (events.DynamoDBEventResponse, error) {
	var rows []Row
	var numbers []string
	for _, record := range e.Records {
		if row, ok := record.row(); ok {
			rows, numbers = append(rows, row), append(numbers, record.Change.SequenceNumber)
		}
	}
	errs := r.relay(ctx, rows)
	failed := func(err error) bool { return err != nil }
	first := slices.IndexFunc(errs, failed)
	if first < 0 {
		return events.DynamoDBEventResponse{}, nil
	}
	failures := len(errs) - len(slices.DeleteFunc(slices.Clone(errs), failed))
	r.log.LogAttrs(observe.ContinueTrace(ctx, rows[first].TraceID), slog.LevelError, "outbox message not sent",
		slog.String("Service", "outbox-relay"), slog.String("sequence", numbers[first]),
		slog.String("error", errs[first].Error()), slog.Int("Failures", failures), observe.EMF(r.now(), observe.Failures))
	return events.DynamoDBEventResponse{
		BatchItemFailures: []events.DynamoDBBatchItemFailure{{ItemIdentifier: numbers[first]}},
	}, nil
}

// relay sends messages, then deletes their rows. It returns an error or nil for each message. After a crash in
// between, a message is sent twice, so its reader must be idempotent.
func (r *Relay) relay(ctx context.Context, rows []Row) []error {
	errs := r.send(ctx, rows)
	var sent []dynamo.Key
	for i, row := range rows {
		if errs[i] != nil {
			errs[i] = fmt.Errorf("send outbox message: %w", errs[i])
		} else if !slices.Contains(sent, row.Key) { // DynamoDB accepts a key only once
			sent = append(sent, row.Key)
		}
	}
	if err := r.table.DeleteAll(ctx, sent...); err != nil {
		for i := range errs {
			errs[i] = cmp.Or(errs[i], fmt.Errorf("delete outbox messages: %w", err))
		}
	}
	return errs
}

// Resend sends old messages again: those written before the given time, whose stream record was lost or failed for
// good. It returns the number of sent messages. The scan is cheap, because sent messages are deleted.
func (r *Relay) Resend(ctx context.Context, before time.Time) (int, error) {
	return r.sendAll(ctx, dynamo.Query{Eventual: true, Filter: writtenBefore(before)})
}

// SendFor sends the messages that are held for the user, and those with the user's ID in their bodies, without waiting
// for the stream.
func (r *Relay) SendFor(ctx context.Context, user owner.UserID) error {
	_, err := r.sendAll(ctx, dynamo.Query{Filter: heldFor(user)})
	return err
}

// WaitsFor reports whether a message that SendFor would send is waiting.
func (r *Relay) WaitsFor(ctx context.Context, user owner.UserID) (bool, error) {
	for _, err := range r.table.Scan(ctx, dynamo.Query{Attributes: "pk", Filter: heldFor(user)}) {
		return err == nil, err
	}
	return false, nil
}

func heldFor(user owner.UserID) dynamo.Expression {
	return dynamo.Expr("held = ? OR contains(body, ?)", string(user), string(user))
}

// writtenBefore also matches malformed rows without a time.
func writtenBefore(t time.Time) dynamo.Expression {
	return dynamo.Expr("NOT createdAt >= ?", dynamo.Time(t))
}

const (
	// sortedAtOnce is how many rows sendAll sorts together. A run sends a few times as many.
	sortedAtOnce = 2000
	// resendAtOnce is how many messages sendAll sends at once.
	resendAtOnce = 10
)

// sendAll sends the messages that a scan finds, and returns how many it sent. It handles a large backlog in parts,
// and sends the oldest messages of a part first.
func (r *Relay) sendAll(ctx context.Context, q dynamo.Query) (sent int, failed error) {
	var held []Row
	flush := func() {
		slices.SortFunc(held, func(a, b Row) int { return cmp.Compare(a.CreatedAt, b.CreatedAt) })
		for rows := range slices.Chunk(held, resendAtOnce) {
			if ctx.Err() != nil {
				return
			}
			for _, err := range r.relay(ctx, rows) {
				if failed = errors.Join(failed, err); err == nil {
					sent++
				}
			}
		}
		held = held[:0]
	}
	for row, err := range dynamo.Convert(r.table.Scan(ctx, q), dynamo.Decode[Row]) {
		if err != nil {
			failed = errors.Join(failed, err)
		} else if held = append(held, row); len(held) == sortedAtOnce {
			flush()
		}
	}
	flush()
	return sent, errors.Join(failed, ctx.Err())
}

// Waiting counts the unsent messages written before the given time. Housekeeping sends them every minute, so normally
// there are none.
func Waiting(ctx context.Context, db *dynamodb.Client, table string, before time.Time) (int, error) {
	waiting := 0
	q := dynamo.Query{Eventual: true, Attributes: "pk", Filter: writtenBefore(before)}
	for _, err := range dynamo.NewTable(db, table).Scan(ctx, q) {
		if err != nil {
			return 0, fmt.Errorf("count messages waiting in the outbox: %w", err)
		}
		waiting++
	}
	return waiting, nil
}
