package housekeepingfn

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/localstack/tests/testenv"
)

func TestParts(t *testing.T) {
	at := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

	t.Run("an event without parts stands for everything", func(t *testing.T) {
		part, parts, err := event{}.shards(at)
		require.NoError(t, err)
		assert.Equal(t, [2]int{0, 1}, [2]int{part, parts})
	})

	t.Run("the schedules of a minute handle every part", func(t *testing.T) {
		var all []int
		for _, s := range testenv.Template(t).Schedules {
			var e event
			require.NoError(t, json.Unmarshal([]byte(s.Input), &e))
			part, parts, err := e.shards(at)
			require.NoError(t, err)
			assert.Equal(t, 4, parts)
			all = append(all, part)
		}
		assert.ElementsMatch(t, []int{0, 1, 2, 3}, all)
	})

	t.Run("one schedule handles every part in turn", func(t *testing.T) {
		var all []int
		for minute := range 4 {
			part, _, err := event{Part: 2, Parts: 4}.shards(at.Add(time.Duration(minute) * time.Minute))
			require.NoError(t, err)
			all = append(all, part)
		}
		assert.ElementsMatch(t, []int{0, 1, 2, 3}, all)
	})

	t.Run("every schedule looks for lost jobs in every part in turn", func(t *testing.T) {
		looked := map[[2]int]bool{}
		for minute := range 20 {
			now := at.Add(time.Duration(minute) * time.Minute)
			for schedule := range 4 {
				e := event{Part: schedule, Parts: 4}
				part, _, err := e.shards(now)
				require.NoError(t, err)
				assert.Equal(t, minute%5 == 0, e.repairs(now))
				if e.repairs(now) {
					looked[[2]int{schedule, part}] = true
				}
			}
		}
		assert.Len(t, looked, 16)
		assert.True(t, event{}.repairs(at.Add(time.Minute)), "a run of everything")
	})

	t.Run("a part that does not exist is refused", func(t *testing.T) {
		for _, e := range []event{{Part: 4, Parts: 4}, {Part: 1}, {Part: -1, Parts: 4}} {
			_, _, err := e.shards(at)
			assert.Error(t, err)
		}
	})
}
