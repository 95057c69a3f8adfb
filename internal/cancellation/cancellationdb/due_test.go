package cancellationdb_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/cancellation/dispatch"
	"aviso/internal/dynamo"
)

// dueCancellations returns what is due in all shards.
func dueCancellations(t *testing.T, s *cancellationdb.Store, until time.Time) (due []cancellation.Cancellation) {
	t.Helper()
	for shard := range s.DueShards() {
		for c, err := range s.DueCancellations(t.Context(), shard, until) {
			require.NoError(t, err)
			due = append(due, c)
		}
	}
	return due
}

func TestHousekeepingOfLetters(t *testing.T) {
	// create makes letters that were due at least a minute ago; overwrite changes the row of
	// one, past the store.
	create := func(t *testing.T, n int) (
		s *tables, all []cancellation.Cancellation, overwrite func(cancellation.Cancellation, string, any),
	) {
		s = newTables(t)
		for i := range n {
			all = append(all, s.create(t, a(i)))
		}
		s.clock.Advance(all[n-1].NextTryAt.Add(time.Minute).Sub(s.clock.Now()))
		return s, all, func(c cancellation.Cancellation, attribute string, value any) {
			_, err := dynamo.NewTable(s.db, s.main).Update(t.Context(), dynamo.Key{PK: c.Owner.Key(), SK: "N#" + c.ID},
				dynamo.Expr("SET ? = ?", dynamo.Name(attribute), value), dynamo.IfExists)
			require.NoError(t, err)
		}
	}

	t.Run("wakes all that are due, and says how late it is", func(t *testing.T) {
		s, all, _ := create(t, 110)
		chores := dispatch.NewHousekeeping(s, s.clock.Now)
		did, err := chores.RunPart(t.Context(), 0, 1, true)
		require.NoError(t, err)
		assert.Equal(t, len(all), did.Done)
		assert.Len(t, did.Late, 1)
		assert.Greater(t, did.Late["Dispatch"], 2*time.Minute)
		woken, err := chores.Run(t.Context())
		require.NoError(t, err)
		assert.Zero(t, woken)
	})

	t.Run("continues after a malformed row, and reports it", func(t *testing.T) {
		s, all, overwrite := create(t, 20)
		for _, c := range all { // all in one shard
			overwrite(c, "dueKind", "Dispatch#1")
		}
		overwrite(all[0], "createdAt", "yesterday")
		woken, err := dispatch.NewHousekeeping(s, s.clock.Now).Run(t.Context())
		require.ErrorContains(t, err, all[0].ID)
		assert.Equal(t, 19, woken)
	})
}
