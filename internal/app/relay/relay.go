// Package relay builds the outbox relay that outbox-relay and housekeeping use.
package relay

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"aviso/internal/app/bootstrap"
	"aviso/internal/aws/config"
	"aviso/internal/clock"
	"aviso/internal/dynamo"
	"aviso/internal/messaging/outbox"
	"aviso/internal/messaging/queue"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationdb"
	"aviso/internal/observe"
	"aviso/internal/owner"
)

// Relay is an outbox.Relay and its parts.
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
	sending := notification.Pausing{
		Disabled: dynamo.DisabledIn(dynamo.NewTable(c.Dynamo, identityTable), time.Now),
	}.FanOut(store)
	relay := outbox.NewRelay(c.Dynamo, table, NewSender(sender.SendAll, sending, string(stage), dynamo.NewClocks(c.Dynamo, r), time.Now),
		time.Now, slog.Default())
	return Relay{Relay: relay, Clients: c, Queues: sender}, nil
}

// NewSender returns a sender. It sends events to the matching subscriptions in store, and all other messages to their
// queue. It logs a line for each.
func NewSender(
	queues outbox.Send, store notification.FanOutStore, environment string, clocks clock.Users, now func() time.Time,
) outbox.Send {
	all := notification.NewFanOut(store, environment, now)
	return func(ctx context.Context, rows []outbox.Row) []error {
		fanOut, errs := all.Batch(), make([]error, len(rows))
		sent := make([]job, len(rows))
		var working sync.WaitGroup
		for i, row := range rows {
			working.Go(func() { sent[i], errs[i] = newJob(ctx, row, fanOut, clocks) })
		}
		working.Wait()
		var messages []outbox.Row
		var of []int // of[i] is the index of the row of messages[i]
		for i, j := range sent {
			messages = append(messages, j.messages...)
			of = append(of, slices.Repeat([]int{i}, len(j.messages))...)
		}
		for i, err := range queues(ctx, messages) {
			errs[of[i]] = errors.Join(errs[of[i]], err)
		}
		for i, row := range rows {
			if errs[i] == nil {
				slog.LogAttrs(observe.ContinueTrace(ctx, row.TraceID), slog.LevelInfo, "relayed", sent[i].line...)
			}
		}
		return errs
	}
}

// job is the messages for a row, and its log line.
type job struct {
	messages []outbox.Row
	line     []slog.Attr
}

func newJob(ctx context.Context, row outbox.Row, fanOut *notification.FanOut, clocks clock.Users) (job, error) {
	j := job{line: []slog.Attr{slog.String("queue", row.Queue)}}
	if row.Queue != outbox.EventQueue {
		j.messages = []outbox.Row{row}
		return j, nil
	}
	var e outbox.Event
	if err := json.Unmarshal([]byte(row.Body), &e); err != nil {
		return j, errors.New("outbox event is not the expected JSON")
	}
	j.line = append(j.line, slog.String("partner", string(e.Partner)), slog.String("event", e.ID),
		slog.String("eventType", e.Type))
	ctx, err := clock.For(observe.ContinueTrace(ctx, row.TraceID), clocks, owner.User{Partner: e.Partner, ID: e.User})
	if err != nil {
		return j, err
	}
	wake, err := fanOut.Dispatch(ctx, e)
	for _, k := range wake {
		body, _ := json.Marshal(k) // three strings: cannot fail
		j.messages = append(j.messages, outbox.Row{Queue: outbox.DeliveryQueue, Body: string(body), TraceID: row.TraceID})
	}
	return j, err
}
