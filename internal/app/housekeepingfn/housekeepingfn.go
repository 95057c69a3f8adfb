// Package housekeepingfn builds the function housekeeping, which runs every minute.
// It does work that is due at a certain time, and resumes work that was lost.
package housekeepingfn

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"
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
	jobs := []job{
		{metricResent, func(ctx context.Context) (int, error) {
			return sender.Resend(ctx, time.Now().Add(-outbox.ResendAfter))
		}},
		{"connections", chores.Run}, {"letters", letterChores.Run}, {"deliveries", noticeChores.Run}, {"erasures", erasures.Run},
	}
	return bootstrap.Handler[json.RawMessage, struct{}](func(ctx context.Context, _ json.RawMessage) (struct{}, error) {
		return struct{}{}, run(ctx, jobs)
	}), nil
}

// job is one kind of work. It returns how much of it was done.
type job struct {
	name string
	do   func(context.Context) (int, error)
}

// run does all jobs at the same time, so that none waits for another one's backlog. It
// stops them early enough to log what was done.
func run(ctx context.Context, jobs []job) error {
	started := time.Now()
	ctx, cancel := bootstrap.EndEarly(ctx)
	defer cancel()
	done, failed := make([]int, len(jobs)), make([]error, len(jobs))
	var all sync.WaitGroup
	for i, j := range jobs {
		all.Go(func() { done[i], failed[i] = j.do(ctx) })
	}
	all.Wait()
	var attrs []slog.Attr
	for i, j := range jobs {
		attrs = append(attrs, slog.Int(j.name, done[i]))
	}
	attrs = append(attrs, slog.Float64("milliseconds", metric.Milliseconds(time.Since(started))),
		metric.EMF(started, nil, metric.Def{Name: metricResent, Unit: "Count"}))
	slog.LogAttrs(ctx, slog.LevelInfo, "housekeeping", attrs...)
	return errors.Join(failed...)
}
