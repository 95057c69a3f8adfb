// Package housekeepingfn builds the function housekeeping, which runs every minute.
// It does work that is due at a certain time, and resumes work that was lost.
package housekeepingfn

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"aviso/internal/app/bootstrap"
	"aviso/internal/app/relay"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/config"
	"aviso/internal/idempotency"
	"aviso/internal/identity"
	"aviso/internal/identity/identitydb"
	"aviso/internal/metric"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationdb"
	"aviso/internal/outbox"
	"aviso/internal/pfm"
	"aviso/internal/pfm/pfmdb"
)

// metricResent counts messages that the outbox's stream did not deliver.
// template.yaml has an alarm on it.
const metricResent = "Resent"

// New builds the function.
func New(ctx context.Context, env config.Env) (lambda.Handler, error) {
	r := config.NewReader(env)
	table, identityTable := r.Required("PFM_TABLE"), r.Required("IDENTITY_TABLE")
	idempotencyTable, cancellationTable := r.Required("IDEMPOTENCY_TABLE"), r.Required("CANCELLATION_TABLE")
	sender, err := relay.New(env, r)
	if err != nil {
		return nil, err
	}
	notificationTable, outboxTable := r.Required("NOTIFICATION_TABLE"), r.Required("OUTBOX_TABLE")
	store := pfmdb.New(sender.Dynamo, table, outboxTable, time.Now, bootstrap.NewID)
	store.RequireUsers(identityTable)
	letters := cancellationdb.New(sender.Dynamo, cancellationTable, outboxTable, time.Now, bootstrap.NewID)
	letters.OnSave(cancellation.LogWait(slog.Default(), time.Now))
	notices := notificationdb.New(sender.Dynamo, notificationTable, outboxTable, nil, time.Now, bootstrap.NewID)
	chores := pfm.NewHousekeeping(store, time.Now)
	letterChores := cancellation.NewHousekeeping(letters, time.Now)
	noticeChores := notification.NewHousekeeping(notices, time.Now)
	erasing := identitydb.NewErasureTaskStore(identitydb.New(sender.Dynamo, identityTable), outboxTable, bootstrap.NewID)
	erasures := identity.NewErasureRunner(erasing, time.Now,
		pfm.NewEraser(store, time.Now), cancellation.NewEraser(letters, time.Now), notification.NewEraser(notices),
		idempotency.NewEraser(sender.Dynamo, idempotencyTable))
	return bootstrap.Handler[json.RawMessage, struct{}](func(ctx context.Context, _ json.RawMessage) (struct{}, error) {
		started := time.Now()
		resent, err1 := sender.Resend(ctx, time.Now().Add(-outbox.ResendAfter))
		changed, err2 := chores.Run(ctx)
		woken, err3 := letterChores.Run(ctx)
		due, err4 := noticeChores.Run(ctx)
		erased, err5 := erasures.Run(ctx)
		slog.LogAttrs(ctx, slog.LevelInfo, "housekeeping",
			slog.Int(metricResent, resent), slog.Int("connections", changed), slog.Int("letters", woken),
			slog.Int("deliveries", due), slog.Int("erasures", erased),
			slog.Float64("milliseconds", metric.Milliseconds(time.Since(started))),
			metric.EMF(started, nil, metric.Def{Name: metricResent, Unit: "Count"}))
		return struct{}{}, errors.Join(err1, err2, err3, err4, err5)
	}), nil
}
