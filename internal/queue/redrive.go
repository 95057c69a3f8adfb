package queue

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

const (
	// redriveBatch is the most that SQS gives at once.
	redriveBatch = 10
	// redriveWait, in seconds, has SQS ask all of its servers before it says that
	// a queue is empty.
	redriveWait = 1
	// redriveVisibility, in seconds, is far longer than a batch takes.
	redriveVisibility = 60
)

// Redrive takes up to limit messages off a queue of dead letters and sends them,
// as they are, to another queue. It ends when there are none left that can be
// seen. A message is sent before it is deleted: what breaks off in between sends
// one twice, which its reader does not mind. SQS's own move tasks do the same,
// but not on every emulator.
func Redrive(ctx context.Context, client *sqs.Client, from, to string, limit int) (moved int, err error) {
	return drain(ctx, client, from, limit, func(m types.Message) error {
		_, err := client.SendMessage(ctx, &sqs.SendMessageInput{QueueUrl: &to, MessageBody: m.Body, MessageAttributes: m.MessageAttributes})
		if err != nil {
			return fmt.Errorf("send dead letter back: %w", err)
		}
		return nil
	})
}

// Discard deletes up to limit messages of a queue.
func Discard(ctx context.Context, client *sqs.Client, from string, limit int) (deleted int, err error) {
	return drain(ctx, client, from, limit, func(types.Message) error { return nil })
}

// drain deletes messages once each has been dealt with.
func drain(ctx context.Context, client *sqs.Client, from string, limit int, deal func(types.Message) error) (int, error) {
	done := 0
	for done < limit {
		out, err := client.ReceiveMessage(ctx, &sqs.ReceiveMessageInput{
			QueueUrl: &from, MaxNumberOfMessages: int32(min(redriveBatch, limit-done)), WaitTimeSeconds: redriveWait,
			VisibilityTimeout: redriveVisibility, MessageAttributeNames: []string{"All"},
		})
		if err != nil {
			return done, fmt.Errorf("receive dead letters: %w", err)
		}
		if len(out.Messages) == 0 {
			return done, nil
		}
		for _, m := range out.Messages {
			if err := deal(m); err != nil {
				return done, err
			}
			if _, err := client.DeleteMessage(ctx, &sqs.DeleteMessageInput{QueueUrl: &from, ReceiptHandle: m.ReceiptHandle}); err != nil {
				return done, fmt.Errorf("delete dead letter: %w", err)
			}
			done++
		}
	}
	return done, nil
}
