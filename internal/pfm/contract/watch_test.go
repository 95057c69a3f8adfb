package contract

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/money"
	"aviso/internal/pfm"
	"aviso/internal/pfm/transaction"
)

// gym is a watch of a contract that is paid on the first of each month, and ends with March.
func gym() Watch {
	return Watch{
		SentOn: "2026-02-20", End: "2026-03-31", Last: Debit{TransactionID: "feb", Date: "2026-02-01"},
		Contract: WatchedContract{
			SubscriptionID: "s", AccountID: "a", Merchant: pfm.Merchant{ID: "m", Name: "Gym"}, Subcategory: pfm.LeisureSports,
			Amount: money.MustParse("-20"), Currency: "EUR", Frequency: "Monthly", TimesPerYear: 12, MandateID: "M-1",
		},
	}
}

func gymRow(id string, day pfm.Date, amount string) transaction.Transaction {
	return transaction.Transaction{
		ID: id, AccountID: "a", RecordDate: day, Amount: money.MustParse(amount), Currency: "EUR", State: transaction.Cleared,
		Merchant: pfm.Merchant{ID: "m", Name: "Gym"}, MandateID: "M-1",
	}
}

// seenOn is what is seen on a day of an account that has just been read.
func seenOn(today pfm.Date, rows ...transaction.Transaction) watchView {
	return watchView{today: today, readTo: today, from: "2026-02-01", rows: rows}
}

func TestWatchJudgesDebits(t *testing.T) {
	t.Parallel()
	march, april := gymRow("mar", "2026-03-01", "-20"), gymRow("apr", "2026-04-01", "-20")
	may, refund := gymRow("may", "2026-05-02", "-20"), gymRow("back", "2026-04-20", "20")
	changed := func(t transaction.Transaction, do func(*transaction.Transaction)) transaction.Transaction {
		do(&t)
		return t
	}
	type debits map[string]string // refunds by debit
	for name, c := range map[string]struct {
		watch  func(*Watch)
		seen   watchView
		want   WatchOutcome
		reason WatchReason
		debits debits
		last   string
	}{
		"before the end":                {seen: seenOn("2026-03-31", march), want: WatchWaiting, reason: WatchNotEnded},
		"after the end":                 {seen: seenOn("2026-04-01", march), want: WatchWaiting, reason: WatchQuiet, last: "mar"},
		"silence until the last day":    {seen: seenOn("2026-04-15", march), want: WatchWaiting, reason: WatchQuiet},
		"one and a half periods passed": {seen: seenOn("2026-04-16", march), want: WatchEnded, reason: WatchStoppedDebits},
		"a debit on the day of the end": {
			seen: seenOn("2026-04-01", gymRow("mar", "2026-03-31", "-20")), want: WatchWaiting, reason: WatchQuiet, last: "mar",
		},
		"a debit on the day after": {
			seen: seenOn("2026-04-01", march, april), want: WatchStillDebited, reason: WatchDebited, debits: debits{"apr": ""},
		},
		"two": {
			seen: seenOn("2026-05-02", march, april, may), want: WatchStillDebited, reason: WatchDebited,
			debits: debits{"apr": "", "may": ""},
		},
		"pending": {
			seen: seenOn("2026-04-01", march, changed(april, func(t *transaction.Transaction) { t.State = transaction.Uncleared })),
			want: WatchWaiting, reason: WatchQuiet,
		},
		"withdrawn by the bank": {
			seen: seenOn("2026-04-01", march, changed(april, func(t *transaction.Transaction) { t.State = transaction.Void })),
			want: WatchWaiting, reason: WatchQuiet,
		},
		"in another currency": {
			seen: seenOn("2026-04-01", march, changed(april, func(t *transaction.Transaction) { t.Currency = "CHF" })),
			want: WatchWaiting, reason: WatchQuiet,
		},
		"of another amount under the mandate": {
			seen: seenOn("2026-04-01", march, gymRow("apr", "2026-04-01", "-55")), want: WatchStillDebited,
			reason: WatchDebited, debits: debits{"apr": ""},
		},
		"of another amount without the mandate: a purchase": {
			seen: seenOn(
				"2026-04-01", march, changed(gymRow("apr", "2026-04-01", "-55"), func(t *transaction.Transaction) { t.MandateID = "" }),
			),
			want: WatchWaiting, reason: WatchQuiet,
		},
		"from another account": {
			seen: seenOn("2026-04-01", march, changed(april, func(t *transaction.Transaction) { t.AccountID, t.MandateID = "b", "M-2" })),
			want: WatchStillDebited, reason: WatchDebited, debits: debits{"apr": ""},
		},
		"for another contract with the merchant": {
			seen: func() watchView {
				v := seenOn("2026-04-01", march, april)
				v.others = map[string]bool{"apr": true}
				return v
			}(), want: WatchWaiting, reason: WatchQuiet,
		},
		"with another merchant": {
			seen: seenOn("2026-04-01", march, changed(april, func(t *transaction.Transaction) { t.Merchant = pfm.Merchant{ID: "n"} })),
			want: WatchWaiting, reason: WatchQuiet,
		},
		"of a series that changed its name": {
			seen: func() watchView {
				v := seenOn("2026-04-01", march, changed(april, func(t *transaction.Transaction) { t.Merchant = pfm.Merchant{ID: "n"} }))
				v.ours = map[string]bool{"apr": true}
				return v
			}(), want: WatchStillDebited, reason: WatchDebited, debits: debits{"apr": ""},
		},
		"then silence": {
			seen: seenOn("2026-05-16", march, april), want: WatchEnded, reason: WatchStoppedDebits, debits: debits{"apr": ""},
		},
		"refunded": {
			seen: seenOn("2026-04-21", march, april, refund), want: WatchWaiting, reason: WatchRefunded,
			debits: debits{"apr": "back"},
		},
		"refunded, then silence": {
			seen: seenOn("2026-05-16", march, april, refund), want: WatchEnded, reason: WatchStoppedDebits,
			debits: debits{"apr": "back"},
		},
		"one of two refunded": {
			seen: seenOn("2026-05-03", march, april, refund, may), want: WatchStillDebited, reason: WatchDebited,
			debits: debits{"apr": "back", "may": ""},
		},
		"refunded in part": {
			seen: seenOn("2026-04-21", march, april, gymRow("back", "2026-04-20", "10")), want: WatchStillDebited,
			reason: WatchDebited, debits: debits{"apr": ""},
		},
		"money back from before": {
			seen: seenOn("2026-04-21", gymRow("back", "2026-03-20", "20"), april), want: WatchStillDebited,
			reason: WatchDebited, debits: debits{"apr": ""},
		},
		"a booking that was due before, late": {
			watch: func(w *Watch) { w.End = "2026-04-01" },
			seen:  seenOn("2026-04-07", march, gymRow("apr", "2026-04-03", "-20")), want: WatchWaiting, reason: WatchQuiet, last: "apr",
		},
		"the final bill of a telephone": {
			watch: func(w *Watch) { w.Contract.Subcategory = pfm.HousingTelecom },
			seen:  seenOn("2026-04-06", march, gymRow("apr", "2026-04-05", "-14.37")),
			want:  WatchWaiting, reason: WatchFinalBill, last: "apr",
		},
		"a bill after the final one": {
			watch: func(w *Watch) { w.Contract.Subcategory = pfm.HousingTelecom },
			seen:  seenOn("2026-05-03", march, april, may),
			want:  WatchStillDebited, reason: WatchDebited, debits: debits{"may": ""}, last: "apr",
		},
		"the connection is lost": {
			seen: func() watchView {
				v := seenOn("2026-04-10", march)
				v.lost, v.readTo = WatchConnectionLost, "2026-04-02"
				return v
			}(), want: WatchUnknown, reason: WatchConnectionLost,
		},
		"a debit, then the connection is lost": {
			seen: func() watchView {
				v := seenOn("2026-06-10", march, april)
				v.lost, v.readTo = WatchConnectionLost, "2026-04-02"
				return v
			}(), want: WatchStillDebited, reason: WatchDebited, debits: debits{"apr": ""},
		},
		"nobody knows the end: a period after the letter": {
			watch: func(w *Watch) { w.End = "" }, seen: seenOn("2026-04-02", march, april), want: WatchStillDebited,
			reason: WatchDebited, debits: debits{"apr": ""}, last: "mar",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := gym()
			if c.watch != nil {
				c.watch(&w)
			}
			w.look(c.seen)
			assert.Equal(t, c.want, w.Outcome)
			assert.Equal(t, c.reason, w.Reason)
			got := debits{}
			for _, d := range w.AfterEnd {
				got[d.TransactionID] = d.RefundID
			}
			if c.debits == nil {
				c.debits = debits{}
			}
			assert.Equal(t, c.debits, got)
			if c.last != "" {
				assert.Equal(t, c.last, w.Last.TransactionID)
			}
			again := w
			again.look(c.seen)
			assert.Equal(t, w, again, "looking again changes nothing")
		})
	}
}

// TestWatchInAnySteps looks at the same rows day by day, and at once after a long absence.
func TestWatchInAnySteps(t *testing.T) {
	t.Parallel()
	rows := []transaction.Transaction{
		gymRow("mar", "2026-03-01", "-20"), gymRow("apr", "2026-04-01", "-20"), gymRow("back", "2026-04-20", "20"),
		gymRow("may", "2026-05-02", "-20"),
	}
	until := func(day pfm.Date, from pfm.Date) []transaction.Transaction {
		return slices.DeleteFunc(
			slices.Clone(rows), func(t transaction.Transaction) bool { return t.RecordDate > day || t.RecordDate < from },
		)
	}
	daily := gym()
	for day := pfm.Date("2026-02-21"); day <= "2026-08-01"; day = day.AddDays(1) {
		from := daily.lookFrom(day)
		v := seenOn(day, until(day, from)...)
		v.from = from
		daily.look(v)
		once := gym()
		once.look(seenOn(day, until(day, "")...))
		require.Equal(t, once.Outcome, daily.Outcome, day)
		require.Equal(t, once.Reason, daily.Reason, day)
		require.Equal(t, once.AfterEnd, daily.AfterEnd, day)
	}
	assert.Equal(t, WatchEnded, daily.Outcome)
}

func TestWatchedPeriods(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		timesPerYear, n int
		day, want       pfm.Date
	}{
		{52, 1, "2026-12-28", "2027-01-04"}, {26, 2, "2026-01-01", "2026-01-29"}, {13, 1, "2028-02-01", "2028-02-29"},
		{12, 1, "2026-01-31", "2026-02-28"}, {12, 1, "2028-01-31", "2028-02-29"}, {12, -1, "2026-03-31", "2026-02-28"},
		{6, 1, "2026-12-31", "2027-02-28"}, {4, 3, "2026-11-30", "2027-08-30"}, {2, 1, "2026-08-31", "2027-02-28"},
		{1, 1, "2028-02-29", "2029-02-28"}, {1, -1, "2026-01-01", "2025-01-01"},
	} {
		assert.Equal(t, c.want, WatchedContract{TimesPerYear: c.timesPerYear}.after(c.day, c.n), "%d times a year", c.timesPerYear)
	}
	w := gym()
	assert.Equal(t, pfm.Date("2026-04-15"), w.silence(), "half a period after the end, if debits had stopped before")
	w.Last.Date = "2026-03-01"
	assert.Equal(t, pfm.Date("2026-04-16"), w.silence())
	assert.Equal(t, 15, int(w.silence().Time().Sub(pfm.Date("2026-04-01").Time())/(24*time.Hour)))
}
