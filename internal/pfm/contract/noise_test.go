package contract_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"aviso/internal/pfm"
	"aviso/internal/pfm/contract"
	"aviso/internal/pfm/transaction"
)

// Random purchases must hardly ever count as a series, because the user would see a
// contract that does not exist.
func TestRandomPayments(t *testing.T) {
	for name, c := range map[string]struct {
		category  int
		minDays   int // days from one payment to the next
		maxDays   int
		mandate   bool
		amountsOf func(*rand.Rand) string
	}{
		"coffee of three prices": {
			pfm.FoodRestaurants, 1, 10, false,
			func(r *rand.Rand) string { return []string{"-3.50", "-2.80", "-4.20"}[r.IntN(3)] },
		},
		"tickets of one price": {pfm.TransportPublic, 1, 20, false, func(*rand.Rand) string { return "-2.90" }},
		"groceries": {
			pfm.FoodGroceries, 2, 9, false,
			func(r *rand.Rand) string { return fmt.Sprintf("-%d.%02d", 20+r.IntN(60), r.IntN(100)) },
		},
		"round sums of fuel": {
			pfm.TransportFuel, 9, 25, false,
			func(r *rand.Rand) string { return []string{"-50", "-60", "-55", "-70"}[r.IntN(4)] },
		},
		"cash": {
			pfm.TransferCash, 3, 30, false,
			func(r *rand.Rand) string { return []string{"-50", "-100", "-200"}[r.IntN(3)] },
		},
		"a restaurant": {
			pfm.FoodRestaurants, 20, 120, false,
			func(r *rand.Rand) string { return fmt.Sprintf("-%d.%d0", 25+r.IntN(30), r.IntN(10)) },
		},
		"a museum": {pfm.LeisureEvents, 20, 200, false, func(*rand.Rand) string { return "-12.00" }},
		"a shop's debits": {
			pfm.ShoppingClothing, 5, 60, true,
			func(r *rand.Rand) string { return fmt.Sprintf("-%d.95", 9+10*r.IntN(10)) },
		},
		"a wallet's debits": {
			pfm.UnknownUnknown, 2, 40, true,
			func(r *rand.Rand) string { return fmt.Sprintf("-%d.%02d", 5+r.IntN(80), r.IntN(100)) },
		},
		"a friend who pays back shares": {
			pfm.TransferPerson, 5, 60, false, func(r *rand.Rand) string { return fmt.Sprint(5 * (1 + r.IntN(10))) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			rows, recurring, subscriptions := 0, 0, 0
			for range 30 {
				var g contract.Group
				said := ledger{}
				day := pfm.Date("2024-01-01")
				for i := range 60 {
					one := row(i, day, c.amountsOf(r))
					one.Mandate, one.Category = c.mandate, c.category
					maps.Copy(said, g.Add(one))
					day = day.AddDays(c.minDays + r.IntN(c.maxDays-c.minDays+1))
				}
				rows += 60
				for _, l := range said {
					if l.Frequency != transaction.Once {
						recurring++
					}
					if l.Subscription {
						subscriptions++
					}
				}
			}
			assert.LessOrEqual(t, float64(recurring)/float64(rows), 0.03, "recurring")
			assert.LessOrEqual(t, float64(subscriptions)/float64(rows), 0.02, "subscriptions")
		})
	}
}

// workday returns the day or, on a weekend, the next Monday.
func workday(d pfm.Date) pfm.Date {
	switch d.Time().Weekday() {
	case time.Saturday:
		return d.AddDays(2)
	case time.Sunday:
		return d.AddDays(1)
	default:
		return d
	}
}

func TestWeekendsDoNotHideSeries(t *testing.T) {
	for _, c := range []struct {
		frequency         transaction.Frequency
		days, months, num int
		perYear           int
	}{
		{contract.Weekly, 7, 0, 4, 52},
		{contract.BiWeekly, 14, 0, 4, 26},
		{contract.Monthly, 28, 0, 5, 13},
		{contract.Monthly, 0, 1, 3, 12},
		{contract.Quarterly, 0, 2, 4, 6},
		{contract.Quarterly, 0, 3, 3, 4},
		{contract.SemiAnnually, 0, 6, 3, 2},
		{contract.Annually, 0, 12, 2, 1},
	} {
		t.Run(fmt.Sprintf("%s, %d times a year", c.frequency, c.perYear), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				start := pfm.Date("2023-01-01").AddDays(rapid.IntRange(0, 1500).Draw(t, "start")).Time()
				var g contract.Group
				for i := range 40 {
					// The same day of the month, or its last one.
					due := pfm.DateOf(time.Date(start.Year(), start.Month()+time.Month(i*c.months), 1, 0, 0, 0, 0, time.UTC))
					for left := start.Day() - 1; left > 0 && due.AddDays(1).Time().Day() != 1; left-- {
						due = due.AddDays(1)
					}
					due = due.AddDays(i * c.days)
					if v := found(&g); i >= c.num {
						require.Len(t, v, 1)
						require.Equal(t, c.frequency, v[0].Frequency)
						require.Equal(t, c.perYear, v[0].TimesPerYear)
						require.Equal(t, i, payments(&g))
						require.LessOrEqual(t, workday(due), v[0].Overdue)
						off := int(workday(due).Time().Sub(v[0].NextExpected.Time()).Hours() / 24)
						require.LessOrEqual(t, max(off, -off), 4, "the next date is right, a weekend apart")
					}
					g.Add(row(i, workday(due), "-9.99"))
				}
			})
		})
	}
}
