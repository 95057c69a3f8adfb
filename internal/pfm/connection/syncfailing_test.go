package connection_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/localstack/tests/pfmtest"
)

// bankFails makes the bank fail from now on, or work again if kind is empty.
func (w *world) bankFails(kind pfm.SupplierErrorKind) {
	w.bank.Before = func(operation string) error {
		if kind == "" || operation == pfmtest.ReadConsent {
			return nil
		}
		return pfmtest.Failure(kind)
	}
}

// syncs requests a sync and runs it to its end, retries included, each with a duplicate.
// It returns the types of the events that followed.
func (w *world) syncs(id string) []string {
	w.Helper()
	w.clock.Advance(24 * time.Hour)
	c := w.request(id)
	for attempt := 1; attempt <= connection.MaxSyncAttempts; attempt++ {
		if attempt < connection.MaxSyncAttempts && !w.read(id).SyncRequestedAt.IsZero() {
			assert.Empty(w, w.types(), "there is another attempt")
		}
		_ = w.syncer.Sync(w.Context(), jobOf(c), attempt)
	}
	require.True(w, w.read(id).SyncRequestedAt.IsZero())
	require.NoError(w, w.syncer.Sync(w.Context(), jobOf(c), connection.MaxSyncAttempts), "a duplicate")
	return w.types()
}

func TestSyncFailing(t *testing.T) {
	failing := func(t *testing.T) (*world, connection.Connection) {
		t.Helper()
		w, c := synced(t)
		w.takeEvents()
		w.bankFails(pfm.SupplierUnavailable)
		require.Equal(t, []string{connection.EventSyncFailed}, w.syncs(c.ID))
		return w, c
	}

	t.Run("is reported when the retries are used up, once until a sync succeeds", func(t *testing.T) {
		w, c := failing(t)
		w.bankFails(pfm.SupplierRejected)
		assert.Empty(t, w.syncs(c.ID), "it still fails, whatever the reason")
		assert.Empty(t, w.syncs(c.ID))
		w.bankFails("")
		assert.Equal(t, []string{connection.EventRefreshed, connection.EventSyncRecovered}, w.syncs(c.ID))
		assert.Equal(t, []string{connection.EventRefreshed}, w.syncs(c.ID))
		w.bankFails(pfm.SupplierInvalidResponse)
		assert.Equal(t, []string{connection.EventSyncFailed}, w.syncs(c.ID), "this is another failure")
	})

	t.Run("says why, and the recovery that all is well", func(t *testing.T) {
		w, c := synced(t)
		w.takeEvents()
		w.bankFails(pfm.SupplierRejected)
		w.syncOnce(c.ID)
		failed := w.takeEvents()
		require.Len(t, failed, 1, "a refusal is not retried")
		want := connection.EventData{
			ConnectionID: c.ID, ProviderID: c.ProviderID, Status: connection.Active, Reason: "SupplierRejected",
		}
		assert.Equal(t, want, dataOf[connection.EventData](w, failed[0]))
		assert.Equal(t, w.clock.Now(), failed[0].OccurredAt.Time())
		w.bankFails("")
		w.syncOnce(c.ID)
		want.Reason = ""
		assert.Equal(t, want, dataOf[connection.EventData](w, w.takeEvents()[1]))
	})

	t.Run("is not reported if a retry succeeds", func(t *testing.T) {
		w, c := activated(t)
		w.takeEvents()
		w.bank.Listed = []pfm.BankAccount{current("r1", "DE1")}
		w.bankFails(pfm.SupplierUnavailable)
		for attempt := 1; attempt < connection.MaxSyncAttempts; attempt++ {
			require.Error(t, w.syncer.Sync(t.Context(), jobOf(c), attempt))
		}
		w.bankFails("")
		require.NoError(t, w.syncer.Sync(t.Context(), jobOf(c), connection.MaxSyncAttempts))
		assert.Equal(t, []string{connection.EventRefreshed}, w.types())
	})

	t.Run("is reported at once if the day has no reads left for retries", func(t *testing.T) {
		w, c := synced(t)
		c.Unattended = fourReads(w.clock.Now())
		require.NoError(t, w.store.SaveConnection(t.Context(), c, nil))
		w.takeEvents()
		w.bankFails(pfm.SupplierUnavailable)
		w.syncOnce(c.ID)
		assert.Equal(t, []string{connection.EventSyncFailed}, w.types())
	})

	t.Run("ends with the status, whose event says more", func(t *testing.T) {
		w, c := failing(t)
		w.bank.SetConsent(c.ConsentID, pfm.Consent{State: pfm.ConsentRevokedByPSU})
		w.bankFails(pfm.SupplierConsentInvalid)
		assert.Equal(t, []string{connection.EventRevoked}, w.syncs(c.ID))
		assert.False(t, w.read(c.ID).SyncFailing)
	})

	t.Run("outlives a renewal", func(t *testing.T) {
		w, c := failing(t)
		w.bankFails("")
		w.reconnect(c.ID)
		w.authorise(c.ID)
		assert.Equal(t, []string{connection.EventActivated}, w.types())
		assert.Equal(t, []string{connection.EventRefreshed, connection.EventSyncRecovered}, w.syncs(c.ID))
	})

	t.Run("is reported if a sync is lost with all its retries", func(t *testing.T) {
		w, c := synced(t)
		w.takeEvents()
		w.bankFails(pfm.SupplierUnavailable)
		w.request(c.ID)
		w.refuse.Store(2) // the write that ends the sync
		require.Error(t, w.syncer.Sync(t.Context(), jobOf(c), connection.MaxSyncAttempts))
		assert.Empty(t, w.types())
		for range 2 {
			w.clock.Advance(2 * time.Hour)
			w.housekeep()
		}
		told := w.takeEvents()
		require.Len(t, told, 1, "once, although the next sync was lost as well")
		assert.Equal(t, connection.EventSyncFailed, told[0].Type)
		assert.Equal(t, connection.ReasonInternalError, dataOf[connection.EventData](w, told[0]).Reason)
		assert.Equal(t, connection.ReasonInternalError, w.read(c.ID).Reason)
		w.bankFails("")
		require.NoError(t, w.syncer.Sync(t.Context(), jobOf(c), 1))
		assert.Equal(t, []string{connection.EventRefreshed, connection.EventSyncRecovered}, w.types())
	})
}
