package connection_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"aviso/internal/api/apierror"
	"aviso/internal/outcome"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/localstack/tests/pfmtest"
)

// refused requests a refresh and requires this refusal.
func (w *world) refused(id, psuIP string, code apierror.Code) *apierror.Error {
	w.Helper()
	before, jobs := w.rows(), w.jobs()
	_, err := w.connections.Refresh(w.Context(), pfmtest.User(), id, connection.Visitor{IPAddress: psuIP}, nil)
	var refusal *apierror.Error
	require.ErrorAs(w, err, &refusal)
	require.Equal(w, code, refusal.Code)
	assert.Equal(w, before, w.rows(), "a refusal changes nothing")
	assert.Equal(w, jobs, w.jobs())
	return refusal
}

func TestRefresh(t *testing.T) {
	const userIP = "198.51.100.4"

	t.Run("requests a sync with the user's address", func(t *testing.T) {
		w, c := synced(t)
		w.clock.Advance(time.Hour)
		got, err := w.connections.Refresh(t.Context(), pfmtest.User(), c.ID, connection.Visitor{IPAddress: userIP}, nil)
		require.NoError(t, err)
		assert.Equal(t, connection.Active, got.Status)
		assert.Equal(t, w.clock.Now(), w.read(c.ID).SyncRequestedAt)
		assert.Empty(t, w.read(c.ID).Unattended)
		assert.Equal(t, []connection.SyncJob{{
			Partner: "sandbox", User: pfmtest.User().ID, ConnectionID: c.ID, ProviderID: c.ProviderID, PSUIPAddress: userIP,
		}}, w.jobs())
		w.run(w.jobs()...)
		assert.Equal(t, w.clock.Now(), w.read(c.ID).LastSuccessAt)
		asked := w.bank.Calls
		assert.Equal(t, userIP, asked[len(asked)-1].Session.PSUIPAddress)
	})

	t.Run("is rejected before refreshTimeoutMinutes have passed", func(t *testing.T) {
		w, c := synced(t)
		next := w.clock.Now().Add(time.Hour)
		w.clock.Advance(time.Hour - time.Millisecond)
		for _, ip := range []string{"", userIP} {
			refusal := w.refused(c.ID, ip, apierror.RefreshTooEarly)
			assert.Equal(t, next, refusal.NextRefreshPossibleAt)
			assert.Equal(t, time.Millisecond, refusal.RetryAfter)
		}
		w.clock.Advance(time.Millisecond)
		w.refresh(c.ID)
	})

	t.Run("is rejected while a sync is running", func(t *testing.T) {
		w := newWorld(t)
		c := w.activate()
		lease := connection.Lease{Token: "running", Until: w.clock.Now().Add(time.Minute)}
		_, err := w.store.AcquireSync(t.Context(), c.Owner, c.ID, lease, w.clock.Now())
		require.NoError(t, err)
		_ = w.refused(c.ID, userIP, apierror.RefreshInProgress)
		w.clock.Advance(2 * time.Minute) // the sync is gone
		w.refresh(c.ID)
	})

	t.Run("starts at once while a retry waits", func(t *testing.T) {
		for _, kind := range []pfm.SupplierErrorKind{pfm.SupplierUnavailable, pfm.SupplierRateLimited} {
			w, c := synced(t)
			w.clock.Advance(time.Hour)
			w.refresh(c.ID)
			w.bank.Before = func(string) error { return pfmtest.Failure(kind) }
			var later *outcome.Later
			require.ErrorAs(t, w.syncer.Do(t.Context(), jobOf(c), 1), &later)
			w.bank.Before = nil
			was, jobs := w.read(c.ID).Unattended, len(w.jobs())
			_, err := w.connections.Refresh(t.Context(), pfmtest.User(), c.ID, connection.Visitor{IPAddress: userIP}, nil)
			require.NoError(t, err, kind)
			w.run(w.jobs()[jobs:]...)
			assert.Equal(t, w.clock.Now(), w.read(c.ID).LastSuccessAt)
			assert.Equal(t, was, w.read(c.ID).Unattended)
			require.NoError(t, w.syncer.Do(t.Context(), jobOf(c), 2), "the retry has nothing left to do")
		}
	})

	t.Run("is possible at once after a failed sync", func(t *testing.T) {
		w, c := activated(t)
		w.bank.Before = func(string) error { return pfmtest.Failure(pfm.SupplierUnavailable) }
		require.NoError(t, w.syncer.Do(t.Context(), jobOf(c), connection.MaxSyncAttempts))
		assert.Equal(t, w.clock.Now(), w.read(c.ID).SyncEndedAt)
		w.refresh(c.ID)
	})

	t.Run("is possible four times in any 24 hours without the user", func(t *testing.T) {
		w, c := synced(t)
		w.clock.Advance(10 * time.Hour) // to 22:00
		first := w.clock.Now()
		for range 4 {
			w.refresh(c.ID)
			w.run(w.jobs()...)
			w.clock.Advance(time.Hour)
		}
		refusal := w.refused(c.ID, "", apierror.RefreshTooEarly) // 2:00, a new day
		assert.Equal(t, first.Add(24*time.Hour), refusal.NextRefreshPossibleAt)
		assert.Equal(t, 20*time.Hour, refusal.RetryAfter)
		_, err := w.connections.Refresh(t.Context(), pfmtest.User(), c.ID, connection.Visitor{IPAddress: userIP}, nil)
		require.NoError(t, err, "with the user, only refreshTimeoutMinutes limits refreshes")
		w.run(w.jobs()...)
		w.clock.Advance(20*time.Hour - time.Millisecond)
		_ = w.refused(c.ID, "", apierror.RefreshTooEarly)
		w.clock.Advance(time.Millisecond)
		w.refresh(c.ID)
		w.run(w.jobs()...)
		_ = w.refused(c.ID, "", apierror.RefreshTooEarly)
	})

	t.Run("without the user counts from when the bank is read", func(t *testing.T) {
		w, c := synced(t)
		w.clock.Advance(2 * time.Hour)
		w.refresh(c.ID)
		w.clock.Advance(30 * time.Minute) // the job waits
		w.run(w.jobs()...)
		assert.Equal(t, []time.Time{w.clock.Now()}, w.read(c.ID).Unattended)
	})

	t.Run("counts retries, and gives up when the limit is used up", func(t *testing.T) {
		w, c := synced(t)
		w.clock.Advance(time.Hour)
		w.refresh(c.ID)
		w.bank.Before = func(string) error { return pfmtest.Failure(pfm.SupplierUnavailable) }
		var later *outcome.Later
		for attempt := range 3 {
			require.ErrorAs(t, w.syncer.Do(t.Context(), w.jobs()[0], attempt+1), &later)
		}
		require.NoError(t, w.syncer.Do(t.Context(), w.jobs()[0], 4), "the limit is used up")
		got := w.read(c.ID)
		assert.True(t, got.SyncRequestedAt.IsZero())
		assert.Equal(t, connection.Active, got.Status)
		assert.Equal(t, connection.StatusReason(pfm.SupplierUnavailable), got.Reason)
		assert.Len(t, got.Unattended, 4)
	})

	for _, status := range []connection.Status{connection.Pending, connection.ActionRequired,
		connection.Failed, connection.Expired, connection.Revoked} {
		t.Run("is rejected for a connection that is "+string(status), func(t *testing.T) {
			w := newWorld(t)
			_ = w.refused(w.in(status).ID, userIP, apierror.ConnectionNotActive)
		})
	}

	t.Run("is rejected if the consent has expired unnoticed", func(t *testing.T) {
		w, c := synced(t)
		w.clock.Advance(365 * 24 * time.Hour)
		_ = w.refused(c.ID, userIP, apierror.ConnectionNotActive)
	})

	t.Run("returns 404 for an unknown connection, but checks the gate first", func(t *testing.T) {
		w := newWorld(t)
		_ = w.refused(pfmtest.ID(1), "", apierror.NotFound)
		closed := w.connectionsBehind(pfmtest.Gate{Refusal: apierror.New(apierror.TermsNotAccepted, "x")})
		_, err := closed.Refresh(t.Context(), pfmtest.User(), pfmtest.ID(1), connection.Visitor{}, nil)
		assert.True(t, apierror.Is(err, apierror.TermsNotAccepted), err)
	})

	t.Run("counts once for concurrent requests", func(t *testing.T) {
		w, c := synced(t)
		w.clock.Advance(time.Hour)
		results := make([]error, 4)
		var group errgroup.Group
		for i := range results {
			group.Go(func() error {
				_, results[i] = w.connections.Refresh(t.Context(), pfmtest.User(), c.ID, connection.Visitor{}, nil)
				return nil
			})
		}
		require.NoError(t, group.Wait())
		for _, err := range results {
			require.NoError(t, err)
		}
		before := len(w.bank.Calls)
		w.run(w.jobs()...)
		assert.Len(t, w.bank.Calls, before+2, "one read of two accounts")
		assert.Len(t, w.read(c.ID).Unattended, 1)
	})
}

// in creates a connection that has data and this status.
func (w *world) in(status connection.Status) connection.Connection {
	w.Helper()
	if status == connection.Pending {
		return w.create()
	}
	c := w.synced()
	c.Status = status
	require.NoError(w, w.store.SaveConnection(w.Context(), c, nil))
	return w.read(c.ID)
}
