package connection_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/outcome"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/pfmtest"
	"aviso/internal/pfm/transaction"
)

func TestPartialData(t *testing.T) {
	t.Run("keeps what can be read, counts the rest, and is over with a clean sync", func(t *testing.T) {
		w, c := activated(t)
		pending := booked("2026-03-01", "t1", "-23.90")
		pending.Booked = false
		w.bank.Listed = []pfm.BankAccount{current("r1", "DE1"), {Incomplete: true}}
		w.bank.Rows = map[string][]pfm.BankTransaction{"r1": {pending}}
		w.syncOnce(c.ID)
		w.bank.Rows["r1"] = []pfm.BankTransaction{{Unreadable: true}, booked("2026-03-02", "t2", "-5.00"), {Unreadable: true}}
		w.clock.Advance(time.Hour)
		w.syncOnce(c.ID)

		stored := w.shows(c.ID, connection.Active, connection.ReasonPartialData)
		assert.Equal(t, 2, stored.Partial.Rows)
		assert.Equal(t, 1, stored.Partial.Accounts)
		assert.Equal(t, w.clock.Now(), stored.LastSuccessAt)
		rows := w.transactions()
		require.Len(t, rows, 2)
		assert.Equal(t, transaction.Uncleared, rows[1].State, "a row that cannot be read has not vanished")

		w.bank.Listed = w.bank.Listed[:1]
		w.bank.Rows["r1"] = w.bank.Rows["r1"][1:2]
		w.syncOnce(c.ID)
		stored = w.read(c.ID)
		assert.Equal(t, connection.ReasonNone, stored.Reason)
		assert.Equal(t, connection.Partial{}, stored.Partial)
	})

	t.Run("reads an account that was missed from the same day on", func(t *testing.T) {
		w, c := synced(t)
		was := w.read(c.ID).LastSuccessAt
		refused := map[string]bool{"r2": true}
		w.bank.RefuseRows = func(resourceID string) error {
			if refused[resourceID] {
				return pfmtest.Failure(pfm.SupplierRejected)
			}
			return nil
		}
		w.bank.Rows["r1"] = append(w.bank.Rows["r1"], booked("2026-03-02", "t4", "-4.00"))
		for range 3 {
			w.clock.Advance(20 * 24 * time.Hour)
			w.syncOnce(c.ID)
		}
		stored := w.read(c.ID)
		assert.Equal(t, connection.ReasonPartialData, stored.Reason)
		from := pfm.DateOf(was).AddDays(-14)
		assert.Equal(t, connection.Partial{Accounts: 1, From: from}, stored.Partial)
		assert.Len(t, w.transactions(), 4, "the other account is up to date")

		delete(refused, "r2")
		w.syncOnce(c.ID)
		calls := w.bank.Calls
		assert.Equal(t, from, calls[len(calls)-1].From)
		assert.Equal(t, connection.Partial{}, w.read(c.ID).Partial)
	})

	t.Run("asks four times for an account whose bank does not answer, and saves the others", func(t *testing.T) {
		w, c := synced(t)
		w.bank.RefuseRows = func(resourceID string) error {
			if resourceID == "r2" {
				return pfmtest.Failure(pfm.SupplierUnavailable)
			}
			return nil
		}
		w.bank.Rows["r1"] = append(w.bank.Rows["r1"], booked("2026-03-02", "t4", "-4.00"))
		c = w.request(c.ID)
		for attempt := 1; attempt < 4; attempt++ {
			var later *outcome.Later
			require.ErrorAs(t, w.syncer.Sync(t.Context(), jobOf(c), attempt), &later)
			assert.Equal(t, connection.StatusReason(pfm.SupplierUnavailable), w.read(c.ID).Reason)
			assert.Len(t, w.transactions(), 4, "the other account is up to date")
			w.clock.Advance(time.Hour)
		}
		require.NoError(t, w.syncer.Sync(t.Context(), jobOf(c), 4))
		assert.Equal(t, connection.ReasonPartialData, w.read(c.ID).Reason)
	})

	t.Run("is a failure if nothing can be read", func(t *testing.T) {
		w, c := synced(t)
		w.bank.RefuseRows = func(string) error { return pfmtest.Failure(pfm.SupplierRejected) }
		w.syncOnce(c.ID)
		assert.Equal(t, connection.StatusReason(pfm.SupplierRejected), w.read(c.ID).Reason)
		w.bank.Listed = []pfm.BankAccount{{Incomplete: true}}
		c = w.request(c.ID)
		require.Error(t, w.syncer.Sync(t.Context(), jobOf(c), 1))
		assert.Equal(t, connection.StatusReason(pfm.SupplierInvalidResponse), w.read(c.ID).Reason)
	})
}
