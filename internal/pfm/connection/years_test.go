package connection_test

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/money"
	"aviso/internal/pfm"
	"aviso/internal/pfm/transaction"
	"aviso/localstack/tests/pfmtest"
)

// statementOf returns the bank's statement of account n on a day: five rows a day, two
// of them equal purchases. The rows of the last two days are pending. The bank gives
// every row a new ID in each epoch.
func statementOf(n int, first, today pfm.Date, epoch int) []pfm.BankTransaction {
	var rows []pfm.BankTransaction
	i := 0
	for day := first; day <= today; day = day.AddDays(1) {
		for k := range 5 {
			i++
			text, amount := fmt.Sprintf("row %d of %s", k, day), fmt.Sprintf("-%d.%02d", 1+(i*7)%90, (i*13)%100)
			switch k {
			case 3, 4:
				text, amount = "two tickets", "-2.90"
			case 2:
				amount = amount[1:]
			}
			rows = append(rows, pfm.BankTransaction{
				ID: fmt.Sprintf("e%d-%d-%d", epoch, n, i), Booked: day.AddDays(2) <= today,
				BookingDate: day, Amount: money.MustParse(amount), Currency: "EUR", CreditorName: "Somebody",
				DebtorName: "Somebody", Remittance: text,
			})
		}
	}
	return rows
}

// One user, 14 syncs in a year, with a new consent every sixth sync and new IDs for all rows
// every fourth. No row is lost, duplicated or given another ID, and the insights equal the
// sums of the rows. At night it is 40 syncs of 10,000 transactions in three years.
func TestYearsOfSyncs(t *testing.T) {
	syncs := 14
	if os.Getenv("NIGHTLY") != "" {
		syncs = 40
	}
	w := newWorld(t)
	first := pfm.DateOf(w.clock.Now())
	c := w.activate()
	seen := map[string]transaction.Transaction{}
	since, epoch := transaction.ChangePosition{}, 0
	for sync := range syncs {
		today := pfm.DateOf(w.clock.Now())
		days := int(today.Time().Sub(first.Time())/(24*time.Hour)) + 1
		if sync%4 == 3 {
			epoch++
		}
		w.bank.Listed = []pfm.BankAccount{current(fmt.Sprint("r1-", epoch), "DE1"), current(fmt.Sprint("r2-", epoch), "DE2")}
		w.bank.Rows = map[string][]pfm.BankTransaction{
			fmt.Sprint("r1-", epoch): statementOf(1, first, today, epoch), fmt.Sprint("r2-", epoch): statementOf(2, first, today, epoch),
		}
		asked := w.read(c.ID)
		asked.SyncRequestedAt = w.clock.Now()
		asked.ConsentID = fmt.Sprint("consent-", sync/6)
		asked.ConsentExpiresAt = w.clock.Now().AddDate(0, 6, 0)
		require.NoError(t, w.store.SaveConnection(t.Context(), asked, nil))
		require.NoError(t, w.syncer.Sync(t.Context(), jobOf(c), 1))

		for {
			page, err := w.reading.Changes(t.Context(), pfmtest.User(), since, 200)
			require.NoError(t, err)
			for _, change := range page.Changes {
				was, known := seen[change.TransactionID]
				require.Equal(t, known, change.Kind == transaction.Modified, "sync %d: %s of %s", sync, change.Kind, change.TransactionID)
				if known {
					require.Equal(t, was.Note, change.Transaction.Note)
					require.Equal(t, was.AccountID, change.Transaction.AccountID)
					require.Equal(t, was.RecordDate, change.Transaction.RecordDate)
				}
				seen[change.TransactionID] = change.Transaction
			}
			if page.Since == since {
				break
			}
			since = page.Since
		}
		require.Len(t, seen, days*10, "sync %d: as many as the bank has listed", sync)
		w.clock.Advance(27*24*time.Hour + time.Hour)
	}

	all := map[string]transaction.Transaction{}
	for position := ""; ; {
		page, next, err := w.store.Transactions(t.Context(), pfmtest.User(), transaction.Filter{}, 200, position)
		require.NoError(t, err)
		for _, row := range page {
			all[row.ID] = row
			assert.NotEqual(t, transaction.Void, row.State)
		}
		if position = next; next == "" {
			break
		}
	}
	assert.Len(t, all, len(seen))
	for _, q := range []transaction.InsightQuery{
		{Type: transaction.Expense, Granularity: transaction.AllTime}, {Type: transaction.Income, Granularity: transaction.Monthly}, {Type: transaction.Expense, Granularity: transaction.Weekly, From: "2027-01-13", To: "2027-02-18"},
	} {
		list, err := w.reading.CategoryInsights(t.Context(), pfmtest.User(), q)
		require.NoError(t, err)
		var want, got money.Amount
		for _, row := range all {
			if row.Type() == q.Type && (q.From == "" || row.RecordDate >= q.From && row.RecordDate <= q.To) {
				want = add(t, want, row.Amount)
			}
		}
		for _, i := range list {
			got = add(t, got, i.Amount)
		}
		assert.True(t, want.Equal(got), "%s, want %s", got, want)
		assert.NotZero(t, got.Sign())
	}
}

// In the store, rows and sums agree after syncs, an override, a void row and a
// deletion.
func TestStoredInsights(t *testing.T) {
	w, c := reading(t)
	w.bank.Rows = map[string][]pfm.BankTransaction{"r1": {
		booked("2026-01-10", "one", "-12.10"), booked("2026-02-11", "two", "-20.00"),
		booked("2026-02-12", "three", "-0.90"), booked("2026-02-13", "pay", "1000.00"),
	}}
	require.NoError(t, w.syncer.Sync(t.Context(), jobOf(c), 1))
	sums := func(g transaction.Granularity) []string {
		list, err := w.reading.CategoryInsights(
			t.Context(), pfmtest.User(), transaction.InsightQuery{Type: transaction.Expense, Granularity: g, TopLevel: true},
		)
		require.NoError(t, err)
		var out []string
		for _, i := range list {
			out = append(out, fmt.Sprint(i.PeriodStart, " ", i.Category.ID, " ", i.Count, " ", i.Amount))
		}
		slices.Sort(out)
		return out
	}
	assert.Equal(t, []string{" 610 3 -33.00"}, sums(transaction.AllTime))
	assert.Equal(t, []string{"2026-01-01 610 1 -12.10", "2026-02-01 610 2 -20.90"}, sums(transaction.Monthly))

	w.categorise(w.by("two").ID, pfm.FoodGroceries, false)
	assert.Equal(t, []string{" 520 1 -20.00", " 610 2 -13.00"}, sums(transaction.AllTime))
	assert.Equal(t, []string{"2026-01-10 610 1 -12.10", "2026-02-11 520 1 -20.00", "2026-02-12 610 1 -0.90"}, sums(transaction.Daily))

	require.NoError(t, w.store.DeleteData(t.Context(), pfmtest.User(), c.ID))
	assert.Empty(t, sums(transaction.AllTime))
	assert.Empty(t, sums(transaction.Daily))
}
