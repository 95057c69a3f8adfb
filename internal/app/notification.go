package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"

	"aviso/internal/api"
	"aviso/internal/config"
	"aviso/internal/event"
	"aviso/internal/identity"
	"aviso/internal/keyring"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationapi"
	"aviso/internal/notification/notificationdb"
	"aviso/internal/notification/webhook"
	"aviso/internal/outbox"
	"aviso/internal/owner"
	"aviso/internal/queue"
)

// webhookKeys is the purpose of the keys that seal partners' signing keys.
const webhookKeys = "webhook"

// knownUsers admits a user whom the partner has.
type knownUsers struct{ agreements *identity.Agreements }

func (u knownUsers) Admit(ctx context.Context, user owner.User) error {
	return u.agreements.Admit(ctx, user)
}

// Notification is the function of subscriptions and simulated events.
func Notification(ctx context.Context, env config.Env) (lambda.Handler, error) {
	return renewed(ctx, env, time.Now, buildNotification)
}

func buildNotification(ctx context.Context, env config.Env, held *heldSecrets) (lambda.Handler, error) {
	r := config.NewReader(env)
	table, outboxTable := r.Required("NOTIFICATION_TABLE"), r.Required("OUTBOX_TABLE")
	e, err := newEdge(ctx, "notification", env, r, held)
	if err != nil {
		return nil, err
	}
	keys, err := e.sealing.Sealer(webhookKeys)
	if err != nil {
		return nil, err
	}
	store := notificationdb.New(e.dynamo, table, outboxTable, keys, time.Now, newID)
	notificationapi.Register(e.router, notificationapi.Services{
		Subscriptions: notification.NewSubscriptions(store, store, newWebhookClient(e.stage), time.Now, newSortableID),
		Simulator: notification.NewSimulator(store, store, knownUsers{identity.NewAgreements(e.identity, time.Now)},
			e.stage == config.Production, time.Now, newID),
	})
	return api.LambdaHandler(e.router.Handler()), nil
}

// WebhookDelivery is the function that posts events to partners' servers.
func WebhookDelivery(ctx context.Context, env config.Env) (lambda.Handler, error) {
	return renewed(ctx, env, time.Now, buildWebhookDelivery)
}

func buildWebhookDelivery(ctx context.Context, env config.Env, held *heldSecrets) (lambda.Handler, error) {
	r := config.NewReader(env)
	stage, table, outboxTable, secret := r.Stage(), r.Required("NOTIFICATION_TABLE"), r.Required("OUTBOX_TABLE"), r.Required("SEALING_SECRET")
	deliveryURL, retryURL := r.Required("DELIVERY_QUEUE_URL"), r.Required("RETRY_QUEUE_URL")
	delays := r.Optional("RETRY_DELAYS", "15m,60m")
	if err := r.Err(); err != nil {
		return nil, err
	}
	waits, err := parseDelays(delays)
	if err != nil {
		return nil, err
	}
	c, err := newClients(env)
	if err != nil {
		return nil, err
	}
	unsealed := notificationdb.New(c.dynamo, table, outboxTable, nil, time.Now, newID)
	defer warmed(ctx, func(ctx context.Context) error { _, err := unsealed.Subscription(ctx, nothing, nothing); return err })()
	root, err := keyring.Load(ctx, c.reader(held), secret)
	if err != nil {
		return nil, err
	}
	keys, err := root.Sealer(webhookKeys)
	if err != nil {
		return nil, err
	}
	client := c.sqs()
	store := observedDeliveries{notificationdb.New(c.dynamo, table, outboxTable, keys, time.Now, newID), slog.Default(), time.Now}
	deliverer := notification.NewDeliverer(store, newWebhookClient(stage), waits, time.Now, newSortableID)
	worker := &queue.Worker[notification.DeliveryKey]{
		Service: "webhook-delivery", Client: client, URL: deliveryURL, Log: slog.Default(), Now: time.Now,
		Work: deliverOrWait(deliverer.Deliver, queue.NewSender(client, map[string]string{retryQueue: retryURL})),
	}
	return handlerFunc[events.SQSEvent, events.SQSEventResponse](worker.Handle), nil
}

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
		var later *notification.RetryLater
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

// parseDelays reads the waits between attempts: 15m,60m.
func parseDelays(text string) ([]time.Duration, error) {
	var delays []time.Duration
	for part := range strings.SplitSeq(text, ",") {
		d, err := time.ParseDuration(strings.TrimSpace(part))
		if err != nil || d <= 0 {
			return nil, fmt.Errorf("RETRY_DELAYS is not a list of durations such as 15m,60m")
		}
		delays = append(delays, d)
	}
	return delays, nil
}

func newWebhookClient(stage config.Stage) *webhook.Client {
	o := webhook.Options{Stage: stage, Now: time.Now}
	// Lambda's runtime API listens on loopback, beside the function.
	if runtime, err := netip.ParseAddrPort(os.Getenv("AWS_LAMBDA_RUNTIME_API")); err == nil {
		o.Refuse = append(o.Refuse, runtime)
	}
	return webhook.New(o)
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
	return s.fanOut.HandOut(ctx, e)
}

// waker brings deliveries to their queue.
type waker struct{ sender outbox.Sender }

// Wake is notification.Waker's.
func (w waker) Wake(ctx context.Context, k notification.DeliveryKey) error {
	body, err := json.Marshal(k)
	if err != nil {
		return fmt.Errorf("marshal delivery: %w", err)
	}
	return w.sender.Send(ctx, outbox.DeliveryQueue, string(body))
}
