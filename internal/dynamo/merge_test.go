package dynamo_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/dynamo"
)

func TestCallsOfTheSameTimeAreMadeTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var made [][]int
		broken := errors.New("the table is away")
		m := dynamo.NewMerger[int, int](3)
		do := func(_ context.Context, all []int) ([]int, error) {
			made = append(made, all)
			time.Sleep(time.Second)
			doubled := make([]int, len(all))
			for i, n := range all {
				switch n {
				case 7:
					return nil, broken
				case 8:
					runtime.Goexit()
				}
				doubled[i] = 2 * n
			}
			return doubled, nil
		}
		errs := map[int]error{}
		var mu sync.Mutex
		var all sync.WaitGroup
		for n := 1; n <= 9; n++ {
			all.Go(func() {
				got, err := m.Call(t.Context(), n, do)
				mu.Lock()
				defer mu.Unlock()
				if errs[n] = err; err == nil {
					assert.Equal(t, 2*n, got)
				}
			})
			synctest.Wait() // one after the other
		}
		all.Wait()
		assert.Equal(t, [][]int{{1}, {2, 3, 4}, {5, 6, 7}, {8, 9}}, made)
		for _, n := range []int{1, 2, 3, 4} {
			require.NoError(t, errs[n])
		}
		for _, n := range []int{5, 6, 7} {
			require.ErrorIs(t, errs[n], broken)
		}
		require.Error(t, errs[9], "nobody waits for a call whose maker has crashed")
	})
}
