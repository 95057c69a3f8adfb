// Package queue sends messages to SQS and processes the messages it delivers.
package queue

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"aviso/internal/trace"
)

// Sender sends messages to queues by logical name.
type Sender struct {
	client *sqs.Client
	urls   map[string]string
}

// NewSender returns a Sender for the queues in urls, which has their logical names.
func NewSender(client *sqs.Client, urls map[string]string) *Sender {
	return &Sender{client: client, urls: urls}
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
	url, ok := s.urls[queue]
	if !ok {
		return fmt.Errorf("send: no queue named %q", queue)
	}
	if delay < 0 || delay > MaxDelay {
		// An emulator may accept a delay that AWS rejects.
		return fmt.Errorf("send to %s: delay %s is not between 0 and %s", queue, delay, MaxDelay)
	}
	in := &sqs.SendMessageInput{QueueUrl: &url, MessageBody: &body, DelaySeconds: int32(math.Ceil(delay.Seconds()))}
	if id := string(trace.From(ctx)); id != "" {
		in.MessageAttributes = map[string]types.MessageAttributeValue{
			trace.Attribute: {DataType: new("String"), StringValue: &id},
		}
	}
	if _, err := s.client.SendMessage(ctx, in); err != nil {
		return fmt.Errorf("send to %s: %w", queue, err)
	}
	return nil
}
