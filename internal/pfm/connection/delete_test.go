package connection_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api/apierror"
	"aviso/internal/dynamo"
	"aviso/internal/outcome"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/localstack/tests/pfmtest"
)

// gone requires that nothing is left of the connection except that rows were removed.
func (w *world) gone(id string) {
	w.Helper()
	for _, row := range w.rows() {
		// What is left records, by ID only, that there were rows.
		sk := row["sk"].(*types.AttributeValueMemberS).Value
		assert.True(w, sk == "SEQUENCE" || sk == "C" || strings.HasPrefix(sk, "X#"), sk)
		assert.NotContains(w, row, "n")
	}
	_, err := w.store.ConnectionOwner(w.Context(), id)
	require.ErrorIs(w, err, outcome.ErrNotFound)
}

func TestDelete(t *testing.T) {
	t.Run("hides the connection at once, then ends its consent and deletes its data", func(t *testing.T) {
		w, c := synced(t)
		require.NoError(t, w.connections.Delete(t.Context(), pfmtest.User(), c.ID))
		_, err := w.connections.Get(t.Context(), pfmtest.User(), c.ID)
		assert.True(t, apierror.Is(err, apierror.NotFound), err)
		page, err := w.connections.List(t.Context(), pfmtest.User(), 10, "")
		require.NoError(t, err)
		assert.Empty(t, page.Items)
		assert.Empty(t, w.accounts())
		_, err = w.visit(c.ID)
		require.ErrorIs(t, err, connection.ErrLinkUnknown)
		_, err = w.connections.Refresh(t.Context(), pfmtest.User(), c.ID, connection.Visitor{}, nil)
		assert.True(t, apierror.Is(err, apierror.NotFound), err)
		_, err = w.connections.Reconnect(t.Context(), pfmtest.User(), c.ID, returnURL, nil)
		assert.True(t, apierror.Is(err, apierror.NotFound), err)
		err = w.connections.Delete(t.Context(), pfmtest.User(), c.ID)
		assert.True(t, apierror.Is(err, apierror.NotFound), err)

		jobs := w.jobs()
		require.Equal(t, []connection.SyncJob{{
			Action: connection.JobDelete, Partner: "sandbox", User: pfmtest.User().ID, ConnectionID: c.ID, ProviderID: c.ProviderID,
		}}, jobs)
		w.run(jobs...)
		w.gone(c.ID)
		assert.Equal(t, []string{"consent-1"}, w.bank.Ended)
		w.run(jobs...) // a message may come twice
		assert.Equal(t, []string{"consent-1"}, w.bank.Ended)
	})

	t.Run("leaves other connections alone", func(t *testing.T) {
		w, one := synced(t)
		two := w.activate()
		w.bank.Listed = []pfm.BankAccount{current("r1", "DE3"), current("r2", "DE4")}
		w.run(w.jobs()...)
		require.Len(t, w.accounts(), 4)
		require.NoError(t, w.connections.Delete(t.Context(), pfmtest.User(), one.ID))
		assert.Len(t, w.accounts(), 2)
		w.run(w.jobs()...)
		assert.Len(t, w.accounts(), 2)
		rows := w.transactions()
		assert.Len(t, rows, 3)
		for _, row := range rows {
			assert.Equal(t, two.ID, row.ConnectionID)
		}
	})

	for _, status := range []connection.Status{connection.Pending, connection.ActionRequired,
		connection.Failed, connection.Expired, connection.Revoked} {
		t.Run("works from "+string(status), func(t *testing.T) {
			w := newWorld(t)
			c := w.in(status)
			require.NoError(t, w.connections.Delete(t.Context(), pfmtest.User(), c.ID))
			w.run(w.jobs()...)
			w.gone(c.ID)
		})
	}

	t.Run("also ends the consent that the user is about to authorise", func(t *testing.T) {
		w, c := synced(t)
		w.reconnect(c.ID)
		w.browser(c.ID)
		require.NoError(t, w.connections.Delete(t.Context(), pfmtest.User(), c.ID))
		_, err := w.back(stateOf(t, w.bank.Requested[1]), false)
		require.ErrorIs(t, err, connection.ErrLinkUnknown)
		w.run(w.jobs()...)
		assert.ElementsMatch(t, []string{"consent-1", "consent-2"}, w.bank.Ended)
	})

	t.Run("takes the lease from a running sync", func(t *testing.T) {
		w, c := synced(t)
		w.clock.Advance(time.Hour)
		asked, err := w.connections.Refresh(t.Context(), pfmtest.User(), c.ID, connection.Visitor{}, nil)
		require.NoError(t, err)
		w.dropJobs()
		w.bank.Rows["r1"] = append(w.bank.Rows["r1"], booked("2026-03-02", "late", "-9.99"))
		w.bank.On(pfmtest.ReadAccounts, func() error { return w.connections.Delete(t.Context(), pfmtest.User(), c.ID) })
		require.NoError(t, w.syncer.Sync(t.Context(), jobOf(asked), 1))
		assert.Len(t, w.transactions(), 3, "nothing was written later")
		w.bank.Before = nil
		w.run(append(w.jobs(), jobOf(asked))...)
		w.gone(c.ID)
	})
}

func TestInterruptedDeletion(t *testing.T) {
	t.Run("continues on the next attempt after a failure of any write", func(t *testing.T) {
		for failing := int64(1); ; failing++ {
			w, c := synced(t)
			require.NoError(t, w.connections.Delete(t.Context(), pfmtest.User(), c.ID))
			job := w.jobs()[0]
			w.refuse.Store(failing)
			err := w.syncer.Do(t.Context(), job, 1)
			if w.refuse.Load() > 0 { // there were fewer writes
				require.NoError(t, err)
				assert.Equal(t, int64(7), failing, "two accounts' rows and sums, the accounts and the connection are six")
				return
			}
			var later *outcome.Later
			require.ErrorAs(t, err, &later, "write %d", failing)
			assert.Equal(t, 30*time.Second, later.After)
			w.refuse.Store(0)
			require.NoError(t, w.syncer.Do(t.Context(), job, 2), "write %d", failing)
			w.gone(c.ID)
			assert.Contains(t, w.bank.Ended, "consent-1")
		}
	})

	t.Run("changes nothing if the first write fails", func(t *testing.T) {
		w, c := synced(t)
		w.refuse.Store(1)
		require.Error(t, w.connections.Delete(t.Context(), pfmtest.User(), c.ID))
		assert.Equal(t, c, w.read(c.ID))
		assert.Empty(t, w.jobs())
	})

	t.Run("is repeated by housekeeping", func(t *testing.T) {
		w, c := synced(t)
		require.NoError(t, w.connections.Delete(t.Context(), pfmtest.User(), c.ID))
		w.dropJobs()
		w.clock.Advance(2 * time.Hour)
		assert.Equal(t, 1, w.housekeep())
		w.run(w.jobs()...)
		w.gone(c.ID)
	})
}

func TestDeletionWhenTheBankFails(t *testing.T) {
	failing := func(err error) func(string) error {
		return func(operation string) error {
			if operation == pfmtest.EndConsent {
				return err
			}
			return nil
		}
	}
	start := func(t *testing.T, err error) (*world, connection.Connection, connection.SyncJob) {
		t.Helper()
		w, c := synced(t)
		require.NoError(t, w.connections.Delete(t.Context(), pfmtest.User(), c.ID))
		w.bank.Before = failing(err)
		return w, c, w.jobs()[0]
	}

	t.Run("deletes the data first, and retries", func(t *testing.T) {
		w, c, job := start(t, pfmtest.Failure(pfm.SupplierUnavailable))
		var later *outcome.Later
		require.ErrorAs(t, w.syncer.Do(t.Context(), job, 2), &later)
		assert.Equal(t, 2*time.Minute, later.After)
		assert.True(t, outcome.IsWait(later), "a bank that is down is not our failure")
		assert.Empty(t, w.transactions())
		_, err := w.store.AnyConnection(t.Context(), pfmtest.User(), c.ID)
		require.NoError(t, err, "the connection still has the consent to end")
		w.bank.Before = nil
		require.NoError(t, w.syncer.Do(t.Context(), job, 3))
		w.gone(c.ID)
		assert.Equal(t, []string{"consent-1"}, w.bank.Ended)
	})

	t.Run("gives up after the last attempt", func(t *testing.T) {
		w, c, job := start(t, pfmtest.Failure(pfm.SupplierUnavailable))
		require.NoError(t, w.syncer.Do(t.Context(), job, connection.MaxSyncAttempts))
		w.gone(c.ID)
	})

	t.Run("gives up at once if a retry does not help", func(t *testing.T) {
		w, c, job := start(t, pfmtest.Failure(pfm.SupplierRejected))
		require.NoError(t, w.syncer.Do(t.Context(), job, 1))
		w.gone(c.ID)
	})

	t.Run("fails if the error is not the bank's", func(t *testing.T) {
		w, _, job := start(t, errors.New("broken"))
		require.ErrorContains(t, w.syncer.Do(t.Context(), job, 1), "broken")
	})

	t.Run("ends nothing at a provider that is gone", func(t *testing.T) {
		w, c, job := start(t, errors.New("not asked"))
		provider := dynamo.Key{PK: "PROVIDER#" + pfmtest.Provider().ID, SK: "PROVIDER"}
		require.NoError(t, dynamo.NewTable(w.db, w.table).Delete(t.Context(), provider))
		require.NoError(t, w.syncer.Do(t.Context(), job, 1))
		w.gone(c.ID)
	})
}

func TestJobs(t *testing.T) {
	w := newWorld(t)
	require.Error(t, w.syncer.Do(t.Context(), connection.SyncJob{Action: "Dance"}, 1))
	w.bank.Before = func(string) error { return pfmtest.Failure(pfm.SupplierRateLimited) }
	end := connection.SyncJob{Action: connection.JobEndConsent, ProviderID: pfmtest.Provider().ID, ConsentID: "consent-9"}
	var later *outcome.Later
	require.ErrorAs(t, w.syncer.Do(t.Context(), end, 1), &later)
	w.bank.Before = nil
	require.NoError(t, w.syncer.Do(t.Context(), end, 2))
	assert.Equal(t, []string{"consent-9"}, w.bank.Ended)
}
