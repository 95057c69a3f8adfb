package connection_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"aviso/internal/messaging/outbox"
	"aviso/internal/messaging/overdue"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/pfmdb"
	"aviso/internal/pfm/transaction"
	"aviso/localstack/tests/pfmtest"
)

// types takes the new events and returns their types.
func (w *world) types() []string {
	w.Helper()
	types := []string{}
	for _, e := range w.takeEvents() {
		assert.Equal(w, owner.User{Partner: e.Partner, ID: e.User}, pfmtest.User())
		assert.False(w, e.IsSimulated)
		types = append(types, e.Type)
	}
	return types
}

func dataOf[T any](w *world, e outbox.Event) T {
	w.Helper()
	var data T
	require.NoError(w, json.Unmarshal(e.Data, &data))
	return data
}

func TestEventsOfAuthorisations(t *testing.T) {
	t.Run("report an authorisation and every later one", func(t *testing.T) {
		w := newWorld(t)
		c, state := w.open()
		assert.Empty(t, w.types(), "the partner that creates a connection knows about it")
		w.bank.SetConsent("consent-1", pfm.Consent{State: pfm.ConsentValid})
		var group errgroup.Group
		for range 4 {
			group.Go(func() error { _, _ = w.back(state, false); return nil })
		}
		require.NoError(t, group.Wait())
		got := w.takeEvents()
		require.Len(t, got, 1, "however often the user comes back")
		assert.Equal(t, connection.EventActivated, got[0].Type)
		assert.Equal(t, w.clock.Now(), got[0].OccurredAt.Time())
		assert.JSONEq(
			t,
			`{"connectionId":"`+c.ID+`","providerId":"`+pfmtest.Provider().ID+`","connectionStatus":"Active","statusReason":""}`,
			string(got[0].Data),
		)

		w.reconnect(c.ID)
		assert.Empty(t, w.types())
		w.authorise(c.ID)
		assert.Equal(t, []string{connection.EventActivated}, w.types(), "a renewal")
	})

	t.Run("report an expired link once", func(t *testing.T) {
		w := newWorld(t)
		c := w.create()
		w.clock.Advance(connection.LinkLifetime)
		other := connection.NewHousekeeping(w.store, 90, w.clock.Now)
		var group errgroup.Group
		for _, h := range []*overdue.Housekeeping{w.chores, other} {
			group.Go(func() error { _, err := h.Run(t.Context()); return err })
		}
		require.NoError(t, group.Wait())
		got := w.takeEvents()
		require.Len(t, got, 1)
		assert.Equal(t, connection.EventFailed, got[0].Type)
		assert.Equal(t, connection.ReasonLinkExpired, dataOf[connection.EventData](w, got[0]).Reason)

		w.reconnect(c.ID)
		assert.Empty(t, w.types())
	})

	t.Run("report an unnoticed expiry before the user reconnects", func(t *testing.T) {
		w := newWorld(t)
		c := w.create()
		w.clock.Advance(connection.LinkLifetime)
		w.reconnect(c.ID)
		assert.Equal(t, []string{connection.EventFailed}, w.types())

		active := w.synced()
		w.takeEvents()
		w.clock.Advance(active.ConsentExpiresAt.Sub(w.clock.Now()))
		w.reconnect(active.ID)
		got := w.takeEvents()
		require.Len(t, got, 1)
		assert.Equal(t, connection.EventExpired, got[0].Type)
		assert.True(t, active.ConsentExpiresAt.Equal(*dataOf[connection.EventData](w, got[0]).ConsentExpiresAt))
	})

	t.Run("do not report a failed renewal", func(t *testing.T) {
		w, c := synced(t)
		w.reconnect(c.ID)
		w.takeEvents()
		w.clock.Advance(connection.LinkLifetime)
		w.housekeep()
		assert.Empty(t, w.types())
	})

	t.Run("do not report a change that was not written", func(t *testing.T) {
		w, _, state := approved(t)
		w.refuse.Store(1)
		_, err := w.back(state, false)
		require.Error(t, err)
		assert.Empty(t, w.types())
	})
}

func TestEventsOfDeletion(t *testing.T) {
	w, c := synced(t)
	w.takeEvents()
	require.NoError(t, w.connections.Delete(t.Context(), pfmtest.User(), c.ID))
	w.run(w.jobs()...)
	got := w.takeEvents()
	require.Len(t, got, 1)
	assert.Equal(t, connection.EventDeleted, got[0].Type)
	assert.Equal(t, connection.Active, dataOf[connection.EventData](w, got[0]).Status)
}

func TestEventsOfErasure(t *testing.T) {
	w := newWorld(t)
	w.synced()
	w.create()
	w.takeEvents()
	eraser := &connection.Eraser{Store: w.store, Now: w.clock.Now}
	closed, err := eraser.Close(t.Context(), pfmtest.User())
	require.NoError(t, err)
	assert.True(t, closed)
	done, err := eraser.Erase(t.Context(), pfmtest.User())
	require.NoError(t, err)
	require.False(t, done)
	w.run(w.jobs()...)
	assert.Empty(t, w.types(), "user.erased covers it")
}

func TestEventsOfSyncs(t *testing.T) {
	t.Run("report changes only if there are any", func(t *testing.T) {
		w, c := synced(t)
		got := w.takeEvents()
		require.Len(t, got, 3)
		assert.Equal(t, connection.EventActivated, got[0].Type)
		assert.Equal(t, connection.EventRefreshed, got[1].Type)
		assert.Equal(t, connection.Active, dataOf[connection.EventData](w, got[1]).Status)
		assert.Equal(t, connection.EventTransactionsUpdated, got[2].Type)
		assert.Equal(
			t,
			connection.TransactionsEventData{ConnectionID: c.ID, Added: 3, Since: string(pfmtest.User().ID) + " 0 0"},
			dataOf[connection.TransactionsEventData](w, got[2]),
		)

		w.clock.Advance(2 * time.Hour)
		w.syncOnce(c.ID)
		assert.Equal(t, []string{connection.EventRefreshed}, w.types())
		require.NoError(t, w.syncer.Sync(t.Context(), jobOf(c), 1))
		assert.Empty(t, w.types(), "a duplicate job runs one sync")

		pending := booked("2026-03-02", "t4", "-7.00")
		pending.Booked = false
		w.bank.Rows["r1"] = append(w.bank.Rows["r1"], pending)
		w.bank.Rows["r2"] = append(w.bank.Rows["r2"], booked("2026-03-02", "t5", "-8.00"))
		w.syncOnce(c.ID)
		got = w.takeEvents()
		require.Len(t, got, 2)
		assert.Equal(t, 2, dataOf[connection.TransactionsEventData](w, got[1]).Added)

		w.bank.Rows["r1"][2].Booked = true
		w.clock.Advance(2 * time.Hour)
		w.syncOnce(c.ID)
		got = w.takeEvents()
		require.Len(t, got, 2)
		data := dataOf[connection.TransactionsEventData](w, got[1])
		assert.Equal(t, []int{0, 1, 0}, []int{data.Added, data.Modified, data.Removed})
	})

	t.Run("count only this connection's transactions, each once", func(t *testing.T) {
		w, c := activated(t)
		other := w.activate()
		w.bank.Listed = []pfm.BankAccount{current("r1", "DE1")}
		for i := range 6 { // a monthly payment: a separate write sets its label
			w.bank.Rows = map[string][]pfm.BankTransaction{
				"r1": append(w.bank.Rows["r1"], booked(pfm.Date(fmt.Sprintf("2025-%02d-01", 7+i)), fmt.Sprint("t", i), "-9.99")),
			}
		}
		w.takeEvents()
		require.NoError(t, w.syncer.Sync(t.Context(), jobOf(c), 1))
		assert.Equal(t, 6, dataOf[connection.TransactionsEventData](w, w.takeEvents()[1]).Added)

		w.bank.Listed = []pfm.BankAccount{current("r9", "DE9")}
		w.bank.Rows = map[string][]pfm.BankTransaction{"r9": {booked("2026-03-01", "u1", "-1.00")}}
		require.NoError(t, w.syncer.Sync(t.Context(), jobOf(other), 1))
		data := dataOf[connection.TransactionsEventData](w, w.takeEvents()[1])
		assert.Equal(t, connection.TransactionsEventData{ConnectionID: other.ID, Added: 1, Since: data.Since}, data)
	})

	t.Run("do not count rows whose bank gives them other IDs", func(t *testing.T) {
		w, c := synced(t)
		was, since := w.transactions(), w.changes(transaction.ChangePosition{}).Since
		w.takeEvents()
		w.bank.IgnoresFrom = true // and lists them all again
		for _, rows := range w.bank.Rows {
			for i := range rows {
				rows[i].ID = "reissued-" + rows[i].ID
			}
		}
		w.clock.Advance(2 * time.Hour)
		w.syncOnce(c.ID)
		assert.Equal(t, []string{connection.EventRefreshed}, w.types())
		assert.Empty(t, w.changes(since).Changes)
		for i, is := range w.transactions() {
			assert.Equal(t, "reissued-"+was[i].BankID, is.BankID, "the next sync must find the row")
			assert.Equal(t, was[i].UpdatedAt, is.UpdatedAt)
		}
	})

	t.Run("do not count the user's own changes", func(t *testing.T) {
		w, c := synced(t)
		w.categorise(w.transactions()[0].ID, pfm.FoodGroceries, false)
		w.takeEvents()
		w.clock.Advance(2 * time.Hour)
		w.syncOnce(c.ID)
		assert.Equal(t, []string{connection.EventRefreshed}, w.types())
	})
}

func TestEventsOfInterruptedSyncs(t *testing.T) {
	begin := func(t *testing.T) (*world, connection.Connection) {
		t.Helper()
		w, c := reading(t)
		w.bank.Rows = map[string][]pfm.BankTransaction{}
		for i := range 350 { // several chunks
			w.bank.Rows["r1"] = append(w.bank.Rows["r1"], booked(pfm.Date("2026-01-01").AddDays(i%20), fmt.Sprint("t", i), "-1.05"))
		}
		w.takeEvents()
		return w, c
	}
	whole := func(t *testing.T, w *world, got []outbox.Event) {
		t.Helper()
		require.Len(t, got, 2)
		assert.Equal(t, connection.EventRefreshed, got[0].Type)
		data := dataOf[connection.TransactionsEventData](w, got[1])
		assert.Equal(t, []int{350, 0, 0}, []int{data.Added, data.Modified, data.Removed})
		assert.Equal(t, string(pfmtest.User().ID)+" 0 0", data.Since)
		w.clock.Advance(7 * time.Hour)
		w.syncOnce(w.read(dataOf[connection.EventData](w, got[0]).ConnectionID).ID)
		assert.Equal(t, []string{connection.EventRefreshed}, w.types(), "reported once")
	}

	t.Run("interrupted between chunks report nothing, and the next sync reports all", func(t *testing.T) {
		w, c := begin(t)
		w.refuse.Store(5)
		require.Error(t, w.syncer.Sync(t.Context(), jobOf(c), 1))
		require.Len(t, w.transactions(), 92)
		assert.Empty(t, w.types())
		require.NoError(t, w.syncer.Sync(t.Context(), jobOf(c), 2))
		whole(t, w, w.takeEvents())
	})

	t.Run("whose function dies report nothing, and the next sync reports all", func(t *testing.T) {
		w, c := begin(t)
		w.refuse.Store(5)
		dies := pfmtest.Jobs(dying{w.store}, w.bank.Of, pfmtest.Enrich, w.clock.Now)
		assert.PanicsWithError(t, errDied.Error(), func() { _ = dies.Sync(t.Context(), jobOf(c), 1) }, "before it releases its lease")
		assert.Empty(t, w.types())
		w.clock.Advance(3*time.Minute + time.Millisecond)
		require.NoError(t, w.syncer.Sync(t.Context(), jobOf(c), 2))
		whole(t, w, w.takeEvents())
	})

	t.Run("whose last write fails report nothing, and the next sync reports all", func(t *testing.T) {
		w, c := begin(t)
		w.refuse.Store(8) // the lease, which is created, accounts, four chunks
		require.Error(t, w.syncer.Sync(t.Context(), jobOf(c), 1))
		require.Len(t, w.transactions(), 350)
		assert.Empty(t, w.types())
		w.clock.Advance(3*time.Minute + time.Millisecond)
		require.NoError(t, w.syncer.Sync(t.Context(), jobOf(c), 2))
		whole(t, w, w.takeEvents())
	})
}

var errDied = errors.New("died")

// dying is a store whose process dies before a sync finishes.
type dying struct{ *pfmdb.Store }

func (dying) FinishSync(context.Context, connection.Lease, connection.Connection, func(*connection.Connection) []connection.SyncJob) error {
	panic(errDied)
}
