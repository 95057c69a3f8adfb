package connection_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/pfm"
	"aviso/internal/pfm/pfmtest"
	"aviso/internal/pfm/transaction"
)

// In the store, rows and sums agree after syncs, an override, a void row and a
// deletion.
func TestStoredInsights(t *testing.T) {
	w, c := reading(t)
	w.bank.Rows = map[string][]pfm.BankTransaction{"r1": {
		booked("2026-01-10", "one", "-12.10"), booked("2026-02-11", "two", "-20.00"),
		booked("2026-02-12", "three", "-0.90"), booked("2026-02-13", "pay", "1000.00"),
	}}
	require.NoError(t, w.syncer.Sync(t.Context(), jobOf(c), 1))
	insights := transaction.NewReading(w.store, pfmtest.Gate{}, nil)
	sums := func(g transaction.Granularity) []string {
		list, err := insights.CategoryInsights(
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

	var two transaction.Transaction
	for _, row := range w.transactions() {
		if row.BankID == "two" {
			two = row
		}
	}
	_, err := transaction.NewReading(w.store, pfmtest.Gate{}, w.clock.Now).Categorise(
		t.Context(), pfmtest.User(), two.ID, pfm.FoodGroceries, false,
	)
	require.NoError(t, err)
	assert.Equal(t, []string{" 520 1 -20.00", " 610 2 -13.00"}, sums(transaction.AllTime))
	assert.Equal(t, []string{"2026-01-10 610 1 -12.10", "2026-02-11 520 1 -20.00", "2026-02-12 610 1 -0.90"}, sums(transaction.Daily))

	require.NoError(t, w.store.DeleteData(t.Context(), pfmtest.User(), c.ID))
	assert.Empty(t, sums(transaction.AllTime))
	assert.Empty(t, sums(transaction.Daily))
}
