package connection_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/contract"
	"aviso/internal/pfm/pfmtest"
	"aviso/internal/pfm/transaction"
)

// rising returns the debits of one contract, the last of them on a day.
func rising(last pfm.Date, prices ...string) []pfm.BankTransaction {
	var rows []pfm.BankTransaction
	day := last.Time()
	for i, price := range prices {
		date := pfm.DateOf(time.Date(day.Year(), day.Month()-time.Month(len(prices)-1-i), day.Day(), 0, 0, 0, 0, time.UTC))
		row := booked(date, string(date), price)
		row.CreditorName, row.MandateID = "Fibrano", "M-1"
		rows = append(rows, row)
	}
	return rows
}

// rises takes the new events and returns those about prices.
func (w *world) rises() []contract.PriceEventData {
	w.Helper()
	var all []contract.PriceEventData
	for _, e := range w.takeEvents() {
		if e.Type == contract.EventPriceIncreased {
			all = append(all, dataOf[contract.PriceEventData](w, e))
		}
	}
	return all
}

func TestPriceIncreased(t *testing.T) {
	four := []string{"-39.95", "-39.95", "-39.95", "-39.95"}
	six := append(slices.Clone(four), "-41.95", "-41.95")
	const now = "2026-02-12" // the clock is at 2 March
	begin := func(t *testing.T, rows []pfm.BankTransaction) (*world, connection.Connection) {
		t.Helper()
		w, c := reading(t)
		w.bank.Rows = map[string][]pfm.BankTransaction{"r1": rows}
		return w, c
	}

	t.Run("is sent with the debit that shows the rise, and not again", func(t *testing.T) {
		rows := rising("2026-03-01", six...)
		w, c := begin(t, slices.Clone(rows[:5]))
		w.syncOnce(c.ID)
		assert.Empty(t, w.rises(), "one debit is not enough")
		w.bank.Rows["r1"] = rows
		w.syncOnce(c.ID)
		list := w.subscriptions()
		require.Len(t, list, 1)
		told := w.rises()
		require.Len(t, told, 1)
		assert.Equal(t, contract.PriceEventData{
			SubscriptionID: list[0].ID, TransactionID: list[0].TransactionIDs[4], Since: "2026-02-01",
		}, told[0])
		w.syncOnce(c.ID)
		w.clock.Advance(24 * time.Hour)
		w.bank.Rows["r1"] = append(rows, booked("2026-03-02", "other", "-5.00"))
		w.syncOnce(c.ID)
		assert.Empty(t, w.rises())
	})

	t.Run("is sent by a first sync, if it was not long ago", func(t *testing.T) {
		w, c := begin(t, rising(now, six...))
		w.syncOnce(c.ID)
		assert.Len(t, w.rises(), 1)

		w, c = begin(t, rising(now, append(slices.Clone(six), "-41.95", "-41.95", "-41.95")...))
		w.syncOnce(c.ID)
		assert.Empty(t, w.rises(), "seen in November")
	})

	t.Run("is sent once if the second debit is pending at first", func(t *testing.T) {
		rows := rising("2026-03-02", six...)
		pending := slices.Clone(rows)
		pending[5].Booked = false
		w, c := begin(t, pending)
		w.syncOnce(c.ID)
		first := len(w.rises())
		w.clock.Advance(48 * time.Hour)
		rows[5].BookingDate = "2026-03-03"
		w.bank.Rows["r1"] = rows
		w.syncOnce(c.ID)
		assert.Equal(t, 1, first+len(w.rises()))
	})

	t.Run("is sent once if syncs crash at any write", func(t *testing.T) {
		for refused := range int64(6) {
			w, c := begin(t, rising(now, six...))
			told := 0
			for range 2 {
				w.refuse.Store(refused + 1)
				_ = w.syncer.Sync(t.Context(), jobOf(c), 1)
				told += len(w.rises())
			}
			w.refuse.Store(0)
			w.clock.Advance(time.Hour)
			w.syncOnce(c.ID)
			assert.Equal(t, 1, told+len(w.rises()), "write %d", refused+1)
		}
	})

	t.Run("is sent once by two syncs", func(t *testing.T) {
		w, c := begin(t, rising(now, six...))
		var group errgroup.Group
		for range 2 {
			group.Go(func() error { _ = w.syncer.Sync(t.Context(), jobOf(c), 1); return nil })
		}
		require.NoError(t, group.Wait())
		assert.Len(t, w.rises(), 1)
	})

	t.Run("is sent once if the user chooses another category meanwhile", func(t *testing.T) {
		w, c := begin(t, rising(now, six...))
		w.syncOnce(c.ID)
		assert.Len(t, w.rises(), 1)
		reading := transaction.NewReading(w.store, pfmtest.Gate{}, w.clock.Now)
		last := w.subscriptions()[0].TransactionIDs[5]
		for _, category := range []int{pfm.FinanceLoans, pfm.HousingTelecom} { // no contract, and a contract again
			_, err := reading.Categorise(t.Context(), pfmtest.User(), last, category, false)
			require.NoError(t, err)
		}
		assert.Empty(t, w.rises())
	})

	t.Run("ends with the account", func(t *testing.T) {
		w, c := begin(t, rising(now, six...))
		w.syncOnce(c.ID)
		w.takeEvents()
		w.dropJobs()
		require.NoError(t, w.connections.Delete(t.Context(), pfmtest.User(), c.ID))
		w.run(w.jobs()...)
		w.gone(c.ID)
		assert.Empty(t, w.rises())
	})
}
