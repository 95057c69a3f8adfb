package connection_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/money"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/transaction"
	"aviso/localstack/tests/pfmtest"
)

func TestTakeoverRaces(t *testing.T) {
	t.Run("two first syncs at the same time make each account once", func(t *testing.T) {
		w, one := activated(t)
		w.clock.Advance(time.Second)
		two := w.activate()
		w.listedAgain("DE1", "DE2", "DE3")
		var both sync.WaitGroup
		both.Add(2)
		w.bank.On(pfmtest.ReadAccounts, func() error {
			both.Done()
			both.Wait()
			return nil
		})
		var done sync.WaitGroup
		for _, job := range w.jobs() {
			done.Go(func() { assert.NoError(t, w.syncer.Do(context.WithoutCancel(t.Context()), job, 1)) })
		}
		done.Wait()
		w.bank.Before = nil
		w.dropJobs()
		w.clock.Advance(time.Hour)
		w.syncOnce(two.ID) // whichever was first, the one authorised last has them all
		assert.Equal(t, map[string]string{"DE1": two.ID, "DE2": two.ID, "DE3": two.ID}, w.holders())
		assert.Len(t, w.transactions(), 4)
		assert.Equal(t, 4, w.countOf())
		assert.Equal(t, connection.ReasonConsentReplaced, w.read(one.ID).Reason)
	})

	for name, order := range map[string][2]int{"before": {0, 1}, "after": {1, 0}} {
		t.Run("a reconnect authorised during a new connection has the accounts, if it syncs "+name, func(t *testing.T) {
			w, older := synced(t)
			ids := w.accountIDs()
			w.clock.Advance(time.Hour)
			w.reconnect(older.ID)
			newer := w.activate()
			w.clock.Advance(time.Second)
			w.authorise(older.ID)
			w.listedAgain("DE1", "DE2")
			syncs := [2]connection.SyncJob{jobOf(w.read(older.ID)), jobOf(newer)}
			w.run(syncs[order[0]], syncs[order[1]])
			assert.Equal(t, map[string]string{"DE1": older.ID, "DE2": older.ID}, w.holders())
			assert.Equal(t, ids, w.accountIDs())
			assert.Equal(t, 3, w.countOf())
			assert.Equal(t, connection.Active, w.read(older.ID).Status)
			assert.Equal(t, connection.ReasonConsentReplaced, w.read(newer.ID).Reason)
		})
	}

	t.Run("a first sync after that of a newer connection ends its own connection", func(t *testing.T) {
		w, older := activated(t)
		late := w.jobs()
		w.dropJobs()
		newer := w.connectedAgain("DE1", "DE2")
		w.takeEvents()
		w.run(late...)
		assert.Equal(t, map[string]string{"DE1": newer.ID, "DE2": newer.ID}, w.holders())
		w.shows(older.ID, connection.Expired, connection.ReasonConsentReplaced)
		assert.Len(t, w.expired(), 1)
	})

	t.Run("a sync of the older connection that is running writes nothing more, and is reported", func(t *testing.T) {
		w, older := synced(t)
		w.takeEvents()
		w.clock.Advance(time.Hour)
		newer := w.activate()
		takeover := w.jobs()
		w.dropJobs()
		w.listedAgain("DE1", "DE2")
		w.bank.Rows["of-DE1"] = append(w.bank.Rows["of-DE1"], booked("2026-03-02", "t9", "-4.00"))
		var taken atomic.Bool
		w.bank.On(pfmtest.ReadTransactions, func() error {
			if taken.CompareAndSwap(false, true) {
				for _, job := range takeover {
					assert.NoError(t, w.syncer.Do(context.WithoutCancel(t.Context()), job, 1))
				}
			}
			return nil
		})
		w.syncOnce(older.ID)
		assert.Equal(t, map[string]string{"DE1": newer.ID, "DE2": newer.ID}, w.holders())
		assert.Len(t, w.transactions(), 4)
		assert.Equal(t, 4, w.countOf())
		assert.Equal(t, connection.Expired, w.read(older.ID).Status)
	})

	t.Run("what an interrupted sync of the older connection wrote is reported", func(t *testing.T) {
		w, older := synced(t)
		w.takeEvents()
		w.clock.Advance(time.Hour)
		w.listedAgain("DE1", "DE2")
		w.bank.Rows["of-DE1"] = append(w.bank.Rows["of-DE1"], booked("2026-03-02", "t9", "-4.00"))
		c := w.read(older.ID)
		lease := connection.Lease{Token: "died", Until: w.clock.Now().Add(time.Minute)}
		_, err := w.store.AcquireSync(t.Context(), pfmtest.User(), c.ID, lease, w.clock.Now())
		require.NoError(t, err)
		written := transaction.Transaction{
			ID: pfmtest.ID(99), Owner: pfmtest.User(), AccountID: w.accounts()[0].ID, ConnectionID: c.ID,
			RecordDate: "2026-03-02", Amount: money.MustParse("-5.00"), Currency: "EUR", State: transaction.Cleared,
			Category: pfm.Uncategorised(), Content: "x",
		}
		require.NoError(t, w.store.SaveRows(t.Context(), lease, pfmtest.User(), c.ID, []transaction.RowChange{{New: written}}))
		w.connectedAgain("DE1", "DE2")
		told := map[string]connection.TransactionsEventData{}
		for _, e := range w.takeEvents() {
			if e.Type == connection.EventTransactionsUpdated {
				d := dataOf[connection.TransactionsEventData](w, e)
				told[d.ConnectionID] = d
			}
		}
		assert.Equal(t, 1, told[older.ID].Added)
	})

	t.Run("an outstanding sync of a connection that keeps accounts is started again", func(t *testing.T) {
		w, older := synced(t)
		w.clock.Advance(time.Hour)
		newer := w.activate()
		takeover := w.jobs()
		w.dropJobs()
		_, err := w.connections.Refresh(t.Context(), pfmtest.User(), older.ID, connection.Visitor{IPAddress: "203.0.113.7"}, nil)
		require.NoError(t, err)
		w.dropJobs() // its sync is running, and is about to lose its lease
		w.listedAgain("DE2", "DE3")
		for _, job := range takeover {
			require.NoError(t, w.syncer.Do(t.Context(), job, 1))
		}
		jobs := w.jobs()
		require.Len(t, jobs, 1)
		assert.Equal(t, older.ID, jobs[0].ConnectionID)
		w.listedAgain("DE1", "DE2")
		w.run(jobs...)
		assert.Equal(t, w.clock.Now(), w.read(older.ID).LastSuccessAt)
		assert.Equal(t, map[string]string{"DE1": older.ID, "DE2": newer.ID, "DE3": newer.ID}, w.holders())
	})

	t.Run("a takeover that is interrupted at any write is finished by the next attempt", func(t *testing.T) {
		for n := int64(1); ; n++ {
			w, older := synced(t)
			ids := w.accountIDs()
			w.takeEvents()
			w.clock.Advance(time.Hour)
			newer := w.activate()
			w.listedAgain("DE1", "DE2")
			job := w.jobs()[0]
			w.dropJobs()
			w.refuse.Store(n)
			err := w.syncer.Do(t.Context(), job, 1)
			interrupted := w.refuse.Load() <= 0
			w.refuse.Store(0)
			assert.Len(t, w.holders(), 2, "write %d", n)
			w.clock.Advance(time.Hour)
			if err != nil {
				require.NoError(t, w.syncer.Do(t.Context(), job, 2))
			}
			assert.Equal(t, map[string]string{"DE1": newer.ID, "DE2": newer.ID}, w.holders(), "write %d", n)
			assert.Equal(t, ids, w.accountIDs())
			assert.Equal(t, 3, w.countOf())
			assert.Equal(t, connection.ReasonConsentReplaced, w.read(older.ID).Reason)
			assert.Len(t, w.expired(), 1)
			if !interrupted {
				require.Greater(t, n, int64(3))
				return
			}
		}
	})
}
