package outbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"golang.org/x/sync/errgroup"

	"aviso/internal/dynamo"
	"aviso/internal/observe"
)

// Sender sends messages to queues.
type Sender interface {
	// Batch returns an empty batch.
	Batch() Batch
}

// Batch is the messages of several rows, all of which were committed before the batch began.
type Batch interface {
	// Add adds the message of the row with this number. Rows may be added at the same time.
	Add(ctx context.Context, row int, queue, body string) error
	// Send sends the messages with few calls. It returns the errors by row. After an error
	// the message may or may not be there.
	Send(ctx context.Context) map[int]error
}

// Relay sends the messages in the outbox.
type Relay struct {
	table  dynamo.Table
	sender Sender
	now    func() time.Time
	log    *slog.Logger
}

// NewRelay returns a Relay that sends the named table's messages with sender.
func NewRelay(db *dynamodb.Client, table string, sender Sender, now func() time.Time, log *slog.Logger) *Relay {
	return &Relay{table: dynamo.NewTable(db, table), sender: sender, now: now, log: log}
}

// HandleStream sends the messages of a batch of stream records, then deletes their rows. It reports
// the first record that failed. The stream resumes from there, so those after it are sent again.
func (r *Relay) HandleStream(ctx context.Context, e Stream) (events.DynamoDBEventResponse, error) {
	batch := r.sender.Batch()
	errs := make([]error, len(e.Records))
	var messages []int // numbers of records
	var adding sync.WaitGroup
	for i, record := range e.Records {
		row := record.Change
		if _, held := row.NewImage["held"]; held || !record.isInsert() {
			continue
		}
		messages = append(messages, i)
		adding.Go(func() {
			ctx := observe.ContinueTrace(ctx, row.text(observe.TraceAttribute))
			errs[i] = add(ctx, batch, i, row.text("pk"), row.text("queue"), row.text("body"))
		})
	}
	adding.Wait()
	for i, err := range batch.Send(ctx) {
		errs[i] = errors.Join(errs[i], err)
	}
	messages = slices.DeleteFunc(messages, func(i int) bool { return errs[i] != nil })
	var sent []dynamo.Key
	for _, i := range messages {
		// DynamoDB accepts a key only once.
		if key := (dynamo.Key{PK: e.Records[i].Change.text("pk")}); !slices.Contains(sent, key) {
			sent = append(sent, key)
		}
	}
	if err := r.table.DeleteAll(ctx, sent...); err != nil {
		for _, i := range messages {
			errs[i] = fmt.Errorf("delete outbox messages: %w", err)
		}
	}
	failed := func(err error) bool { return err != nil }
	first := slices.IndexFunc(errs, failed)
	if first < 0 {
		return events.DynamoDBEventResponse{}, nil
	}
	change := e.Records[first].Change
	ctx = observe.ContinueTrace(ctx, change.text(observe.TraceAttribute))
	failures := len(errs) - len(slices.DeleteFunc(slices.Clone(errs), failed))
	r.log.LogAttrs(ctx, slog.LevelError, "outbox message not sent", slog.String("Service", "outbox-relay"),
		slog.String("sequence", change.SequenceNumber), slog.String("error", errs[first].Error()),
		slog.Int("Failures", failures), observe.EMF(r.now(), observe.Failures))
	return events.DynamoDBEventResponse{
		BatchItemFailures: []events.DynamoDBBatchItemFailure{{ItemIdentifier: change.SequenceNumber}},
	}, nil
}

// resendAtOnce is how many messages sendAll sends at once.
const resendAtOnce = 8

// Resend sends messages that were written before the given time and are still there,
// because their stream record was lost or failed for good. It returns how many it
// sent. The scan is cheap, because sent messages are deleted.
func (r *Relay) Resend(ctx context.Context, before time.Time) (int, error) {
	limit := dynamo.Time(before)
	return r.sendAll(ctx, dynamo.Query{Eventual: true}, func(m row) bool { return m.CreatedAt < limit })
}

// SendFor sends the messages that are held for the holder, and those that have its name in
// their bodies, without waiting for the stream.
func (r *Relay) SendFor(ctx context.Context, holder string) error {
	_, err := r.sendAll(ctx, dynamo.Query{Filter: heldFor(holder)}, func(row) bool { return true })
	return err
}

// WaitsFor reports whether a message that SendFor would send is waiting.
func (r *Relay) WaitsFor(ctx context.Context, holder string) (bool, error) {
	for _, err := range r.table.Scan(ctx, dynamo.Query{Attributes: "pk", Filter: heldFor(holder)}) {
		return err == nil, err
	}
	return false, nil
}

func heldFor(holder string) dynamo.Expression {
	return dynamo.Expr("held = ? OR contains(body, ?)", holder, holder)
}

// sendAll sends the messages that a scan finds and that are wanted. It returns how many it sent.
func (r *Relay) sendAll(ctx context.Context, q dynamo.Query, wanted func(row) bool) (int, error) {
	var mu sync.Mutex
	count, failed := 0, error(nil)
	note := func(err error) {
		mu.Lock()
		defer mu.Unlock()
		if failed = errors.Join(failed, err); err == nil {
			count++
		}
	}
	var sending errgroup.Group
	sending.SetLimit(resendAtOnce)
	for m, err := range oldestFirst(dynamo.Convert(r.table.Scan(ctx, q), dynamo.Decode[row])) {
		if err != nil {
			note(err)
			continue
		}
		if err := ctx.Err(); err != nil {
			note(err)
			break
		}
		if wanted(m) {
			sending.Go(func() error {
				note(r.send(observe.ContinueTrace(ctx, m.TraceID), m.PK, m.Queue, m.Body))
				return nil
			})
		}
	}
	_ = sending.Wait() // note has the errors
	return count, failed
}

// sortedAtOnce is how many rows oldestFirst holds. A run sends a few times as many.
const sortedAtOnce = 2000

// oldestFirst sorts the rows of a scan by the time of writing, a part of a large backlog at
// a time. Errors come first.
func oldestFirst(rows iter.Seq2[row, error]) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		var held []row
		flush := func() bool {
			slices.SortFunc(held, func(a, b row) int { return cmp.Compare(a.CreatedAt, b.CreatedAt) })
			for _, row := range held {
				if !yield(row, nil) {
					return false
				}
			}
			held = held[:0]
			return true
		}
		for row, err := range rows {
			if err != nil {
				if !yield(row, err) {
					return
				}
				continue
			}
			if held = append(held, row); len(held) == sortedAtOnce && !flush() {
				return
			}
		}
		flush()
	}
}

// send sends the message to its queue, then deletes it. After a crash between the
// two it is sent twice, so its reader must be idempotent.
func (r *Relay) send(ctx context.Context, id, queue, body string) error {
	batch := r.sender.Batch()
	if err := add(ctx, batch, 0, id, queue, body); err != nil {
		return err
	}
	if err := batch.Send(ctx)[0]; err != nil {
		return fmt.Errorf("send outbox message: %w", err)
	}
	if err := r.table.DeleteAll(ctx, dynamo.Key{PK: id}); err != nil {
		return fmt.Errorf("delete outbox message: %w", err)
	}
	return nil
}

func add(ctx context.Context, batch Batch, row int, id, queue, body string) error {
	if id == "" || queue == "" || body == "" {
		return errors.New("outbox row has no ID, queue or body")
	}
	if err := batch.Add(ctx, row, queue, body); err != nil {
		return fmt.Errorf("send outbox message: %w", err)
	}
	return nil
}

// Waiting counts the unsent messages that were written before the given time.
// Housekeeping sends them every minute, so there are some only while that fails.
func Waiting(ctx context.Context, db *dynamodb.Client, table string, before time.Time) (int, error) {
	waiting := 0
	q := dynamo.Query{Eventual: true, Attributes: "pk", Filter: dynamo.Expr("createdAt < ?", dynamo.Time(before))}
	for _, err := range dynamo.NewTable(db, table).Scan(ctx, q) {
		if err != nil {
			return 0, fmt.Errorf("count messages waiting in the outbox: %w", err)
		}
		waiting++
	}
	return waiting, nil
}
