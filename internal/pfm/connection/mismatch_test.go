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

// renewed syncs a connection with the accounts DE1 and DE2, then reconnects it under
// consent-2, with which the bank lists other accounts.
func (w *world) renewed(listed ...pfm.BankAccount) connection.Connection {
	w.Helper()
	c := w.synced()
	w.takeEvents()
	w.clock.Advance(time.Hour)
	w.bank.Listed = listed
	w.bank.Rows = map[string][]pfm.BankTransaction{"x1": {booked("2026-03-01", "foreign", "-5.00")}}
	w.reauthorise(c.ID)
	return c
}

// reauthorise reconnects and syncs.
func (w *world) reauthorise(id string) {
	w.Helper()
	w.reconnect(id)
	w.authorise(id)
	w.run(w.jobs()...)
}

func TestReconnectWithOtherAccounts(t *testing.T) {
	for name, listed := range map[string][]pfm.BankAccount{
		"somebody else's":                   {current("x1", "DE9")},
		"with the resource IDs of the last": {current("r1", "DE8"), current("r2", "DE9")},
		"without an IBAN":                   {current("r1", "")},
		"none":                              nil,
	} {
		t.Run(name+" mixes nothing", func(t *testing.T) {
			w, c := synced(t)
			w.takeEvents()
			accounts, rows, read := w.accounts(), w.transactions(), w.bank.Calls
			w.clock.Advance(time.Hour)
			w.bank.Listed = listed
			w.reconnect(c.ID)
			w.authorise(c.ID)
			work := w.jobs()
			w.dropJobs()
			for _, job := range work {
				require.NoError(t, w.syncer.Do(t.Context(), job, 1))
			}

			got := w.shows(c.ID, connection.ActionRequired, connection.StatusReason("AccountsMismatch"))
			assert.Equal(t, c.LastSuccessAt, got.LastSuccessAt)
			assert.Empty(t, got.ConsentID)
			assert.Zero(t, got.ConsentExpiresAt)
			assert.Zero(t, got.SyncRequestedAt)
			assert.Equal(t, accounts, w.accounts())
			assert.Equal(t, rows, w.transactions())
			assert.Equal(t, read, w.bank.Calls, "nothing of the foreign accounts is read")

			events := w.takeEvents()
			require.Len(t, events, 2)
			data := dataOf[connection.EventData](w, events[0])
			assert.Equal(t, connection.EventActionRequired, events[0].Type)
			assert.Equal(t, connection.StatusReason("AccountsMismatch"), data.Reason)
			assert.Equal(t, connection.EventActivated, events[1].Type, "when the user came back from the bank")

			w.run(w.jobs()...)
			assert.Equal(t, []string{"consent-1", "consent-2"}, w.bank.Ended, "the foreign consent too")
			_, err := w.connections.Refresh(t.Context(), pfmtest.User(), c.ID, connection.Visitor{}, nil)
			require.Error(t, err)
		})
	}

	t.Run("is repaired by a reconnect with the right ones", func(t *testing.T) {
		w := newWorld(t)
		c := w.renewed(current("x1", "DE9"))
		ids := w.accountIDs()
		require.Equal(t, connection.ActionRequired, w.read(c.ID).Status)
		w.run(w.jobs()...)
		w.bank.Listed = []pfm.BankAccount{current("y1", "DE1"), current("y2", "DE2")}
		w.bank.Rows = map[string][]pfm.BankTransaction{"y1": {booked("2026-03-01", "t1", "-23.90")}}
		w.reauthorise(c.ID)
		got := w.read(c.ID)
		assert.Equal(t, connection.Active, got.Status)
		assert.Empty(t, got.Reason)
		assert.Equal(t, "consent-3", got.ConsentID)
		assert.Equal(t, ids, w.accountIDs())
		assert.Len(t, w.transactions(), 3)
	})

	t.Run("goes on if one of them is known", func(t *testing.T) {
		w := newWorld(t)
		c := w.renewed(current("x1", "DE9"), current("x2", "DE2"))
		assert.Equal(t, connection.Active, w.read(c.ID).Status)
		assert.Len(t, w.accounts(), 3)
	})

	t.Run("goes on if a known one has another currency now", func(t *testing.T) {
		w := newWorld(t)
		other := current("x1", "DE1")
		other.Currency = "SEK"
		c := w.renewed(other)
		assert.Equal(t, connection.Active, w.read(c.ID).Status)
	})

	t.Run("goes on if the known ones have nothing that outlives a consent", func(t *testing.T) {
		w, c := activated(t)
		w.bank.Listed = []pfm.BankAccount{current("r1", "")}
		w.run(w.jobs()...)
		w.reauthorise(c.ID)
		assert.Equal(t, connection.Active, w.read(c.ID).Status)
	})

	t.Run("is not what a refresh under the same consent finds", func(t *testing.T) {
		w, c := synced(t)
		w.bank.Listed = []pfm.BankAccount{current("r7", "DE7")}
		w.clock.Advance(time.Hour)
		w.syncOnce(c.ID)
		assert.Equal(t, connection.Active, w.read(c.ID).Status)
		assert.Len(t, w.accounts(), 3)
	})

	t.Run("is found by a later attempt too, if the first could not list the accounts", func(t *testing.T) {
		w, c := synced(t)
		w.bank.Listed = []pfm.BankAccount{current("x1", "DE9")}
		w.reconnect(c.ID)
		w.authorise(c.ID)
		w.bank.Before = func(string) error { return pfmtest.Failure(pfm.SupplierUnavailable) }
		asked := w.read(c.ID)
		require.Error(t, w.syncer.Sync(t.Context(), jobOf(asked), 1))
		w.bank.Before = nil
		require.NoError(t, w.syncer.Sync(t.Context(), jobOf(asked), 2))
		assert.Equal(t, connection.StatusReason("AccountsMismatch"), w.read(c.ID).Reason)
		assert.Len(t, w.accounts(), 2)
	})
}
