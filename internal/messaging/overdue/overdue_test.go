package overdue_test

import (
	"context"
	"errors"
	"iter"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/messaging/overdue"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// work is work on numbers: for how many seconds each has been due. It keeps what was done.
type work struct {
	overdue.Work[int]
	shards int
	mu     sync.Mutex
	done   []int
	late   map[string]time.Duration
}

func newWork(shards ...[]int) *work {
	w, now := &work{shards: len(shards)}, time.Now().Truncate(time.Second)
	w.Work = overdue.Work[int]{
		Kind: "Number",
		Due: func(_ context.Context, shard int, _ time.Time) iter.Seq2[int, error] {
			return func(yield func(int, error) bool) {
				for _, n := range shards[shard] {
					if !yield(n, nil) {
						return
					}
				}
			}
		},
		Owner: func(int) owner.User { return owner.User{} },
		At:    func(n int) time.Time { return now.Add(-time.Duration(n) * time.Second) },
		Do: func(_ context.Context, n int) error {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.done = append(w.done, n)
			return nil
		},
	}
	return w
}

// Run does the work once, at the time of newWork.
func (w *work) Run(ctx context.Context) (int, error) {
	now := w.At(0)
	h := overdue.New(func() int { return w.shards }, func() time.Time { return now }, w.Work)
	did, err := h.RunPart(ctx, 0, 1, true)
	w.late = did.Late
	return did.Done, err
}

func TestRun(t *testing.T) {
	t.Run("does what is due in every shard, the longest overdue first", func(t *testing.T) {
		w := newWork([]int{7, 5, 0}, nil, []int{9, -1, 8})
		n, err := w.Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, 5, n)
		assert.ElementsMatch(t, []int{7, 5, 0, 9, 8}, w.done)
		assert.Less(t, slices.Index(w.done, 7), slices.Index(w.done, 0))
		assert.Equal(t, map[string]time.Duration{"Number": 9 * time.Second}, w.late)
	})

	t.Run("continues after errors and returns the first ones", func(t *testing.T) {
		wrong := errors.New("wrong")
		w := newWork(make([]int, 30), []int{1})
		w.Do = func(_ context.Context, n int) error {
			if n == 0 {
				return wrong
			}
			return nil
		}
		n, err := w.Run(t.Context())
		require.ErrorIs(t, err, wrong)
		require.ErrorContains(t, err, "and 20 more errors")
		assert.Equal(t, 1, n)
	})

	t.Run("continues after an object that cannot be read", func(t *testing.T) {
		wrong := errors.New("row x is malformed")
		w := newWork([]int{3, 2})
		due := w.Due
		w.Due = func(ctx context.Context, shard int, now time.Time) iter.Seq2[int, error] {
			return func(yield func(int, error) bool) {
				if yield(0, wrong) {
					due(ctx, shard, now)(yield)
				}
			}
		}
		n, err := w.Run(t.Context())
		require.ErrorIs(t, err, wrong)
		assert.Equal(t, 2, n)
		assert.Equal(t, map[string]time.Duration{"Number": 3 * time.Second}, w.late)
	})

	t.Run("does not count what somebody else does", func(t *testing.T) {
		w := newWork([]int{1})
		w.Do = func(context.Context, int) error { return outcome.ErrChanged }
		n, err := w.Run(t.Context())
		require.NoError(t, err)
		assert.Zero(t, n)
	})

	t.Run("ends in time, whatever is left", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			w := newWork(make([]int, 100), []int{1})
			w.Do = func(_ context.Context, n int) error {
				if n == 0 {
					time.Sleep(time.Second)
				}
				return nil
			}
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second+500*time.Millisecond)
			defer cancel()
			n, err := w.Run(ctx)
			require.NoError(t, err)
			require.NoError(t, ctx.Err())
			assert.Equal(t, 19+1, n, "one slow shard does not hold up another")
		})
	})
}
