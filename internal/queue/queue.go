// Package queue sends to SQS and works off what arrives from it.
package queue

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
)

// The logical names of the queues.
const (
	// Sync wakes bank-sync for one connection.
	Sync = "sync"
	// Letters wakes letter-dispatch for one cancellation.
	Letters = "letters"
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

// Send puts body on the queue of that name.
func (s *Sender) Send(ctx context.Context, queue, body string) error {
	url, ok := s.urls[queue]
	if !ok {
		return fmt.Errorf("send: no queue of the name %q", queue)
	}
	if _, err := s.client.SendMessage(ctx, &sqs.SendMessageInput{QueueUrl: &url, MessageBody: &body}); err != nil {
		return fmt.Errorf("send to %s: %w", queue, err)
	}
	return nil
}
