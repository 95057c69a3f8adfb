package crashpoints

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/stretchr/testify/assert"

	"aviso/internal/money"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/transaction"
	"aviso/localstack/tests/cancellationtest"
	"aviso/localstack/tests/pfmtest"
)

// syncScenarios are the ways of a connection through bank-sync.
func syncScenarios() []scenario {
	refusesOnce := func(w *world) {
		bankHas(firstRows())(w)
		refused := false
		w.bank.RefuseRows = func(resourceID string) error {
			if resourceID != "r1" || refused { // always the same account: both are read in parallel
				return nil
			}
			refused = true
			return pfmtest.Failure(pfm.SupplierUnavailable)
		}
	}
	return []scenario{
		{
			name: "a first sync", prepare: connected, begin: bankHas(firstRows()), done: syncEnded, check: sameAsBank(firstRows()),
		},
		{
			name: "a first sync that takes several transactions", prepare: connected, begin: bankHas(history()),
			done: syncEnded, check: sameAsBankWithContract(history()),
		},
		{
			name: "a sync after rows were booked and have come", prepare: synced, begin: bankHas(laterRows()),
			done: syncEnded, check: sameAsBank(laterRows()),
		},
		{
			name: "a sync whose bank fails once", prepare: connected, begin: refusesOnce, done: syncEnded,
			check: sameAsBank(firstRows()),
		},
		{
			name: "a sync that the bank refuses", prepare: connected, begin: bankRefuses, done: syncEnded,
			check: func(a *problems, w *world, _ int) { w.assertTold(a, connection.EventSyncFailed) },
		},
		{
			name: "a sync that succeeds again", prepare: failing, begin: bankHas(firstRows()), done: syncEnded,
			check: sameAsBank(firstRows(), connection.EventSyncRecovered),
		},
		{
			name: "a sync that takes over the accounts of an older connection", prepare: connectedAgain,
			begin: bankHas(laterRows()), done: syncEnded, check: takenOver(laterRows(), map[string]int{
				connection.EventExpired: 1, connection.EventRefreshed: 1, connection.EventTransactionsUpdated: 1,
			}),
		},
		{
			name: "a sync that takes over the accounts of an older connection that is syncing, too",
			prepare: func(w *world) {
				connectedAgain(w)
				w.requestSync(w.connections()[0].ID)
			},
			begin: bankHas(laterRows()), done: syncEnded, check: takenOver(laterRows(), map[string]int{connection.EventExpired: 1}),
		},
		{
			name: "a connection that is deleted", prepare: synced, begin: (*world).deleteConnections,
			done: connectionsGone, check: nothingOfConnections,
		},
	}
}

// user is the owner of the connections and letters.
func user() owner.User { return cancellationtest.User() }

// rows is what a bank has, by account.
type rows map[string][]pfm.BankTransaction

func firstRows() rows {
	return rows{
		"r1": {row("2026-11-18", "t1", "-23.90", true), row("2026-11-01", "t2", "-1.00", true), row("2026-11-19", "", "-5.50", false)},
		"r2": {row("2026-10-30", "t3", "1800.00", true)},
	}
}

// history has a contract's debits of two years, and purchases, in more rows than a transaction
// can write.
func history() rows {
	all := firstRows()
	for month := range 24 {
		day := pfm.Date(fmt.Sprintf("%d-%02d-05", 2024+(month+11)/12, 1+(month+11)%12))
		debit := row(day, fmt.Sprint("debit", month), "-9.99", true)
		debit.CreditorName, debit.MandateID = "Lampe", "M-1"
		all["r1"] = append(all["r1"], debit)
		for n := range 4 {
			all["r1"] = append(all["r1"], row(day, fmt.Sprint("row", month, "-", n), fmt.Sprintf("-%d.%02d", 1+n, month), true))
		}
	}
	return all
}

// laterRows has one more row in each account, and a pending one that has been booked.
func laterRows() rows {
	all := firstRows()
	all["r1"][2] = row("2026-11-19", "t4", "-5.50", true)
	all["r1"] = append(all["r1"], row("2026-11-20", "t5", "-9.99", true))
	all["r2"] = append(all["r2"], row("2026-11-20", "t6", "12.00", true))
	return all
}

func row(day pfm.Date, id, amount string, booked bool) pfm.BankTransaction {
	return pfm.BankTransaction{
		ID: id, Booked: booked, Amount: money.MustParse(amount), Currency: "EUR", BookingDate: day,
		Remittance: "Purchase for " + amount,
	}
}

// bankHas sets what the bank returns.
func bankHas(all rows) func(*world) {
	return func(w *world) {
		for _, id := range []string{"r1", "r2"} {
			w.bank.Listed = append(w.bank.Listed, pfm.BankAccount{
				ResourceID: id, IBAN: "DE" + id, Currency: "EUR", Name: "Everyday",
				Balances: []pfm.BankBalance{{Type: "closingBooked", Amount: money.MustParse("100.50"), Currency: "EUR"}},
			})
		}
		w.bank.Rows = all
	}
}

// connected makes a connection whose first sync has been requested.
func connected(w *world) {
	w.createUser()
	must(w.bankStore.PutProvider(context.Background(), pfmtest.Provider()))
	w.connect("consent-of-" + string(user().ID))
}

// connect makes a connection with this consent, and requests its first sync.
func (w *world) connect(consent string) {
	c := connection.Connection{
		ID: w.newID(), Owner: user(), ProviderID: pfmtest.Provider().ID, Status: connection.Active,
		ConsentID: consent, CreatedAt: w.now, ConsentExpiresAt: w.now.AddDate(0, 6, 0), AuthorisedAt: w.now,
		RefreshTimeoutMinutes: 60,
	}
	must(w.bankStore.CreateConnection(context.Background(), c, nil))
	w.requestSync(c.ID)
}

// connectedAgain makes a connection that was synced two hours ago, and another one to the
// same accounts, whose first sync has been requested.
func connectedAgain(w *world) {
	connected(w)
	bankHas(firstRows())(w)
	must(w.settle(syncEnded))
	w.now = w.now.Add(2 * time.Hour)
	w.connect("newer-consent")
}

func (w *world) requestSync(id string) {
	c, err := w.bankStore.Connection(context.Background(), user(), id)
	must(err)
	c.SyncRequestedAt, c.UpdatedAt = w.now, w.now
	must(w.bankStore.SaveConnection(context.Background(), c, nil, connection.SyncJob{
		Partner: c.Owner.Partner, User: c.Owner.ID, ConnectionID: c.ID, PSUIPAddress: "203.0.113.7",
	}))
}

// synced makes a connection that was synced two hours ago, and whose next sync has been
// requested.
func synced(w *world) {
	connected(w)
	bankHas(firstRows())(w)
	must(w.settle(syncEnded))
	w.later(2 * time.Hour)
}

func bankRefuses(w *world) {
	w.bank.Before = func(operation string) error {
		if err := w.callBank(operation); err != nil {
			return err
		}
		return pfmtest.Failure(pfm.SupplierRejected)
	}
}

// failing makes a connection whose last sync failed, and whose next one has been
// requested.
func failing(w *world) {
	connected(w)
	bankRefuses(w)
	must(w.settle(syncEnded))
	w.later(2 * time.Hour)
}

func (w *world) connections() []connection.Connection {
	held, err := w.bankStore.Holdings(context.Background(), user())
	must(err)
	all := make([]connection.Connection, len(held.All))
	for i, h := range held.All {
		all[i] = h.Connection
	}
	return all
}

func syncEnded(w *world) bool {
	for _, c := range w.connections() {
		if !c.SyncRequestedAt.IsZero() {
			return false
		}
	}
	return len(w.rows("OutboxTable")) == 0
}

// sameAsBank: the transactions are the bank's, none missing and none twice; the sums are
// those of the transactions; partners can read each change, and were told once of it and
// of more.
func sameAsBank(all rows, more ...string) func(*problems, *world, int) {
	return func(a *problems, w *world, _ int) {
		w.rowsAgree(a, all)
		w.assertTold(a, slices.Concat(more, []string{connection.EventRefreshed, connection.EventTransactionsUpdated})...)
		for _, c := range w.connections() {
			assert.Equal(a, connection.Active, c.Status)
			assert.Empty(a, c.Reason)
		}
	}
}

// sameAsBankWithContract: as sameAsBank, and the debits of the contract are found as such, and
// labelled.
func sameAsBankWithContract(all rows) func(*problems, *world, int) {
	return func(a *problems, w *world, point int) {
		sameAsBank(all)(a, w, point)
		contracts, err := w.bankStore.Subscriptions(context.Background(), user())
		must(err)
		if !assert.Len(a, contracts, 1) {
			return
		}
		stored, err := w.bankStore.TransactionsSince(context.Background(), user(), "")
		must(err)
		var debits []string
		for _, t := range stored {
			if t.MandateID != "" {
				debits = append(debits, t.ID)
			}
			assert.Equal(a, t.MandateID != "", t.Subscription, "label of %s", t.RecordDate)
		}
		assert.Equal(a, debits, contracts[0].TransactionIDs)
	}
}

// assertTold: partners were told these types of events, each once, and no others.
func (w *world) assertTold(a *problems, types ...string) {
	told := make([]string, len(w.told))
	for i, e := range w.told {
		told[i] = e.Type
	}
	assert.ElementsMatch(a, types, told, "events")
}

// takenOver: the newer connection has the accounts, with the bank's transactions, none
// missing and none twice. The older one has ended, with its consent. Partners were told of
// this as often as the events say.
func takenOver(all rows, events map[string]int) func(*problems, *world, int) {
	return func(a *problems, w *world, _ int) {
		w.rowsAgree(a, all)
		older, newer := w.connections()[0], w.connections()[1]
		views, _, err := w.bankStore.AccountViews(context.Background(), user(), 100, "")
		must(err)
		for _, v := range views {
			assert.Equal(a, newer.ID, v.Connection.ID)
		}
		assert.Equal(a, connection.Expired, older.Status)
		assert.Equal(a, connection.ReasonConsentReplaced, older.Reason)
		assert.Equal(a, connection.Active, newer.Status)
		assert.Contains(a, w.bank.Ended, "consent-of-"+string(user().ID))
		assert.NotContains(a, w.bank.Ended, "newer-consent")
		told := map[string]int{}
		for _, e := range w.told {
			if events[e.Type] > 0 {
				told[e.Type]++
			}
		}
		assert.Equal(a, events, told, "events")
	}
}

// rowsAgree: the accounts and transactions are the bank's, the sums are those of the
// transactions, and partners can read each change.
func (w *world) rowsAgree(a *problems, all rows) {
	ctx := context.Background()
	var want, got []string
	for account, list := range all {
		for _, r := range list {
			want = append(want, fmt.Sprint("DE", account, " ", r.Amount, " ", r.Booked))
		}
	}
	accounts := map[string]string{}
	views, _, err := w.bankStore.AccountViews(ctx, user(), 100, "")
	must(err)
	for _, v := range views {
		accounts[v.Account.ID] = v.Account.IBAN
	}
	assert.Len(a, accounts, len(all), "accounts")
	stored, err := w.bankStore.TransactionsSince(ctx, user(), "")
	must(err)
	for _, t := range stored {
		got = append(got, fmt.Sprint(accounts[t.AccountID], " ", t.Amount, " ", t.State == transaction.Cleared))
	}
	slices.Sort(want)
	slices.Sort(got)
	assert.Equal(a, want, got, "transactions")
	w.sumsAgree(a, stored)

	page, err := w.bankStore.Changes(ctx, user(), transaction.ChangePosition{}, 1000)
	must(err)
	assert.Len(a, page.Changes, len(stored), "changes")
}

// sumsAgree: every stored sum is the sum of the stored transactions.
func (w *world) sumsAgree(a *problems, stored []transaction.Transaction) {
	var changes []transaction.RowChange
	for _, t := range stored {
		changes = append(changes, transaction.RowChange{New: t})
	}
	missing := transaction.AggregatesTouched(changes)
	for _, level := range []transaction.Level{transaction.LevelAllTime, transaction.LevelMonth, transaction.LevelDay} {
		sums, err := w.bankStore.Aggregates(context.Background(), user(), level, "", "")
		must(err)
		for _, sum := range sums {
			want := transaction.Aggregate{ID: sum.ID, Tallies: map[transaction.TallyKey]transaction.Tally{}, Names: map[string]string{}}
			must(want.Apply(changes))
			assert.Equal(a, want.Tallies, sum.Tallies, "sums of %v", sum.ID)
			delete(missing, sum.ID)
		}
	}
	assert.Empty(a, missing, "sums")
}

// deleteConnections is the partner's call. It repeats it until it is answered.
func (w *world) deleteConnections() {
	service := connection.New(connection.Deps{
		Store: w.bankStore, Bank: w.bank.Of, Gate: pfmtest.Gate{}, AnyUser: pfmtest.Gate{},
		Now: w.clock, NewID: w.newID, NewSecret: w.newID,
	})
	bankHas(firstRows())(w)
	for _, c := range w.connections() {
		w.add(w.now, func() time.Duration {
			return w.request(func(ctx context.Context) error {
				err := service.Delete(ctx, user(), c.ID)
				if err != nil && errors.Is(err, errCrashed) {
					return err
				}
				return nil // deleted, or not found the second time
			})
		})
	}
}

// request is a client's request, which it repeats if it is not answered.
func (w *world) request(call func(context.Context) error) time.Duration {
	var err error
	if ended := w.invoke("", func(ctx context.Context) { err = call(ctx) }); !ended || err != nil {
		return 5 * time.Second
	}
	return finished
}

func connectionsGone(w *world) bool {
	return len(w.connections()) == 0 && len(w.rows("OutboxTable")) == 0
}

// nothingOfConnections: no data is left, the consent has ended, and partners were told once.
func nothingOfConnections(a *problems, w *world, _ int) {
	held, err := w.bankStore.Holdings(context.Background(), user())
	must(err)
	transactions, err := w.bankStore.CountTransactions(context.Background(), user())
	must(err)
	assert.Zero(a, len(held.All)+transactions, "connections, accounts and transactions")
	assert.Contains(a, w.bank.Ended, "consent-of-"+string(user().ID))
	deleted := 0
	for _, e := range w.told {
		if e.Type == connection.EventDeleted {
			deleted++
		}
	}
	assert.Equal(a, 1, deleted, "events")
}
