package connection_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/transaction"
	"aviso/localstack/tests/pfmtest"
)

func TestWithdrawnRows(t *testing.T) {
	hotel, cafe := booked("2026-02-27", "t1", "-50.00"), booked("2026-02-27", "t2", "-7.00")
	unreadable := pfm.BankTransaction{Unreadable: true}
	start := func(t *testing.T) (w *world, read func(rows ...pfm.BankTransaction) transaction.RecordState) {
		w = newWorld(t)
		c := w.activate()
		w.bank.Listed = []pfm.BankAccount{current("r1", "DE1")}
		w.bank.Rows = map[string][]pfm.BankTransaction{"r1": {hotel, cafe}}
		require.NoError(t, w.syncer.Sync(t.Context(), jobOf(c), 1))
		return w, func(rows ...pfm.BankTransaction) transaction.RecordState {
			w.takeEvents()
			w.clock.Advance(time.Hour)
			w.bank.Rows["r1"] = rows
			w.syncOnce(c.ID)
			for _, row := range w.transactions() {
				if row.BankID == "t1" {
					return row.State
				}
			}
			return ""
		}
	}

	t.Run("are void after two statements without them", func(t *testing.T) {
		w, read := start(t)
		since := w.changes(transaction.ChangePosition{}).Since
		require.Equal(t, transaction.Cleared, read(cafe))
		assert.Empty(t, w.changes(since).Changes)
		assert.NotContains(t, w.types(), connection.EventTransactionsUpdated)

		require.Equal(t, transaction.Void, read(cafe))
		changes := w.changes(since).Changes
		require.Len(t, changes, 1)
		assert.Equal(t, transaction.Modified, changes[0].Kind)
		assert.Equal(t, "-50.00", changes[0].Transaction.Amount.String())
		assert.Contains(t, w.types(), connection.EventTransactionsUpdated)
		sums, err := w.store.Aggregates(t.Context(), pfmtest.User(), transaction.LevelAllTime, "", "")
		require.NoError(t, err)
		for _, tally := range sums[0].Tallies {
			assert.Equal(t, "-7.00", tally.Amount.String())
			assert.Equal(t, 1, tally.Count)
		}
	})

	t.Run("are not void after two statements, one of which had them", func(t *testing.T) {
		_, read := start(t)
		for range 3 {
			require.Equal(t, transaction.Cleared, read(cafe))
			require.Equal(t, transaction.Cleared, read(hotel, cafe))
		}
	})

	t.Run("come back as the same rows", func(t *testing.T) {
		w, read := start(t)
		was := w.transactions()
		read(cafe)
		require.Equal(t, transaction.Void, read(cafe))
		require.Equal(t, transaction.Cleared, read(hotel, cafe))
		is := w.transactions()
		require.Len(t, is, 2)
		assert.ElementsMatch(t, []string{was[0].ID, was[1].ID}, []string{is[0].ID, is[1].ID})
	})

	for name, rows := range map[string][]pfm.BankTransaction{
		"a row that cannot be read":       {cafe, unreadable},
		"nothing":                         nil,
		"later rows only, as of a cut":    {booked("2026-03-01", "t3", "-9.00"), booked("2026-03-02", "t4", "-8.00")},
		"pending rows only, as of a slip": {{ID: "p", Amount: cafe.Amount, Currency: "EUR", Remittance: "Kiosk"}},
	} {
		t.Run("are not those that are missing from statements with "+name, func(t *testing.T) {
			_, read := start(t)
			for range 3 {
				require.Equal(t, transaction.Cleared, read(rows...))
			}
		})
	}
}
