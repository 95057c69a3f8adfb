package connection_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/messaging/outbox"
	"aviso/internal/money"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/contract"
	"aviso/localstack/tests/pfmtest"
)

const day = 24 * time.Hour

// streaming is the ID of the organization with which the streaming service is cancelled.
const streaming = "org-streaming"

func order(id string) contract.WatchOrder {
	return contract.WatchOrder{CancellationID: id, OrganizationID: streaming, SentOn: "2026-03-02", End: "2026-03-31"}
}

// watching is a user with two years of payments, whose contracts are watched.
func watching(t *testing.T) (*world, connection.Connection) {
	w := newWorld(t)
	w.categorised()
	w.syncer.Watches.OrganizationOf = func(merchant string) string {
		if merchant == pfmtest.ID(pfm.MediaStreaming) {
			return streaming
		}
		return ""
	}
	c := w.activate()
	w.listBefore("9999")
	require.NoError(t, w.syncer.Sync(t.Context(), jobOf(c), 1))
	w.dropJobs()
	return w, c
}

func (w *world) order(o contract.WatchOrder) {
	w.Helper()
	job := connection.SyncJob{Action: connection.JobWatch, Partner: pfmtest.User().Partner, User: pfmtest.User().ID, Watch: &o}
	require.NoError(w, w.syncer.Do(w.Context(), job, 1))
}

// debit makes the bank list one more payment for the streaming service.
func (w *world) debit(day pfm.Date, amount string) {
	row := pfm.BankTransaction{
		ID: "extra" + string(day), Booked: true, BookingDate: day, Amount: money.MustParse(amount), Currency: "EUR",
		CreditorName: "Flimmerkiste", MandateID: "M-1",
	}
	if row.Amount.Sign() > 0 {
		row.CreditorName, row.DebtorName = "", "Flimmerkiste"
	}
	w.bank.Rows["r1"] = append(w.bank.Rows["r1"], row)
}

// reports returns and removes the reports so far, by cancellation.
func (w *world) reports() map[string]contract.WatchReport {
	w.Helper()
	found := map[string]contract.WatchReport{}
	for id, body := range w.messages(outbox.LetterQueue) {
		var job contract.OutcomeJob
		require.NoError(w, json.Unmarshal([]byte(body), &job))
		assert.Equal(w, "outcome", job.Kind)
		require.NotContains(w, found, job.CancellationID)
		found[job.CancellationID] = job.Report
		w.take(id)
	}
	return found
}

// says requires that there is one new report, with this outcome.
func (w *world) says(want contract.WatchOutcome, reason contract.WatchReason) contract.WatchReport {
	w.Helper()
	reports := w.reports()
	require.Len(w, reports, 1)
	for _, r := range reports {
		assert.Equal(w, want, r.Outcome)
		assert.Equal(w, reason, r.Reason)
		return r
	}
	return contract.WatchReport{}
}

func (w *world) savings() []contract.Savings {
	w.Helper()
	list, err := contract.NewSubscriptions(w.store, nil, nil, nil, pfmtest.Gate{}, w.clock.Now).Savings(w.Context(), pfmtest.User())
	require.NoError(w, err)
	return list
}

func TestWatchFollowsAContract(t *testing.T) {
	w, c := watching(t)
	w.order(order("one"))
	first := w.says(contract.WatchWaiting, contract.WatchNotEnded)
	assert.Equal(t, w.subscriptions()[0].ID, first.SubscriptionID, "found by its organization")
	w.order(order("one"))
	assert.Empty(t, w.reports(), "an order that comes twice")

	w.debit("2026-03-03", "-13.99")
	w.clock.Advance(3 * day)
	w.syncOnce(c.ID)
	assert.Empty(t, w.reports(), "a payment before the end")

	w.clock.Advance(31 * day) // 5 April
	w.debit("2026-04-04", "-13.99")
	w.syncOnce(c.ID)
	still := w.says(contract.WatchStillDebited, contract.WatchDebited)
	require.Len(t, still.Debits, 1)
	assert.Equal(t, pfm.Date("2026-04-04"), still.Debits[0].Date)
	assert.Equal(t, "-13.99", still.Debits[0].Amount.String())
	assert.Empty(t, w.savings())
	w.clock.Advance(day)
	w.syncOnce(c.ID)
	assert.Empty(t, w.reports(), "each debit once")

	w.debit("2026-04-08", "13.99")
	w.clock.Advance(3 * day)
	w.syncOnce(c.ID)
	back := w.says(contract.WatchWaiting, contract.WatchRefunded)
	assert.NotEmpty(t, back.Debits[0].RefundID)

	w.clock.Advance(41 * day) // 20 May
	w.syncOnce(c.ID)
	w.says(contract.WatchEnded, contract.WatchStoppedDebits)
	saved := w.savings()
	require.Len(t, saved, 1)
	assert.Equal(t, "167.88", saved[0].YearlySaving.String())
	assert.Equal(t, "27.98", saved[0].SavedSoFar.String(), "April, which was refunded, and May")
	require.Len(t, saved[0].Contracts, 1)
	one := saved[0].Contracts[0]
	assert.Equal(t, "one", one.CancellationID)
	assert.Equal(t, first.SubscriptionID, one.SubscriptionID)
	assert.Equal(t, pfm.Date("2026-03-03"), one.LastDebit.Date)

	w.clock.Advance(16 * day) // 5 June
	w.debit("2026-06-03", "-13.99")
	w.syncOnce(c.ID)
	assert.Len(t, w.says(contract.WatchStillDebited, contract.WatchDebited).Debits, 2, "the contract was not dead")
}

func TestWatchNeedsOneContract(t *testing.T) {
	w, _ := watching(t)
	for name, change := range map[string]func(*contract.WatchOrder){
		"of another organization":   func(o *contract.WatchOrder) { o.OrganizationID = "other" },
		"that ran at that time":     func(o *contract.WatchOrder) { o.SentOn = "2027-03-02" },
		"with the ID that was sent": func(o *contract.WatchOrder) { o.SubscriptionID = pfmtest.ID(4711) },
	} {
		o := order(name)
		change(&o)
		w.order(o)
		assert.Empty(t, w.reports(), name)
		watches, err := w.store.Watches(t.Context(), pfmtest.User())
		require.NoError(t, err)
		assert.Empty(t, watches, name)
	}
	o := order("insurance")
	o.SubscriptionID = w.subscriptions()[1].ID
	w.order(o)
	assert.Equal(t, o.SubscriptionID, w.says(contract.WatchWaiting, contract.WatchNotEnded).SubscriptionID, "named, whoever it is with")
}

func TestWatchStops(t *testing.T) {
	stop := contract.WatchOrder{CancellationID: "one", Stop: true}
	t.Run("when the cancellation came to nothing", func(t *testing.T) {
		w, c := watching(t)
		w.order(order("one"))
		w.reports()
		w.order(stop)
		w.order(stop)
		w.clock.Advance(60 * day)
		w.syncOnce(c.ID)
		assert.Empty(t, w.reports())
		assert.Empty(t, w.savings())
	})
	t.Run("also if that is known before it began", func(t *testing.T) {
		w, _ := watching(t)
		w.order(stop)
		w.order(order("one"))
		assert.Empty(t, w.reports())
	})
	t.Run("when the connection is deleted, and nothing is kept of its data", func(t *testing.T) {
		w, c := watching(t)
		w.order(order("one"))
		w.reports()
		require.NoError(t, w.connections.Delete(t.Context(), pfmtest.User(), c.ID))
		w.run(w.jobs()...)
		w.says(contract.WatchUnknown, contract.WatchAccountDeleted)
		kept, err := w.store.Watch(t.Context(), pfmtest.User(), "one")
		require.NoError(t, err)
		assert.Zero(t, kept.Contract)
		assert.Zero(t, kept.Last)
		assert.Zero(t, kept.DueAt)
		w.order(order("one"))
		assert.Empty(t, w.reports())
	})
	t.Run("when the user is erased", func(t *testing.T) {
		w, _ := watching(t)
		w.order(order("one"))
		require.NoError(t, w.store.DeleteRest(t.Context(), pfmtest.User()))
		w.reports()
		w.order(order("two"))
		assert.Empty(t, w.reports())
		assert.Empty(t, w.rows())
	})
}

// Housekeeping looks after watches if no sync does.
func TestWatchWithoutSyncs(t *testing.T) {
	w, c := watching(t)
	w.order(order("one"))
	w.reports()
	w.dropJobs()
	lost := w.read(c.ID)
	lost.Status = connection.Revoked
	require.NoError(t, w.store.SaveConnection(t.Context(), lost, nil))
	housekeep := func() {
		t.Helper()
		w.housekeep()
		w.run(w.jobs()...)
	}
	housekeep()
	assert.Empty(t, w.reports(), "not due yet")
	w.clock.Advance(25 * time.Hour)
	housekeep()
	w.says(contract.WatchUnknown, contract.WatchConnectionLost)
	back := w.read(c.ID)
	back.Status, back.LastSuccessAt = connection.Active, w.clock.Now()
	require.NoError(t, w.store.SaveConnection(t.Context(), back, nil))
	w.clock.Advance(25 * time.Hour)
	housekeep()
	w.says(contract.WatchWaiting, contract.WatchNotEnded)
	w.clock.Advance(8 * day)
	housekeep()
	w.says(contract.WatchUnknown, contract.WatchDataOutdated)
	var last contract.WatchReport
	for range 45 { // until nobody looks any longer; the connection ends, and is deleted
		w.clock.Advance(10 * day)
		housekeep()
		for _, report := range w.reports() {
			last = report
		}
	}
	assert.Equal(t, contract.WatchUnknown, last.Outcome)
	assert.Equal(t, contract.WatchAccountDeleted, last.Reason)
	kept, err := w.store.Watch(t.Context(), pfmtest.User(), "one")
	require.NoError(t, err)
	assert.Zero(t, kept.DueAt)
}

// Whichever write fails, the reports are the same.
func TestWatchSurvivesEveryFailure(t *testing.T) {
	for nth := int64(1); ; nth++ {
		w, c := watching(t)
		w.refuse.Store(nth)
		job := connection.SyncJob{Action: connection.JobWatch, Partner: pfmtest.User().Partner, User: pfmtest.User().ID}
		o := order("one")
		begin := job
		begin.Watch = &o
		if w.syncer.Do(t.Context(), begin, 1) != nil {
			require.NoError(t, w.syncer.Do(t.Context(), begin, 2))
		}
		w.debit("2026-04-04", "-13.99")
		w.clock.Advance(34 * day)
		asked := w.read(c.ID)
		asked.SyncRequestedAt = w.clock.Now()
		left := w.refuse.Swap(0)
		require.NoError(t, w.store.SaveConnection(t.Context(), asked, nil))
		w.refuse.Store(left)
		_ = w.syncer.Sync(t.Context(), jobOf(c), 1)
		unharmed := w.refuse.Swap(0) > 0
		w.clock.Advance(time.Hour)
		w.syncOnce(c.ID)
		require.NoError(t, w.syncer.Do(t.Context(), job, 1))
		var last contract.WatchReport
		for _, body := range w.messages(outbox.LetterQueue) {
			var job contract.OutcomeJob
			require.NoError(t, json.Unmarshal([]byte(body), &job))
			if job.Report.Number > last.Number {
				last = job.Report
			}
		}
		require.Equal(t, contract.WatchStillDebited, last.Outcome, "write %d failed", nth)
		require.Equal(t, int64(2), last.Number, "write %d failed", nth)
		require.Len(t, last.Debits, 1)
		if unharmed {
			return
		}
	}
}
