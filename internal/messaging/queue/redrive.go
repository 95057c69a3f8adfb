package queue

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

const (
	// redriveBatch is the maximum number of messages that SQS returns at once.
	redriveBatch = 10
	// redriveWait, in seconds, makes SQS ask all of its servers before it reports an empty queue.
	redriveWait = 1
	// redriveVisibility, in seconds, is much longer than a batch takes.
	redriveVisibility = 60
)

// Redrive moves up to limit messages, unchanged, from a dead-letter queue to another
// queue. It ends when no visible message is left. A message is sent before it is
// deleted: after a crash in between it is sent twice, so its reader must be
// idempotent. SQS's own move tasks do the same, but not on every emulator.
func Redrive(ctx context.Context, client *sqs.Client, from, to string, limit int) (moved int, err error) {
	return drain(ctx, client, from, limit, func(m types.Message) error {
		_, err := client.SendMessage(ctx, &sqs.SendMessageInput{
			QueueUrl: &to, MessageBody: m.Body, MessageAttributes: m.MessageAttributes,
		})
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

// drain processes each message, then deletes it.
func drain(
	ctx context.Context, client *sqs.Client, from string, limit int, process func(types.Message) error,
) (int, error) {
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
			if err := process(m); err != nil {
				return done, err
			}
			in := &sqs.DeleteMessageInput{QueueUrl: &from, ReceiptHandle: m.ReceiptHandle}
			if _, err := client.DeleteMessage(ctx, in); err != nil {
				return done, fmt.Errorf("delete dead letter: %w", err)
			}
			done++
		}
	}
	return done, nil
}
