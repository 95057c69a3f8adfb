// Package relay wires what sends the messages of the outbox on.
package relay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"aviso/internal/app/bootstrap"
	"aviso/internal/config"
	"aviso/internal/event"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationdb"
	"aviso/internal/outbox"
	"aviso/internal/queue"
)

// Relay is an outbox.Relay, and what it was made of.
type Relay struct {
	*outbox.Relay
	bootstrap.Clients
	Queues *queue.Sender
}

// New reads the variables of the outbox, its queues and the subscriptions.
func New(env config.Env, r *config.Reader) (Relay, error) {
	table, syncURL, letterURL := r.Required("OUTBOX_TABLE"), r.Required("SYNC_QUEUE_URL"), r.Required("LETTER_QUEUE_URL")
	stage, notificationTable, deliveryURL := r.Stage(), r.Required("NOTIFICATION_TABLE"), r.Required("DELIVERY_QUEUE_URL")
	if err := r.Err(); err != nil {
		return Relay{}, err
	}
	c, err := bootstrap.NewClients(env)
	if err != nil {
		return Relay{}, err
	}
	sender := queue.NewSender(sqs.NewFromConfig(c.Config), map[string]string{outbox.SyncQueue: syncURL, outbox.LetterQueue: letterURL, outbox.DeliveryQueue: deliveryURL})
	// No signing key is read where events are handed out.
	fanOut := notification.NewFanOut(notificationdb.New(c.Dynamo, notificationTable, table, nil, time.Now, bootstrap.NewID), wake(sender), string(stage), time.Now)
	return Relay{Relay: outbox.NewRelay(c.Dynamo, table, eventSender{sender, fanOut}, slog.Default()), Clients: c, Queues: sender}, nil
}

// eventSender takes events out of the outbox to the subscriptions that want them,
// and everything else to its queue.
type eventSender struct {
	outbox.Sender
	fanOut *notification.FanOut
}

// Send is outbox.Sender's.
func (s eventSender) Send(ctx context.Context, name, body string) error {
	if name != event.Queue {
		return s.Sender.Send(ctx, name, body)
	}
	var e event.Event
	if err := json.Unmarshal([]byte(body), &e); err != nil {
		return errors.New("outbox event is not the expected JSON")
	}
	return s.fanOut.Dispatch(ctx, e)
}

// wake brings deliveries to their queue.
func wake(sender outbox.Sender) notification.Wake {
	return func(ctx context.Context, k notification.DeliveryKey) error {
		body, err := json.Marshal(k)
		if err != nil {
			return fmt.Errorf("marshal delivery: %w", err)
		}
		return sender.Send(ctx, outbox.DeliveryQueue, string(body))
	}
}
