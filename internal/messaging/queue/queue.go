// Package queue sends messages to SQS, and processes messages from it.
package queue

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/aws/smithy-go"

	"aviso/internal/messaging/outbox"
	"aviso/internal/observe"
)

// Sender sends messages to queues by logical name.
type Sender struct {
	client *sqs.Client
	urls   map[string]string
}

// maxBatch is the maximum number of messages in one call.
const maxBatch = 10

// NewSender returns a Sender. urls maps logical names to queue URLs.
func NewSender(client *sqs.Client, urls map[string]string) *Sender {
	return &Sender{client: client, urls: urls}
}

// SendAll implements outbox.Send. Messages to one queue share calls.
func (s *Sender) SendAll(ctx context.Context, rows []outbox.Row) []error {
	errs := make([]error, len(rows))
	queues := map[string][]int{} // indexes of rows
	messages := make([]types.SendMessageBatchRequestEntry, len(rows))
	for i, row := range rows {
		if messages[i], errs[i] = s.message(observe.ContinueTrace(ctx, row.TraceID), row.Queue, row.Body, 0); errs[i] == nil {
			queues[row.Queue] = append(queues[row.Queue], i)
		}
	}
	var sending sync.WaitGroup
	for name, all := range queues {
		for part := range slices.Chunk(all, maxBatch) {
			sending.Go(func() {
				var batch []types.SendMessageBatchRequestEntry
				for _, i := range part {
					batch = append(batch, messages[i])
				}
				for n, err := range s.send(ctx, name, batch) {
					errs[part[n]] = err
				}
			})
		}
	}
	sending.Wait()
	return errs
}

// send sends messages with one call, and returns an error for each refused message.
func (s *Sender) send(ctx context.Context, queue string, messages []types.SendMessageBatchRequestEntry) []error {
	errs, url := make([]error, len(messages)), s.urls[queue]
	for i := range messages {
		messages[i].Id = new(strconv.Itoa(i))
	}
	out, err := s.client.SendMessageBatch(ctx, &sqs.SendMessageBatchInput{QueueUrl: &url, Entries: messages})
	if err != nil {
		return slices.Repeat([]error{fmt.Errorf("send to %s: %w", queue, err)}, len(messages))
	}
	for _, refused := range out.Failed {
		i, err := strconv.Atoi(*refused.Id)
		if err == nil && i < len(errs) {
			errs[i] = fmt.Errorf("send to %s: %w", queue,
				&smithy.GenericAPIError{Code: aws.ToString(refused.Code), Message: aws.ToString(refused.Message)})
		}
	}
	return errs
}

// Visible returns the approximate number of messages that can be received now.
func Visible(ctx context.Context, client *sqs.Client, url string) (int, error) {
	visible := types.QueueAttributeNameApproximateNumberOfMessages
	out, err := client.GetQueueAttributes(ctx, &sqs.GetQueueAttributesInput{
		QueueUrl: &url, AttributeNames: []types.QueueAttributeName{visible},
	})
	if err != nil {
		return 0, fmt.Errorf("count messages: %w", err)
	}
	n, err := strconv.Atoi(out.Attributes[string(visible)])
	if err != nil {
		return 0, fmt.Errorf("count messages: %w", err)
	}
	return n, nil
}

// MaxDelay is the longest delay that SQS allows for a message.
const MaxDelay = 15 * time.Minute

// SendJSON sends body to the named queue. It becomes visible after the delay, which is from 0 to MaxDelay and is
// rounded up to whole seconds. The message carries the trace of ctx.
func (s *Sender) SendJSON(ctx context.Context, queue string, body any, delay time.Duration) error {
	text, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("marshal message for %s: %w", queue, err)
	}
	m, err := s.message(ctx, queue, string(text), delay)
	if err != nil {
		return err
	}
	return s.send(ctx, queue, []types.SendMessageBatchRequestEntry{m})[0]
}

func (s *Sender) message(
	ctx context.Context, queue, body string, delay time.Duration,
) (m types.SendMessageBatchRequestEntry, err error) {
	if _, ok := s.urls[queue]; !ok {
		return m, fmt.Errorf("send: no queue named %q", queue)
	}
	if body == "" {
		return m, fmt.Errorf("send to %s: the message is empty", queue)
	}
	if delay < 0 || delay > MaxDelay {
		// An emulator may accept a delay that AWS rejects.
		return m, fmt.Errorf("send to %s: delay %s is not between 0 and %s", queue, delay, MaxDelay)
	}
	m.MessageBody, m.DelaySeconds = &body, int32(math.Ceil(delay.Seconds()))
	// SQS then gives every partner a fair share of a queue that one of them fills.
	var job struct{ Partner string }
	if json.Unmarshal([]byte(body), &job) == nil && job.Partner != "" {
		m.MessageGroupId = &job.Partner
	}
	if id := string(observe.TraceFrom(ctx)); id != "" {
		m.MessageAttributes = map[string]types.MessageAttributeValue{
			observe.TraceAttribute: {DataType: new("String"), StringValue: &id},
		}
	}
	return m, nil
}
