package together_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/together"
)

func TestThoseWhoAskMeanwhileShareTheNextCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		odd := errors.New("odd")
		var calls [][]int
		g := &together.Group[int]{Most: 3, Do: func(_ context.Context, items []int) []error {
			time.Sleep(time.Second)
			calls = append(calls, items)
			errs := make([]error, len(items))
			for i, item := range items {
				if item%2 == 1 {
					errs[i] = odd
				}
			}
			return errs
		}}
		for range 2 { // the second time, the group has been idle
			var all sync.WaitGroup
			for n := range 8 {
				all.Go(func() {
					if err := g.Ask(t.Context(), n); n%2 == 1 {
						assert.ErrorIs(t, err, odd)
					} else {
						assert.NoError(t, err)
					}
				})
				synctest.Wait()
			}
			all.Wait()
			time.Sleep(time.Second)
		}
		want := [][]int{{0}, {1, 2, 3}, {4, 5, 6}, {7}}
		assert.Equal(t, append(want, want...), calls)
	})
}

func TestThoseWhoComeOneAfterTheOtherShareCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var calls []int
		g := &together.Group[int]{Most: 10, Do: func(_ context.Context, items []int) []error {
			calls = append(calls, len(items))
			time.Sleep(2600 * time.Microsecond) // of a quicker call there are more
			return make([]error, len(items))
		}}
		began := time.Now()
		require.NoError(t, g.Ask(t.Context(), 0))
		assert.Equal(t, 2600*time.Microsecond, time.Since(began), "who is alone does not wait")
		var all sync.WaitGroup
		for n := range 8 {
			time.Sleep(3 * time.Millisecond)
			all.Go(func() { assert.NoError(t, g.Ask(t.Context(), n)) })
		}
		all.Wait()
		assert.Equal(t, []int{1, 2, 3, 3}, calls)
		time.Sleep(time.Second)
		began = time.Now()
		require.NoError(t, g.Ask(t.Context(), 0))
		assert.Equal(t, 2600*time.Microsecond, time.Since(began))
	})
}

func TestACallWithTooFewResultsFails(t *testing.T) {
	g := &together.Group[int]{Most: 1, Do: func(context.Context, []int) []error { return nil }}
	require.Error(t, g.Ask(t.Context(), 1))
}
