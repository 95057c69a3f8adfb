package webhookdeliveryfn

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"aviso/internal/dynamo/outcome"
	"aviso/internal/notification"
)

// delayedSender is implemented by queue.Sender.
type delayedSender interface {
	SendAfter(ctx context.Context, name, body string, after time.Duration) error
}

// RetryQueue is the name of the queue of deliveries to retry later.
const RetryQueue = "retries"

// longestHop is the longest delay that SQS allows for a message. A longer wait takes
// several hops: each time the delivery says how much of it is left.
const longestHop = 15 * time.Minute

// DeliverOrWait sends a delivery that is not due, or is to be retried, to the retry
// queue. Unlike a retry by SQS, that does not count as a receive of the message.
func DeliverOrWait(
	deliver func(context.Context, notification.DeliveryKey) error, retries delayedSender,
) func(context.Context, notification.DeliveryKey, int) error {
	return func(ctx context.Context, k notification.DeliveryKey, _ int) error {
		err := deliver(ctx, k)
		var later *outcome.Later
		if !errors.As(err, &later) {
			return err
		}
		body, err := json.Marshal(k)
		if err != nil {
			return fmt.Errorf("marshal delivery: %w", err)
		}
		return retries.SendAfter(ctx, RetryQueue, string(body), min(later.After, longestHop))
	}
}
