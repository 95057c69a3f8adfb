// Package overdue does overdue work for housekeeping.
package overdue

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// Housekeeping does the work of an area that no request triggers: scheduled work and lost work. Each step is one kind
// of work.
type Housekeeping struct {
	// Clocks, if set, finds the clocks of users. Disabled finds partners whose work waits.
	Clocks   clock.Users
	Disabled owner.Disabled

	shards func() int
	now    func() time.Time
	steps  []Step
}

// Step is a Work.
type Step interface {
	shard(ctx context.Context, h *Housekeeping, shard int, r *run)
	isRepair() bool
}

// New returns the housekeeping of work in shards() shards.
func New(shards func() int, now func() time.Time, steps ...Step) *Housekeeping {
	return &Housekeeping{shards: shards, now: now, steps: steps}
}

// Report is the result of a run.
type Report struct {
	// Done is the number of objects done. Lost is how many of them had lost their message, so that it was sent again.
	Done, Lost int
	// Late is how late the oldest due work of each kind was.
	Late map[string]time.Duration
}

// Run does all due work until ctx ends, and returns the number of objects done. It continues after errors, and
// returns them.
func (h *Housekeeping) Run(ctx context.Context) (int, error) {
	did, err := h.RunPart(ctx, 0, 1, true)
	return did.Done, err
}

// stopStarting is the time before the end of a run in which it starts nothing more. The next run does the rest.
const stopStarting = 2 * time.Second

// RunPart does the work in one of several parts of the shards. repairs includes the repairs: lost work is hours old,
// so they need not run every minute. Steps and shards do not wait for each other, so one backlog cannot block the
// rest.
func (h *Housekeeping) RunPart(ctx context.Context, part, parts int, repairs bool) (Report, error) {
	r := run{starting: ctx, Report: Report{Late: map[string]time.Duration{}}}
	if end, limited := ctx.Deadline(); limited {
		var cancel context.CancelFunc
		r.starting, cancel = context.WithDeadline(ctx, end.Add(-stopStarting))
		defer cancel()
	}
	var all sync.WaitGroup
	for _, step := range h.steps {
		if step.isRepair() && !repairs {
			continue
		}
		for shard := part; shard < h.shards(); shard += parts {
			all.Go(func() { step.shard(ctx, h, shard, &r) })
		}
	}
	all.Wait()
	return r.Report, r.err()
}

// Work is one kind of work on objects of one type.
type Work[T any] struct {
	Kind string
	// Repair is set if the work repeats lost jobs.
	Repair bool
	// AtOnce is the number of objects of a shard to work on concurrently, at least one.
	AtOnce int
	// Due iterates over the due objects of a shard, the longest overdue first. An error concerns one object that cannot
	// be read, or it comes last.
	Due func(ctx context.Context, shard int, now time.Time) iter.Seq2[T, error]
	// Owner returns the object's user, whose clock applies.
	Owner func(T) owner.User
	// At returns when the object is due. Objects with a zero or a future time are skipped, because the index may be
	// stale.
	At func(T) time.Time
	// IsLost reports whether an earlier message about the object was lost. Optional.
	IsLost func(T) bool
	// Do does the work. It returns outcome.ErrChanged if somebody else is doing it, and
	// outcome.ErrNotFound if the object is gone.
	Do func(context.Context, T) error
	// Wait, if set, replaces Do while the user's partner is disabled.
	Wait func(context.Context, T) error
}

func (w Work[T]) isRepair() bool { return w.Repair }

// shard does the work of a shard until r.starting ends.
func (w Work[T]) shard(ctx context.Context, h *Housekeeping, shard int, r *run) {
	var working errgroup.Group
	working.SetLimit(max(w.AtOnce, 1))
	defer func() { _ = working.Wait() }() // r collects the errors
	for object, err := range w.Due(ctx, shard, clock.Now(ctx, h.now)) {
		if r.starting.Err() != nil {
			return
		}
		ctx, waits := ctx, false
		if err == nil {
			ctx, err = clock.For(ctx, h.Clocks, w.Owner(object))
		}
		if err == nil && w.Wait != nil {
			waits, err = h.Disabled.Has(ctx, w.Owner(object).Partner)
		}
		if err != nil {
			r.note(err, false)
			continue
		}
		at := w.At(object)
		late := clock.Now(ctx, h.now).Sub(at)
		if at.IsZero() || late < 0 {
			continue
		}
		r.noteLate(w.Kind, late)
		do, isLost := w.Do, w.IsLost != nil && w.IsLost(object)
		if waits {
			do, isLost = w.Wait, false
		}
		working.Go(func() error {
			if r.starting.Err() == nil { // the object may have waited for its turn
				r.note(do(ctx, object), isLost)
			}
			return nil
		})
	}
}

// run collects what a run does.
type run struct {
	// starting ends when the run must start nothing more.
	starting context.Context //nolint:containedctx // same lifetime as the run

	mu sync.Mutex
	Report
	failed int
	first  []error
}

// maxErrors is how many errors a run returns: a table that is down makes thousands.
const maxErrors = 10

func (r *run) note(err error, lost bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case err == nil:
		r.Done++
		if lost {
			r.Lost++
		}
	case errors.Is(err, outcome.ErrChanged), errors.Is(err, outcome.ErrNotFound):
	default:
		if r.failed++; r.failed <= maxErrors {
			r.first = append(r.first, err)
		}
	}
}

func (r *run) noteLate(kind string, late time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Late[kind] = max(r.Late[kind], late)
}

func (r *run) err() error {
	if more := r.failed - len(r.first); more > 0 {
		return errors.Join(append(r.first, fmt.Errorf("and %d more errors", more))...)
	}
	return errors.Join(r.first...)
}
