package app

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/config"
	"aviso/internal/idempotency/answererasure"
	"aviso/internal/identity"
	"aviso/internal/identity/identitydb"
	"aviso/internal/metric"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationdb"
	"aviso/internal/outbox"
	"aviso/internal/pfm"
	"aviso/internal/pfm/pfmdb"
	"aviso/internal/queue"
)

// OutboxRelay is the function behind the outbox table's stream.
func OutboxRelay(ctx context.Context, env config.Env) (lambda.Handler, error) {
	r := config.NewReader(env)
	relay, c, err := newRelay(env, r)
	if err != nil {
		return nil, err
	}
	notices := notificationdb.New(c.dynamo, r.Required("NOTIFICATION_TABLE"), "", nil, time.Now, newID)
	defer warmed(ctx, func(ctx context.Context) error { _, err := notices.Subscriptions(ctx, nothing); return err })()
	return handlerFunc[events.DynamoDBEvent, events.DynamoDBEventResponse](relay.HandleStream), nil
}

// Housekeeping is the function that the clock calls every minute.
func Housekeeping(ctx context.Context, env config.Env) (lambda.Handler, error) {
	r := config.NewReader(env)
	table, identityTable, idempotencyTable := r.Required("PFM_TABLE"), r.Required("IDENTITY_TABLE"), r.Required("IDEMPOTENCY_TABLE")
	cancellationTable := r.Required("CANCELLATION_TABLE")
	relay, c, err := newRelay(env, r)
	if err != nil {
		return nil, err
	}
	store := pfmdb.New(c.dynamo, table, r.Required("OUTBOX_TABLE"), time.Now, newID)
	letters := observedLetters{cancellationdb.New(c.dynamo, cancellationTable, r.Required("OUTBOX_TABLE"), time.Now, newID), slog.Default(), time.Now}
	notices := notificationdb.New(c.dynamo, r.Required("NOTIFICATION_TABLE"), r.Required("OUTBOX_TABLE"), nil, time.Now, newID)
	chores, letterChores, noticeChores := pfm.NewHousekeeping(store, time.Now), cancellation.NewHousekeeping(letters, time.Now), notification.NewHousekeeping(notices, time.Now)
	erasing := identitydb.NewErasing(identitydb.New(c.dynamo, identityTable), r.Required("OUTBOX_TABLE"), newID)
	erasures := identity.NewErasureRunner(erasing, time.Now,
		pfm.NewEraser(store, time.Now), cancellation.NewEraser(letters, time.Now), notification.NewEraser(notices), answererasure.New(c.dynamo, idempotencyTable))
	return handlerFunc[json.RawMessage, struct{}](func(ctx context.Context, _ json.RawMessage) (struct{}, error) {
		started := time.Now()
		resent, err1 := relay.Resend(ctx, time.Now().Add(-outbox.ResendAfter))
		changed, err2 := chores.Run(ctx)
		woken, err3 := letterChores.Run(ctx)
		due, err4 := noticeChores.Run(ctx)
		erased, err5 := erasures.Run(ctx)
		slog.LogAttrs(ctx, slog.LevelInfo, "housekeeping", slog.Int(metricResent, resent), slog.Int("connections", changed), slog.Int("letters", woken),
			slog.Int("deliveries", due), slog.Int("erasures", erased), slog.Float64("milliseconds", metric.Milliseconds(time.Since(started))),
			metric.EMF(started, nil, metric.Def{Name: metricResent, Unit: "Count"}))
		return struct{}{}, errors.Join(err1, err2, err3, err4, err5)
	}), nil
}

func newRelay(env config.Env, r *config.Reader) (*outbox.Relay, clients, error) {
	table, syncURL, letterURL := r.Required("OUTBOX_TABLE"), r.Required("SYNC_QUEUE_URL"), r.Required("LETTER_QUEUE_URL")
	stage, notificationTable, deliveryURL := r.Stage(), r.Required("NOTIFICATION_TABLE"), r.Required("DELIVERY_QUEUE_URL")
	if err := r.Err(); err != nil {
		return nil, clients{}, err
	}
	c, err := newClients(env)
	if err != nil {
		return nil, clients{}, err
	}
	sender := queue.NewSender(c.sqs(), map[string]string{outbox.SyncQueue: syncURL, outbox.LetterQueue: letterURL, outbox.DeliveryQueue: deliveryURL})
	// No signing key is read where events are handed out.
	fanOut := notification.NewFanOut(notificationdb.New(c.dynamo, notificationTable, table, nil, time.Now, newID), waker{sender}, string(stage), time.Now)
	return outbox.NewRelay(c.dynamo, table, eventSender{sender, fanOut}, slog.Default()), c, nil
}

// retryable translates the area's wish for another attempt into the queue's.
func retryable(do func(context.Context, pfm.SyncJob, int) error) func(context.Context, pfm.SyncJob, int) error {
	return func(ctx context.Context, job pfm.SyncJob, attempt int) error {
		err := do(ctx, job, attempt)
		var later *pfm.ErrSyncLater
		if errors.As(err, &later) {
			return &queue.Retry{After: later.After, Err: err}
		}
		return err
	}
}
