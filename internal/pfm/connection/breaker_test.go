package connection_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/localstack/tests/pfmtest"
)

const (
	hangingBank = "5d2f8b80-93a7-5a6e-8f38-3a4de7d0c9a2"
	// hangsFor is the time-out of a call to a bank.
	hangsFor = 15 * time.Second
)

// oneExecution is an execution of bank-sync that takes one job at a time, of two banks. It
// has an instance's breaker, and the queue.
type oneExecution struct {
	*world
	breaker *connection.Breaker
	queue   []queued
	// hangs says whether one of the banks does, bank whose job is running.
	hangs bool
	bank  string
	calls int // to the bank that hangs or has hung
	waits map[string][]time.Duration
	noted []bool
}

type queued struct {
	at, since time.Time
	job       connection.SyncJob
	receives  int
}

func newExecution(t *testing.T) *oneExecution {
	t.Helper()
	w := &oneExecution{world: newWorld(t), hangs: true, waits: map[string][]time.Duration{}}
	other := pfmtest.Provider()
	other.ID, other.Name = hangingBank, "Bank that hangs"
	require.NoError(t, w.store.PutProvider(t.Context(), other))
	w.world.bank.Before = func(string) error {
		if w.bank != hangingBank {
			w.clock.Advance(time.Second / 2)
			return nil
		}
		w.calls++
		if !w.hangs {
			return nil
		}
		w.clock.Advance(hangsFor)
		return pfmtest.Failure(pfm.SupplierUnavailable)
	}
	w.breaker = w.instance()
	return w
}

// instance returns the breaker of another instance of the function.
func (w *oneExecution) instance() *connection.Breaker {
	return &connection.Breaker{
		Jobs: w.syncer.Jobs, Store: w.store,
		Resend: func(_ context.Context, job connection.SyncJob, after time.Duration) error {
			w.queue = append(w.queue, queued{at: w.clock.Now().Add(after), job: job})
			return nil
		},
		Note: func(_ context.Context, providerID string, down bool, err error) {
			require.NoError(w, err)
			assert.Equal(w, hangingBank, providerID)
			w.noted = append(w.noted, down)
		},
	}
}

// requested creates the nth connection to a bank, with a refresh that waits for its job.
func (w *oneExecution) requested(n int, bank string) connection.SyncJob {
	w.Helper()
	now := w.clock.Now()
	c := connection.Connection{
		ID: pfmtest.ID(n), Owner: pfmtest.User(), ProviderID: bank, Status: connection.Active, ConsentID: "consent",
		ConsentExpiresAt: now.AddDate(0, 3, 0), CreatedAt: now, UpdatedAt: now, SyncRequestedAt: now,
		Unattended: []time.Time{now},
	}
	require.NoError(w, w.store.CreateConnection(w.Context(), c, nil))
	return connection.SyncJob{Partner: c.Owner.Partner, User: c.Owner.ID, ConnectionID: c.ID, ProviderID: bank}
}

// send puts a job on the queue.
func (w *oneExecution) send(job connection.SyncJob, at time.Time) {
	w.queue = append(w.queue, queued{at: at, since: at, job: job})
}

// workUntil takes jobs from the queue until then.
func (w *oneExecution) workUntil(end time.Time) {
	w.Helper()
	for len(w.queue) > 0 {
		i := 0
		for j, m := range w.queue {
			if m.at.Before(w.queue[i].at) {
				i = j
			}
		}
		m := w.queue[i]
		if !m.at.Before(end) {
			break
		}
		w.queue = slices.Delete(w.queue, i, i+1)
		w.clock.Advance(max(m.at.Sub(w.clock.Now()), 0))
		if !m.since.IsZero() {
			w.waits[m.job.ProviderID] = append(w.waits[m.job.ProviderID], w.clock.Now().Sub(m.since))
		}
		w.bank = m.job.ProviderID
		m.receives, m.since = m.receives+1, time.Time{}
		err := w.breaker.Do(w.Context(), m.job, m.receives)
		if later, ok := errors.AsType[*outcome.Later](err); ok {
			m.at = w.clock.Now().Add(later.After)
			w.queue = append(w.queue, m)
			continue
		}
		require.NoError(w, err)
	}
	w.clock.Advance(max(end.Sub(w.clock.Now()), 0))
}

// openBreaker lets three connections fail, so that the bank counts as down.
func (w *oneExecution) openBreaker() {
	w.Helper()
	for n := range 3 {
		w.send(w.requested(900+n, hangingBank), w.clock.Now())
	}
	w.workUntil(w.clock.Now().Add(46 * time.Second))
	require.Equal(w, []bool{true}, w.noted)
	w.queue = nil
	w.takeEvents()
}

// nobodyProbes makes the bank count as down for the next two hours.
func (w *oneExecution) nobodyProbes() {
	w.Helper()
	probeAt, err := w.store.Outage(w.Context(), hangingBank)
	require.NoError(w, err)
	require.NoError(w, w.store.SetOutage(w.Context(), hangingBank, probeAt, w.clock.Now().Add(2*time.Hour)))
}

func TestBankThatHangsHoldsUpNoOther(t *testing.T) {
	w := newExecution(t)
	const each = 60
	began := w.clock.Now()
	for n := range each {
		at := began.Add(time.Duration(n) * 15 * time.Second)
		w.send(w.requested(n, hangingBank), at)
		w.send(w.requested(100+n, pfmtest.Provider().ID), at)
	}
	w.workUntil(began.Add(20 * time.Minute))
	waits := w.waits[pfmtest.Provider().ID]
	require.Len(t, waits, each)
	assert.LessOrEqual(t, slices.Max(waits), 3*hangsFor+hangsFor, "three time-outs until the bank counts as down, and a probe")
	assert.LessOrEqual(t, slices.Max(waits[each/4:]), 2*hangsFor, "then a probe now and then")
	assert.LessOrEqual(t, w.calls, 3+20, "three failures, and a probe a minute")
	for n := range each {
		c := w.read(pfmtest.ID(n))
		assert.Equal(t, connection.StatusReason(pfm.SupplierUnavailable), c.Reason)
		assert.False(t, c.SyncRequestedAt.IsZero(), "its job still waits")
	}
	assert.NotContains(t, w.types(), connection.EventSyncFailed)

	w.hangs = false
	w.workUntil(began.Add(45 * time.Minute))
	assert.Empty(t, w.queue)
	assert.Equal(t, []bool{true, false}, w.noted)
	for n := range each {
		c := w.read(pfmtest.ID(n))
		assert.False(t, c.LastSuccessAt.IsZero(), "refresh %d", n)
		assert.Empty(t, c.Reason)
	}
}

func TestWaitingForABank(t *testing.T) {
	t.Run("uses up neither attempts nor the day's reads", func(t *testing.T) {
		w := newExecution(t)
		w.openBreaker()
		w.nobodyProbes()
		job, began := w.requested(1, hangingBank), w.clock.Now()
		w.send(job, began)
		w.workUntil(began.Add(40 * time.Minute))
		require.Len(t, w.queue, 1)
		assert.Zero(t, w.queue[0].receives, "it is a new message each time")
		assert.Equal(t, 3, w.calls, "those that opened the breaker")
		assert.Len(t, w.read(job.ConnectionID).Unattended, 1)
		again := w.queue[0].job
		assert.Equal(t, clock.Real(began), again.WaitingSince)
		assert.Zero(t, again.Tried)
		require.NoError(t, w.breaker.Do(t.Context(), again, 3))
		assert.Equal(t, 2, w.queue[1].job.Tried, "attempts that were made do count")
	})

	t.Run("counts the read of a user who will have left", func(t *testing.T) {
		w := newExecution(t)
		w.openBreaker()
		w.nobodyProbes()
		job := w.requested(1, hangingBank)
		job.PSUIPAddress = visitor.IPAddress
		require.NoError(t, w.breaker.Do(t.Context(), job, 1))
		assert.Len(t, w.read(job.ConnectionID).Unattended, 2)
		assert.Empty(t, w.queue[0].job.PSUIPAddress)

		full := w.requested(2, hangingBank)
		c := w.read(full.ConnectionID)
		c.Unattended = fourReads(w.clock.Now())
		require.NoError(t, w.store.SaveConnection(t.Context(), c, nil))
		full.PSUIPAddress = visitor.IPAddress
		require.NoError(t, w.breaker.Do(t.Context(), full, 1))
		assert.Len(t, w.queue, 1, "no read is left")
		assert.Len(t, w.read(full.ConnectionID).Unattended, 4)
		assert.True(t, w.read(full.ConnectionID).SyncFailing)
	})

	t.Run("ends like a failed sync when it has taken too long", func(t *testing.T) {
		w := newExecution(t)
		w.openBreaker()
		w.nobodyProbes()
		job, began := w.requested(1, hangingBank), w.clock.Now()
		w.send(job, began)
		w.workUntil(began.Add(45 * time.Minute))
		require.Len(t, w.queue, 1, "as long as a sync is tried")
		assert.Empty(t, w.types())
		w.workUntil(began.Add(61 * time.Minute))
		require.Empty(t, w.queue, "long before housekeeping takes it for lost")
		c := w.read(job.ConnectionID)
		assert.Equal(t, connection.StatusReason(pfm.SupplierUnavailable), c.Reason)
		assert.True(t, c.SyncRequestedAt.IsZero())
		assert.False(t, c.SyncEndedAt.IsZero(), "the next automatic refresh follows")
		assert.Equal(t, []string{connection.EventSyncFailed}, w.types())
		assert.Empty(t, c.Unattended, "the bank was not read")
	})

	t.Run("waits in real time, and ends in that of its user", func(t *testing.T) {
		w := newExecution(t)
		w.openBreaker()
		w.nobodyProbes()
		job := w.requested(1, hangingBank)
		job.WaitingSince = clock.Real(w.clock.Now().Add(-time.Hour))
		ahead := clock.Setting{Ahead: 30 * 24 * time.Hour}
		require.NoError(t, w.breaker.Do(clock.With(t.Context(), ahead), job, 1))
		c, now := w.read(job.ConnectionID), w.clock.Now().Add(ahead.Ahead)
		assert.Equal(t, []time.Time{now, now}, []time.Time{c.SyncEndedAt, c.UpdatedAt})
	})

	t.Run("ends with the connection", func(t *testing.T) {
		w := newExecution(t)
		w.openBreaker()
		job := w.requested(1, hangingBank)
		require.NoError(t, w.connections.Delete(t.Context(), pfmtest.User(), job.ConnectionID))
		require.NoError(t, w.breaker.Do(t.Context(), job, 1))
		assert.Empty(t, w.queue)
	})
}

func TestProbesOfABankThatIsDown(t *testing.T) {
	t.Run("are made by one instance at a time, and by the next one if it crashes", func(t *testing.T) {
		w := newExecution(t)
		w.openBreaker()
		w.bank = hangingBank
		w.clock.Advance(time.Minute)
		crashed := w.requested(1, hangingBank)
		hang := w.world.bank.Before
		w.world.bank.Before = func(string) error { panic("crash") }
		assert.Panics(t, func() { _ = w.breaker.Do(t.Context(), crashed, 1) })
		w.world.bank.Before, w.calls = hang, 0

		w.send(w.requested(2, hangingBank), w.clock.Now())
		w.workUntil(w.clock.Now().Add(50 * time.Second))
		assert.Zero(t, w.calls, "the probe that crashed counts for a minute")
		w.hangs = false
		w.workUntil(w.clock.Now().Add(5 * time.Minute))
		assert.Positive(t, w.calls)
		assert.False(t, w.read(pfmtest.ID(2)).LastSuccessAt.IsZero())
		assert.Equal(t, []bool{true, false}, w.noted)
	})

	t.Run("are not needed by instances that have not failed", func(t *testing.T) {
		w := newExecution(t)
		w.openBreaker()
		w.breaker, w.calls, w.bank = w.instance(), 0, hangingBank
		job := w.requested(1, hangingBank)
		w.send(job, w.clock.Now())
		w.workUntil(w.clock.Now().Add(16 * time.Second))
		assert.Equal(t, 1, w.calls, "it learns from its first time-out")
		w.send(w.requested(2, hangingBank), w.clock.Now())
		w.workUntil(w.clock.Now().Add(5 * time.Second))
		assert.Equal(t, 1, w.calls, "and waits with the others")
	})

	t.Run("are not made by deletions, whose end of a consent fails at once", func(t *testing.T) {
		w := newExecution(t)
		w.openBreaker()
		w.calls = 0
		end := connection.SyncJob{Action: connection.JobEndConsent, ProviderID: hangingBank, ConsentID: "consent"}
		later, ok := errors.AsType[*outcome.Later](w.breaker.Do(t.Context(), end, 1))
		require.True(t, ok)
		assert.Equal(t, 30*time.Second, later.After)
		assert.Zero(t, w.calls)
	})
}

// A bank that fails for one connection only is not down.
func TestOneConnectionOpensNoBreaker(t *testing.T) {
	w := newExecution(t)
	w.send(w.requested(1, hangingBank), w.clock.Now())
	w.workUntil(w.clock.Now().Add(2 * time.Hour))
	assert.Equal(t, 4, w.calls, "the day's reads")
	assert.Empty(t, w.noted)
	assert.True(t, w.read(pfmtest.ID(1)).SyncFailing)
}
