package notificationdb_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/dynamo"
	"aviso/internal/messaging/overdue"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationdb"
	"aviso/localstack/tests/notificationtest"
)

// dueDeliveries returns what is due in all shards.
func dueDeliveries(t *testing.T, s *notificationdb.Store, until time.Time) (due []notification.Delivery) {
	t.Helper()
	for shard := range s.DueShards() {
		for d, err := range s.DueDeliveries(t.Context(), shard, until) {
			require.NoError(t, err)
			due = append(due, d)
		}
	}
	return due
}

func TestHousekeepingOfDeliveries(t *testing.T) {
	soon := func() time.Time { return notificationtest.Noon().Add(90 * time.Second) }
	// create makes deliveries that were due half a minute ago; overwrite changes the row of
	// one, past the store.
	create := func(t *testing.T, n int) (
		s *notificationdb.Store, all []notification.Delivery, overwrite func(notification.Delivery, string, any),
	) {
		s, db, table, _ := newStore(t)
		sub := notificationtest.SampleSubscription()
		for range n {
			d, err := notificationtest.Create(t.Context(), s, notificationtest.SampleDelivery(sub))
			require.NoError(t, err)
			all = append(all, d)
		}
		return s, all, func(d notification.Delivery, attribute string, value any) {
			key := dynamo.Key{PK: "P#p#SUBSCRIPTION#" + d.SubscriptionID + "#D#" + d.DeliveryID, SK: "D#" + d.DeliveryID}
			_, err := dynamo.NewTable(db, table).Update(t.Context(), key,
				dynamo.Expr("SET ? = ?", dynamo.Name(attribute), value), dynamo.IfExists)
			require.NoError(t, err)
		}
	}

	t.Run("wakes all that are overdue, and says how late it is", func(t *testing.T) {
		s, all, _ := create(t, 150)
		chores := notification.NewHousekeeping(s, soon)
		did, err := chores.RunPart(t.Context(), 0, 1, true)
		require.NoError(t, err)
		want := overdue.Report{Done: len(all), Lost: len(all), Late: map[string]time.Duration{"Delivery": 30 * time.Second}}
		assert.Equal(t, want, did)
		woken, err := chores.Run(t.Context())
		require.NoError(t, err)
		assert.Zero(t, woken)
	})

	t.Run("continues after a malformed row, and reports it", func(t *testing.T) {
		s, all, overwrite := create(t, 40)
		s.SpreadDue(2)
		for _, d := range all { // all in one shard
			overwrite(d, "dueKind", "Delivery#1")
		}
		overwrite(all[0], "dueAt", "2026-01-01")
		overwrite(all[0], "attempt", "first")
		woken, err := notification.NewHousekeeping(s, soon).Run(t.Context())
		require.ErrorContains(t, err, all[0].DeliveryID)
		assert.Equal(t, 39, woken)
	})
}
