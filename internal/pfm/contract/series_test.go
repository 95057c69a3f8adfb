package contract_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/money"
	"aviso/internal/pfm"
	"aviso/internal/pfm/contract"
	"aviso/internal/pfm/transaction"
)

func row(i int, day pfm.Date, amount string) contract.Row {
	return contract.Row{
		ID: fmt.Sprintf("row-%05d", i), Date: day, Amount: money.MustParse(amount),
		Category: pfm.MediaStreaming, Merchant: true,
	}
}

func monthly(first string, n int, amount string) []contract.Row {
	var rows []contract.Row
	for i := range n {
		start := pfm.Date(first).Time()
		rows = append(rows, row(i, pfm.DateOf(start.AddDate(0, i, 0)), amount))
	}
	return rows
}

// life parses a series of payments such as "2025-01-31 -9.99, ...".
func life(text string) []contract.Row {
	var rows []contract.Row
	for i, one := range strings.Split(text, ", ") {
		day, amount, _ := strings.Cut(one, " ")
		rows = append(rows, row(i, pfm.Date(day), amount))
	}
	return rows
}

func with(rows []contract.Row, change func(*contract.Row)) []contract.Row {
	for i := range rows {
		change(&rows[i])
	}
	return rows
}

func mandate(r *contract.Row)  { r.Mandate = true }
func standing(r *contract.Row) { r.StandingOrder, r.Merchant = true, false }

func of(category int, also ...func(*contract.Row)) func(*contract.Row) {
	return func(r *contract.Row) {
		r.Category = category
		for _, change := range also {
			change(r)
		}
	}
}

func unknownParty(r *contract.Row) { r.Merchant = false }

// want is the short form of a series: frequency, subscription, amount, next, yearly.
func want(c contract.Subscription) string {
	kind := "habit"
	if c.ID != "" {
		kind = "subscription"
	}
	return fmt.Sprintf("%s %s %s next %s yearly %s", c.Frequency, kind, c.Amount, c.NextExpected, c.YearlyCost.Neg())
}

// cases returns the rows of a table in testdata, by column.
func cases(t *testing.T, name string) (rows [][]string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		columns := strings.Split(line, "|")
		for i := range columns {
			columns[i] = strings.TrimSpace(columns[i])
		}
		rows = append(rows, columns)
	}
	return rows
}

// kindOf makes rows payments of a kind.
func kindOf(t *testing.T, name string) func(*contract.Row) {
	t.Helper()
	kind := map[string]func(*contract.Row){
		"allowance": of(pfm.TransferPerson, standing), "box": of(pfm.LeisureOther, mandate),
		"car": of(pfm.TransportCar, mandate), "clothing": of(pfm.ShoppingClothing, mandate),
		"club": of(pfm.LeisureSports, mandate, unknownParty), "coffee": of(pfm.FoodRestaurants),
		"course": of(pfm.LeisureEducation, mandate), "debited": of(pfm.MediaStreaming, mandate),
		"friend": of(pfm.TransferPerson, unknownParty), "groceries": of(pfm.FoodGroceries),
		"gym": of(pfm.LeisureSports, mandate), "haircut": of(pfm.HealthBeauty),
		"insured": of(pfm.FinanceInsurance, mandate), "loan": of(pfm.FinanceLoans, mandate),
		"phone": of(pfm.HousingTelecom, mandate), "power": of(pfm.HousingUtilities, mandate),
		"press": of(pfm.MediaPress, mandate), "rent": of(pfm.HousingRent, standing), "salary": of(pfm.IncomeSalary),
		"savings": of(pfm.TransferOwn, standing), "software": of(pfm.MediaSoftware), "stream": of(pfm.MediaStreaming),
		"tax": of(pfm.FinanceTaxes), "telecom": of(pfm.HousingTelecom),
	}[name]
	require.NotNil(t, kind, name)
	return kind
}

// The columns of the table are: name, kind, payments, series.
func TestLives(t *testing.T) {
	for _, c := range cases(t, "lives.txt") {
		t.Run(c[0], func(t *testing.T) {
			var g contract.Group
			g.Add(with(life(c[2]), kindOf(t, c[1]))...)
			var got []string
			for _, v := range found(&g) {
				got = append(got, want(v))
			}
			assert.Equal(t, c[3], strings.Join(got, "; "))
		})
	}
}

func TestLabels(t *testing.T) {
	t.Run("reach back to the first payment once the series is known", func(t *testing.T) {
		rows := monthly("2025-01-05", 3, "-9.99")
		var g contract.Group
		assert.Empty(t, g.Add(rows[:2]...))
		changes := g.Add(rows[2])
		require.Len(t, changes, 3)
		for _, r := range rows {
			assert.Equal(t, contract.Label{Frequency: contract.Monthly, Subscription: true}, changes[r.ID])
		}
	})

	t.Run("are reset when a removed row leaves too few", func(t *testing.T) {
		rows := monthly("2025-01-05", 3, "-9.99")
		var g contract.Group
		g.Add(rows...)
		assert.Equal(t, map[string]contract.Label{
			rows[0].ID: {Frequency: transaction.Once}, rows[2].ID: {Frequency: transaction.Once},
		}, g.Remove(rows[1].ID))
	})

	t.Run("do not affect purchases next to a subscription", func(t *testing.T) {
		rows := life("2025-01-02 -8.99, 2025-01-11 -34.20, 2025-02-03 -8.99, 2025-02-20 -99.00, 2025-03-03 -8.99")
		var g contract.Group
		got := slices.Sorted(maps.Keys(g.Add(rows...)))
		assert.Equal(t, []string{rows[0].ID, rows[2].ID, rows[4].ID}, got)
	})

	t.Run("include a payment made twice", func(t *testing.T) {
		rows := life("2025-01-05 -9.99, 2025-02-05 -9.99, 2025-02-05 -9.99, 2025-03-05 -9.99, 2025-04-07 -9.99")
		var g contract.Group
		assert.Len(t, g.Add(rows...), 5)
	})
}

func TestEnded(t *testing.T) {
	var g contract.Group
	g.Add(monthly("2024-01-05", 8, "-9.99")...)
	v := found(&g)[0]
	assert.Equal(t, pfm.Date("2024-08-05"), v.Last)
	due := v.NextExpected
	assert.Equal(t, pfm.Date("2024-09-05"), due)
	assert.Greater(t, v.Overdue, pfm.Date("2024-09-20"), "one payment may be missed")
	assert.Less(t, v.Overdue, pfm.Date("2024-11-01"))
	assert.Equal(t, contract.Monthly, v.Frequency, "the frequency does not change")
}

func TestTheDayOfTheMonthMayChangeOnce(t *testing.T) {
	t.Parallel()
	moved := life("2025-01-04 -9.99, 2025-02-04 -9.99, 2025-03-04 -9.99, 2025-04-04 -9.99, " +
		"2025-05-22 -9.99, 2025-06-22 -9.99, 2025-07-22 -9.99, 2025-08-22 -9.99")
	g := contract.Group{}
	g.Add(moved...)
	list := found(&g)
	require.Len(t, list, 1)
	assert.Equal(t, contract.Monthly, list[0].Frequency)
	assert.EqualValues(t, "2025-09-22", list[0].NextExpected)
	assert.Len(t, list[0].TransactionIDs, len(moved))
}
