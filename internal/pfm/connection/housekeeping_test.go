package connection_test

import (
	"context"
	"errors"
	"iter"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api/idempotency"
	"aviso/internal/outcome"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/contract"
	"aviso/localstack/tests/pfmtest"
)

func TestHousekeeping(t *testing.T) {
	t.Run("closes expired links, opened or not", func(t *testing.T) {
		w := newWorld(t)
		never := w.create()
		opened, _ := w.open()
		w.clock.Advance(connection.LinkLifetime - time.Millisecond)
		assert.Zero(t, w.housekeep(), "not a moment too early")

		w.clock.Advance(time.Millisecond)
		assert.Equal(t, 2, w.housekeep())
		for _, id := range []string{never.ID, opened.ID} {
			w.shows(id, connection.Failed, connection.ReasonLinkExpired)
		}
		before := w.rows()
		assert.Zero(t, w.housekeep())
		assert.Equal(t, before, w.rows())
		jobs := w.jobs()
		require.Len(t, jobs, 1)
		assert.Equal(t, connection.SyncJob{
			Action: connection.JobEndConsent, Partner: "sandbox", User: pfmtest.User().ID,
			ConnectionID: opened.ID, ProviderID: pfmtest.Provider().ID, ConsentID: "consent-1",
		}, jobs[0], "nobody should be able to authorise it")
	})

	t.Run("closes an expired renewal and leaves the connection as it is", func(t *testing.T) {
		w, c := activated(t)
		c.Authorisation = &connection.Authorisation{ExpiresAt: w.clock.Now().Add(connection.LinkLifetime)}
		require.NoError(t, w.store.SaveConnection(t.Context(), c, nil))
		w.clock.Advance(connection.LinkLifetime)
		w.housekeep()
		got := w.read(c.ID)
		assert.Equal(t, connection.Active, got.Status)
		assert.Equal(t, c.ConsentID, got.ConsentID)
		assert.Nil(t, got.Authorisation)
	})

	t.Run("repeats a lost sync", func(t *testing.T) {
		w, c := activated(t)
		require.Len(t, w.jobs(), 1)
		w.clock.Advance(2*time.Hour - time.Millisecond)
		require.Zero(t, w.housekeep())

		w.clock.Advance(time.Millisecond)
		assert.Equal(t, 1, w.housekeep())
		assert.Equal(t, w.clock.Now(), w.read(c.ID).SyncRequestedAt)
		jobs := w.jobs()
		require.Len(t, jobs, 2)
		for _, job := range jobs {
			assert.Equal(t, c.ID, job.ConnectionID)
			if !reflect.DeepEqual(job, jobs[0]) {
				assert.NotEqual(t, jobs[0].PSUIPAddress, job.PSUIPAddress, "the user is no longer present")
			}
		}
	})

	t.Run("requests no sync if the connection is not active", func(t *testing.T) {
		w, c := activated(t)
		c.Status = connection.Revoked
		require.NoError(t, w.store.SaveConnection(t.Context(), c, nil))
		w.clock.Advance(3 * time.Hour)
		w.housekeep()
		assert.True(t, w.read(c.ID).SyncRequestedAt.IsZero())
		assert.Len(t, w.jobs(), 1)
	})
}

func TestAutomaticRefresh(t *testing.T) {
	automatic := func(t *testing.T) (*world, connection.Connection) {
		t.Helper()
		w := newWorld(t)
		p, yes := pfmtest.Provider(), true
		p.AutomaticFetch = &yes
		require.NoError(t, w.store.PutProvider(t.Context(), p))
		c := w.synced()
		return w, c
	}

	t.Run("is at most four times a day, and never stops", func(t *testing.T) {
		w, c := automatic(t)
		perDay := map[pfm.Date]int{}
		for range 3 * 24 * 4 { // three days in steps of 15 minutes
			w.clock.Advance(15 * time.Minute)
			w.housekeep()
			if jobs := w.jobs(); len(jobs) > 0 {
				require.Len(t, jobs, 1)
				assert.Empty(t, jobs[0].PSUIPAddress)
				perDay[pfm.DateOf(w.clock.Now())]++
				w.run(jobs...)
			}
		}
		assert.Equal(t, map[pfm.Date]int{"2026-03-02": 1, "2026-03-03": 4, "2026-03-04": 4, "2026-03-05": 3}, perDay)
		assert.Equal(t, connection.Active, w.read(c.ID).Status)
	})

	t.Run("counts the partner's refreshes towards the limit", func(t *testing.T) {
		w, c := automatic(t)
		for range 4 {
			w.clock.Advance(time.Hour)
			w.refresh(c.ID)
			w.run(w.jobs()...)
		}
		w.clock.Advance(7 * time.Hour) // 23:00
		w.housekeep()
		assert.Empty(t, w.jobs())
		w.clock.Advance(14*time.Hour - time.Millisecond)
		w.housekeep()
		assert.Empty(t, w.jobs())
		w.clock.Advance(time.Millisecond) // the first of the four is 24 hours old
		w.housekeep()
		assert.Len(t, w.jobs(), 1)
	})

	t.Run("keeps its pace if the bank fails", func(t *testing.T) {
		w, c := automatic(t)
		w.bank.Before = func(string) error { return pfmtest.Failure(pfm.SupplierUnavailable) }
		w.clock.Advance(6 * time.Hour)
		w.housekeep()
		job := w.jobs()[0]
		w.dropJobs()
		require.NoError(t, w.syncer.Do(t.Context(), job, connection.MaxSyncAttempts))
		w.clock.Advance(6*time.Hour - time.Millisecond)
		assert.Zero(t, w.housekeep())
		w.clock.Advance(time.Millisecond)
		w.housekeep()
		assert.Len(t, w.jobs(), 1)
		assert.Equal(t, connection.Active, w.read(c.ID).Status)
	})

	t.Run("skips banks that do not support it", func(t *testing.T) {
		w := newWorld(t)
		w.synced()
		w.clock.Advance(48 * time.Hour)
		assert.Zero(t, w.housekeep())
	})
}

func TestConsentExpiry(t *testing.T) {
	w, c := synced(t)
	w.clock.Advance(c.ConsentExpiresAt.Sub(w.clock.Now()))
	got, err := w.connections.Get(t.Context(), pfmtest.User(), c.ID)
	require.NoError(t, err)
	assert.Equal(t, connection.Expired, got.Status, "before housekeeping runs")
	assert.Equal(t, connection.Active, w.read(c.ID).Status)
	assert.Equal(t, 1, w.housekeep())
	w.shows(c.ID, connection.Expired, connection.ReasonConsentExpired)
	assert.Len(t, w.accounts(), 2, "the data stays")
	assert.Empty(t, w.jobs())
	assert.Zero(t, w.housekeep())
}

func TestLostSyncOnAFullDay(t *testing.T) {
	w, c := activated(t)
	w.dropJobs()
	c.Unattended = fourReads(w.clock.Now())
	require.NoError(t, w.store.SaveConnection(t.Context(), c, nil))
	w.clock.Advance(2 * time.Hour)
	did, err := w.chores.RunPart(t.Context(), 0, 1, false)
	require.NoError(t, err)
	require.Zero(t, did.Done, "another run looks for lost jobs")
	did, err = w.chores.RunPart(t.Context(), 0, 1, true)
	require.NoError(t, err)
	assert.Equal(t, 1, did.Lost)
	assert.Empty(t, w.jobs(), "the day's limit is used up")
	assert.True(t, w.read(c.ID).SyncRequestedAt.IsZero())
	assert.Equal(t, w.clock.Now(), w.read(c.ID).SyncEndedAt)
}

// due is a store whose index is out of date: it returns what the test sets, and
// records what is saved.
type due struct {
	connection.HousekeepingStore
	found map[connection.DueKind][]connection.Connection
	err   map[connection.DueKind]error
	save  func(connection.Connection) error
	mu    sync.Mutex
	saved []connection.Connection
}

func (d *due) DueShards() int { return 2 }

func (d *due) DueWatches(context.Context, int, time.Time) iter.Seq2[contract.Watch, error] {
	return func(func(contract.Watch, error) bool) {}
}

func (d *due) DueConnections(_ context.Context, kind connection.DueKind, shard int, _ time.Time) iter.Seq2[connection.Connection, error] {
	return func(yield func(connection.Connection, error) bool) {
		if shard > 0 {
			return
		}
		for _, c := range d.found[kind] {
			if !yield(c, nil) {
				return
			}
		}
		if err := d.err[kind]; err != nil {
			yield(connection.Connection{}, err)
		}
	}
}

func (d *due) SaveConnection(
	_ context.Context, c connection.Connection, _ idempotency.Effect[connection.Connection], _ ...connection.SyncJob,
) error {
	if d.save != nil {
		if err := d.save(c); err != nil {
			return err
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.saved = append(d.saved, c)
	return nil
}

func TestHousekeepingWithAStaleIndex(t *testing.T) {
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	late := func(id string) connection.Connection {
		return connection.Connection{
			ID: id, Status: connection.Pending, Authorisation: &connection.Authorisation{ExpiresAt: now.Add(-time.Minute)},
		}
	}
	run := func(store *due) (int, error) {
		return connection.NewHousekeeping(store, 90, func() time.Time { return now }).Run(t.Context())
	}

	t.Run("ignores connections that are no longer due", func(t *testing.T) {
		store := &due{found: map[connection.DueKind][]connection.Connection{
			connection.DueLink: {
				{ID: "finished", Status: connection.Active},
				{ID: "renewed", Status: connection.Pending, Authorisation: &connection.Authorisation{ExpiresAt: now.Add(time.Minute)}},
			},
			connection.DueSync: {{ID: "asked again", Status: connection.Active, SyncRequestedAt: now.Add(-time.Minute)}},
		}}
		changed, err := run(store)
		require.NoError(t, err)
		assert.Zero(t, changed)
		assert.Empty(t, store.saved)
	})

	t.Run("ignores concurrent changes", func(t *testing.T) {
		store := &due{found: map[connection.DueKind][]connection.Connection{
			connection.DueLink: {late("a"), late("b")},
		}, save: func(c connection.Connection) error {
			if c.ID == "a" {
				return outcome.ErrChanged
			}
			return nil
		}}
		changed, err := run(store)
		require.NoError(t, err)
		assert.Equal(t, 1, changed)
	})

	t.Run("continues after a failure and reports it", func(t *testing.T) {
		down, away := errors.New("down"), errors.New("away")
		store := &due{
			found: map[connection.DueKind][]connection.Connection{connection.DueLink: {late("a"), late("b")}},
			err:   map[connection.DueKind]error{connection.DueSync: away},
			save: func(c connection.Connection) error {
				if c.ID == "a" {
					return down
				}
				return nil
			},
		}
		changed, err := run(store)
		require.ErrorIs(t, err, down)
		require.ErrorIs(t, err, away)
		assert.Equal(t, 1, changed)
		require.Len(t, store.saved, 1)
		assert.Equal(t, "b", store.saved[0].ID)
	})

	t.Run("starts nothing at the end of its time, without an error", func(t *testing.T) {
		store := &due{found: map[connection.DueKind][]connection.Connection{connection.DueLink: {late("a")}}}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		changed, err := connection.NewHousekeeping(store, 90, func() time.Time { return now }).Run(ctx)
		require.NoError(t, err)
		assert.Zero(t, changed)
		changed, err = run(store)
		require.NoError(t, err)
		assert.Equal(t, 1, changed, "the next run continues")
	})

	t.Run("returns the first of many errors, and their number", func(t *testing.T) {
		store := &due{
			found: map[connection.DueKind][]connection.Connection{
				connection.DueLink: slices.Repeat([]connection.Connection{late("a")}, 30),
			},
			save: func(connection.Connection) error { return errors.New("down") },
		}
		_, err := run(store)
		require.ErrorContains(t, err, "and 20 more errors")
		assert.Equal(t, 10, strings.Count(err.Error(), "down"))
	})

	t.Run("notes how late the oldest work of each kind is", func(t *testing.T) {
		requested := func(at time.Time) connection.Connection {
			return connection.Connection{ID: "s", Status: connection.Active, SyncRequestedAt: at}
		}
		store := &due{found: map[connection.DueKind][]connection.Connection{
			connection.DueLink: {late("a"), late("b")},
			connection.DueSync: {requested(now), requested(now.Add(-5 * time.Hour)), requested(now.Add(-3 * time.Hour))},
		}}
		chores := connection.NewHousekeeping(store, 90, func() time.Time { return now })
		did, err := chores.RunPart(t.Context(), 0, 1, true)
		require.NoError(t, err)
		assert.Equal(t, map[string]time.Duration{"Link": time.Minute, "Sync": 3 * time.Hour}, did.Late)
	})

	t.Run("handles every shard in one of several parts", func(t *testing.T) {
		w := newWorld(t)
		w.store.SpreadDue(5)
		for range 20 {
			w.create()
		}
		w.clock.Advance(connection.LinkLifetime)
		total := 0
		for part := range 3 {
			did, err := w.chores.RunPart(t.Context(), part, 3, true)
			require.NoError(t, err)
			total += did.Done
		}
		assert.Equal(t, 20, total)
	})
}

// While a user's clock is advanced, partners are notified of contracts' deadlines at their time.
func TestDueWorkNotifiesOfDeadlines(t *testing.T) {
	w, _ := watching(t)
	sendBy := pfm.DateOf(w.clock.Now()).AddDays(10)
	deadlines := pfmtest.Deadlines{"product": {
		EarliestEnd: sendBy, EarliestFreeEnd: sendBy.AddDays(40), NextChance: sendBy.AddDays(405),
		SendBy: []pfm.ContractSendBy{{Channel: "Mail", Date: sendBy}},
	}}
	cancellables := pfmtest.Cancellables{pfmtest.ID(pfm.MediaStreaming): {OrganizationID: streaming, ProductID: "product"}}
	work := connection.NewDueWork(
		w.store, w.syncer.Syncer, contract.NewDeadlineWatch(w.store, cancellables.Find, deadlines.Find, w.clock.Now), 90,
	)
	w.takeEvents()
	end := w.clock.Now().AddDate(0, 0, 9)
	var notified []time.Duration
	for range 10 {
		next, err := work.NextDue(t.Context(), pfmtest.User(), end)
		require.NoError(t, err)
		if next.IsZero() || next.After(end) {
			break
		}
		w.clock.Advance(next.Sub(w.clock.Now()))
		require.NoError(t, work.DoDue(t.Context(), pfmtest.User()))
		for _, e := range w.takeEvents() {
			require.Equal(t, contract.EventDeadlineApproaching, e.Type)
			notified = append(notified, sendBy.Time().Sub(w.clock.Now()).Truncate(day))
		}
	}
	assert.Equal(t, []time.Duration{9 * day, 6 * day}, notified, "the first notice is late")
}
