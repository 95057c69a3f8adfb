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
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationdb"
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

// event says what a run does. The zero value is everything.
type event struct {
	// Part is one of Parts parts, from 0.
	Part  int `json:"part"`
	Parts int `json:"parts"`
}

// shards returns the part of the connections' shards that the run handles, and the number
// of parts. Parts take turns from minute to minute, so that all shards are handled, only
// less often, when one schedule has stopped.
func (e event) shards(now time.Time) (part, parts int, err error) {
	parts = max(e.Parts, 1)
	if e.Part < 0 || e.Part >= parts {
		return 0, 0, fmt.Errorf("there is no part %d of %d", e.Part, parts)
	}
	return int((int64(e.Part) + now.Unix()/60) % int64(parts)), parts, nil
}

// repairMinutes is how many minutes apart lost jobs and deliveries are looked for, and dead
// letters counted.
// It has no factor in common with the number of parts, so that each schedule has its turn with
// each part.
const repairMinutes = 5

// repairs reports whether a run is one of those. A run of everything is.
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
	notificationTable, outboxTable := r.Required("NOTIFICATION_TABLE"), r.Required("OUTBOX_TABLE")
	store := pfmdb.New(sender.Dynamo, table, outboxTable, time.Now, bootstrap.NewID)
	store.RequireUsers(identityTable)
	letters := cancellationdb.New(sender.Dynamo, cancellationTable, outboxTable, time.Now, bootstrap.NewID)
	letters.OnSave(cancellation.LogWait(slog.Default(), time.Now))
	notices := notificationdb.New(sender.Dynamo, notificationTable, outboxTable, nil, time.Now, bootstrap.NewID)
	people := identitydb.New(sender.Dynamo, identityTable)
	erasing := identitydb.NewErasureTaskStore(people, outboxTable, bootstrap.NewID)
	areas := []identity.Eraser{
		&connection.Eraser{Store: store, Now: time.Now},
		&cancellation.Eraser{Store: letters, Now: time.Now}, notification.NewEraser(notices),
		idempotency.NewEraser(sender.Dynamo, idempotencyTable),
	}
	clocks := dynamo.NewClocks(sender.Dynamo, r)
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
		{name: "resent", lost: func(done int) int { return done }, do: func(ctx context.Context) (int, error) {
			return sender.Resend(ctx, time.Now().Add(-outbox.ResendAfter))
		}},
		{name: "erasures", do: erasures.Run},
	}
	if clocks != nil {
		duties = append(duties, job{name: "clocks", do: moved.wake})
	}
	terms := contractterms.New(letters.FirstProducts, letters.Products, time.Now)
	dead := deadLetters{sqs.NewFromConfig(sender.Config), strings.Fields(env("DEAD_LETTER_URLS"))}
	return bootstrap.Handler[event, struct{}](func(ctx context.Context, e event) (struct{}, error) {
		part, parts, err := e.shards(time.Now())
		if err != nil {
			return struct{}{}, err
		}
		late, repairs := &lateness{kinds: map[string]time.Duration{}}, e.repairs(time.Now())
		chores := func(name string, h *overdue.Housekeeping, clocks clock.Users, part, parts int) job {
			h.Clocks = clocks
			h.OnLate(late.note)
			return job{
				name: name, lost: func(int) int { return h.Lost() },
				do: func(ctx context.Context) (int, error) { return h.RunPart(ctx, part, parts, repairs) },
			}
		}
		watch := contract.NewDeadlineWatch(store, terms.Cancellables, terms.Deadlines, time.Now).Housekeeping
		jobs := []job{
			chores("connections", connection.NewHousekeeping(store, time.Now), clocks, part, parts),
			chores("contracts", watch, clocks, part, parts),
		}
		if part == 0 {
			jobs = append(jobs, chores("letters", cancellation.NewHousekeeping(letters, time.Now), clocks, 0, 1))
			jobs = append(jobs, duties...)
			if repairs {
				jobs = append(jobs, chores("deliveries", notification.NewHousekeeping(notices, time.Now), nil, 0, 1),
					job{name: string(observe.DeadLetters), do: dead.count})
			}
		}
		return struct{}{}, run(ctx, jobs, late)
	}), nil
}

// lateness is how long the oldest due work of each kind has waited.
type lateness struct {
	mu    sync.Mutex
	kinds map[string]time.Duration
}

func (l *lateness) note(kind string, late time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.kinds[kind] = max(l.kinds[kind], late)
}

// attrs returns the members of the log line: the metric, and the seconds of each kind.
// One metric for all kinds costs a sixth of one for each.
func (l *lateness) attrs() []slog.Attr {
	oldest, kinds := time.Duration(0), []any{}
	for _, kind := range slices.Sorted(maps.Keys(l.kinds)) {
		oldest = max(oldest, l.kinds[kind])
		kinds = append(kinds, slog.Float64(kind, l.kinds[kind].Seconds()))
	}
	return []slog.Attr{slog.Float64(string(observe.DueLate), oldest.Seconds()), slog.Group("late", kinds...)}
}

// job is one kind of work. It returns how much of it was done.
type job struct {
	name string
	do   func(context.Context) (int, error)
	// lost, if set, returns how many of the messages that do has sent were sent before and
	// came to nothing.
	lost func(done int) int
}

// run does all jobs at the same time, so that none waits for another one's backlog. It
// stops them early enough to log what was done.
func run(ctx context.Context, jobs []job, late *lateness) error {
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
	metrics, repeated := []observe.Metric{observe.DueLate}, 0
	for i, j := range jobs {
		attrs = append(attrs, slog.Int(j.name, done[i]))
		if j.name == string(observe.DeadLetters) && done[i] > 0 {
			metrics = append(metrics, observe.DeadLetters)
		}
		if j.lost != nil {
			repeated += j.lost(done[i])
		}
	}
	if repeated > 0 { // CloudWatch bills a metric in the hours in which it has a value
		metrics = append(metrics, observe.Repeated)
	}
	attrs = append(attrs, slog.Int(string(observe.Repeated), repeated))
	attrs = append(attrs, late.attrs()...)
	attrs = append(attrs, slog.Float64("milliseconds", observe.Milliseconds(time.Since(started))),
		observe.EMF(started, metrics...))
	slog.LogAttrs(ctx, slog.LevelInfo, "housekeeping", attrs...)
	return errors.Join(failed...)
}
