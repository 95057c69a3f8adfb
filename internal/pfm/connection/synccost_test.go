package connection_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/bench/budget"
	"aviso/bench/demand"
	"aviso/internal/dynamo"
	"aviso/internal/money"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/pfmdb"
	"aviso/internal/pfm/transaction"
	"aviso/localstack/tests/pfmtest"
	"aviso/localstack/tests/testenv"
)

// metered returns a syncer like w's whose calls are counted from now on.
func (w *world) metered() (*connection.Jobs, *testenv.Spent) {
	s := &testenv.Spent{}
	store := pfmdb.New(dynamodb.New(w.db.Options(), s.Install), w.table, w.outbox, w.clock.Now, uuid.NewString)
	store.RequireUsers(w.users())
	return pfmtest.Jobs(store, w.bank.Of, ofMerchants, w.clock.Now), s
}

// users returns an identity table with the user.
func (w *world) users() string {
	name := testenv.Table(w.T, "IdentityTable")
	key := dynamo.UserKey(pfmtest.User())
	require.NoError(w, dynamo.NewTable(w.db, name).Put(w.Context(), key, dynamo.Item{}))
	return name
}

// ofMerchants is an Enrich that knows two thirds of the merchants.
func ofMerchants(t transaction.Transaction, _ string) transaction.Transaction {
	t.Category, t.Source, t.PartyName = pfm.Uncategorised(), pfm.SourceNone, t.Counterparty
	var n int
	if _, err := fmt.Sscanf(t.Counterparty, "Merchant %d", &n); err != nil || n%3 == 0 {
		return t
	}
	t.Category, _ = pfm.CategoryOf(100*(1+n%8) + 1)
	t.Merchant = pfm.Merchant{ID: pfmtest.ID(9000 + n), Name: t.Counterparty}
	t.Source, t.RuleID = pfm.SourceMerchant, fmt.Sprintf("m-%d", n)
	return t
}

// history is what a bank lists of an account: rows of 150 merchants, as long as usual.
func history(account, rows int, first pfm.Date, days int) []pfm.BankTransaction {
	list := make([]pfm.BankTransaction, rows)
	for i := range list {
		party := (i*7919 + i/11*i + account) % 150
		list[i] = pfm.BankTransaction{
			ID: fmt.Sprintf("%d-%016d", account, i), EntryReference: fmt.Sprintf("%016d", 7*i), Booked: true,
			BookingDate: first.AddDays(i * days / rows), Amount: money.MustParse(fmt.Sprintf("-%d.%02d", 1+i*7%90, i*13%100)),
			Currency: "EUR", CreditorName: fmt.Sprintf("Merchant %d Verwaltungs-GmbH", party),
			CreditorAccount:     fmt.Sprintf("DE%020d", party),
			BankTransactionCode: "PMNT-CCRD-POSD",
			Remittance:          fmt.Sprintf("2026-03-01T10.15 Debitk.3 2027-12 Musterstadt %d/DE", i),
		}
	}
	return list
}

// The units of a first sync and of one without news. docs/performance.md has those of 10,000
// rows (SYNC_ROWS=10000).
func TestWhatASyncCosts(t *testing.T) {
	rows := 2000
	if text := os.Getenv("SYNC_ROWS"); text != "" {
		_, err := fmt.Sscan(text, &rows)
		require.NoError(t, err)
	}
	w, c := activated(t)
	today := pfm.DateOf(w.clock.Now())
	const days = 729 // as long a history as the bank gives
	w.bank.Listed = []pfm.BankAccount{current("r1", "DE1"), current("r2", "DE2"), current("r3", "DE3")}
	all := map[string][]pfm.BankTransaction{}
	for i, n := range []int{rows * 6 / 10, rows * 3 / 10, rows / 10} {
		all[fmt.Sprintf("r%d", i+1)] = history(i+1, n, today.AddDays(-days), days)
	}
	w.bank.Rows = all
	sync := func(what string) *testenv.Spent {
		w.request(c.ID)
		w.dropJobs()
		syncer, s := w.metered()
		require.NoError(t, syncer.Sync(t.Context(), jobOf(c), 1))
		t.Logf("%s: %s", what, s)
		return s
	}
	first := sync("first")
	require.Len(t, w.transactions(), rows)
	t.Logf("a row: %.2f WRU, %.2f RRU", first.Write/float64(rows), first.Read/float64(rows))
	w.clock.Advance(24 * time.Hour)
	quiet := sync("a day later, without news")
	w.clock.Advance(6 * time.Hour)
	w.bank.Rows["r1"] = append(w.bank.Rows["r1"], history(1, rows*6/10+1, today.AddDays(1-days), days)[rows*6/10])
	news := sync("with one new row")
	for what, units := range map[demand.Units]demand.Units{
		demand.QuietSync(): {Reads: quiet.Read, Writes: quiet.Write}, demand.NewsSync(): {Reads: news.Read, Writes: news.Write},
		demand.FirstRow(): {Reads: first.Read / float64(rows), Writes: first.Write / float64(rows)},
	} {
		assert.InEpsilon(t, what.Reads, units.Reads, 0.1, "the models of cost and scale have %v", what)
		assert.InEpsilon(t, what.Writes, units.Writes, 0.1, "the models of cost and scale have %v", what)
	}
	budget.Hold(t, map[string]float64{
		"a first sync, 2,000 rows, WRU a row":    first.Write / float64(rows),
		"a first sync, 2,000 rows, RRU a row":    first.Read / float64(rows),
		"a first sync, 2,000 rows, AWS calls":    float64(first.All()) * 2000 / float64(rows),
		"a daily sync without news, AWS calls":   float64(quiet.All()),
		"a daily sync without news, RRU and WRU": quiet.Units(),
	})
}

// A sync reads no rows if it sees what the last one has seen and nobody has changed rows in
// between. Each of these brings it to compare again.
func TestASyncThatSeesNothingNewReadsNoRows(t *testing.T) {
	w, c := synced(t)
	compares := func() bool {
		w.clock.Advance(6 * time.Hour)
		w.request(c.ID)
		syncer, s := w.metered()
		require.NoError(t, syncer.Sync(t.Context(), jobOf(c), 1))
		assert.Equal(t, w.clock.Now(), w.read(c.ID).LastSuccessAt)
		return s.Calls["Query"] > 1
	}
	assert.False(t, compares())

	w.bank.Rows["r1"] = append(w.bank.Rows["r1"], booked("2026-03-02", "t4", "-5.00"))
	assert.True(t, compares(), "a new row")
	require.Len(t, w.transactions(), 4)
	assert.False(t, compares())

	w.takeEvents()
	id := w.transactions()[0].ID
	_, err := w.store.OverrideCategory(t.Context(), pfmtest.User(), id, pfm.Uncategorised(), false, w.clock.Now())
	require.NoError(t, err)
	assert.True(t, compares(), "the user has chosen a category")
	assert.False(t, compares())
	for _, e := range w.takeEvents() {
		assert.Equal(t, connection.EventRefreshed, e.Type, "nothing is reported")
	}

	w.bank.Rows["r1"] = w.bank.Rows["r1"][1:]
	for range 2 { // until it is void
		assert.True(t, compares(), "a booked row is missing")
	}
	assert.Equal(t, transaction.Void, w.transactions()[1].State)
	assert.False(t, compares())

	w.bank.Listed[0].Name = "Renamed"
	assert.True(t, compares(), "rows have the name of their account")
	assert.False(t, compares())
	w.clock.Advance(20 * 24 * time.Hour)
	assert.True(t, compares(), "days that were not seen before")
}
