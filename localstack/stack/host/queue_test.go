package host

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const oneQueue = `
Resources:
  Q:
    Type: AWS::SQS::Queue
    Properties:
      VisibilityTimeout: 1
      RedrivePolicy: { deadLetterTargetArn: !GetAtt Dead.Arn, maxReceiveCount: 2 }
  Dead: { Type: AWS::SQS::Queue }
  F:
    Type: AWS::Serverless::Function
    Properties:
      Timeout: 1
      Events:
        E:
          Type: SQS
          Properties: { Queue: !GetAtt Q.Arn, BatchSize: 5, FunctionResponseTypes: [ReportBatchItemFailures], ScalingConfig: { MaximumConcurrency: 2 } }
`

func send(t *testing.T, o Options, queue string, bodies ...string) {
	t.Helper()
	for _, body := range bodies {
		_, err := o.SQS.SendMessage(t.Context(), &sqs.SendMessageInput{
			QueueUrl: aws.String(o.Queues[queue]), MessageBody: &body,
			MessageAttributes: map[string]types.MessageAttributeValue{
				"kind": {DataType: aws.String("String"), StringValue: aws.String("test")},
			},
		})
		require.NoError(t, err)
	}
}

// count gives the messages of a queue: those to be had and those in work.
func count(t *testing.T, o Options, queue string) (waiting, inWork string) {
	t.Helper()
	out, err := o.SQS.GetQueueAttributes(t.Context(), &sqs.GetQueueAttributesInput{
		QueueUrl: aws.String(o.Queues[queue]), AttributeNames: []types.QueueAttributeName{types.QueueAttributeNameAll},
	})
	require.NoError(t, err)
	return out.Attributes["ApproximateNumberOfMessages"], out.Attributes["ApproximateNumberOfMessagesNotVisible"]
}

func receive(t *testing.T, o Options, queue string) string {
	t.Helper()
	for range int(patience / time.Second) {
		out, err := o.SQS.ReceiveMessage(t.Context(), &sqs.ReceiveMessageInput{
			QueueUrl: aws.String(o.Queues[queue]), WaitTimeSeconds: 1,
		})
		require.NoError(t, err)
		if len(out.Messages) > 0 {
			return *out.Messages[0].Body
		}
	}
	require.FailNow(t, "nothing came into "+queue)
	return ""
}

func failures(ids ...string) events.SQSEventResponse {
	var r events.SQSEventResponse
	for _, id := range ids {
		r.BatchItemFailures = append(r.BatchItemFailures, events.SQSBatchItemFailure{ItemIdentifier: id})
	}
	return r
}

func TestQueueMapping(t *testing.T) {
	t.Parallel()

	t.Run("a message that fails comes again and ends in the dead-letter queue; the others are deleted", func(t *testing.T) {
		t.Parallel()
		var bad atomic.Int32
		o := withBackends(
			t,
			options(t, parse(t, oneQueue), map[string]any{"F": func(_ context.Context, e events.SQSEvent) (events.SQSEventResponse, error) {
				var failed []string
				for _, m := range e.Records {
					if m.Body == "bad" {
						bad.Add(1)
						failed = append(failed, m.MessageId)
					}
				}
				return failures(failed...), nil
			}}),
		)
		var lines told
		o.Tell = lines.tell
		send(t, o, "Q", "good", "bad", "good")
		_, stop := start(t, o)
		assert.Equal(t, "bad", receive(t, o, "Dead"))
		stop()
		// The first time it only waits, as many messages do that nothing is wrong with.
		assert.Equal(t, []string{"f: message of Q: goes to Dead after 2 deliveries"}, lines.lines)
		assert.EqualValues(t, 2, bad.Load())
		waiting, inWork := count(t, o, "Q")
		assert.Equal(t, "0 0", waiting+" "+inWork)
	})

	t.Run("a message with a delay of its own comes after it", func(t *testing.T) {
		t.Parallel()
		got := make(chan time.Time, 1)
		o := withBackends(t, options(t, parse(t, oneQueue), map[string]any{"F": func(context.Context, events.SQSEvent) error {
			got <- time.Now()
			return nil
		}}))
		start(t, o)
		// The emulator counts from when it takes the message, in milliseconds.
		sent := time.Now().Truncate(time.Millisecond)
		_, err := o.SQS.SendMessage(t.Context(), &sqs.SendMessageInput{
			QueueUrl: aws.String(o.Queues["Q"]), MessageBody: aws.String("x"), DelaySeconds: 2,
		})
		require.NoError(t, err)
		assert.GreaterOrEqual(t, next(t, got).Sub(sent), 2*time.Second)
	})

	t.Run("the event is that of Lambda", func(t *testing.T) {
		t.Parallel()
		got := make(chan events.SQSMessage, 1)
		o := withBackends(t, options(t, parse(t, oneQueue), map[string]any{"F": func(_ context.Context, e events.SQSEvent) error {
			got <- e.Records[0]
			return nil
		}}))
		start(t, o)
		send(t, o, "Q", "x")
		m := next(t, got)
		assert.Equal(t, "x", m.Body)
		assert.Equal(t, "aws:sqs", m.EventSource)
		assert.Equal(t, "arn:aws:sqs:eu-central-1:000000000000:Q", m.EventSourceARN)
		assert.Equal(t, "1", m.Attributes["ApproximateReceiveCount"])
		assert.NotEmpty(t, m.Attributes["SentTimestamp"])
		assert.Equal(t, "test", *m.MessageAttributes["kind"].StringValue)
		assert.NotEmpty(t, m.ReceiptHandle)
	})

	for name, handler := range map[string]func(events.SQSEvent) (events.SQSEventResponse, error){
		"an error":                         func(events.SQSEvent) (events.SQSEventResponse, error) { return failures(), errors.New("broken") },
		"an ID that is not in the batch":   func(events.SQSEvent) (events.SQSEventResponse, error) { return failures("other"), nil },
		"an empty ID":                      func(events.SQSEvent) (events.SQSEventResponse, error) { return failures(""), nil },
		"a panic":                          func(events.SQSEvent) (events.SQSEventResponse, error) { panic("broken") },
		"a time-out that it does not heed": func(events.SQSEvent) (events.SQSEventResponse, error) { select {} },
	} {
		t.Run(name+" keeps the whole batch", func(t *testing.T) {
			t.Parallel()
			o := withBackends(
				t,
				options(
					t,
					parse(t, oneQueue),
					map[string]any{"F": func(_ context.Context, e events.SQSEvent) (events.SQSEventResponse, error) {
						return handler(e)
					}},
				),
			)
			send(t, o, "Q", "x")
			start(t, o)
			assert.Equal(t, "x", receive(t, o, "Dead"))
		})
	}

	t.Run("no more batches are in work than the mapping allows", func(t *testing.T) {
		t.Parallel()
		begun, release := make(chan struct{}, 20), make(chan struct{})
		tpl := parse(t, oneQueue)
		tpl.QueueMappings[0].BatchSize = 1
		tpl.Functions[0].Timeout = patience
		tpl.Queues[0].VisibilityTimeout = 2 * patience
		o := withBackends(t, options(t, tpl, map[string]any{"F": func() error {
			begun <- struct{}{}
			<-release
			return nil
		}}))
		send(t, o, "Q", "1", "2", "3", "4")
		start(t, o)
		next(t, begun)
		next(t, begun)
		// Two are in work and the poller has no place for a third one.
		waiting, inWork := count(t, o, "Q")
		assert.Equal(t, "2 2", waiting+" "+inWork)
		close(release)
		next(t, begun)
		next(t, begun)
	})

	t.Run("stopping loses no message", func(t *testing.T) {
		t.Parallel()
		got := make(chan string, 100)
		tpl := parse(t, oneQueue)
		tpl.Queues[0].VisibilityTimeout = 2 * patience
		o := withBackends(t, options(t, tpl, map[string]any{"F": func(_ context.Context, e events.SQSEvent) error {
			for _, m := range e.Records {
				got <- m.Body
			}
			return nil
		}}))
		// Runs that end while a poll is open must not swallow what is sent next.
		for i := range 3 {
			_, stop := start(t, o)
			send(t, o, "Q", fmt.Sprint(i))
			stop()
		}
		start(t, o)
		var all []string
		for range 3 {
			all = append(all, next(t, got))
		}
		assert.ElementsMatch(t, []string{"0", "1", "2"}, all, strings.Join(all, ","))
	})
}
