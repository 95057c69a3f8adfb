package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const oneStream = `
Resources:
  T:
    Type: AWS::DynamoDB::Table
    Properties:
      AttributeDefinitions: [{ AttributeName: pk, AttributeType: S }]
      KeySchema: [{ AttributeName: pk, KeyType: HASH }]
      StreamSpecification: { StreamViewType: NEW_IMAGE }
  Dead: { Type: AWS::SQS::Queue }
  F:
    Type: AWS::Serverless::Function
    Properties:
      Events:
        E:
          Type: DynamoDB
          Properties:
            Stream: !GetAtt T.StreamArn
            StartingPosition: TRIM_HORIZON
            BatchSize: 10
            BisectBatchOnFunctionError: true
            MaximumRetryAttempts: 2
            FunctionResponseTypes: [ReportBatchItemFailures]
            DestinationConfig: { OnFailure: { Type: SQS, Destination: !GetAtt Dead.Arn } }
            FilterCriteria: { Filters: [{ Pattern: '{"eventName":["INSERT"]}' }] }
`

func write(t *testing.T, o Options, keys ...string) {
	t.Helper()
	for _, key := range keys {
		_, err := o.DynamoDB.PutItem(t.Context(), &dynamodb.PutItemInput{
			TableName: aws.String(o.Tables["T"]),
			Item: map[string]types.AttributeValue{
				"pk": &types.AttributeValueMemberS{Value: key},
				"list": &types.AttributeValueMemberL{
					Value: []types.AttributeValue{&types.AttributeValueMemberN{Value: "1"}, &types.AttributeValueMemberNULL{Value: true}},
				},
				"set": &types.AttributeValueMemberSS{Value: []string{"a"}},
				"raw": &types.AttributeValueMemberB{Value: []byte{0, 255}},
				"map": &types.AttributeValueMemberM{
					Value: map[string]types.AttributeValue{"on": &types.AttributeValueMemberBOOL{Value: true}},
				},
			},
		})
		require.NoError(t, err)
	}
}

func keyOf(r events.DynamoDBEventRecord) string { return r.Change.NewImage["pk"].String() }

// relay is a function on the stream that refuses some keys.
type relay struct {
	mu      sync.Mutex
	batches []string
	taken   chan string
	// refuse decides about a key; nil takes all.
	refuse func(key string) bool
	// report names the refused ones instead of failing as a whole.
	report bool
}

func newRelay() *relay { return &relay{taken: make(chan string, 1000)} }

func (r *relay) handle(_ context.Context, e events.DynamoDBEvent) (events.DynamoDBEventResponse, error) {
	var keys []string
	for _, record := range e.Records {
		keys = append(keys, keyOf(record))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.batches = append(r.batches, strings.Join(keys, " "))
	for _, record := range e.Records {
		key := keyOf(record)
		if r.refuse == nil || !r.refuse(key) {
			continue
		}
		if r.report {
			return events.DynamoDBEventResponse{BatchItemFailures: []events.DynamoDBBatchItemFailure{
				{ItemIdentifier: record.Change.SequenceNumber},
			}}, r.take(e, key)
		}
		return events.DynamoDBEventResponse{}, errors.New("broken")
	}
	return events.DynamoDBEventResponse{}, r.take(e, "")
}

// take hands on the keys before the one that was refused.
func (r *relay) take(e events.DynamoDBEvent, until string) error {
	for _, record := range e.Records {
		if keyOf(record) == until {
			break
		}
		r.taken <- keyOf(record)
	}
	return nil
}

func (r *relay) want(t *testing.T, keys ...string) {
	t.Helper()
	for _, key := range keys {
		assert.Equal(t, key, next(t, r.taken))
	}
}

func TestStreamMapping(t *testing.T) {
	t.Parallel()

	t.Run("gives the inserts in order, as Lambda gives them", func(t *testing.T) {
		t.Parallel()
		got := make(chan events.DynamoDBEventRecord, 10)
		o := withBackends(t, options(t, parse(t, oneStream), map[string]any{"F": func(_ context.Context, e events.DynamoDBEvent) error {
			for _, r := range e.Records {
				got <- r
			}
			return nil
		}}))
		write(t, o, "a", "b", "a", "c") // The second "a" is not an insert.
		start(t, o)
		first := next(t, got)
		assert.Equal(t, "INSERT", first.EventName)
		assert.Equal(t, "aws:dynamodb", first.EventSource)
		assert.Contains(t, first.EventSourceArn, o.Tables["T"])
		assert.NotEmpty(t, first.Change.SequenceNumber)
		assert.False(t, first.Change.ApproximateCreationDateTime.IsZero())
		assert.Equal(t, "a", first.Change.Keys["pk"].String())
		image := first.Change.NewImage
		assert.Equal(t, "1", image["list"].List()[0].Number())
		assert.True(t, image["list"].List()[1].IsNull())
		assert.Equal(t, []string{"a"}, image["set"].StringSet())
		assert.Equal(t, []byte{0, 255}, image["raw"].Binary())
		assert.True(t, image["map"].Map()["on"].Boolean())
		assert.Equal(t, "b", keyOf(next(t, got)))
		assert.Equal(t, "c", keyOf(next(t, got)))
	})

	t.Run("gathers records for as long as the mapping's window", func(t *testing.T) {
		t.Parallel()
		r := newRelay()
		tpl := parse(t, strings.Replace(oneStream, "BatchSize: 10", "BatchSize: 10\n            MaximumBatchingWindowInSeconds: 1", 1))
		o := withBackends(t, options(t, tpl, map[string]any{"F": r.handle}))
		write(t, o, "a")
		_, stop := start(t, o)
		r.want(t, "a")
		for _, key := range []string{"b", "c", "d"} {
			time.Sleep(50 * time.Millisecond) // without a window, each would be a batch
			write(t, o, key)
		}
		r.want(t, "b", "c", "d")
		stop()
		assert.Equal(t, []string{"a", "b c d"}, r.batches)
	})

	t.Run("a batch that fails is halved until the bad record stands alone, which goes to the failure queue", func(t *testing.T) {
		t.Parallel()
		r := newRelay()
		r.refuse = func(key string) bool { return key == "bad" }
		o := withBackends(t, options(t, parse(t, oneStream), map[string]any{"F": r.handle}))
		write(t, o, "a", "b", "bad", "c")
		_, stop := start(t, o)
		r.want(t, "a", "b", "c")
		var message struct {
			RequestContext     struct{ Condition string }
			DDBStreamBatchInfo struct {
				BatchSize           int
				StartSequenceNumber string
				StreamArn           string
			}
		}
		require.NoError(t, json.Unmarshal([]byte(receive(t, o, "Dead")), &message))
		assert.Equal(t, "RetryAttemptsExhausted", message.RequestContext.Condition)
		assert.Equal(t, 1, message.DDBStreamBatchInfo.BatchSize)
		assert.NotEmpty(t, message.DDBStreamBatchInfo.StartSequenceNumber)
		stop()
		assert.Equal(t, []string{"a b bad c", "a b", "bad c", "bad", "bad", "bad", "c"}, r.batches, "twice retried")
	})

	t.Run("a reported failure is given again from there on, and what came before is not", func(t *testing.T) {
		t.Parallel()
		r := newRelay()
		refusals := 0
		r.report = true
		r.refuse = func(key string) bool { refusals++; return key == "b" && refusals <= 2 }
		tpl := parse(t, oneStream)
		tpl.Streams[0].Bisect = false
		o := withBackends(t, options(t, tpl, map[string]any{"F": r.handle}))
		write(t, o, "a", "b", "c")
		_, stop := start(t, o)
		r.want(t, "a", "b", "c")
		stop()
		assert.Equal(t, []string{"a b c", "b c"}, r.batches)
	})

	t.Run("a restart goes on where the last run stopped", func(t *testing.T) {
		t.Parallel()
		r := newRelay()
		o := withBackends(t, options(t, parse(t, oneStream), map[string]any{"F": r.handle}))
		write(t, o, "a", "b")
		_, stop := start(t, o)
		r.want(t, "a", "b")
		stop()
		write(t, o, "c")
		start(t, o)
		r.want(t, "c")
	})

	t.Run("without a kept position everything comes again", func(t *testing.T) {
		t.Parallel()
		r := newRelay()
		o := withBackends(t, options(t, parse(t, oneStream), map[string]any{"F": r.handle}))
		write(t, o, "a", "b")
		_, stop := start(t, o)
		r.want(t, "a", "b")
		stop()
		o.Positions = t.TempDir()
		start(t, o)
		r.want(t, "a", "b")
	})

	t.Run("a stop amid retries gives the batch again at the next start", func(t *testing.T) {
		t.Parallel()
		r := newRelay()
		refused := make(chan string, 100)
		r.refuse = func(key string) bool { refused <- key; return true }
		tpl := parse(t, oneStream)
		tpl.Streams[0].MaximumRetries = -1
		o := withBackends(t, options(t, tpl, map[string]any{"F": r.handle}))
		write(t, o, "a")
		_, stop := start(t, o)
		next(t, refused)
		stop()
		r.refuse = nil
		start(t, o)
		r.want(t, "a")
	})

	t.Run("more records than a batch holds come in several", func(t *testing.T) {
		t.Parallel()
		r := newRelay()
		o := withBackends(t, options(t, parse(t, oneStream), map[string]any{"F": r.handle}))
		var keys []string
		for i := range 25 {
			keys = append(keys, fmt.Sprintf("k%02d", i))
		}
		write(t, o, keys...)
		_, stop := start(t, o)
		r.want(t, keys...)
		stop()
		assert.Len(t, r.batches, 3)
	})
}
