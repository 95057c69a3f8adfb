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
// is a month without a payment.
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
				r := row(n, pfm.DateOf(day(n)), "-"+amount)
				r.ID = fmt.Sprintf("%s-%s", pfm.DateOf(day(n)), amount)
				rows = append(rows, r)
			}
			n++
		}
	}
	return with(rows, change)
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

// The histories are what people's accounts look like. What is wanted was written down before
// it was computed, with the reason.
func TestPriceChanges(t *testing.T) {
	var (
		stream  = of(pfm.MediaStreaming)
		debited = of(pfm.MediaStreaming, mandate)
		phone   = of(pfm.HousingTelecom, mandate)
		power   = of(pfm.HousingUtilities, mandate)
		insured = of(pfm.FinanceInsurance, mandate)
		gym     = of(pfm.LeisureSports, mandate)
		press   = of(pfm.MediaPress, mandate)
	)
	for _, c := range []struct {
		name, why string
		rows      []contract.Row
		want      string
	}{
		// Rises.
		{
			"streaming by card", "two months at the new price are not a accident",
			every(1, "2025-01-03", "9.99*7 10.99*2", stream), "9.99 to 10.99 since 2025-08-03, seen 2025-09-03",
		},
		{
			"streaming after one month", "one debit may be an extra, such as a film",
			every(1, "2025-01-03", "9.99*7 10.99", stream), "",
		},
		{
			"landline", "a fixed price is debited monthly", every(1, "2025-01-12", "39.95*10 41.95*3", phone),
			"39.95 to 41.95 since 2025-11-12, seen 2025-12-12",
		},
		{
			"two rises", "each one counts", every(1, "2024-01-12", "39.95*8 41.95*8 43.95*5", phone),
			"39.95 to 41.95 since 2024-09-12, seen 2024-10-12; 41.95 to 43.95 since 2025-05-12, seen 2025-06-12",
		},
		{
			"a price that falls", "a change is not always a rise", every(1, "2025-01-12", "39.95*8 34.95*3", phone),
			"39.95 to 34.95 since 2025-09-12, seen 2025-10-12",
		},
		{
			"a cent more", "a price is a price", every(1, "2025-01-12", "12.99*8 13.00*3", debited),
			"12.99 to 13.00 since 2025-09-12, seen 2025-10-12",
		},
		{
			"month ends", "the day of a debit moves with the month", every(1, "2024-10-31", "24.99*7 26.49*2", gym),
			"24.99 to 26.49 since 2025-05-31, seen 2025-06-30",
		},
		{
			"insurance by the month", "the premium rises at the turn of the year",
			every(1, "2025-02-02", "18.90*11 20.50*2", insured), "18.90 to 20.50 since 2026-01-02, seen 2026-02-02",
		},
		{
			"insurance after a year", "insurance has no promotions",
			every(1, "2025-01-02", "18.90*12 22.30*2", insured), "18.90 to 22.30 since 2026-01-02, seen 2026-02-02",
		},
		{
			"instalments for power", "they are fixed for a year, whatever is used",
			every(1, "2025-01-03", "86*12 95*2", power), "86 to 95 since 2026-01-03, seen 2026-02-03",
		},
		{
			"instalments with a yearly bill", "the bill is not a instalment",
			append(every(1, "2025-01-03", "86*12 95*3", power), every(1, "2026-01-20", "214.37", power)...),
			"86 to 95 since 2026-01-03, seen 2026-02-03",
		},
		{
			"quarterly", "one debit is enough if the price was never another",
			every(3, "2025-01-15", "55.08*4 58.20", press), "55.08 to 58.20 since 2026-01-15, seen 2026-01-15",
		},
		{
			"half-yearly", "the same twice, then more", every(6, "2024-03-02", "42.10*3 45.90", insured),
			"42.10 to 45.90 since 2025-09-02, seen 2025-09-02",
		},
		{
			"yearly, the same twice", "two years at one price, then more",
			every(12, "2023-03-02", "300*2 330", insured), "300 to 330 since 2025-03-02, seen 2025-03-02",
		},
		{
			"weekly", "a box of vegetables has a price too",
			everyDays(7, "2025-09-01", "18.50*8 19.90*3", of(pfm.LeisureOther, mandate)),
			"18.50 to 19.90 since 2025-10-27, seen 2025-11-03",
		},
		{
			"every four weeks", "prepaid phones renew so", everyDays(28, "2025-01-06", "9.99*8 11.99*3", phone),
			"9.99 to 11.99 since 2025-08-18, seen 2025-09-15",
		},
		{
			"a missed month", "the bank took a month's debit back for good",
			every(1, "2025-01-12", "39.95*5 0 39.95*4 41.95*2", phone), "39.95 to 41.95 since 2025-11-12, seen 2025-12-12",
		},
		{
			"one odd bill before the rise", "a call abroad once", every(1, "2025-01-12", "29.99*5 33.20 29.99*4 31.99*2", phone),
			"29.99 to 31.99 since 2025-11-12, seen 2025-12-12",
		},
		{
			"a bill of both prices between", "the month of the change is billed by the day",
			every(1, "2025-01-12", "29.99*7 30.87 31.99*3", phone), "29.99 to 31.99 since 2025-09-12, seen 2025-10-12",
		},
		{
			"a debit made twice", "the second is not a change",
			append(every(1, "2025-01-12", "29.99*8 31.99*3", phone), every(1, "2025-03-13", "29.99", phone)...),
			"29.99 to 31.99 since 2025-09-12, seen 2025-10-12",
		},
		{
			"after seven months", "nobody offers seven months for less",
			every(1, "2025-01-12", "19.99*7 24.99*3", phone), "19.99 to 24.99 since 2025-08-12, seen 2025-09-12",
		},
		{
			"a small rise after a year", "a promotion would be cheaper by more",
			every(1, "2025-01-12", "39.95*12 41.95*2", phone), "39.95 to 41.95 since 2026-01-12, seen 2026-02-12",
		},
		{
			"a long series", "only the latest payments are held", every(1, "2021-01-12", "39.95*50 45.95*3", phone),
			"39.95 to 45.95 since 2025-03-12, seen 2025-04-12",
		},
		{
			"two contracts with a merchant", "one of them costs more",
			append(every(1, "2025-01-05", "29.99*8 31.99*3", phone), every(1, "2025-01-20", "9.99*11", phone)...),
			"29.99 to 31.99 since 2025-09-05, seen 2025-10-05",
		},

		// No rises.
		{"one price", "nothing changed", every(1, "2025-01-03", "9.99*14", stream), ""},
		{"too young", "two payments are not a price yet", every(1, "2025-06-03", "9.99*2 10.99*2", debited), ""},
		{
			"power by use", "each month another amount",
			every(1, "2025-01-03", "81.20 77.90 74.15 69.80 70.40 66.05 71.30 75.75 79.40 83.10", power), "",
		},
		{
			"water by use, the same twice by chance", "two equal bills are not a price",
			every(3, "2024-01-15", "61.20 61.20 64.75 58.90 63.30 63.30", power), "",
		},
		{
			"phone with calls", "most bills have an extra",
			every(1, "2025-01-12", "29.99 31.45 29.99 34.10 30.79 29.99 32.35 33.05 29.99", phone), "",
		},
		{
			"phone with a last expensive month", "one bill says nothing", every(1, "2025-01-12", "29.99*9 34.10", phone), "",
		},
		{
			"roaming twice", "two months abroad, with two amounts", every(1, "2025-01-12", "29.99*8 33.10 31.75", phone), "",
		},
		{
			"an option for two months", "the price came back", every(1, "2025-01-12", "29.99*6 34.99*2 29.99*3", phone), "",
		},
		{
			"a discount for two months", "what follows is the old price", every(1, "2025-01-12", "29.99*6 24.99*2 29.99*3", phone), "",
		},
		{
			"an option every summer", "a price that comes and goes is not news",
			every(1, "2024-01-12", "29.99*5 34.99*3 29.99*9 34.99*3", phone), "",
		},
		{
			"paid in dollars", "the rate is never the same",
			every(1, "2025-01-09", "10.87 10.92 10.79 10.95 11.02 10.90 10.84 11.10 11.17", stream), "",
		},
		{
			"paid in dollars, the same twice", "chance again",
			every(1, "2025-01-09", "10.87 10.92 10.92 10.95 11.02 10.90 11.10 11.10 11.17", stream), "",
		},
		{
			"three cheap months", "a promotion, agreed on from the start", every(1, "2025-03-04", "19.99*3 24.99*4", gym), "",
		},
		{
			"six cheap months", "a promotion", every(1, "2025-03-04", "29.99*6 34.99*4", phone), "",
		},
		{
			"a cheap year", "a promotion", every(1, "2024-03-04", "34.99*12 39.99*4", phone), "",
		},
		{
			"half price at first", "too far apart for one contract", every(1, "2025-03-04", "9.99*6 19.99*4", phone), "",
		},
		{
			"a better package", "a step of a half is another product", every(1, "2025-01-03", "9.99*8 14.99*4", stream), "",
		},
		{
			"a better package under the same mandate", "a step of a half is another product",
			every(1, "2025-01-03", "9.99*8 14.99*2", debited), "",
		},
		{
			"two cheap bills first", "two payments are not a price yet", every(1, "2025-01-12", "29.99*2 31.99*6", phone), "",
		},
		{
			"monthly to yearly", "a year in advance is not a month", append(every(1, "2025-01-03", "9.99*8", stream),
				every(1, "2025-09-03", "99.90", stream)...), "",
		},
		{
			"monthly to quarterly", "three months at once cost the same",
			append(every(1, "2025-01-03", "10*6", press), every(3, "2025-07-03", "30*3", press)...), "",
		},
		{
			"two months at once", "the missed one is paid with the next",
			every(1, "2025-01-03", "10*5 0 20 10*4", gym), "",
		},
		{
			"a debit in two parts becomes one", "25 and 5 were 30 already",
			slices.Concat(every(1, "2025-01-03", "25*7", phone), every(1, "2025-01-03", "5*7", phone),
				every(1, "2025-08-03", "30*3", phone)), "",
		},
		{
			"a dunning fee", "one month costs more", every(1, "2025-01-03", "24.99*7 27.49 24.99*2", gym), "",
		},
		{
			"a yearly service fee", "it comes with a month's debit", every(1, "2024-10-03", "24.99*3 29.99 24.99*11 29.99", gym), "",
		},
		{
			"yearly, another each time", "nobody knows what the bill counts",
			every(12, "2022-03-02", "300 312 325 341", insured), "",
		},
		{
			"yearly, once before", "one year is not a price", every(12, "2024-03-02", "300 330", insured), "",
		},
		{
			"groceries", "a habit is not a contract", every(1, "2025-01-03", "50*6 55*3", of(pfm.FoodGroceries)), "",
		},
		{
			"rent", "rent is not a contract here", every(1, "2025-01-01", "920*8 950*3", of(pfm.HousingRent, standing)), "",
		},
		{
			"salary", "more income is not a price",
			with(every(1, "2025-01-27", "3140*8 3200*3", of(pfm.IncomeSalary)), func(r *contract.Row) { r.Amount = r.Amount.Neg() }), "",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.want, strings.Join(changesOf(c.rows), "; "), c.why)
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
