// Package queue sends to SQS and works off what arrives from it.
package queue

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

// Sender puts messages on the queues it was given.
type Sender struct {
	client *sqs.Client
	urls   map[string]string
}

// NewSender sends to the queues in urls, by logical name.
func NewSender(client *sqs.Client, urls map[string]string) *Sender {
	return &Sender{client: client, urls: urls}
}

// Warm opens a connection to SQS by the cheapest call about the queue of that name.
func (s *Sender) Warm(ctx context.Context, queue string) error {
	url, ok := s.urls[queue]
	if !ok {
		return fmt.Errorf("warm up: no queue of the name %q", queue)
	}
	in := &sqs.GetQueueAttributesInput{QueueUrl: &url, AttributeNames: []types.QueueAttributeName{types.QueueAttributeNameQueueArn}}
	if _, err := s.client.GetQueueAttributes(ctx, in); err != nil {
		return fmt.Errorf("attributes of %s: %w", queue, err)
	}
	return nil
}

// Send puts body on the queue of that name.
func (s *Sender) Send(ctx context.Context, queue, body string) error {
	return s.SendAfter(ctx, queue, body, 0)
}

// MaxDelay is the longest that SQS delays a message.
const MaxDelay = 15 * time.Minute

// SendAfter puts body on the queue of that name, where it shows after the delay:
// from 0 to MaxDelay, in whole seconds and never sooner than asked.
func (s *Sender) SendAfter(ctx context.Context, queue, body string, delay time.Duration) error {
	url, ok := s.urls[queue]
	if !ok {
		return fmt.Errorf("send: no queue of the name %q", queue)
	}
	if delay < 0 || delay > MaxDelay {
		// An emulator may take what AWS refuses.
		return fmt.Errorf("send to %s: a delay of %s is not from 0 to %s", queue, delay, MaxDelay)
	}
	in := &sqs.SendMessageInput{QueueUrl: &url, MessageBody: &body, DelaySeconds: int32(math.Ceil(delay.Seconds()))}
	if _, err := s.client.SendMessage(ctx, in); err != nil {
		return fmt.Errorf("send to %s: %w", queue, err)
	}
	return nil
}
