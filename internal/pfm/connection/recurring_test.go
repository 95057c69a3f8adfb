package connection_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"aviso/internal/money"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/contract"
	"aviso/internal/pfm/transaction"
	"aviso/localstack/tests/logtest"
	"aviso/localstack/tests/pfmtest"
)

// everyday returns an employee's transactions in two years: salary, rent, a streaming
// service whose price rises, a yearly insurance, and shopping.
func everyday() []pfm.BankTransaction {
	var rows []pfm.BankTransaction
	add := func(day pfm.Date, who, amount, mandate string) {
		row := pfm.BankTransaction{
			ID: fmt.Sprint(who, day), Booked: true, BookingDate: day, Amount: money.MustParse(amount), Currency: "EUR",
			Remittance: who, CreditorName: who, MandateID: mandate,
		}
		if row.Amount.Sign() > 0 {
			row.CreditorName, row.DebtorName = "", who
		}
		rows = append(rows, row)
	}
	n := 0
	for year := 2024; year <= 2026; year++ {
		for month := 1; month <= 12; month++ {
			day := func(d int) pfm.Date { return pfm.Date(fmt.Sprintf("%d-%02d-%02d", year, month, d)) }
			if day(1) < "2024-04-01" || day(1) > "2026-02-01" {
				continue
			}
			add(day(25+month%3), "Arbeitgeber", "2750.00", "")
			add(day(1+month%2), "Vermieter", "-880.00", "")
			price := "-12.99"
			if day(1) >= "2025-09-01" {
				price = "-13.99"
			}
			add(day(3+month%3), "Flimmerkiste", price, "M-1")
			if month == 5 {
				add(day(2), "Versicherung", "-83.40", "M-2")
			}
			for range 3 {
				n++
				add(day(1+n*7%27), "Kaufmann", fmt.Sprintf("-%d.%02d", 3+n*11%70, n*37%100), "")
			}
		}
	}
	slices.SortStableFunc(rows, func(a, b pfm.BankTransaction) int { return cmp.Compare(a.BookingDate, b.BookingDate) })
	return rows
}

func (w *world) categorised() {
	w.syncer.Jobs = pfmtest.Jobs(w.store, logtest.Banks(w.bank.Of), func(t transaction.Transaction, _ string) transaction.Transaction {
		of := map[string]int{
			"Arbeitgeber": pfm.IncomeSalary, "Vermieter": pfm.HousingRent, "Flimmerkiste": pfm.MediaStreaming,
			"Versicherung": pfm.FinanceInsurance, "Kaufmann": pfm.FoodGroceries,
		}
		t.Category, _ = pfm.CategoryOf(of[t.Counterparty])
		t.Source, t.PartyName = pfm.SourceMerchant, t.Counterparty
		if t.Counterparty == "Flimmerkiste" || t.Counterparty == "Kaufmann" {
			t.Merchant = pfm.Merchant{ID: pfmtest.ID(of[t.Counterparty]), Name: t.Counterparty}
		}
		return t
	}, w.clock.Now)
	w.bank.Listed = []pfm.BankAccount{current("r1", "DE1")}
	w.bank.IgnoresFrom = true
}

// listBefore makes the bank list what was booked before a day.
func (w *world) listBefore(before pfm.Date) {
	w.bank.Rows = map[string][]pfm.BankTransaction{
		"r1": slices.DeleteFunc(everyday(), func(r pfm.BankTransaction) bool { return r.BookingDate >= before }),
	}
}

type label struct {
	transaction.Frequency
	subscription bool
}

// labels returns the labels of all rows, by the bank's IDs.
func (w *world) labels() map[string]label {
	w.Helper()
	labels := map[string]label{}
	for _, t := range w.transactions() {
		labels[t.BankID] = label{t.Frequency, t.Subscription}
	}
	for _, row := range w.rows() {
		if _, is := row["e"]; is {
			assert.NotContains(w, row, "openSort", "a label was not written")
		}
	}
	return labels
}

func (w *world) subscriptions() []contract.Subscription {
	w.Helper()
	list, err := contract.NewSubscriptions(
		w.store, pfmtest.Cancellables{}.Find, pfmtest.Deadlines{}.Find, nil, pfmtest.Gate{}, w.clock.Now,
	).List(w.Context(), pfmtest.User())
	require.NoError(w, err)
	return list
}

func TestSyncFindsRecurringPayments(t *testing.T) {
	w := newWorld(t)
	w.categorised()
	c := w.activate()
	w.listBefore("9999")
	require.NoError(t, w.syncer.Sync(t.Context(), jobOf(c), 1))
	whole := w.labels()

	t.Run("and labels them", func(t *testing.T) {
		want := map[string]label{
			"Arbeitgeber": {"Monthly", false}, "Vermieter": {"Monthly", false}, "Flimmerkiste": {"Monthly", true},
			"Versicherung": {"Annually", true}, "Kaufmann": {transaction.Once, false},
		}
		for _, row := range everyday() {
			assert.Equal(t, want[row.Remittance], whole[row.ID], row.ID)
		}
	})

	t.Run("and lists subscriptions, the most expensive first", func(t *testing.T) {
		list := w.subscriptions()
		require.Len(t, list, 2)
		media, insurance := list[0], list[1]
		assert.Equal(t, pfm.Merchant{ID: pfmtest.ID(pfm.MediaStreaming), Name: "Flimmerkiste"}, media.Merchant)
		assert.Equal(t, "-13.99", media.Amount.String())
		assert.Equal(t, "167.88", media.YearlyCost.String())
		assert.Equal(t, pfm.MediaStreaming, media.Category.SubcategoryID)
		assert.Equal(t, "EUR", media.Currency)
		assert.Equal(t, pfm.Date("2024-04-04"), media.First)
		assert.Equal(t, pfm.Date("2026-02-05"), media.Last)
		assert.Len(t, media.TransactionIDs, 23)
		assert.Equal(t, pfm.Merchant{Name: "Versicherung"}, insurance.Merchant)
		assert.Equal(t, "83.40", insurance.YearlyCost.String())
		assert.EqualValues(t, "2026-05-02", insurance.NextExpected)
	})

	t.Run("and leaves out those that have ended", func(t *testing.T) {
		w.clock.Advance(90 * 24 * 3600e9)
		defer w.clock.Advance(-90 * 24 * 3600e9)
		list := w.subscriptions()
		require.Len(t, list, 1)
		assert.Equal(t, "Versicherung", list[0].Merchant.Name)
	})

	t.Run("and writes nothing without changes", func(t *testing.T) {
		before := w.transactions()
		w.syncOnce(c.ID)
		assert.Equal(t, before, w.transactions())
	})

	t.Run("and uses the user's categories", func(t *testing.T) {
		last := w.subscriptions()[1].TransactionIDs
		got := w.categorise(last[len(last)-1], pfm.FinanceLoans, false)
		assert.False(t, got.Subscription)
		assert.Len(t, w.subscriptions(), 1)
		w.syncOnce(c.ID)
		assert.Equal(t, label{"Annually", false}, w.labels()["Versicherung2024-05-02"], "the others follow with the next sync")
	})

	t.Run("and deletes them with the connection", func(t *testing.T) {
		w.dropJobs()
		require.NoError(t, w.connections.Delete(t.Context(), pfmtest.User(), c.ID))
		w.run(w.jobs()...)
		w.gone(c.ID)
		assert.Empty(t, w.subscriptions())
	})
}

func TestRecurrenceDoesNotDependOnTheNumberOfSyncs(t *testing.T) {
	once := newWorld(t)
	once.categorised()
	c := once.activate()
	once.listBefore("9999")
	require.NoError(t, once.syncer.Sync(t.Context(), jobOf(c), 1))

	w := newWorld(t)
	w.categorised()
	c = w.activate()
	w.listBefore("2024-09-10")
	require.NoError(t, w.syncer.Sync(t.Context(), jobOf(c), 1))
	for _, before := range []pfm.Date{"2024-10-02", "2025-05-05", "2025-09-20", "2026-01-15", "9999"} {
		w.listBefore(before)
		w.syncOnce(c.ID)
	}
	assert.Equal(t, once.labels(), w.labels())
	assert.Len(t, w.subscriptions(), len(once.subscriptions()))
}

// Whichever write fails, the next sync produces the same labels.
func TestRecurrenceSurvivesEveryFailure(t *testing.T) {
	var want map[string]label
	for nth := int64(0); ; nth++ {
		w := newWorld(t)
		w.categorised()
		c := w.activate()
		w.listBefore("2024-05-20")
		require.NoError(t, w.syncer.Sync(t.Context(), jobOf(c), 1))
		w.listBefore("9999")
		w.request(c.ID)
		w.refuse.Store(nth)
		err := w.syncer.Sync(t.Context(), jobOf(c), 1)
		unharmed := w.refuse.Swap(0) > 0 || nth == 0
		if unharmed {
			require.NoError(t, err)
		} else {
			w.clock.Advance(3600e9) // the failed sync's lease has expired
			w.syncOnce(c.ID)
		}
		if nth == 0 {
			want = w.labels()
			require.Contains(t, want, "Flimmerkiste2026-02-05")
			continue
		}
		require.Equal(t, want, w.labels(), "write %d failed", nth)
		if unharmed {
			require.Greater(t, nth, int64(7), "rows and labels take several writes")
			return
		}
	}
}

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
		last := w.subscriptions()[0].TransactionIDs[5]
		for _, category := range []int{pfm.FinanceLoans, pfm.HousingTelecom} { // no contract, and a contract again
			w.categorise(last, category, false)
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
