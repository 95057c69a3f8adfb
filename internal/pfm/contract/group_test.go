package contract_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"aviso/internal/money"
	"aviso/internal/pfm"
	"aviso/internal/pfm/contract"
	"aviso/internal/pfm/transaction"
)

// histories draws a realistic mix of payments for one group: series of any cadence,
// amounts that repeat and that do not, in any order of dates.
func histories(longest int) *rapid.Generator[[]contract.Row] {
	return rapid.Custom(func(t *rapid.T) []contract.Row {
		var rows []contract.Row
		sign := rapid.SampledFrom([]string{"-", ""}).Draw(t, "sign")
		price := rapid.SampledFrom([]string{"9.99", "10.99", "12.49", "50", "49.90", "8.10", "120.00", "300"})
		for n := rapid.IntRange(0, 4).Draw(t, "series"); n > 0; n-- {
			day := pfm.Date("2024-01-01").AddDays(rapid.IntRange(0, 400).Draw(t, "start"))
			step := rapid.SampledFrom([]int{0, 1, 7, 14, 28, 30, 31, 61, 91, 365}).Draw(t, "step")
			mandate, amount := rapid.Bool().Draw(t, "mandate"), price.Draw(t, "amount")
			for k := rapid.IntRange(1, longest/4).Draw(t, "count"); k > 0; k-- {
				if rapid.IntRange(0, 9).Draw(t, "changes") == 0 {
					amount = price.Draw(t, "new amount")
				}
				rows = append(
					rows,
					contract.Row{Date: day, Amount: money.MustParse(sign + amount), Mandate: mandate, Category: 572, Merchant: true},
				)
				day = day.AddDays(step + rapid.IntRange(-1, 2).Draw(t, "shift"))
			}
		}
		rows = rapid.Permutation(rows).Draw(t, "order")
		for i := range rows {
			rows[i].ID = fmt.Sprintf("8c9e6f2a-0000-4000-8000-%012d", i)
		}
		return rows
	})
}

func inDateOrder(rows []contract.Row) []contract.Row {
	return slices.SortedStableFunc(
		slices.Values(rows), func(a, b contract.Row) int { return strings.Compare(string(a.Date), string(b.Date)) },
	)
}

// ledger is what a caller stores: the label of every payment.
type ledger map[string]contract.Label

// found returns the series of a group.
func found(g *contract.Group) []contract.Subscription {
	list, err := g.Recurring()
	if err != nil {
		panic(err)
	}
	return list
}

// payments returns how many recurring payments a group knows of, also those that it has dropped.
func payments(g *contract.Group) (n int) {
	for _, e := range g.Held {
		if e.Frequency != transaction.Once {
			n += 1 + e.Before
		}
	}
	return n
}

func chunked(t *rapid.T, rows []contract.Row, size func() int) (contract.Group, ledger) {
	var g contract.Group
	said := ledger{}
	for len(rows) > 0 {
		n := min(size(), len(rows))
		changes := g.Add(rows[:n]...)
		for id, label := range changes {
			old, known := said[id]
			if !known {
				old = contract.Label{Frequency: transaction.Once}
			}
			require.NotEqual(t, old, label, "only what changes is told")
		}
		maps.Copy(said, changes)
		rows = rows[n:]
	}
	return g, said
}

func TestBatching(t *testing.T) {
	same := func(t *rapid.T, rows []contract.Row) {
		oneByOne, said1 := chunked(t, rows, func() int { return 1 })
		inChunks, said2 := chunked(t, rows, func() int { return rapid.IntRange(1, 20).Draw(t, "chunk") })
		atOnce, said3 := chunked(t, rows, func() int { return len(rows) })
		require.Equal(t, oneByOne, inChunks)
		require.Equal(t, oneByOne, atOnce)
		require.Equal(t, without(said1), without(said2))
		require.Equal(t, without(said1), without(said3))
		require.Equal(t, found(&oneByOne), found(&atOnce))
	}

	t.Run("one by one, in chunks and all at once give the same result", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) { same(t, inDateOrder(histories(80).Draw(t, "rows"))) })
	})

	t.Run("even if rows arrive unsorted", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) { same(t, histories(80).Draw(t, "rows")) })
	})
}

// anonymous returns the group without the IDs of contracts, which stay if rows change.
func anonymous(g contract.Group) contract.Group {
	for i := range g.Held {
		g.Held[i].Contract = 0
	}
	g.Contracts = nil
	return g
}

// without removes rows whose label changed from Once and back, because not every
// batching reports these.
func without(l ledger) ledger {
	for id, label := range l {
		if label == (contract.Label{Frequency: transaction.Once}) {
			delete(l, id)
		}
	}
	return l
}

func TestLateRows(t *testing.T) {
	t.Run("give the same result as sorted ones while all fit", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			rows := histories(24).Draw(t, "rows")
			var punctual, late contract.Group
			punctual.Add(inDateOrder(rows)...)
			for _, r := range rows {
				late.Add(r)
			}
			slices.SortFunc(rows, func(a, b contract.Row) int { return strings.Compare(a.ID, b.ID) })
			require.Equal(t, anonymous(punctual), anonymous(late))
		})
	})

	t.Run("older than all in a full group are labelled and dropped", func(t *testing.T) {
		rows := monthly("2023-06-01", 30, "-9.99")
		var g contract.Group
		g.Add(rows[1:]...)
		changes := g.Add(rows[0])
		require.Equal(
			t, map[string]contract.Label{rows[0].ID: {Frequency: contract.Monthly, Subscription: true}}, changes,
		)
		assert.Equal(t, rows[0].Date, g.First)
		require.Len(t, found(&g), 1)
		assert.Equal(t, rows[0].Date, found(&g)[0].First)
		assert.Equal(t, 30, payments(&g))
	})
}

func TestRemove(t *testing.T) {
	t.Run("undoes adding", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			rows := histories(24).Draw(t, "rows")
			n := rapid.IntRange(0, len(rows)).Draw(t, "kept")
			var never, g contract.Group
			never.Add(rows[:n]...)
			said := ledger{}
			maps.Copy(said, g.Add(rows...))
			var gone []string
			for _, r := range rows[n:] {
				gone = append(gone, r.ID)
				delete(said, r.ID)
			}
			changes := g.Remove(gone...)
			for id := range changes {
				require.NotContains(t, gone, id)
			}
			maps.Copy(said, changes)
			require.ElementsMatch(t, anonymous(never).Held, anonymous(g).Held)
			for _, e := range g.Held {
				want, told := said[e.ID]
				if !told {
					want = contract.Label{Frequency: transaction.Once}
				}
				require.Equal(t, want, e.Label)
			}
		})
	})

	t.Run("ignores rows that are not held", func(t *testing.T) {
		var g contract.Group
		assert.Empty(t, g.Remove("x"))
		assert.True(t, g.Empty())
	})

	t.Run("keeps the history of the removed row", func(t *testing.T) {
		var g contract.Group
		g.Add(monthly("2023-01-01", 30, "-9.99")...)
		g.Remove(g.Held[0].ID)
		assert.Equal(t, pfm.Date("2023-01-01"), found(&g)[0].First)
		assert.Equal(t, 29, payments(&g))
	})
}

func TestChangedRows(t *testing.T) {
	t.Run("replace the old rows", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			rows := histories(24).Draw(t, "rows")
			var straight, corrected contract.Group
			straight.Add(rows...)
			for _, r := range rows {
				pending := r
				pending.Date, pending.Amount = r.Date.AddDays(rapid.IntRange(-40, 5).Draw(t, "days")), money.MustParse("-1")
				corrected.Add(pending)
			}
			corrected.Add(rows...)
			require.Equal(t, anonymous(straight), anonymous(corrected))
		})
	})

	t.Run("a new category ends a subscription", func(t *testing.T) {
		rows := monthly("2025-01-05", 4, "-650")
		var g contract.Group
		g.Add(rows...)
		rows[3].Category = pfm.HousingRent
		changes := g.Add(rows[3])
		require.Len(t, changes, 4)
		for _, label := range changes {
			assert.Equal(t, contract.Label{Frequency: contract.Monthly}, label)
		}
	})
}

func TestState(t *testing.T) {
	t.Run("is bounded", func(t *testing.T) {
		var g contract.Group
		for i := range 600 {
			r := row(i, pfm.Date("2018-01-01").AddDays(i), fmt.Sprintf("-%d.%02d", 10+i%7, i%100))
			r.Mandate, r.ID = i%2 == 0, fmt.Sprintf("8c9e6f2a-0000-4000-8000-%012d", i)
			g.Add(r)
		}
		packed, err := contract.Pack(g.Held)
		require.NoError(t, err)
		assert.Len(t, g.Held, 48)
		assert.Less(t, len(packed), 1300)
	})

	t.Run("is read as it was stored", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			var g, read contract.Group
			g.Add(histories(80).Draw(t, "rows")...)
			packed, err := contract.Pack(g.Held)
			require.NoError(t, err)
			raw, err := json.Marshal(g)
			require.NoError(t, err)
			require.NoError(t, json.Unmarshal(raw, &read))
			read.Held, err = contract.Unpack(packed)
			require.NoError(t, err)
			require.Equal(t, g, read)
		})
	})

	t.Run("keeps a yearly debit despite daily purchases", func(t *testing.T) {
		var g contract.Group
		for i := range 800 {
			g.Add(row(i, pfm.Date("2023-01-01").AddDays(i), fmt.Sprintf("-%d.%02d", 3+i*7%31, i*13%100)))
			if i%365 == 10 {
				debit := row(10000+i, pfm.Date("2023-01-01").AddDays(i), "-89.90")
				debit.Mandate = true
				g.Add(debit)
			}
		}
		require.Len(t, found(&g), 1)
		assert.Equal(t, contract.Annually, found(&g)[0].Frequency)
		due := found(&g)[0].NextExpected
		assert.Equal(t, pfm.Date("2026-01-11"), due)
		assert.Equal(t, 3, payments(&g))
	})
}

func BenchmarkAdd(b *testing.B) {
	for name, rows := range map[string][]contract.Row{
		"subscription": monthly("2020-01-01", 60, "-9.99"),
		"purchases": func() (rows []contract.Row) {
			for i := range 500 {
				rows = append(rows, row(i, pfm.Date("2023-01-01").AddDays(i), fmt.Sprintf("-%d.%02d", 3+i*7%31, i*13%100)))
			}
			return rows
		}(),
	} {
		b.Run("history of a "+name, func(b *testing.B) {
			for b.Loop() {
				var g contract.Group
				g.Add(rows...)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(rows)), "ns/row")
		})
		b.Run("one more "+name, func(b *testing.B) {
			var full contract.Group
			full.Add(rows[:len(rows)-1]...)
			for b.Loop() {
				g := contract.Group{Held: slices.Clone(full.Held), First: full.First, Contracts: full.Contracts}
				g.Add(rows[len(rows)-1])
			}
		})
	}
}
