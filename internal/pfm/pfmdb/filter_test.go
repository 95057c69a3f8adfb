package pfmdb_test

import (
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"aviso/internal/money"
	"aviso/internal/observe"
	"aviso/internal/outcome"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/transaction"
	"aviso/localstack/tests/pfmtest"
	"aviso/localstack/tests/testenv"
)

// manyRows returns rows of two accounts, all categories, and several merchants and
// states.
func manyRows(c connection.Connection, n int) []transaction.Transaction {
	var subs []pfm.Category
	for _, t := range pfm.Taxonomy() {
		for _, sub := range t.Subcategories {
			subs = append(subs, pfm.Category{ID: t.ID, Name: t.Name, SubcategoryID: sub.ID, SubcategoryName: sub.Name})
		}
	}
	rows := make([]transaction.Transaction, n)
	for i := range rows {
		r := purchase(c, i, pfm.Date("2026-01-01").AddDays(i%60))
		r.AccountID = pfmtest.ID(1001 + i%2)
		r.Category = subs[i%len(subs)]
		r.Merchant = pfm.Merchant{}
		if i%3 == 0 {
			r.Merchant = pfm.Merchant{ID: pfmtest.ID(70 + i%4), Name: "M" + strconv.Itoa(i%4)}
		}
		r.State = []transaction.RecordState{
			transaction.Cleared, transaction.Cleared, transaction.Cleared, transaction.Uncleared, transaction.Void,
		}[i%5]
		r.Amount = money.MustParse("-" + strconv.Itoa(1+i) + ".50")
		rows[i] = r
	}
	return rows
}

func matches(f transaction.Filter, t transaction.Transaction) bool {
	return (f.AccountID == "" || t.AccountID == f.AccountID) && (f.From == "" || t.RecordDate >= f.From) &&
		(f.To == "" || t.RecordDate <= f.To) &&
		(f.State == "" || t.State == f.State) &&
		(f.MerchantID == "" || t.Merchant.ID == f.MerchantID) &&
		(f.Category == 0 || t.Category.ID == f.Category || t.Category.SubcategoryID == f.Category)
}

// Every combination of filters returns what checking each row would, in pages of any
// size, each row once and newest day first.
func TestTransactionFilters(t *testing.T) {
	s, c := connected(t)
	rows := manyRows(c, 400)
	require.NoError(t, s.SaveRows(t.Context(), s.lease(c, "l"), c.Owner, c.ID, newRows(rows...)))
	n := 0
	for _, account := range []string{"", pfmtest.ID(1001)} {
		for _, days := range [][2]pfm.Date{{}, {"2026-01-10", ""}, {"", "2026-02-01"}, {"2026-01-10", "2026-01-10"}} {
			for _, state := range []transaction.RecordState{"", transaction.Cleared, transaction.Uncleared, transaction.Void} {
				for _, category := range []int{0, 500, pfm.FoodGroceries, 610} {
					for _, merchant := range []string{"", pfmtest.ID(71)} {
						f := transaction.Filter{
							AccountID: account, From: days[0], To: days[1], State: state,
							Category: category, MerchantID: merchant,
						}
						var want, got []string
						for _, r := range rows {
							if matches(f, r) {
								want = append(want, r.ID)
							}
						}
						n++
						var last pfm.Date = "9999"
						for position := ""; ; {
							page, next, err := s.Transactions(t.Context(), c.Owner, f, 1+n%37, position)
							require.NoError(t, err)
							for _, r := range page {
								assert.LessOrEqual(t, r.RecordDate, last)
								last = r.RecordDate
							}
							got = append(got, idsOf(page)...)
							if position = next; next == "" {
								break
							}
						}
						slices.Sort(want)
						slices.Sort(got)
						assert.Equal(t, want, got, "%+v", f)
					}
				}
			}
		}
	}
}

func TestOverrideCategory(t *testing.T) {
	s, c, l := syncing(t)
	row := purchase(c, 1, "2026-02-27")
	require.NoError(t, s.SaveRows(t.Context(), l, c.Owner, c.ID, newRows(row)))
	chosen, _ := pfm.CategoryOf(pfm.LeisurePets)

	got, err := s.OverrideCategory(t.Context(), c.Owner, row.ID, chosen, false, pfmtest.NewClock().Now())
	require.NoError(t, err)
	assert.Equal(t, chosen, got.Category)
	assert.Equal(t, pfm.SourceOverride, got.Source)
	read, err := s.Transaction(t.Context(), c.Owner, row.ID)
	require.NoError(t, err)
	assert.Equal(t, got, read)
	page, _, err := s.Transactions(t.Context(), c.Owner, transaction.Filter{Category: 560}, 10, "")
	require.NoError(t, err)
	assert.Len(t, page, 1, "found under its new category")
	page, _, err = s.Transactions(t.Context(), c.Owner, transaction.Filter{Category: 520}, 10, "")
	require.NoError(t, err)
	assert.Empty(t, page, "and no longer under the old one")

	t.Run("makes a sync that read the row before retry", func(t *testing.T) {
		before := stored(row)
		assert.ErrorIs(
			t, s.SaveRows(t.Context(), l, c.Owner, c.ID, []transaction.RowChange{{Old: &before, New: before}}), pfm.ErrRowChanged,
		)
	})
	t.Run("works for many rows concurrently", func(t *testing.T) {
		var rows []transaction.Transaction
		for i := range 12 {
			rows = append(rows, purchase(c, i+10, "2026-02-28"))
		}
		require.NoError(t, s.SaveRows(t.Context(), l, c.Owner, c.ID, newRows(rows...)))
		var group errgroup.Group
		for _, r := range rows {
			group.Go(func() error {
				_, err := s.OverrideCategory(t.Context(), c.Owner, r.ID, chosen, false, pfmtest.NewClock().Now())
				return err
			})
		}
		require.NoError(t, group.Wait())
	})
	t.Run("returns ErrNotFound for an unknown row or another user's", func(t *testing.T) {
		other := c.Owner
		other.ID = "somebody-else"
		_, err := s.OverrideCategory(t.Context(), other, row.ID, chosen, false, pfmtest.NewClock().Now())
		assert.ErrorIs(t, err, outcome.ErrNotFound)
		_, err = s.Transaction(t.Context(), c.Owner, pfmtest.ID(99))
		assert.ErrorIs(t, err, outcome.ErrNotFound)
	})
}

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
