package contract_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"aviso/internal/money"
	"aviso/internal/pfm"
	"aviso/internal/pfm/contract"
)

// contractIDs returns the IDs of the contracts that the group has found, the one with the
// latest payment first.
func contractIDs(g *contract.Group) (ids []string) {
	for _, c := range found(g) {
		if c.ID != "" {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// lasting draws the debits of one contract whose price rises now and then.
func lasting(t *rapid.T, least int) []contract.Row {
	rows := monthly("2020-01-05", rapid.IntRange(least, 70).Draw(t, "months"), "-9.99")
	price := money.MustParse("-9.99")
	for i := range rows {
		if rapid.IntRange(0, 11).Draw(t, "rises") == 0 && price.Cmp(money.MustParse("-30")) > 0 {
			price, _ = price.Add(money.MustParse("-1.50"))
		}
		rows[i].Amount, rows[i].Mandate = price, true
		rows[i].Date = rows[i].Date.AddDays(rapid.IntRange(0, 3).Draw(t, "weekend"))
	}
	return rows
}

func TestContractsKeepTheirIDs(t *testing.T) {
	t.Run("while payments follow, and old ones are dropped, in any batches", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			var g contract.Group
			known := ""
			for rows := lasting(t, 4); len(rows) > 0; {
				n := rapid.IntRange(1, min(6, len(rows))).Draw(t, "batch")
				g.Add(rows[:n]...)
				rows = rows[n:]
				ids := contractIDs(&g)
				require.LessOrEqual(t, len(ids), 1)
				if len(ids) == 1 && known == "" {
					known = ids[0]
				}
				if known != "" {
					require.Equal(t, []string{known}, ids)
				}
			}
			require.NotEmpty(t, known)
		})
	})

	t.Run("when rows are added again", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			var g, again contract.Group
			rows := histories(80).Draw(t, "rows")
			g.Add(rows...)
			ids := contractIDs(&g)
			g.Add(rows[max(0, len(rows)-5):]...)
			if len(rows) <= 24 {
				require.Equal(t, ids, contractIDs(&g))
			}
			again.Add(rows...)
			require.Equal(t, ids, contractIDs(&again))
		})
	})

	t.Run("when a payment is labelled again, goes or comes late", func(t *testing.T) {
		rows := monthly("2025-01-05", 8, "-9.99")
		var g contract.Group
		g.Add(rows[:2]...)
		g.Add(rows[3:]...)
		id := contractIDs(&g)
		require.Len(t, id, 1)
		loan := rows[7]
		loan.Category = pfm.FinanceLoans
		g.Add(loan)
		require.Empty(t, contractIDs(&g))
		g.Add(rows[7], rows[2])
		assert.Equal(t, id, contractIDs(&g))
		g.Remove(rows[0].ID, rows[7].ID)
		assert.Equal(t, id, contractIDs(&g))
	})
}

func TestContractsHaveIDsOfTheirOwn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var g contract.Group
		for rows := histories(80).Draw(t, "rows"); len(rows) > 0; {
			n := rapid.IntRange(1, len(rows)).Draw(t, "batch")
			g.Add(rows[:n]...)
			rows = rows[n:]
			ids := contractIDs(&g)
			require.NotContains(t, ids, "")
			slices.Sort(ids)
			require.Len(t, slices.Compact(ids), len(contractIDs(&g)))
			require.LessOrEqual(t, len(g.Contracts), len(g.Held), "an ID that no payment has is forgotten")
		}
	})
}
