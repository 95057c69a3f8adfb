// Package relay builds the outbox relay that outbox-relay and housekeeping use.
package relay

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
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
	fanOut := notification.NewFanOut(store, environment, clocks, now)
	return func(ctx context.Context, rows []outbox.Row) []error {
		errs, lines := make([]error, len(rows)), make([][]slog.Attr, len(rows))
		var messages []outbox.Row
		var events []outbox.Event
		var of, ofEvent []int // of[n] is the index of the row of messages[n], ofEvent[n] that of events[n]
		for i, row := range rows {
			lines[i] = []slog.Attr{slog.String("queue", row.Queue)}
			if row.Queue != outbox.EventQueue {
				messages, of = append(messages, row), append(of, i)
				continue
			}
			var e outbox.Event
			if json.Unmarshal([]byte(row.Body), &e) != nil {
				errs[i] = errors.New("outbox event is not the expected JSON")
				continue
			}
			events, ofEvent = append(events, e), append(ofEvent, i)
			var used struct { // by which operators count what a partner uses (docs/operator.md)
				Added   int
				Channel string
			}
			_ = json.Unmarshal(e.Data, &used) // other events have neither
			lines[i] = append(lines[i], slog.String("partner", string(e.Partner)), slog.String("event", e.ID),
				slog.String("eventType", e.Type), slog.Int("added", used.Added), slog.String("channel", used.Channel))
		}
		wake, failed := fanOut.Dispatch(ctx, events)
		for n, i := range ofEvent {
			errs[i] = failed[n]
			for _, k := range wake[n] {
				body, _ := json.Marshal(k) // three strings: cannot fail
				message := outbox.Row{Queue: outbox.DeliveryQueue, Body: string(body), TraceID: rows[i].TraceID}
				messages, of = append(messages, message), append(of, i)
			}
		}
		for n, err := range queues(ctx, messages) {
			errs[of[n]] = errors.Join(errs[of[n]], err)
		}
		for i, row := range rows {
			if errs[i] == nil {
				slog.LogAttrs(observe.ContinueTrace(ctx, row.TraceID), slog.LevelInfo, "relayed", lines[i]...)
			}
		}
		return errs
	}
}
