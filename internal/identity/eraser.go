package identity

import (
	"context"
	"errors"
	"fmt"
	"time"

	"aviso/internal/clock"
	"aviso/internal/owner"
)

// Eraser erases what one area keeps of a user. Every method may be called again
// after it has failed half way, and by two at the same time.
type Eraser interface {
	// Close ends whatever may still write something of the user, such as a sync
	// that is running.
	Close(ctx context.Context, user owner.User) error
	// Count is how much of each kind there is.
	Count(ctx context.Context, user owner.User) (map[string]int, error)
	// Erase deletes what there is, and tells whether all of it is gone. What
	// waits for somebody else, a bank for one, is for a later round.
	Erase(ctx context.Context, user owner.User) (done bool, err error)
}

// erasureCalm is how long after the user is gone the first thing is counted and
// deleted. A call that was let pass a moment before may still write something;
// none runs as long as this.
const erasureCalm = time.Minute

// ErasureRunner carries erasures through, a round at a time.
type ErasureRunner struct {
	store ErasureTaskStore
	areas []Eraser
	now   func() time.Time
}

// NewErasureRunner erases in areas, in this order.
func NewErasureRunner(store ErasureTaskStore, now func() time.Time, areas ...Eraser) *ErasureRunner {
	return &ErasureRunner{store: store, areas: areas, now: now}
}

// Run takes every running erasure as far as it gets, and tells how many were
// completed. It goes on after a failure, and reports all of them.
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

// advance does one round of an erasure and tells whether that completed it.
// Everything is counted before the first of it is deleted, and the counts are
// noted once: so a round that breaks off loses none and doubles none.
func (r *ErasureRunner) advance(ctx context.Context, t ErasureTask) (bool, error) {
	if err := r.closeAll(ctx, t.User); err != nil {
		return false, err
	}
	if r.now().Before(t.RequestedAt.Add(erasureCalm)) {
		return false, nil
	}
	if !t.Counted {
		counts, err := r.countAll(ctx, t.User)
		if err != nil {
			return false, err
		}
		if err := r.store.NoteCounts(ctx, t, counts); err != nil {
			return false, fmt.Errorf("note counts: %w", err)
		}
	}
	if done, err := r.eraseAll(ctx, t.User); !done || err != nil {
		return false, err
	}
	if err := r.store.CompleteErasure(ctx, t, clock.Read(r.now)); err != nil {
		return false, fmt.Errorf("complete: %w", err)
	}
	return true, nil
}

func (r *ErasureRunner) closeAll(ctx context.Context, user owner.User) error {
	var failed error
	for _, area := range r.areas {
		failed = errors.Join(failed, area.Close(ctx, user))
	}
	return failed
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

// eraseAll lets no area wait for another's trouble.
func (r *ErasureRunner) eraseAll(ctx context.Context, user owner.User) (bool, error) {
	all, failed := true, error(nil)
	for _, area := range r.areas {
		done, err := area.Erase(ctx, user)
		all, failed = all && done, errors.Join(failed, err)
	}
	return all && failed == nil, failed
}
