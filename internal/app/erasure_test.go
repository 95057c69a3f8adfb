package app

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"aviso/internal/api/apierror"
	"aviso/internal/identity"
	"aviso/internal/outcome"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/localstack/tests/pfmtest"
)

func TestErasure(t *testing.T) {
	t.Run("deletes everything of the user and nothing of others", func(t *testing.T) {
		w := newWorld(t)
		user, other := w.user("customer-1"), w.user("customer-2")
		before := w.traces(other)
		require.Greater(t, len(w.traces(user)), 45)
		id := w.begin(user)
		_, err := w.users.Get(t.Context(), user)
		assert.True(t, apierror.Is(err, apierror.UserNotFound), err)
		_, err = w.users.ByExternalID(t.Context(), "sandbox", "customer-1")
		assert.True(t, apierror.Is(err, apierror.UserNotFound), err)
		_, err = w.connections.List(t.Context(), user, 10, "")
		assert.True(t, apierror.Is(err, apierror.UserNotFound), err)
		_, err = w.users.Erase(t.Context(), user)
		assert.True(t, apierror.Is(err, apierror.UserNotFound), err)
		assert.Equal(t, map[string]int{"users": 1, "termsAcceptances": 2}, w.receipt(id).Counts)

		again, created, err := w.users.Create(t.Context(), "sandbox", german("customer-1"), nil)
		require.NoError(t, err)
		assert.True(t, created, "the partner's user ID is free at once")
		assert.NotEqual(t, user, again.Owner)

		w.completed(user, id)
		assert.ElementsMatch(t, before, w.traces(other))
		assert.NotContains(t, w.bank.Ended, "consent-of-"+string(other.ID))
		_, err = w.users.Get(t.Context(), again.Owner)
		require.NoError(t, err)
		_, err = w.users.Receipt(t.Context(), "other", id)
		assert.True(t, apierror.Is(err, apierror.NotFound), err)
	})

	t.Run("counts once when run several times", func(t *testing.T) {
		w := newWorld(t)
		user := w.user("customer-1")
		id := w.begin(user)
		for range 4 {
			w.clock.Advance(time.Minute)
			var group errgroup.Group
			for range 3 {
				group.Go(func() error { _, err := w.runner.Run(t.Context()); return err })
			}
			for _, job := range w.jobs() {
				for range 2 {
					group.Go(func() error { _ = w.deleter.Delete(t.Context(), job, 1); return nil })
				}
			}
			_ = group.Wait() // the losers of a race are for the next round
		}
		w.completed(user, id)
		assert.Len(t, w.scan("IdentityTable"), 3, "the terms, the receipt and the tombstone")
	})
}

func TestErasureWithConcurrentWork(t *testing.T) {
	t.Run("a sync that is running writes nothing more", func(t *testing.T) {
		w := newWorld(t)
		user := w.user("customer-1")
		c, lease := w.syncing(user)
		id := w.begin(user)
		_, err := w.runner.Run(t.Context())
		require.NoError(t, err)
		err = w.store.SaveAccounts(t.Context(), lease, []pfm.Account{{ID: uuid.NewString(), Owner: user, ConnectionID: c.ID}})
		require.ErrorIs(t, err, outcome.ErrChanged)
		err = w.store.FinishSync(t.Context(), lease, c, func(*connection.Connection) []connection.SyncJob { return nil })
		require.ErrorIs(t, err, outcome.ErrChanged)
		for range 3 {
			require.NoError(t, w.minute())
		}
		assert.Equal(t, identity.ErasureCompleted, w.receipt(id).Status)
		assert.Equal(t, 3, w.receipt(id).Counts["connections"])
		assert.Empty(t, w.traces(user))
	})

	t.Run("from the 202 on no link works, no connection is created or changes, and no sync begins", func(t *testing.T) {
		w := newWorld(t)
		user := w.user("customer-1")
		open, err := w.connections.Create(t.Context(), user, pfmtest.Provider().ID, returnURL, nil)
		require.NoError(t, err)
		going, err := w.store.Connection(t.Context(), user, open.ID)
		require.NoError(t, err)
		w.begin(user)
		visitor := connection.Visitor{IPAddress: "203.0.113.7", BaseURL: "https://api.example"}
		late := connection.Connection{ID: uuid.NewString(), Owner: user, ProviderID: pfmtest.Provider().ID, Status: connection.Pending}
		lease := connection.Lease{Token: uuid.NewString(), Until: w.clock.Now().Add(time.Hour)}
		for range 2 { // before the first step of the erasure, and after it
			_, err = w.connections.Open(t.Context(), open.ID, open.Authorisation.Link, visitor)
			require.ErrorIs(t, err, connection.ErrLinkUnknown)
			assert.Len(t, w.bank.Ended, 1, "the consent that was requested for the link")
			_, err = w.connections.Create(t.Context(), user, pfmtest.Provider().ID, returnURL, nil)
			assert.True(t, apierror.Is(err, apierror.UserNotFound), err)
			require.ErrorIs(t, w.store.CreateConnection(t.Context(), late, nil), outcome.ErrNotFound)
			require.Error(t, w.store.SaveConnection(t.Context(), going, nil))
			_, err = w.store.AcquireSync(t.Context(), user, open.ID, lease, w.clock.Now())
			require.Error(t, err)
			_, err = w.runner.Run(t.Context())
			require.NoError(t, err)
		}
		w.clock.Advance(connection.LinkLifetime)
		_, err = connection.NewHousekeeping(w.store, 90, w.clock.Now).Run(t.Context())
		require.NoError(t, err)
	})

	t.Run("a bank that does not respond is retried, and then given up", func(t *testing.T) {
		w := newWorld(t)
		user := w.user("customer-1")
		id := w.begin(user)
		w.bank.Before = func(string) error { return pfmtest.Failure(pfm.SupplierUnavailable) }
		for range connection.MaxSyncAttempts {
			_ = w.minute()
			assert.Equal(t, identity.ErasureRunning, w.receipt(id).Status)
		}
		require.NoError(t, w.minute())
		require.NoError(t, w.minute())
		assert.Equal(t, identity.ErasureCompleted, w.receipt(id).Status)
		assert.Equal(t, whole(), w.receipt(id).Counts)
		assert.Empty(t, w.traces(user))
	})
}
