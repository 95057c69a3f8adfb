// Package queue sends messages to SQS and processes the messages it delivers.
package queue

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/aws/smithy-go"

	"aviso/internal/together"
	"aviso/internal/trace"
)

// Sender sends messages to queues by logical name. Messages that are sent to a queue at the same
// time share a call.
type Sender struct {
	client *sqs.Client
	urls   map[string]string
	queues map[string]*together.Group[types.SendMessageBatchRequestEntry]
}

// maxBatch is the most messages that a call can send.
const maxBatch = 10

// NewSender returns a Sender for the queues in urls, which has their logical names.
func NewSender(client *sqs.Client, urls map[string]string) *Sender {
	s := &Sender{client: client, urls: urls, queues: map[string]*together.Group[types.SendMessageBatchRequestEntry]{}}
	for name, url := range urls {
		send := func(ctx context.Context, messages []types.SendMessageBatchRequestEntry) []error {
			return sendBatch(ctx, client, url, messages)
		}
		s.queues[name] = &together.Group[types.SendMessageBatchRequestEntry]{Most: maxBatch, Do: send}
	}
	return s
}

// sendBatch sends messages with one call, and returns an error for each that was refused.
func sendBatch(
	ctx context.Context, client *sqs.Client, url string, messages []types.SendMessageBatchRequestEntry,
) []error {
	errs := make([]error, len(messages))
	for i := range messages {
		messages[i].Id = new(strconv.Itoa(i))
	}
	out, err := client.SendMessageBatch(ctx, &sqs.SendMessageBatchInput{QueueUrl: &url, Entries: messages})
	if err != nil {
		for i := range errs {
			errs[i] = err
		}
		return errs
	}
	for _, refused := range out.Failed {
		i, err := strconv.Atoi(*refused.Id)
		if err == nil && i < len(errs) {
			errs[i] = &smithy.GenericAPIError{Code: aws.ToString(refused.Code), Message: aws.ToString(refused.Message)}
		}
	}
	return errs
}

// Warm opens a connection to SQS with the cheapest call for the named queue.
func (s *Sender) Warm(ctx context.Context, queue string) error {
	url, ok := s.urls[queue]
	if !ok {
		return fmt.Errorf("warm up: no queue named %q", queue)
	}
	in := &sqs.GetQueueAttributesInput{
		QueueUrl: &url, AttributeNames: []types.QueueAttributeName{types.QueueAttributeNameQueueArn},
	}
	if _, err := s.client.GetQueueAttributes(ctx, in); err != nil {
		return fmt.Errorf("attributes of %s: %w", queue, err)
	}
	return nil
}

// Visible returns how many messages of a queue could be received now, as far as SQS knows.
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

// Send sends body to the named queue.
func (s *Sender) Send(ctx context.Context, queue, body string) error {
	return s.SendAfter(ctx, queue, body, 0)
}

// MaxDelay is the longest delay that SQS allows for a message.
const MaxDelay = 15 * time.Minute

// SendAfter sends body to the named queue, where it becomes visible after the delay:
// from 0 to MaxDelay, rounded up to whole seconds. The message carries the trace of ctx.
func (s *Sender) SendAfter(ctx context.Context, queue, body string, delay time.Duration) error {
	to, ok := s.queues[queue]
	if !ok {
		return fmt.Errorf("send: no queue named %q", queue)
	}
	if delay < 0 || delay > MaxDelay {
		// An emulator may accept a delay that AWS rejects.
		return fmt.Errorf("send to %s: delay %s is not between 0 and %s", queue, delay, MaxDelay)
	}
	m := types.SendMessageBatchRequestEntry{MessageBody: &body, DelaySeconds: int32(math.Ceil(delay.Seconds()))}
	if id := string(trace.From(ctx)); id != "" {
		m.MessageAttributes = map[string]types.MessageAttributeValue{
			trace.Attribute: {DataType: new("String"), StringValue: &id},
		}
	}
	if err := to.Ask(ctx, m); err != nil {
		return fmt.Errorf("send to %s: %w", queue, err)
	}
	return nil
}
