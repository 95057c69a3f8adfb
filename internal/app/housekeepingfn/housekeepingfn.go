// Package housekeepingfn builds the function housekeeping, which runs every minute.
// It does work that is due at a certain time, and resumes work that was lost.
//
// template.yaml has several schedules, because one run at a time could not plan the
// refreshes of millions of connections. Each handles a part of the connections; the
// one with the first part does everything else as well.
package housekeepingfn

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"aviso/internal/api/idempotency"
	"aviso/internal/app/bootstrap"
	"aviso/internal/app/contractterms"
	"aviso/internal/app/relay"
	"aviso/internal/aws/config"

	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/cancellation/dispatch"
	"aviso/internal/clock"
	"aviso/internal/console/consoledb"
	"aviso/internal/dynamo"
	"aviso/internal/identity"
	"aviso/internal/identity/identitydb"
	"aviso/internal/messaging/outbox"
	"aviso/internal/messaging/overdue"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationdb"
	"aviso/internal/observe"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/contract"
	"aviso/internal/pfm/pfmdb"
)

// event says what a run does. The zero value means everything.
type event struct {
	// Part counts from 0 to Parts-1.
	Part  int `json:"part"`
	Parts int `json:"parts"`
}

// shards returns the part of the connections' shards that the run handles, and the number of parts. Parts rotate
// every minute: if one schedule stops, all shards are still handled, only less often.
func (e event) shards(now time.Time) (part, parts int, err error) {
	parts = max(e.Parts, 1)
	if e.Part < 0 || e.Part >= parts {
		return 0, 0, fmt.Errorf("there is no part %d of %d", e.Part, parts)
	}
	return int((int64(e.Part) + now.Unix()/60) % int64(parts)), parts, nil
}

// repairMinutes is the number of minutes between two searches for lost jobs and deliveries, and between counts of
// dead letters. It shares no factor with the number of parts, so each schedule gets its turn with each part.
const repairMinutes = 5

// repairs reports whether a run searches for lost work. A run of everything does.
func (e event) repairs(now time.Time) bool { return e.Parts == 0 || now.Unix()/60%repairMinutes == 0 }

// New builds the function.
func New(ctx context.Context, env config.Env) (lambda.Handler, error) {
	r := config.NewReader(env)
	table, identityTable := r.Required("PFM_TABLE"), r.Required("IDENTITY_TABLE")
	idempotencyTable, cancellationTable := r.Required("IDEMPOTENCY_TABLE"), r.Required("CANCELLATION_TABLE")
	sender, err := relay.New(ctx, env, r)
	if err != nil {
		return nil, err
	}
	retention := r.Int("ENDED_DATA_DAYS", connection.DefaultRetention, connection.MinRetention)
	notificationTable, outboxTable := r.Required("NOTIFICATION_TABLE"), r.Required("OUTBOX_TABLE")
	store := pfmdb.New(sender.Dynamo, table, outboxTable, time.Now, bootstrap.NewID)
	store.RequireUsers(identityTable)
	letters := cancellationdb.New(sender.Dynamo, cancellationTable, outboxTable, time.Now, bootstrap.NewID)
	letters.OnSave(dispatch.LogWait(slog.Default(), time.Now))
	notices := notificationdb.New(sender.Dynamo, notificationTable, outboxTable, nil, time.Now, bootstrap.NewID)
	people := identitydb.New(sender.Dynamo, identityTable)
	erasing := identitydb.NewErasureTaskStore(people, outboxTable, bootstrap.NewID)
	areas := []identity.Eraser{
		&connection.Eraser{Store: store, Now: time.Now},
		&dispatch.Eraser{Store: letters, Now: time.Now}, notification.NewEraser(notices),
		idempotency.New(sender.Dynamo, idempotencyTable),
	}
	clocks := dynamo.NewClocks(sender.Dynamo, r)
	disabled := dynamo.DisabledIn(dynamo.NewTable(sender.Dynamo, identityTable), time.Now)
	moved := movedClocks{identitydb.NewClockStore(people, outboxTable, time.Now, bootstrap.NewID), sender.Queues}
	if clocks != nil {
		areas = append(areas, moved)
	}
	if consoleTable := env("CONSOLE_TABLE"); consoleTable != "" {
		areas = append(areas, consoledb.NewEraser(sender.Dynamo, consoleTable))
	}
	erasures := identity.NewErasureRunner(erasing, time.Now, areas...)
	erasures.Clocks = clocks
	duties := []job{
		{"resent", func(ctx context.Context) (overdue.Report, error) {
			n, err := sender.Resend(ctx, time.Now().Add(-outbox.ResendAfter))
			return overdue.Report{Done: n, Lost: n}, err
		}},
		counting("erasures", erasures.Run),
	}
	if clocks != nil {
		duties = append(duties, counting("clocks", moved.wake))
	}
	terms := contractterms.New(letters.FirstProducts, letters.Products, time.Now)
	dead := deadLetters{sqs.NewFromConfig(sender.Config), strings.Fields(env("DEAD_LETTER_URLS"))}
	return bootstrap.Handler[event, struct{}](func(ctx context.Context, e event) (struct{}, error) {
		part, parts, err := e.shards(time.Now())
		if err != nil {
			return struct{}{}, err
		}
		repairs := e.repairs(time.Now())
		chores := func(name string, h *overdue.Housekeeping, clocks clock.Users, part, parts int) job {
			h.Clocks, h.Disabled = clocks, disabled
			return job{name, func(ctx context.Context) (overdue.Report, error) {
				return h.RunPart(ctx, part, parts, repairs)
			}}
		}
		watch := contract.NewDeadlineWatch(store, terms.Cancellables, terms.Deadlines, time.Now).Housekeeping
		jobs := []job{
			chores("connections", connection.NewHousekeeping(store, retention, time.Now), clocks, part, parts),
			chores("contracts", watch, clocks, part, parts),
		}
		if part == 0 {
			jobs = append(jobs, chores("letters", dispatch.NewHousekeeping(letters, time.Now), clocks, 0, 1))
			jobs = append(jobs, duties...)
			if repairs {
				jobs = append(jobs, chores("deliveries", notification.NewHousekeeping(notices, time.Now), nil, 0, 1),
					counting(string(observe.DeadLetters), dead.count))
			}
		}
		return struct{}{}, run(ctx, jobs)
	}), nil
}

// job is one kind of work.
type job struct {
	name string
	do   func(context.Context) (overdue.Report, error)
}

// counting is a job that only returns a count.
func counting(name string, do func(context.Context) (int, error)) job {
	return job{name, func(ctx context.Context) (overdue.Report, error) {
		n, err := do(ctx)
		return overdue.Report{Done: n}, err
	}}
}

// run does all jobs at the same time, so that none waits for another one's backlog. It stops them early enough to log
// the results.
func run(ctx context.Context, jobs []job) error {
	started := time.Now()
	ctx, cancel := bootstrap.EndEarly(ctx)
	defer cancel()
	did, failed := make([]overdue.Report, len(jobs)), make([]error, len(jobs))
	var all sync.WaitGroup
	for i, j := range jobs {
		all.Go(func() { did[i], failed[i] = j.do(ctx) })
	}
	all.Wait()
	var attrs []slog.Attr
	metrics, repeated, late := []observe.Metric{observe.DueLate}, 0, map[string]time.Duration{}
	for i, j := range jobs {
		attrs = append(attrs, slog.Int(j.name, did[i].Done))
		if j.name == string(observe.DeadLetters) && did[i].Done > 0 {
			metrics = append(metrics, observe.DeadLetters)
		}
		repeated += did[i].Lost
		maps.Copy(late, did[i].Late)
	}
	if repeated > 0 { // CloudWatch bills a metric for every hour with a value
		metrics = append(metrics, observe.Repeated)
	}
	// One metric for all kinds costs a sixth of one metric per kind.
	oldest, kinds := time.Duration(0), []any{}
	for _, kind := range slices.Sorted(maps.Keys(late)) {
		oldest = max(oldest, late[kind])
		kinds = append(kinds, slog.Float64(kind, late[kind].Seconds()))
	}
	attrs = append(attrs, slog.Int(string(observe.Repeated), repeated),
		slog.Float64(string(observe.DueLate), oldest.Seconds()), slog.Group("late", kinds...),
		slog.Float64("milliseconds", observe.Milliseconds(time.Since(started))), observe.EMF(started, metrics...))
	slog.LogAttrs(ctx, slog.LevelInfo, "housekeeping", attrs...)
	return errors.Join(failed...)
}
