package webhookdeliveryfn

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"aviso/internal/notification"
	"aviso/internal/outcome"
)

// delayedSender is queue.Sender's SendAfter.
type delayedSender interface {
	SendAfter(ctx context.Context, name, body string, after time.Duration) error
}

// retryQueue is the name of the queue of deliveries that are to be looked at
// later.
const retryQueue = "retries"

// longestHop is the longest that SQS delays a message. Longer waits are several
// hops: each time the delivery says how long there is still to wait.
const longestHop = 15 * time.Minute

// deliverOrWait sends what is to be looked at later through the retry queue. It
// costs the message no receive.
func deliverOrWait(deliver func(context.Context, notification.DeliveryKey) error, retries delayedSender) func(context.Context, notification.DeliveryKey, int) error {
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
		return retries.SendAfter(ctx, retryQueue, string(body), min(later.After, longestHop))
	}
}
