// Package webhookdeliveryfn builds the function webhook-delivery, which posts events
// to partners' servers.
package webhookdeliveryfn

import (
	"context"
	"log/slog"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"aviso/internal/app/bootstrap"
	"aviso/internal/aws/config"
	"aviso/internal/dynamo"
	"aviso/internal/messaging/queue"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationdb"
	"aviso/internal/notification/webhook"
	"aviso/internal/observe"
	"aviso/internal/secret/keyring"
)

// RetryQueue is the name of the queue for deliveries that must wait.
const RetryQueue = "retries"

// New builds the function.
func New(ctx context.Context, env config.Env) (lambda.Handler, error) {
	return keyring.Reloading(ctx, env, time.Now, build)
}

func build(ctx context.Context, env config.Env, cache *keyring.Cache) (lambda.Handler, error) {
	r := config.NewReader(env)
	stage, secret := r.Stage(), r.Required("WEBHOOK_SECRET")
	table, outboxTable := r.Required("NOTIFICATION_TABLE"), r.Required("OUTBOX_TABLE")
	deliveryURL, retryURL := r.Required("DELIVERY_QUEUE_URL"), r.Required("RETRY_QUEUE_URL")
	identityTable := r.Required("IDENTITY_TABLE")
	delays := r.Optional("RETRY_DELAYS", notification.RetryDelays)
	concurrency, retryConcurrency := r.Int("DELIVERY_CONCURRENCY", 0, 0), r.Int("RETRY_CONCURRENCY", 0, 0)
	c, err := bootstrap.NewClients(ctx, env, r)
	if err != nil {
		return nil, err
	}
	waits, err := notification.ParseRetryDelays(delays)
	if err != nil {
		return nil, err
	}
	unsealed := notificationdb.New(c.Dynamo, table, outboxTable, nil, time.Now, bootstrap.NewID)
	defer bootstrap.StartWarmUp(ctx, func(ctx context.Context) error {
		_, err := unsealed.Subscription(ctx, bootstrap.MissingID, bootstrap.MissingID)
		return err
	})()
	root, err := keyring.Load(ctx, cache.Reader(c.Config), secret)
	if err != nil {
		return nil, err
	}
	keys, err := root.Sealer(keyring.WebhookKeys)
	if err != nil {
		return nil, err
	}
	client := sqs.NewFromConfig(c.Config)
	store := notificationdb.New(c.Dynamo, table, outboxTable, keys, time.Now, bootstrap.NewID)
	disabled := dynamo.DisabledIn(dynamo.NewTable(c.Dynamo, identityTable), time.Now)
	deliverer := notification.NewDeliverer(
		notification.Pausing{Disabled: disabled}.Deliveries(store), store, webhook.NewForStage(stage, env, time.Now).Call,
		waits, time.Now, bootstrap.NewSortableID)
	deliverer.Clocks = dynamo.NewClocks(c.Dynamo, r)
	deliverer.Observe = logAttempts(slog.Default(), time.Now)
	keepPayloads(deliverer, stage)
	retries := queue.NewSender(client, map[string]string{RetryQueue: retryURL})
	// A partner with hanging receivers occupies at most half of each queue's functions.
	handler := func(
		url string, functions int, waited observe.Metric,
	) func(context.Context, events.SQSEvent) (events.SQSEventResponse, error) {
		d := *deliverer
		d.PartnerCalls, d.Fresh = functions/2, url == deliveryURL
		worker := &queue.Worker[notification.DeliveryKey]{
			Service: "webhook-delivery", Client: client, URL: url, Log: slog.Default(), Now: time.Now,
			Work: queue.Again(d.Deliver, RetryQueue, retries.SendJSON), Waited: waited,
		}
		return worker.Handle
	}
	first, again := handler(deliveryURL, concurrency, observe.FirstAttempt), handler(retryURL, retryConcurrency, "")
	return bootstrap.Handler[events.SQSEvent, events.SQSEventResponse](
		func(ctx context.Context, e events.SQSEvent) (events.SQSEventResponse, error) {
			if len(e.Records) > 0 && queue.IsFrom(e.Records[0], retryURL) {
				return again(ctx, e)
			}
			return first(ctx, e)
		}), nil
}

// keepPayloads makes attempts store the request body, except in production.
func keepPayloads(d *notification.Deliverer, stage config.Stage) {
	d.KeepPayloads = stage != config.Production
}
