package webhookdeliveryfn

import (
	"context"
	"errors"
	"time"

	"aviso/internal/dynamo/outcome"
	"aviso/internal/messaging/queue"
	"aviso/internal/notification"
)

// delayedSender is implemented by queue.Sender.
type delayedSender interface {
	SendJSON(ctx context.Context, queue string, body any, after time.Duration) error
}

// RetryQueue is the name of the queue of deliveries to retry later.
const RetryQueue = "retries"

// DeliverOrWait sends a delivery that is not due, or is to be retried, to the retry
// queue. Unlike a retry by SQS, that does not count as a receive of the message. A wait that is longer
// than SQS delays a message takes several hops: each time the delivery says how much of it is left.
func DeliverOrWait(
	deliver func(context.Context, notification.DeliveryKey) error, retries delayedSender,
) func(context.Context, notification.DeliveryKey, int) error {
	return func(ctx context.Context, k notification.DeliveryKey, _ int) error {
		err := deliver(ctx, k)
		var later *outcome.Later
		if !errors.As(err, &later) {
			return err
		}
		return retries.SendJSON(ctx, RetryQueue, k, min(later.After, queue.MaxDelay))
	}
}
