// Package relay builds the outbox relay that outbox-relay and housekeeping use.
package relay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"aviso/internal/app/bootstrap"
	"aviso/internal/aws/config"
	"aviso/internal/clock"
	"aviso/internal/dynamo"
	"aviso/internal/dynamo/owner"
	"aviso/internal/messaging/outbox"
	"aviso/internal/messaging/queue"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationdb"
)

// Relay is an outbox.Relay and the parts it was built from.
type Relay struct {
	*outbox.Relay
	bootstrap.Clients
	Queues *queue.Sender
}

// New returns the relay. It reads the variables of the outbox, its queues, the
// subscriptions and the users.
func New(ctx context.Context, env config.Env, r *config.Reader) (Relay, error) {
	stage, table, notificationTable := r.Stage(), r.Required("OUTBOX_TABLE"), r.Required("NOTIFICATION_TABLE")
	identityTable := r.Required("IDENTITY_TABLE")
	queues := map[string]string{
		outbox.SyncQueue: r.Required("SYNC_QUEUE_URL"), outbox.LetterQueue: r.Required("LETTER_QUEUE_URL"),
		outbox.DeliveryQueue: r.Required("DELIVERY_QUEUE_URL"),
	}
	if url := r.Optional("CLOCK_QUEUE_URL", ""); url != "" {
		queues[outbox.ClockQueue] = url
	}
	c, err := bootstrap.NewClients(ctx, env, r)
	if err != nil {
		return Relay{}, err
	}
	sender := queue.NewSender(sqs.NewFromConfig(c.Config), queues)
	// The store has no sealer, because the fan-out reads no signing keys.
	store := notificationdb.New(c.Dynamo, notificationTable, table, nil, time.Now, bootstrap.NewID)
	store.RequireUsers(identityTable)
	relay := outbox.NewRelay(c.Dynamo, table, NewSender(sender, store, string(stage), dynamo.NewClocks(c.Dynamo, r), time.Now),
		time.Now, slog.Default())
	return Relay{Relay: relay, Clients: c, Queues: sender}, nil
}

// NewSender returns a sender that sends messages to their queues, and events to the
// subscriptions in store.
func NewSender(
	queues outbox.Sender, store notification.Store, environment string, clocks clock.Users,
	now func() time.Time,
) outbox.Sender {
	return eventSender{queues, notification.NewFanOut(store, environment, now), clocks}
}

// eventSender sends events to the subscriptions that want them, and all other
// messages to their queue. It logs a line for each.
type eventSender struct {
	queues outbox.Sender
	fanOut *notification.FanOut
	clocks clock.Users
}

// Batch implements outbox.Sender.
func (s eventSender) Batch() outbox.Batch {
	return &eventBatch{Batch: s.queues.Batch(), fanOut: s.fanOut.Batch(), clocks: s.clocks, lines: map[int]func(){}}
}

type eventBatch struct {
	outbox.Batch
	fanOut *notification.FanOut
	clocks clock.Users

	mu    sync.Mutex
	lines map[int]func() // write the log, by row
}

// Add implements outbox.Batch.
func (b *eventBatch) Add(ctx context.Context, row int, name, body string) error {
	if name != outbox.EventQueue {
		err := b.Batch.Add(ctx, row, name, body)
		b.log(row, err, func() { slog.InfoContext(ctx, "relayed", "queue", name) })
		return err
	}
	var e outbox.Event
	if err := json.Unmarshal([]byte(body), &e); err != nil {
		return errors.New("outbox event is not the expected JSON")
	}
	ctx, err := clock.For(ctx, b.clocks, owner.User{Partner: e.Partner, ID: e.User})
	if err != nil {
		return err
	}
	wake := func(ctx context.Context, k notification.DeliveryKey) error {
		body, err := json.Marshal(k)
		if err != nil {
			return fmt.Errorf("marshal delivery: %w", err)
		}
		return b.Batch.Add(ctx, row, outbox.DeliveryQueue, string(body))
	}
	err = b.fanOut.Dispatch(ctx, e, wake)
	b.log(row, err, func() {
		slog.InfoContext(ctx, "relayed", "queue", name, "partner", e.Partner, "event", e.ID, "eventType", e.Type)
	})
	return err
}

// log keeps a line for Send, unless the row has failed.
func (b *eventBatch) log(row int, err error, line func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err == nil {
		b.lines[row] = line
	}
}

// Send implements outbox.Batch.
func (b *eventBatch) Send(ctx context.Context) map[int]error {
	failed := b.Batch.Send(ctx)
	for row, line := range b.lines {
		if failed[row] == nil {
			line()
		}
	}
	return failed
}
