package contract_test

import (
	"fmt"
	"maps"
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
		ID:       fmt.Sprintf("row-%05d", i),
		Date:     day,
		Amount:   money.MustParse(amount),
		Category: pfm.MediaStreaming,
		Merchant: true,
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

func TestLives(t *testing.T) {
	for name, c := range map[string]struct {
		rows []contract.Row
		want []string
	}{
		"a payment made once":                    {life("2025-01-10 -9.99"), nil},
		"two card payments are not a series yet": {life("2025-01-10 -9.99, 2025-02-10 -9.99"), nil},
		"two debits of one amount under a mandate are": {
			with(life("2025-01-10 -9.99, 2025-02-10 -9.99"), mandate),
			[]string{"Monthly subscription -9.99 next 2025-03-10 yearly -119.88"},
		},
		"two debits of other amounts are not": {with(life("2025-01-10 -9.99, 2025-02-10 -31.50"), mandate), nil},
		"monthly on the 31st": {
			life("2025-01-31 -12.00, 2025-02-28 -12.00, 2025-03-31 -12.00, 2025-04-30 -12.00"),
			[]string{"Monthly subscription -12.00 next 2025-05-31 yearly -144.00"},
		},
		"monthly on the 31st, seen in February": {
			life("2024-12-31 -12.00, 2025-01-31 -12.00, 2025-02-28 -12.00"),
			[]string{"Monthly subscription -12.00 next 2025-03-31 yearly -144.00"},
		},
		"weekends move it": {
			life("2025-01-02 -15, 2025-02-03 -15, 2025-03-03 -15, 2025-04-01 -15, " +
				"2025-05-02 -15, 2025-06-02 -15, 2025-07-01 -15, 2025-08-01 -15"),
			[]string{"Monthly subscription -15 next 2025-09-02 yearly -180"},
		},
		"weekends move it into the month before": {
			with(
				life("2025-01-01 2100, 2025-01-31 2100, 2025-02-28 2100, "+
					"2025-04-01 2100, 2025-05-01 2100, 2025-05-30 2100"),
				of(pfm.IncomeSalary),
			),
			[]string{"Monthly habit 2100 next 2025-07-01 yearly 25200"},
		},
		"quarterly insurance whose premium rose": {
			with(
				life("2024-01-02 -61.20, 2024-04-02 -61.20, 2024-07-01 -61.20, "+
					"2024-10-01 -61.20, 2025-01-02 -66.40, 2025-04-01 -66.40"),
				of(pfm.FinanceInsurance, mandate),
			),
			[]string{"Quarterly subscription -66.40 next 2025-07-02 yearly -265.60"},
		},
		"half-yearly premium": {
			with(life("2024-01-15 -180.00, 2024-07-15 -180.00, 2025-01-15 -184.00"), of(pfm.TransportCar, mandate)),
			[]string{"SemiAnnually subscription -184.00 next 2025-07-15 yearly -368.00"},
		},
		"yearly domain by card": {
			with(life("2023-05-20 -14.99, 2024-05-20 -14.99, 2025-05-21 -14.99"), of(pfm.MediaSoftware)),
			[]string{"Annually subscription -14.99 next 2026-05-20 yearly -14.99"},
		},
		"yearly premium that rose": {
			with(life("2024-01-02 -412.80, 2025-01-02 -438.10"), of(pfm.TransportCar, mandate)),
			[]string{"Annually subscription -438.10 next 2026-01-02 yearly -438.10"},
		},
		"weekly allowance": {
			with(life("2025-03-07 -10, 2025-03-14 -10, 2025-03-21 -10, 2025-03-28 -10"), of(pfm.TransferPerson, standing)),
			[]string{"Weekly habit -10 next 2025-04-04 yearly -520"},
		},
		"every second week": {
			with(life("2025-03-07 -45, 2025-03-21 -45, 2025-04-04 -45, 2025-04-17 -45, 2025-05-02 -45"), of(pfm.LeisureEducation, mandate)),
			[]string{"BiWeekly subscription -45 next 2025-05-16 yearly -1170"},
		},
		"every four weeks is thirteen times a year": {
			life("2025-01-03 -26.99, 2025-01-31 -26.99, 2025-02-28 -26.99, 2025-03-28 -26.99, 2025-04-25 -26.99, 2025-05-23 -26.99"),
			[]string{"Monthly subscription -26.99 next 2025-06-20 yearly -350.87"},
		},
		"every second month is six times a year": {
			with(life("2025-01-14 -26.15, 2025-03-13 -27.40, 2025-05-14 -25.90, 2025-07-14 -28.00"), of(pfm.HousingUtilities, mandate)),
			[]string{"Quarterly subscription -26.15 next 2025-09-14 yearly -156.90"},
		},
		"a price rise": {
			life("2025-01-05 -9.99, 2025-02-05 -9.99, 2025-03-05 -9.99, 2025-04-05 -9.99, 2025-05-05 -11.99"),
			[]string{"Monthly subscription -11.99 next 2025-06-05 yearly -143.88"},
		},
		"a gap of one": {
			life("2025-01-05 -9.99, 2025-02-05 -9.99, 2025-03-05 -9.99, 2025-05-05 -9.99, 2025-06-05 -9.99"),
			[]string{"Monthly subscription -9.99 next 2025-07-05 yearly -119.88"},
		},
		"a payment doubled": {
			life("2025-01-05 -9.99, 2025-02-05 -9.99, 2025-02-05 -9.99, 2025-03-05 -9.99, 2025-04-07 -9.99"),
			[]string{"Monthly subscription -9.99 next 2025-05-05 yearly -119.88"},
		},
		"a missed one paid with the next": {
			with(
				life("2025-01-05 -30, 2025-02-05 -30, 2025-03-05 -30, 2025-05-02 -30, "+
					"2025-05-05 -30, 2025-06-05 -30, 2025-07-07 -30, 2025-08-05 -30"),
				mandate,
			),
			[]string{"Monthly subscription -30 next 2025-09-05 yearly -360"},
		},
		"two contracts at one merchant": {
			with(
				life("2025-01-03 -9.99, 2025-01-15 -39.99, 2025-02-03 -9.99, "+
					"2025-02-17 -39.99, 2025-03-03 -9.99, 2025-03-15 -39.99"),
				of(pfm.HousingTelecom),
			),
			[]string{
				"Monthly subscription -39.99 next 2025-04-15 yearly -479.88",
				"Monthly subscription -9.99 next 2025-04-03 yearly -119.88",
			},
		},
		"two contracts of nearly one price": {
			life("2025-01-03 -9.99, 2025-01-15 -10.99, 2025-02-03 -9.99, 2025-02-15 -10.99, 2025-03-03 -9.99, 2025-03-15 -10.99"),
			[]string{
				"Monthly subscription -10.99 next 2025-04-15 yearly -131.88",
				"Monthly subscription -9.99 next 2025-04-03 yearly -119.88",
			},
		},
		"two contracts of one price and day": {
			with(
				life("2025-01-03 -9.99, 2025-01-03 -9.99, 2025-02-03 -9.99, "+
					"2025-02-03 -9.99, 2025-03-03 -9.99, 2025-03-03 -9.99"),
				of(pfm.HousingTelecom, mandate),
			),
			[]string{
				"Monthly subscription -9.99 next 2025-04-03 yearly -119.88",
				"Monthly subscription -9.99 next 2025-04-03 yearly -119.88",
			},
		},
		"a subscription among purchases": {
			life("2025-01-02 -8.99, 2025-01-11 -34.20, 2025-01-19 -12.49, 2025-02-03 -8.99, " +
				"2025-02-20 -99.00, 2025-03-03 -8.99, 2025-03-09 -17.80, 2025-04-02 -8.99"),
			[]string{"Monthly subscription -8.99 next 2025-05-03 yearly -107.88"},
		},
		"groceries that look weekly": {
			with(
				life("2025-01-04 -62.18, 2025-01-11 -48.90, 2025-01-18 -71.03, "+
					"2025-01-25 -55.40, 2025-02-01 -66.12, 2025-02-08 -51.77, 2025-02-15 -59.95"),
				of(pfm.FoodGroceries),
			), nil,
		},
		"groceries of similar amounts are not a series either": {
			with(
				life("2025-01-04 -50.18, 2025-01-11 -51.90, 2025-01-18 -53.03, "+
					"2025-01-25 -52.40, 2025-02-01 -50.12, 2025-02-08 -51.77"),
				of(pfm.FoodGroceries),
			), nil,
		},
		"coffee every working day": {
			with(
				life("2025-03-03 -3.50, 2025-03-04 -3.50, 2025-03-05 -3.50, "+
					"2025-03-06 -3.50, 2025-03-07 -3.50, 2025-03-10 -3.50, 2025-03-11 -3.50"),
				of(pfm.FoodRestaurants),
			), nil,
		},
		"the haircut is a habit": {
			with(life("2025-01-10 -36, 2025-02-11 -36, 2025-03-12 -36, 2025-04-10 -36"), of(pfm.HealthBeauty)),
			[]string{"Monthly habit -36 next 2025-05-10 yearly -432"},
		},
		"rent": {
			with(life("2025-01-02 -890, 2025-02-03 -890, 2025-03-03 -890"), of(pfm.HousingRent, standing)),
			[]string{"Monthly habit -890 next 2025-04-03 yearly -10680"},
		},
		"a loan by direct debit": {
			with(life("2025-01-02 -312, 2025-02-03 -312, 2025-03-03 -312"), of(pfm.FinanceLoans, mandate)),
			[]string{"Monthly habit -312 next 2025-04-03 yearly -3744"},
		},
		"a tax, four times a year": {
			with(life("2024-03-10 -150, 2024-06-10 -150, 2024-09-10 -150, 2024-12-10 -150"), of(pfm.FinanceTaxes)),
			[]string{"Quarterly habit -150 next 2025-03-10 yearly -600"},
		},
		"savings set aside": {
			with(life("2025-01-01 -200, 2025-02-01 -200, 2025-03-01 -200"), of(pfm.TransferOwn, standing)),
			[]string{"Monthly habit -200 next 2025-04-01 yearly -2400"},
		},
		"a local gym under a mandate": {
			with(life("2025-01-01 -29, 2025-02-03 -29, 2025-03-03 -29"), of(pfm.LeisureSports, mandate, unknownParty)),
			[]string{"Monthly subscription -29 next 2025-04-03 yearly -348"},
		},
		"electricity bills of any amount": {
			with(
				life("2025-01-15 -48.20, 2025-02-14 -171.13, 2025-03-17 -90.45, 2025-04-15 -33.02, 2025-05-15 -44.90"),
				of(pfm.HousingUtilities, mandate),
			),
			[]string{"Monthly subscription -48.20 next 2025-06-15 yearly -578.40"},
		},
		"purchases by direct debit": {
			with(
				life("2025-01-03 -49.90, 2025-01-21 -12.99, 2025-03-30 -149.00, 2025-04-02 -8.49, 2025-04-28 -61.00"),
				of(pfm.ShoppingClothing, mandate),
			), nil,
		},
		"a wage with a thirteenth month": {
			with(
				life("2025-08-28 2481.17, 2025-09-29 2481.17, 2025-10-29 2510.02, 2025-11-28 4880.40, 2025-12-29 2481.17"),
				of(pfm.IncomeSalary),
			),
			[]string{"Monthly habit 2481.17 next 2026-01-29 yearly 29774.04"},
		},
		"a pause of half a year": {
			life("2024-01-05 -9.99, 2024-02-05 -9.99, 2024-03-05 -9.99, 2024-04-05 -9.99, " +
				"2024-10-20 -9.99, 2024-11-20 -9.99, 2024-12-20 -9.99, 2025-01-20 -9.99"),
			[]string{"Monthly subscription -9.99 next 2025-02-20 yearly -119.88"},
		},
		"a friend who pays back now and then": {
			with(life("2025-01-03 20, 2025-02-21 35, 2025-03-02 18.50, 2025-05-20 20"), of(pfm.TransferPerson, unknownParty)), nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			var g contract.Group
			g.Add(c.rows...)
			var got []string
			for _, v := range found(&g) {
				got = append(got, want(v))
			}
			assert.Equal(t, c.want, got)
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
