package identity

import (
	"context"
	"errors"
	"fmt"
	"time"

	"aviso/internal/clock"
	"aviso/internal/owner"
)

// Eraser erases what one area stores about a user. Every method must be idempotent
// and safe for concurrent calls, because a round may fail halfway.
type Eraser interface {
	// Close stops everything that may still write data of the user, such as a running sync. It reports false while
	// earlier work, such as the hand-over of a letter, may still change the counts.
	Close(ctx context.Context, user owner.User) (closed bool, err error)
	// Count returns the number of objects of each kind.
	Count(ctx context.Context, user owner.User) (map[string]int, error)
	// Erase deletes the data and reports whether all of it is gone. Whatever has to wait for somebody else, such as a
	// bank, is left to a later round.
	Erase(ctx context.Context, user owner.User) (done bool, err error)
}

// erasureDelay is the time between deleting the user and the first count and delete. No data is created for a deleted
// user. The delay only lets recent writes reach the indexes, and lets calls end that were already admitted.
const erasureDelay = time.Minute

// ErasureRunner runs erasures, one round at a time.
type ErasureRunner struct {
	// Clocks, if set, finds the clocks of users.
	Clocks clock.Users

	store ErasureTaskStore
	areas []Eraser
	now   func() time.Time
}

// NewErasureRunner returns a runner that erases the areas in this order.
func NewErasureRunner(store ErasureTaskStore, now func() time.Time, areas ...Eraser) *ErasureRunner {
	return &ErasureRunner{store: store, areas: areas, now: now}
}

// Run does one round of every running erasure and returns how many were completed.
// It continues after a failure and returns all failures.
func (r *ErasureRunner) Run(ctx context.Context) (int, error) {
	tasks, err := r.store.ErasureTasks(ctx)
	if err != nil {
		return 0, fmt.Errorf("find running erasures: %w", err)
	}
	completed, failed := 0, error(nil)
	for _, t := range tasks {
		done, err := r.advance(ctx, t)
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("erasure %s: %w", t.ID, err))
		}
		if done {
			completed++
		}
	}
	return completed, failed
}

// advance does one round of an erasure and reports whether it is complete. It counts
// everything before it deletes anything and records the counts once, so an
// interrupted round neither loses nor doubles a count.
func (r *ErasureRunner) advance(ctx context.Context, t ErasureTask) (bool, error) {
	ctx, err := clock.For(ctx, r.Clocks, t.User)
	if err != nil {
		return false, err
	}
	closed, err := r.all(func(area Eraser) (bool, error) { return area.Close(ctx, t.User) })
	if !closed || err != nil {
		return false, err
	}
	if r.now().Before(t.RequestedAt.Add(erasureDelay)) {
		return false, nil
	}
	if !t.Counted {
		counts, err := r.countAll(ctx, t.User)
		if err != nil {
			return false, err
		}
		if err := r.store.NoteCounts(ctx, t, counts); err != nil {
			return false, fmt.Errorf("record counts: %w", err)
		}
	}
	done, err := r.all(func(area Eraser) (bool, error) { return area.Erase(ctx, t.User) })
	if !done || err != nil {
		return false, err
	}
	if err := r.store.CompleteErasure(ctx, t, clock.Read(r.now)); err != nil {
		return false, fmt.Errorf("complete: %w", err)
	}
	return true, nil
}

// all calls do for every area, even after an error. It reports whether do was true for all of them.
func (r *ErasureRunner) all(do func(Eraser) (bool, error)) (bool, error) {
	all, failed := true, error(nil)
	for _, area := range r.areas {
		done, err := do(area)
		all, failed = all && done, errors.Join(failed, err)
	}
	return all && failed == nil, failed
}

func (r *ErasureRunner) countAll(ctx context.Context, user owner.User) (map[string]int, error) {
	all := map[string]int{}
	for _, area := range r.areas {
		counts, err := area.Count(ctx, user)
		if err != nil {
			return nil, err
		}
		for kind, n := range counts {
			all[kind] += n
		}
	}
	return all, nil
}
