package contract_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/money"
	"aviso/internal/pfm"
	"aviso/internal/pfm/contract"
)

// every returns payments at a distance in months, such as "9.99*6 10.99*2". An amount of 0
// is a month without a payment. One with a plus is a credit.
func every(months int, first, amounts string, change func(*contract.Row)) []contract.Row {
	start := pfm.Date(first).Time()
	return spaced(amounts, change, func(n int) time.Time {
		last := time.Date(start.Year(), start.Month()+time.Month(n*months)+1, 0, 0, 0, 0, 0, time.UTC)
		return last.AddDate(0, 0, min(start.Day(), last.Day())-last.Day())
	})
}

// everyDays returns payments at a distance in days.
func everyDays(days int, first, amounts string, change func(*contract.Row)) []contract.Row {
	return spaced(amounts, change, func(n int) time.Time { return pfm.Date(first).Time().AddDate(0, 0, n*days) })
}

func spaced(amounts string, change func(*contract.Row), day func(n int) time.Time) []contract.Row {
	var rows []contract.Row
	n := 0
	for amount := range strings.FieldsSeq(amounts) {
		amount, times, _ := strings.Cut(amount, "*")
		for range max(1, atoi(times)) {
			if amount != "0" {
				r := row(n, pfm.DateOf(day(n)), signed(amount))
				r.ID = fmt.Sprintf("%s-%s", pfm.DateOf(day(n)), amount)
				rows = append(rows, r)
			}
			n++
		}
	}
	return with(rows, change)
}

// signed makes an amount a debit, unless it begins with a plus.
func signed(amount string) string {
	if credit, ok := strings.CutPrefix(amount, "+"); ok {
		return credit
	}
	return "-" + amount
}

func atoi(text string) int { n, _ := strconv.Atoi(text); return n }

// changesOf returns the price changes of all contracts as text.
func changesOf(rows []contract.Row) []string {
	slices.SortStableFunc(rows, func(a, b contract.Row) int { return strings.Compare(string(a.Date), string(b.Date)) })
	var g contract.Group
	for _, r := range rows {
		g.Add(r)
	}
	list := []string{}
	for _, v := range found(&g) {
		for _, c := range v.PriceChanges {
			list = append(list, fmt.Sprintf("%s to %s since %s, seen %s", c.Old.Neg(), c.New.Neg(), c.Since, c.SeenOn))
		}
	}
	return list
}

// The histories in testdata are what people's accounts look like. What is wanted was written down before
// it was computed. Their columns are: name, reason, series of payments every m months or d days, price changes.
func TestPriceChanges(t *testing.T) {
	for _, c := range cases(t, "prices.txt") {
		t.Run(c[0], func(t *testing.T) {
			var rows []contract.Row
			for series := range strings.SplitSeq(c[2], "; ") {
				of := strings.SplitN(series, " ", 4)
				change, step := kindOf(t, of[0]), every
				if strings.HasSuffix(of[1], "d") {
					step = everyDays
				}
				rows = append(rows, step(atoi(of[1][:len(of[1])-1]), of[2], of[3], change)...)
			}
			assert.Equal(t, c[3], strings.Join(changesOf(rows), "; "), c[1])
		})
	}
}

func TestPriceEvents(t *testing.T) {
	record := func(rows []contract.Row) *contract.Record {
		r := &contract.Record{Currency: "EUR", Name: "Fibrano"}
		r.Group.Add(rows...)
		return r
	}
	tell := func(r *contract.Record, today pfm.Date) int {
		t.Helper()
		told, err := contract.PriceEvents(map[contract.GroupID]*contract.Record{{}: r}, today.Time())
		require.NoError(t, err)
		return len(told)
	}
	phone := of(pfm.HousingTelecom, mandate)

	t.Run("once for each rise", func(t *testing.T) {
		r := record(every(1, "2025-01-12", "39.95*8 41.95*2", phone))
		assert.Equal(t, 1, tell(r, "2025-10-14"))
		assert.Zero(t, tell(r, "2025-10-14"))
		r.Group.Add(every(1, "2025-11-12", "41.95 44.95*2", phone)...)
		assert.Equal(t, 1, tell(r, "2026-01-14"))
		assert.Zero(t, tell(r, "2026-01-14"))
	})

	t.Run("not again if the first payment is replaced", func(t *testing.T) {
		r := record(every(1, "2025-01-12", "39.95*8 41.95*3", phone))
		assert.Equal(t, 1, tell(r, "2025-10-14"))
		r.Group.Remove("2025-09-12-41.95")
		moved := every(1, "2025-09-14", "41.95", phone)
		r.Group.Add(moved...)
		assert.Zero(t, tell(r, "2025-10-14"))
	})

	for name, c := range map[string]struct {
		rows  []contract.Row
		today pfm.Date
	}{
		"not those of long ago":              {every(1, "2025-01-12", "39.95*8 41.95*9", phone), "2026-05-15"},
		"not falls":                          {every(1, "2025-01-12", "39.95*8 36.95*2", phone), "2025-10-14"},
		"not those of contracts that ended":  {everyDays(7, "2025-09-01", "18.50*8 19.90*3", phone), "2025-12-30"},
		"not rises that were taken back":     {every(1, "2025-01-12", "39.95*8 41.95*2 39.95", phone), "2025-11-14"},
		"not those whose contract is unsure": {every(1, "2025-08-12", "41.95*2", phone), "2025-10-14"},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Zero(t, tell(record(c.rows), c.today))
		})
	}

	t.Run("at most two at once, and the rest later", func(t *testing.T) {
		records := map[contract.GroupID]*contract.Record{}
		for _, key := range []string{"a", "b", "c"} {
			records[contract.GroupID{Key: key}] = record(every(1, "2025-01-12", "39.95*8 41.95*2", phone))
		}
		for _, want := range []int{2, 1, 0} {
			events, err := contract.PriceEvents(records, pfm.Date("2025-10-14").Time())
			require.NoError(t, err)
			assert.Len(t, events, want)
		}
	})

	t.Run("keep what was told for as long as the contract is known", func(t *testing.T) {
		r := record(every(1, "2025-01-12", "39.95*8 41.95*2", phone))
		tell(r, "2025-10-14")
		require.Len(t, r.Told, 1)
		assert.Equal(t, money.MustParse("-41.95"), r.Told[0].Price)
		var ids []string
		for _, e := range r.Group.Held {
			ids = append(ids, e.ID)
		}
		r.Group.Remove(ids...)
		tell(r, "2025-10-14")
		assert.Empty(t, r.Told)
	})
}
