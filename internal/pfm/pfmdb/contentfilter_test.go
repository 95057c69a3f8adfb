package pfmdb_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/money"
	"aviso/internal/observe"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/pfmtest"
	"aviso/internal/pfm/transaction"
	"aviso/localstack/tests/testenv"
)

// mixedRows returns rows of manyRows with incomes, zeros, and words in every field.
func mixedRows(c connection.Connection, n int) []transaction.Transaction {
	rows := manyRows(c, n)
	for i := range rows {
		rows[i].Amount = money.MustParse(strconv.Itoa(i%40-30) + ".50")
		if i%40 == 30 {
			rows[i].Amount = money.MustParse("0.00")
		}
		rows[i].Note = []string{"MIETE MÄRZ", "Netflix", "PAYPAL *SHOP"}[i%3]
		rows[i].Counterparty = []string{"Toechter & Söhne", "Anna"}[i%2]
	}
	return rows
}

func TestContentFilters(t *testing.T) {
	s, c := connected(t)
	rows := mixedRows(c, 400)
	require.NoError(t, s.SaveRows(t.Context(), s.lease(c, "l"), c.Owner, c.ID, newRows(rows...)))
	amount := func(s string) *money.Amount { return new(money.MustParse(s)) }
	n := 0
	for _, content := range []transaction.Filter{
		{Type: transaction.Income}, {Type: transaction.Expense}, {AmountFrom: amount("-5.5")}, {AmountFrom: amount("0"), AmountTo: amount("4.50")},
		{AmountTo: amount("-20.5")}, {AmountFrom: amount("0"), AmountTo: amount("0")},
		{Words: transaction.SearchWords("töchter miete")}, {Words: transaction.SearchWords("flix"), Type: transaction.Income}, {Words: transaction.SearchWords("nothing")},
	} {
		for _, account := range []string{"", pfmtest.ID(1001)} {
			for _, category := range []int{0, 500, pfm.FoodGroceries} {
				for _, state := range []transaction.RecordState{"", transaction.Void} {
					f := content
					f.AccountID, f.Category, f.State, f.To = account, category, state, "2026-02-20"
					var want, got []string
					for _, r := range rows {
						if matches(f, r) && f.Matches(r) {
							want = append(want, r.ID)
						}
					}
					for position := ""; ; {
						n++
						page, next, err := s.Transactions(t.Context(), c.Owner, f, 1+n%37, position)
						require.NoError(t, err)
						got = append(got, idsOf(page)...)
						if position = next; next == "" {
							break
						}
					}
					assert.ElementsMatch(t, want, got, "%+v", f)
				}
			}
		}
	}
}

// However rare what a filter looks for is, a page reads a bounded number of rows.
func TestContentFiltersStayWithinTheirBudget(t *testing.T) {
	m := &testenv.Spent{}
	s, c, l := syncing(t, m.Install)
	rows := make([]transaction.Transaction, 5000)
	for i := range rows {
		rows[i] = purchase(c, i, pfm.Date("2020-01-01").AddDays(i/3))
		if i%10 == 0 {
			rows[i].Amount = money.MustParse("12.00")
		}
	}
	require.NoError(t, s.SaveRows(t.Context(), l, c.Owner, c.ID, newRows(rows...)))
	for name, tt := range map[string]struct {
		filter transaction.Filter
		given  int
		calls  int64
		units  float64
	}{
		"most match":    {transaction.Filter{Type: transaction.Expense}, 50, 1, 10},
		"a tenth match": {transaction.Filter{Type: transaction.Income}, 50, 2, 110},
		"none matches":  {transaction.Filter{Words: transaction.SearchWords("netflix")}, 0, 5, 400},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, calls := observe.CountCalls(t.Context())
			m.Reset()
			page, next, err := s.Transactions(ctx, c.Owner, tt.filter, 50, "")
			require.NoError(t, err)
			assert.NotEmpty(t, next)
			assert.Len(t, page, tt.given)
			assert.Equal(t, tt.calls, calls.Count())
			assert.LessOrEqual(t, m.Units(), tt.units)
			t.Logf("%.1f read units", m.Units())
		})
	}
}
