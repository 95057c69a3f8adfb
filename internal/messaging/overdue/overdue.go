// Package overdue handles what housekeeping finds to be due.
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
	"aviso/internal/dynamo/outcome"
	"aviso/internal/dynamo/owner"
)

// Work is one kind of work, spread over shards.
type Work[T any] struct {
	// Shards are those whose work is done.
	Shards iter.Seq[int]
	// AtOnce is how many objects of a shard are worked on at once, at least one.
	AtOnce int
	// Due iterates over the objects of a shard on which work is due, the longest overdue
	// first. An error concerns one object that cannot be read, or it comes last.
	Due func(ctx context.Context, shard int) iter.Seq2[T, error]
	// Owner returns the user whose clock counts for the object, found in Clocks.
	Owner  func(T) owner.User
	Clocks clock.Users
	// Late returns for how long work on the object has been due. Objects with a negative
	// time are left out: the index that found them is eventually consistent.
	Late func(context.Context, T) time.Duration
	// Do does the work. It returns outcome.ErrChanged if somebody else is doing it, and
	// outcome.ErrNotFound if the object is gone.
	Do func(context.Context, T) error
	// OnLate is called with how long the first object of a shard has waited, at the same
	// time for several shards.
	OnLate func(time.Duration)
}

const (
	// lastStart is how long before its end Run starts nothing more. What is left is due in
	// the next run.
	lastStart = 2 * time.Second
	// maxErrors is how many errors Run returns: a table that is down makes thousands.
	maxErrors = 10
)

// Run does all work that is due, for as long as ctx lasts, and returns how many objects it
// has done. Shards do not wait for each other. It continues after an error, and returns
// the errors.
func (w Work[T]) Run(ctx context.Context) (int, error) {
	starting := ctx
	if end, limited := ctx.Deadline(); limited {
		var cancel context.CancelFunc
		starting, cancel = context.WithDeadline(ctx, end.Add(-lastStart))
		defer cancel()
	}
	var r result
	var all sync.WaitGroup
	for shard := range w.Shards {
		all.Go(func() { w.shard(ctx, starting, shard, &r) })
	}
	all.Wait()
	return r.done, r.err()
}

// shard does the work of a shard until starting ends.
func (w Work[T]) shard(ctx, starting context.Context, shard int, r *result) {
	var working errgroup.Group
	working.SetLimit(max(w.AtOnce, 1))
	defer func() { _ = working.Wait() }() // r has the errors
	first := true
	for object, err := range w.Due(ctx, shard) {
		if starting.Err() != nil {
			return
		}
		if err != nil {
			r.note(err)
			continue
		}
		ctx, err := clock.For(ctx, w.Clocks, w.Owner(object))
		if err != nil {
			r.note(err)
			continue
		}
		late := w.Late(ctx, object)
		if late < 0 {
			continue
		}
		if first && w.OnLate != nil {
			w.OnLate(late)
		}
		first = false
		working.Go(func() error {
			if starting.Err() == nil { // it may have waited for its turn
				r.note(w.Do(ctx, object))
			}
			return nil
		})
	}
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

// Range returns the numbers from 0 to n-1: all shards.
func Range(n int) iter.Seq[int] { return Part(n, 0, 1) }

// Part returns every parts-th number below n, from part on.
func Part(n, part, parts int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := part; i < n && yield(i); i += parts {
		}
	}
}
