package outbox_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/stretchr/testify/require"

	"aviso/internal/dynamo"
	"aviso/internal/messaging/outbox"
	"aviso/internal/messaging/queue"
	"aviso/internal/owner"
	"aviso/localstack/tests/testenv"
)

var errSQS = errors.New("SQS is away")

func written() time.Time { return time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC) }

// bench is an outbox table, the queue it feeds and a business table.
type bench struct {
	t                    *testing.T
	db                   *dynamodb.Client
	table, business, url string
	log                  *logged
}

// newBench returns a bench in the emulators, since tables in memory have no streams.
func newBench(t *testing.T) *bench {
	t.Helper()
	t.Parallel()
	return &bench{
		t: t, db: testenv.Emulator(t), table: testenv.EmulatorTable(t, "OutboxTable"), business: testenv.EmulatorTable(t, "PfmTable"),
		url: testenv.Queue(t, "SyncQueue"), log: &logged{},
	}
}

// inMemory returns a bench without a queue.
func inMemory(t *testing.T, table string) *bench {
	t.Helper()
	return &bench{t: t, db: testenv.DynamoDB(t), table: table, business: testenv.Table(t, "PfmTable"), log: &logged{}}
}

func (b *bench) queue() outbox.Send {
	return queue.NewSender(testenv.SQS(b.t), map[string]string{outbox.SyncQueue: b.url}).SendAll
}

// send sends one message to the queue.
func (b *bench) send(ctx context.Context, row outbox.Row) error {
	return b.queue()(ctx, []outbox.Row{row})[0]
}

func (b *bench) relay(send outbox.Send) *outbox.Relay {
	return outbox.NewRelay(b.db, b.table, send, written, slog.New(slog.NewTextHandler(b.log, nil)))
}

// logged is what several relays log.
type logged struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// commit writes a change and its message, as every area does.
func commit(ctx context.Context, db *dynamodb.Client, table, business, id string) error {
	t, x := dynamo.NewTable(db, table), dynamo.Transaction{}
	x.Put(t.Sibling(business), dynamo.Key{PK: "U", SK: id}, map[string]string{"state": "Pending"}, dynamo.IfNew)
	outbox.Put(ctx, &x, outbox.Box{Table: t}, outbox.Message{ID: id, Queue: outbox.SyncQueue, Body: map[string]string{"id": id}}, written())
	return x.Commit(ctx)
}

// hold writes a message that its writer sends itself.
func (b *bench) hold(id string, user owner.UserID) {
	b.t.Helper()
	var x dynamo.Transaction
	box := outbox.Box{Table: dynamo.NewTable(b.db, b.table), Holds: true}
	m := outbox.Message{ID: id, Queue: outbox.SyncQueue, Body: map[string]string{"id": id}, User: user}
	outbox.Put(b.t.Context(), &x, box, m, written())
	require.NoError(b.t, x.Commit(b.t.Context()))
}

func (b *bench) commit(ids ...string) {
	b.t.Helper()
	for _, id := range ids {
		require.NoError(b.t, commit(b.t.Context(), b.db, b.table, b.business, id))
	}
}

// put writes an invalid row, without the package.
func (b *bench) put(item dynamo.Item) {
	b.t.Helper()
	_, err := b.db.PutItem(b.t.Context(), &dynamodb.PutItemInput{TableName: &b.table, Item: item})
	require.NoError(b.t, err)
}

// waiting returns the IDs of the messages still in the outbox.
func (b *bench) waiting() []string {
	b.t.Helper()
	ids := []string{}
	pages := dynamodb.NewScanPaginator(b.db, &dynamodb.ScanInput{TableName: &b.table, ProjectionExpression: aws.String("pk")})
	for pages.HasMorePages() {
		page, err := pages.NextPage(b.t.Context())
		require.NoError(b.t, err)
		for _, item := range page.Items {
			ids = append(ids, value(item["pk"]))
		}
	}
	return ids
}

// arrived empties the queue and returns the IDs in the messages.
func (b *bench) arrived() []string {
	b.t.Helper()
	ids := []string{}
	for {
		out, err := testenv.SQS(b.t).ReceiveMessage(b.t.Context(), &sqs.ReceiveMessageInput{QueueUrl: &b.url, MaxNumberOfMessages: 10})
		require.NoError(b.t, err)
		if len(out.Messages) == 0 {
			return ids
		}
		for _, m := range out.Messages {
			var body struct{ ID string }
			require.NoError(b.t, json.Unmarshal([]byte(*m.Body), &body))
			ids = append(ids, body.ID)
		}
	}
}

// stream reads the table's stream from the start until it has n
// records, in the form of Lambda events.
func (b *bench) stream(n int) outbox.Stream {
	b.t.Helper()
	ctx, streams := b.t.Context(), testenv.Streams(b.t)
	described, err := b.db.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &b.table})
	require.NoError(b.t, err)
	stream, err := streams.DescribeStream(ctx, &dynamodbstreams.DescribeStreamInput{StreamArn: described.Table.LatestStreamArn})
	require.NoError(b.t, err)
	var e outbox.Stream
	for _, shard := range stream.StreamDescription.Shards {
		it, err := streams.GetShardIterator(ctx, &dynamodbstreams.GetShardIteratorInput{
			StreamArn: described.Table.LatestStreamArn, ShardId: shard.ShardId, ShardIteratorType: streamtypes.ShardIteratorTypeTrimHorizon,
		})
		require.NoError(b.t, err)
		out, err := streams.GetRecords(ctx, &dynamodbstreams.GetRecordsInput{ShardIterator: it.ShardIterator})
		require.NoError(b.t, err)
		for _, r := range out.Records {
			image := map[string]map[string]any{}
			for name, v := range r.Dynamodb.NewImage {
				switch v := v.(type) {
				case *streamtypes.AttributeValueMemberS:
					image[name] = map[string]any{"S": v.Value}
				case *streamtypes.AttributeValueMemberBOOL:
					image[name] = map[string]any{"BOOL": v.Value}
				default:
					require.Fail(b.t, "an attribute of another type", name)
				}
			}
			e.Records = append(e.Records, record(b.t, string(r.EventName), *r.Dynamodb.SequenceNumber, image))
		}
	}
	require.Len(b.t, e.Records, n)
	return e
}

// record decodes a stream record from JSON as Lambda does.
func record(t *testing.T, name, sequence string, image any) outbox.Record {
	t.Helper()
	text, err := json.Marshal(map[string]any{"eventName": name, "dynamodb": map[string]any{"SequenceNumber": sequence, "NewImage": image}})
	require.NoError(t, err)
	var r outbox.Record
	require.NoError(t, json.Unmarshal(text, &r))
	return r
}

// handle relays a batch and returns the sequence numbers to resume from.
func handle(t *testing.T, r *outbox.Relay, e outbox.Stream) []string {
	t.Helper()
	res, err := r.HandleStream(t.Context(), e)
	require.NoError(t, err)
	failed := []string{}
	for _, f := range res.BatchItemFailures {
		failed = append(failed, f.ItemIdentifier)
	}
	return failed
}

func value(v types.AttributeValue) string {
	if s, ok := v.(*types.AttributeValueMemberS); ok {
		return s.Value
	}
	return ""
}

// each sends messages side by side.
func each(send func(ctx context.Context, row outbox.Row) error) outbox.Send {
	return func(ctx context.Context, rows []outbox.Row) []error {
		errs := make([]error, len(rows))
		var sending sync.WaitGroup
		for i, row := range rows {
			sending.Go(func() { errs[i] = send(ctx, row) })
		}
		sending.Wait()
		return errs
	}
}
