package crashpoints

import (
	"context"
	"time"

	"github.com/stretchr/testify/assert"

	"aviso/internal/cancellation"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/contract"
)

// contractScenarios are the ways of a bank's rows to what partners are told of a contract.
func contractScenarios() []scenario {
	return []scenario{
		{
			name: "a sync that finds a debit after the end of a contract", prepare: cancelled,
			begin: bankHas(contractRows("-13.99", "2026-12-18")), done: syncEnded, check: oneDebitReported,
		},
		{
			name: "a sync that finds a price rise", prepare: func(w *world) {
				withContract(w)
				w.later(62 * 24 * time.Hour)
			},
			begin: bankHas(contractRows("-15.99", "2026-12-18", "2027-01-18")), done: syncEnded,
			check: sameAsBank(contractRows("-15.99", "2026-12-18", "2027-01-18"), contract.EventPriceIncreased),
		},
	}
}

// contractRows is a contract that was paid monthly until November, and on these days with
// this amount.
func contractRows(amount string, days ...pfm.Date) rows {
	all := rows{"r1": nil, "r2": nil}
	pay := func(amount string, days ...pfm.Date) {
		for _, day := range days {
			paid := row(day, "paid "+string(day), amount, true)
			paid.CreditorName, paid.MandateID = "Flimmerkiste", "M-1"
			all["r1"] = append(all["r1"], paid)
		}
	}
	pay("-13.99", "2026-07-18", "2026-08-18", "2026-09-18", "2026-10-18", "2026-11-18")
	pay(amount, days...)
	return all
}

// withContract makes a connection with a contract.
func withContract(w *world) {
	connected(w)
	bankHas(contractRows(""))(w)
	must(w.settle(syncEnded))
}

// later lets time pass, and requests the next sync.
func (w *world) later(d time.Duration) {
	w.now = w.now.Add(d)
	w.requestSync(w.connections()[0].ID)
}

// cancelled makes a connection with a contract, whose cancellation has left and is watched.
// A month later, after the end of the contract, the next sync has been requested.
func cancelled(w *world) {
	ctx := context.Background()
	withContract(w)
	contracts, err := w.bankStore.Subscriptions(ctx, user())
	must(err)
	c := w.createLetter(cancellation.ChannelEmail)
	w.handOver(c)
	must(contract.NewWatches(w.bankStore, w.clock).Take(ctx, user(), contract.WatchOrder{
		CancellationID: c.ID, SubscriptionID: contracts[0].ID, SentOn: "2026-11-20", End: "2026-11-30",
	}))
	w.emptyOutbox()
	w.later(30 * 24 * time.Hour)
}

// oneDebitReported: the cancellation knows the debit, and partners were told of it once.
func oneDebitReported(a *problems, w *world, _ int) {
	w.rowsAgree(a, contractRows("-13.99", "2026-12-18"))
	w.assertTold(a, connection.EventRefreshed, connection.EventTransactionsUpdated, "cancellation.debit_after_end")
	c := w.cancellations()[0]
	assert.Equal(a, cancellation.OutcomeStillDebited, c.Seen.Outcome)
	if assert.Len(a, c.Seen.Debits, 1) {
		assert.Equal(a, "2026-12-18", c.Seen.Debits[0].Date)
	}
}
