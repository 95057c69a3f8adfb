// Package overdue handles what housekeeping finds to be due.
package overdue

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"aviso/internal/clock"
	"aviso/internal/dynamo/outcome"
	"aviso/internal/dynamo/owner"
)

// Housekeeping does the work of an area that no request triggers: what is due at a certain
// time, and what was lost. Its steps are its kinds of work.
type Housekeeping struct {
	// Clocks, if set, finds the clocks of users.
	Clocks clock.Users

	shards func() int
	now    func() time.Time
	steps  []Step
	onLate func(kind string, late time.Duration)
	lost   atomic.Int64
}

// Step is a Work.
type Step interface {
	run(ctx context.Context, h *Housekeeping, part, parts int) (int, error)
	isRepair() bool
}

// New returns the housekeeping of work that is spread over as many shards as the function says.
func New(shards func() int, now func() time.Time, steps ...Step) *Housekeeping {
	return &Housekeeping{shards: shards, now: now, steps: steps, onLate: func(string, time.Duration) {}}
}

// OnLate sets a function that is called with how long the oldest due work of a kind has
// waited, once for each shard that has some, at the same time for several.
func (h *Housekeeping) OnLate(note func(kind string, late time.Duration)) { h.onLate = note }

// Lost returns how many messages runs have sent again, because nobody had done their work.
func (h *Housekeeping) Lost() int { return int(h.lost.Load()) }

// Run does all work that is due, for as long as ctx lasts, and returns how many objects it
// has done. It continues after an error, and returns the errors.
func (h *Housekeeping) Run(ctx context.Context) (int, error) { return h.RunPart(ctx, 0, 1, true) }

// RunPart does the work in one of several parts of the shards. It does repairs only if they
// are wanted: what they find is hours old, so that need not be every minute. Steps and shards
// do not wait for each other, so no backlog holds up anything else.
func (h *Housekeeping) RunPart(ctx context.Context, part, parts int, repairs bool) (int, error) {
	done, failed := make([]int, len(h.steps)), make([]error, len(h.steps))
	var all sync.WaitGroup
	for i, step := range h.steps {
		if !step.isRepair() || repairs {
			all.Go(func() { done[i], failed[i] = step.run(ctx, h, part, parts) })
		}
	}
	all.Wait()
	total := 0
	for _, n := range done {
		total += n
	}
	return total, errors.Join(failed...)
}

// Work is one kind of work on objects of one type.
type Work[T any] struct {
	Kind string
	// Repair: the work repeats jobs that were lost.
	Repair bool
	// AtOnce is how many objects of a shard are worked on at once, at least one.
	AtOnce int
	// Due iterates over the objects of a shard on which work is due at this time, the longest
	// overdue first. An error concerns one object that cannot be read, or it comes last.
	Due func(ctx context.Context, shard int, now time.Time) iter.Seq2[T, error]
	// Owner returns the user whose clock counts for the object.
	Owner func(T) owner.User
	// At returns when work on the object is due. Objects with a zero time or one that has not
	// come are left out: the index that found them is eventually consistent.
	At func(T) time.Time
	// IsLost reports whether a message about the object was sent before and came to nothing.
	// Optional.
	IsLost func(T) bool
	// Do does the work. It returns outcome.ErrChanged if somebody else is doing it, and
	// outcome.ErrNotFound if the object is gone.
	Do func(context.Context, T) error
}

func (w Work[T]) isRepair() bool { return w.Repair }

const (
	// lastStart is how long before its end a step starts nothing more. What is left is due in
	// the next run.
	lastStart = 2 * time.Second
	// maxErrors is how many errors a step returns: a table that is down makes thousands.
	maxErrors = 10
)

// run does the work of one part of the shards until shortly before ctx ends.
func (w Work[T]) run(ctx context.Context, h *Housekeeping, part, parts int) (int, error) {
	starting := ctx
	if end, limited := ctx.Deadline(); limited {
		var cancel context.CancelFunc
		starting, cancel = context.WithDeadline(ctx, end.Add(-lastStart))
		defer cancel()
	}
	var r result
	var all sync.WaitGroup
	for shard := part; shard < h.shards(); shard += parts {
		all.Go(func() { w.shard(ctx, starting, h, shard, &r) })
	}
	all.Wait()
	return r.done, r.err()
}

// shard does the work of a shard until starting ends.
func (w Work[T]) shard(ctx, starting context.Context, h *Housekeeping, shard int, r *result) {
	var working errgroup.Group
	working.SetLimit(max(w.AtOnce, 1))
	defer func() { _ = working.Wait() }() // r has the errors
	first := true
	for object, err := range w.Due(ctx, shard, clock.Now(ctx, h.now)) {
		if starting.Err() != nil {
			return
		}
		if err != nil {
			r.note(err)
			continue
		}
		ctx, err := clock.For(ctx, h.Clocks, w.Owner(object))
		if err != nil {
			r.note(err)
			continue
		}
		at := w.At(object)
		late := clock.Now(ctx, h.now).Sub(at)
		if at.IsZero() || late < 0 {
			continue
		}
		if first {
			h.onLate(w.Kind, late)
		}
		first = false
		working.Go(func() error {
			if starting.Err() == nil { // it may have waited for its turn
				r.note(w.do(ctx, h, object))
			}
			return nil
		})
	}
}

func (w Work[T]) do(ctx context.Context, h *Housekeeping, object T) error {
	err := w.Do(ctx, object)
	if err == nil && w.IsLost != nil && w.IsLost(object) {
		h.lost.Add(1)
	}
	return err
}

// result collects what a run did.
type result struct {
	mu           sync.Mutex
	done, failed int
	first        []error
}

func (r *result) note(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case err == nil:
		r.done++
	case errors.Is(err, outcome.ErrChanged), errors.Is(err, outcome.ErrNotFound):
	default:
		if r.failed++; r.failed <= maxErrors {
			r.first = append(r.first, err)
		}
	}
}

func (r *result) err() error {
	if more := r.failed - len(r.first); more > 0 {
		return errors.Join(append(r.first, fmt.Errorf("and %d more errors", more))...)
	}
	return errors.Join(r.first...)
}
