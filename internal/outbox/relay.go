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
	"aviso/internal/metric"
	"aviso/internal/together"
	"aviso/internal/trace"
)

// Sender sends a message to a queue. After an error the message may not be there.
type Sender interface {
	Send(ctx context.Context, queue, body string) error
}

// BatchSender is a Sender that may share work among the messages of a batch, all of which
// were committed before Batch is called.
type BatchSender interface {
	Sender
	// Batch returns the sender for one batch.
	Batch() Sender
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

// sent are messages to be deleted.
type sent = together.Group[dynamo.Key]

func (r *Relay) newSent() *sent { return &sent{Most: dynamo.MaxBatch, Do: r.remove} }

// remove deletes messages with one call, which accepts a key only once.
func (r *Relay) remove(ctx context.Context, keys []dynamo.Key) []error {
	different := slices.Clone(keys)
	slices.SortFunc(different, func(a, b dynamo.Key) int { return cmp.Compare(a.PK, b.PK) })
	return slices.Repeat([]error{r.table.DeleteAll(ctx, slices.Compact(different)...)}, len(keys))
}

// streamAtOnce is how many records of a batch are handled side by side: more than a batch has, so
// that nobody's messages wait for those of somebody else.
const streamAtOnce = 100

// HandleStream sends the messages of a batch of stream records, side by side. It reports the first
// one that failed. The stream resumes from there, so those after it are sent again.
func (r *Relay) HandleStream(ctx context.Context, e Stream) (events.DynamoDBEventResponse, error) {
	sender := r.sender
	if s, ok := sender.(BatchSender); ok {
		sender = s.Batch()
	}
	done := r.newSent()
	errs := make([]error, len(e.Records))
	var sending errgroup.Group
	sending.SetLimit(streamAtOnce)
	for i, record := range e.Records {
		row := record.Change
		if _, held := row.NewImage["held"]; held || !record.isInsert() {
			continue
		}
		sending.Go(func() error {
			ctx := trace.Continue(ctx, row.text(trace.Attribute))
			errs[i] = r.send(ctx, done, sender, row.text("pk"), row.text("queue"), row.text("body"))
			return nil
		})
	}
	_ = sending.Wait() // errs has the errors
	failed := func(err error) bool { return err != nil }
	first := slices.IndexFunc(errs, failed)
	if first < 0 {
		return events.DynamoDBEventResponse{}, nil
	}
	change := e.Records[first].Change
	ctx = trace.Continue(ctx, change.text(trace.Attribute))
	failures := len(errs) - len(slices.DeleteFunc(slices.Clone(errs), failed))
	r.log.LogAttrs(ctx, slog.LevelError, "outbox message not sent", slog.String("Service", "outbox-relay"),
		slog.String("sequence", change.SequenceNumber), slog.String("error", errs[first].Error()),
		slog.Int("Failures", failures), metric.EMF(r.now(), metric.Failures))
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
	done := r.newSent()
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
	for item, err := range oldestFirst(r.table.Scan(ctx, q)) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			note(err)
			break
		}
		m, err := dynamo.Decode[row](item)
		if err == nil && !wanted(m) {
			continue
		}
		sending.Go(func() error {
			if err == nil {
				err = r.send(trace.Continue(ctx, m.TraceID), done, r.sender, item.Text("pk"), m.Queue, m.Body)
			}
			note(err)
			return nil
		})
	}
	_ = sending.Wait() // note has the errors
	return count, failed
}

// sortedAtOnce is how many rows oldestFirst holds. A run sends a few times as many.
const sortedAtOnce = 2000

// oldestFirst sorts the rows of a scan by the time of writing, a part of a large backlog at
// a time.
func oldestFirst(rows iter.Seq2[*dynamo.Row, error]) iter.Seq2[*dynamo.Row, error] {
	return func(yield func(*dynamo.Row, error) bool) {
		var held []*dynamo.Row
		flush := func() bool {
			slices.SortFunc(held, func(a, b *dynamo.Row) int {
				return cmp.Compare(a.Text("createdAt"), b.Text("createdAt"))
			})
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
				if flush() {
					yield(nil, err)
				}
				return
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
func (r *Relay) send(ctx context.Context, done *sent, sender Sender, id, queue, body string) error {
	if id == "" || queue == "" || body == "" {
		return errors.New("outbox row has no ID, queue or body")
	}
	if err := sender.Send(ctx, queue, body); err != nil {
		return fmt.Errorf("send outbox message: %w", err)
	}
	if err := done.Ask(ctx, dynamo.Key{PK: id}); err != nil {
		return fmt.Errorf("delete outbox message: %w", err)
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
