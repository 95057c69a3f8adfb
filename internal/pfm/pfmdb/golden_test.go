package pfmdb_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/dynamo/outcome"
	"aviso/internal/dynamo/owner"
	"aviso/internal/money"
	"aviso/internal/pfm"
	"aviso/internal/pfm/pfmdb"
	"aviso/internal/pfm/pfmtest"
	"aviso/localstack/testenv"
)

// The golden items are written from these values, which have all fields set or only
// the required ones. See testenv.Golden.

// goldenAt returns a different time for each minute.
func goldenAt(minute int) time.Time { return time.Date(2026, 3, 2, 9, minute, 7, 123e6, time.UTC) }

func goldenProviders() []pfm.Provider {
	full := pfmtest.Provider()
	full.AutomaticFetch, full.Meta = new(false), map[string]string{"group": "Nordlicht"}
	full.Endpoint = pfm.BankEndpoint{BaseURL: "https://bank.example", TransportSecret: "qwac", SealSecret: "qseal"}
	full.Profile = pfm.Profile{CardSigns: pfm.SignsInverted, Balances: []string{"expected"}}
	return []pfm.Provider{{ID: pfmtest.ID(1), CountryCode: "AT", Name: "Bare"}, full}
}

// goldenConnections returns three connections, the third of which is being deleted.
func goldenConnections() (full, bare, deleting pfm.Connection) {
	full = pfm.Connection{
		ID: pfmtest.ID(1), Owner: pfmtest.User(), ProviderID: pfmtest.Provider().ID, ProviderName: "Nordlicht Bank",
		LogoURL: "https://logo.example",
		Status:  pfm.ConnectionActive, Reason: pfm.ReasonLinkExpired, CreatedAt: goldenAt(1), UpdatedAt: goldenAt(2),
		ReturnURL: "https://partner.example", LinkHash: "linkHash",
		Authorisation: &pfm.Authorisation{
			ExpiresAt: goldenAt(3), ConsentID: "consent-2", StateHash: "hash",
			Next: pfm.Step{Kind: pfm.StepRedirect, URL: "https://bank.example"},
		},
		ConsentID: "consent-1", ConsentExpiresAt: goldenAt(4), AuthorisedAt: goldenAt(9), LastNotice: 7, SyncRequestedAt: goldenAt(5),
		LastSuccessAt: goldenAt(6), SyncEndedAt: goldenAt(7), SyncFailing: true,
		Partial:    pfm.Partial{Rows: 3, Accounts: 1, From: "2026-02-01"},
		Unattended: pfm.Unattended{Day: "2026-03-02", Count: 3}, RefreshTimeoutMinutes: 60, AutomaticFetch: true,
	}
	bare = pfm.Connection{
		ID: pfmtest.ID(2), Owner: pfmtest.User(), Status: pfm.ConnectionActive, CreatedAt: goldenAt(1),
	}
	deleting = pfm.Connection{
		ID: pfmtest.ID(3), Owner: pfmtest.User(), Status: pfm.ConnectionDeleting, CreatedAt: goldenAt(1),
		UpdatedAt: goldenAt(2),
	}
	return full, bare, deleting
}

func goldenAccounts() []pfm.Account {
	full, _, _ := goldenConnections()
	return []pfm.Account{
		{
			ID: pfmtest.ID(1001), Owner: full.Owner, ConnectionID: full.ID, Name: "Everyday account",
			Number: "0532013000", IBAN: "DE89370400440532013000",
			Type: pfm.AccountCurrent, Currency: "EUR", Balance: money.MustParse("1843.20"), CreatedAt: goldenAt(1),
			UpdatedAt: goldenAt(2), HeldSince: goldenAt(3),
			ResourceID: "r1", ConsentID: "consent-1", SignsInverted: true,
		},
		{ID: pfmtest.ID(1002), Owner: full.Owner, ConnectionID: full.ID},
	}
}

// goldenRows returns rows as they are stored, oldest first: three payments of a
// subscription, the first of which does not have its label yet, a pending row with
// only the required fields, and one with all fields.
func goldenRows() []pfm.Transaction {
	c, _, _ := goldenConnections()
	c.CreatedAt = goldenAt(1)
	debit := func(id int, day pfm.Date) pfm.Transaction {
		return pfm.Transaction{
			ID: pfmtest.ID(id), Owner: c.Owner, AccountID: pfmtest.ID(1001), ConnectionID: c.ID, RecordDate: day,
			Amount:   money.MustParse("-9.99"),
			Currency: "EUR", PaymentType: pfm.PaidTransfer, State: pfm.Cleared, Frequency: "Monthly",
			Subscription: true, Category: pfm.Uncategorised(),
			Counterparty: "Lampe", MandateID: "M-1", CreatedAt: goldenAt(1), UpdatedAt: goldenAt(2), Content: "x",
			Source: pfm.SourceNone,
		}
	}
	first := debit(1, "2025-12-05")
	first.Frequency, first.Subscription = pfm.Once, false
	pending := debit(4, "2026-02-26")
	pending.State, pending.Frequency, pending.Subscription = pfm.Uncleared, pfm.Once, false
	pending.Counterparty, pending.MandateID = "", ""
	full := purchase(c, 5, "2026-02-27")
	full.Source, full.RuleID = pfm.SourceKeyword, "rule"
	rows := []pfm.Transaction{first, debit(2, "2026-01-05"), debit(3, "2026-02-05"), pending, full}
	for i := range rows {
		rows[i].Revision, rows[i].Added, rows[i].Changed = 1, int64(i+1), int64(i+1)
	}
	return rows
}

// goldenWatches returns a watch with all fields, and one that never began.
func goldenWatches() []pfm.Watch {
	c, _, _ := goldenConnections()
	debit := func(id int, day pfm.Date) pfm.Debit {
		return pfm.Debit{TransactionID: pfmtest.ID(id), Date: day, Amount: money.MustParse("-9.99"), Currency: "EUR"}
	}
	refunded := debit(8, "2026-04-05")
	refunded.RefundID = pfmtest.ID(9)
	return []pfm.Watch{
		{
			CancellationID: pfmtest.ID(2001), Owner: c.Owner, SentOn: "2026-02-20", End: "2026-03-31",
			Contract: pfm.WatchedContract{
				SubscriptionID: pfmtest.ID(2101), AccountID: pfmtest.ID(1001), Merchant: pfm.Merchant{ID: pfmtest.ID(77), Name: "Lampe"},
				Subcategory: pfm.HousingTelecom, Amount: money.MustParse("-9.99"), YearlyCost: money.MustParse("119.88"),
				Currency: "EUR", Frequency: "Monthly", TimesPerYear: 12, MandateID: "M-1",
			},
			Last: debit(7, "2026-04-04"), FinalBill: pfmtest.ID(7), AfterEnd: []pfm.Debit{refunded},
			Outcome: pfm.WatchWaiting, Reason: pfm.WatchRefunded, Reports: 3, CheckedOn: "2026-04-20", DueAt: goldenAt(9),
			Version: 1,
		},
		{CancellationID: pfmtest.ID(2002), Owner: c.Owner, Stopped: true, Version: 1},
	}
}

func TestGoldenWatchesAreRead(t *testing.T) {
	s, user := goldenStore(t)
	all, err := s.Watches(t.Context(), user)
	require.NoError(t, err)
	assert.Equal(t, goldenWatches(), all)
	holdings, err := s.Holdings(t.Context(), user)
	require.NoError(t, err)
	assert.Equal(t, goldenWatches(), holdings.Watches)
	one, err := s.Watch(t.Context(), user, pfmtest.ID(2001))
	require.NoError(t, err)
	assert.Equal(t, goldenWatches()[0], one)
}

// asNew returns the rows as they were before they were stored.
func asNew(rows []pfm.Transaction) []pfm.RowChange {
	changes := newRows(rows...)
	for i := range changes {
		changes[i].New.Revision, changes[i].New.Added, changes[i].New.Changed = 0, 0, 0
	}
	return changes
}

// goldenAggregates returns the sums of all time, a month and its days, each by category and
// by merchant.
func goldenAggregates() []pfm.Aggregate {
	none, shop := pfm.TallyKey{Subcategory: pfm.Uncategorised().SubcategoryID}, pfm.TallyKey{MerchantID: pfmtest.ID(77)}
	// Counterparties whose merchant is unknown: Lampe, and one without a name.
	lampe := pfm.TallyKey{MerchantID: "be87a93a-45a2-5bfe-8fec-cbc5ed4f0c3a"}
	nobody := pfm.TallyKey{MerchantID: "8a3c06e5-2df4-5abb-bc8b-6eb801ff8530"}
	groceries := pfm.TallyKey{Subcategory: groceries().SubcategoryID}
	on := func(day int, k pfm.TallyKey) pfm.TallyKey {
		k.Day, k.Currency, k.Type = day, "EUR", pfm.Expense
		return k
	}
	sum := func(amount string, count int) pfm.Tally {
		return pfm.Tally{Amount: money.MustParse(amount), Count: count}
	}
	one, shopped := sum("-9.99", 1), sum("-23.90", 1)
	all := []pfm.Aggregate{
		{ID: pfm.AggregateID{Level: pfm.LevelAllTime}, Version: 2, Tallies: map[pfm.TallyKey]pfm.Tally{
			on(0, none): sum("-39.96", 4), on(0, groceries): shopped,
		}},
		{ID: pfm.AggregateID{Level: pfm.LevelAllTime}, Version: 2, Tallies: map[pfm.TallyKey]pfm.Tally{
			on(0, shop): shopped, on(0, lampe): sum("-29.97", 3), on(0, nobody): one,
		}},
		{ID: pfm.AggregateID{Level: pfm.LevelMonth, Month: "2026-02"}, Version: 1, Tallies: map[pfm.TallyKey]pfm.Tally{
			on(0, none): sum("-19.98", 2), on(0, groceries): shopped,
		}},
		{ID: pfm.AggregateID{Level: pfm.LevelMonth, Month: "2026-02"}, Version: 1, Tallies: map[pfm.TallyKey]pfm.Tally{
			on(0, shop): shopped, on(0, lampe): one, on(0, nobody): one,
		}},
		{ID: pfm.AggregateID{Level: pfm.LevelDay, Month: "2026-02"}, Version: 1, Tallies: map[pfm.TallyKey]pfm.Tally{
			on(5, none): one, on(26, none): one, on(27, groceries): shopped,
		}},
		{ID: pfm.AggregateID{Level: pfm.LevelDay, Month: "2026-02"}, Version: 1, Tallies: map[pfm.TallyKey]pfm.Tally{
			on(27, shop): shopped, on(5, lampe): one, on(26, nobody): one,
		}},
	}
	for i := range all {
		all[i].ID.AccountID, all[i].Names = pfmtest.ID(1001), map[string]string{}
		if i%2 == 1 {
			all[i].ID.Merchants = true
			all[i].Names = map[string]string{pfmtest.ID(77): "Grünkorb", lampe.MerchantID: "Lampe", nobody.MerchantID: ""}
		}
	}
	return all
}

func TestGoldenItemsAreWritten(t *testing.T) {
	ctx, s := t.Context(), newTables(t)
	for _, p := range goldenProviders() {
		s.put(p)
	}
	moved := goldenProviders()[0]
	moved.CountryCode = "CH"
	s.put(moved, goldenProviders()[0]) // which leaves a country without providers

	full, bare, deleting := goldenConnections()
	for _, c := range []pfm.Connection{full, bare, deleting} {
		c.Status = pfm.ConnectionActive
		require.NoError(t, s.CreateConnection(ctx, c))
	}
	told := full
	told.Events = []pfm.Event{{Type: pfm.EventExpiring, At: goldenAt(8), Data: pfm.ConnectionEventData{
		ConnectionID: full.ID, ProviderID: full.ProviderID, Status: full.Status, Reason: full.Reason,
		ConsentExpiresAt: &full.ConsentExpiresAt,
	}}}
	require.NoError(t, s.SaveConnection(ctx, told,
		pfm.SyncJob{
			Action: pfm.JobEndConsent, Partner: full.Owner.Partner, User: full.Owner.ID, ConnectionID: full.ID,
			PSUIPAddress: "192.0.2.1",
			ProviderID:   full.ProviderID, ConsentID: "consent-1",
		},
		pfm.SyncJob{Partner: full.Owner.Partner, User: full.Owner.ID, ConnectionID: full.ID}))

	l := s.lease(full, "token")
	require.NoError(t, s.TakeAccounts(ctx, l, pfm.Takeover{Accounts: goldenAccounts()}))
	rows := goldenRows()
	for _, together := range [][]pfm.Transaction{rows[:1], rows[1:]} {
		require.NoError(t, s.SaveRows(ctx, l, full.Owner, full.ID, asNew(together)))
	}
	// The lease is released, with changes that have not been reported yet.
	require.NoError(t, s.FinishSync(ctx, l, full, func(*pfm.Connection) []pfm.SyncJob { return nil }))
	s.lease(bare, "token")

	for _, w := range goldenWatches() {
		w.Version--
		require.NoError(t, s.SaveWatch(ctx, w, nil))
	}
	l = s.lease(deleting, "token")
	account, gone := account(deleting, 1003), purchase(deleting, 6, "2026-02-27")
	gone.AccountID = account.ID
	require.NoError(t, s.SaveAccounts(ctx, l, []pfm.Account{account}))
	require.NoError(t, s.SaveRows(ctx, l, deleting.Owner, deleting.ID, newRows(gone)))
	require.NoError(t, s.SaveConnection(ctx, deleting))
	require.NoError(t, s.DeleteData(ctx, deleting.Owner, deleting.ID))
	notes, err := s.ContractNotes(ctx, full.Owner)
	require.NoError(t, err)
	require.NoError(t, s.SaveContractNotes(ctx, goldenContractNotes(notes.Version)))
	testenv.Golden(t, map[string]string{"PfmTable": s.table, "OutboxTable": s.outbox})
}

// goldenContractNotes follows the version that the sync has written.
func goldenContractNotes(version int64) pfm.ContractNotes {
	return pfm.ContractNotes{
		Owner: pfmtest.User(), Version: version, CheckAt: goldenAt(9),
		Facts: map[string]pfm.ContractFacts{
			"full": {Start: "2024-02-29", Product: &pfm.Cancellable{OrganizationID: "o", ProductID: "p"}}, "bare": {},
		},
		Notified: map[string]pfm.DeadlineNotice{"full": {SendBy: "2026-05-01", Days: 30}},
	}
}

func TestGoldenContractNotesAreRead(t *testing.T) {
	s, user := goldenStore(t)
	notes, err := s.ContractNotes(t.Context(), user)
	require.NoError(t, err)
	want := goldenContractNotes(notes.Version)
	want.CheckAt = want.CheckAt.UTC()
	assert.Equal(t, want, notes)
}

// goldenStore returns a store with the golden items.
func goldenStore(t *testing.T) (*pfmdb.Store, owner.User) {
	t.Helper()
	table, outbox := testenv.GoldenTable(t, "PfmTable"), testenv.Table(t, "OutboxTable")
	return pfmdb.New(testenv.DynamoDB(t), table, outbox, pfmtest.NewClock().Now, pfmtest.IDs()), pfmtest.User()
}

func TestGoldenProvidersAreRead(t *testing.T) {
	s, _ := goldenStore(t)
	all, err := s.AllProviders(t.Context())
	require.NoError(t, err)
	assert.Equal(t, goldenProviders(), all)
	for _, want := range goldenProviders() {
		got, err := s.Provider(t.Context(), want.ID)
		require.NoError(t, err)
		assert.Equal(t, want, got)
		require.NoError(t, s.PutProvider(t.Context(), want), "over the version that was read")
	}
	for _, f := range []pfm.ProviderFilter{
		{CountryCode: "DE"}, {NamePart: "bank"}, {CountryCode: "DE", NamePart: "nord"},
	} {
		page, _, err := s.Providers(t.Context(), f, 10, "")
		require.NoError(t, err)
		assert.Equal(t, goldenProviders()[1:], page)
	}
	countries, err := s.Countries(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []pfm.Country{{Code: "AT", ProviderCount: 1}, {Code: "DE", ProviderCount: 1}}, countries)
}

func TestGoldenConnectionsAreRead(t *testing.T) {
	ctx := t.Context()
	s, user := goldenStore(t)
	full, bare, deleting := goldenConnections()
	full.Version, deleting.Version = 2, 1
	all, err := s.AllConnections(ctx, user)
	require.NoError(t, err)
	assert.Equal(t, []pfm.Connection{full, bare, deleting}, all)
	page, _, err := s.Connections(ctx, user, 10, "")
	require.NoError(t, err)
	assert.Equal(t, []pfm.Connection{full, bare}, page)
	for _, want := range []pfm.Connection{full, deleting} {
		kind, at := want.Due()
		assert.Equal(t, []pfm.Connection{want}, (&tables{Store: s, t: t}).dueConnections(kind, at))
	}
	whose, err := s.ConnectionOwner(ctx, full.ID)
	require.NoError(t, err)
	assert.Equal(t, user, whose)
	accounts, err := s.ConnectionAccounts(ctx, user, full.ID)
	require.NoError(t, err)
	assert.Equal(t, goldenAccounts(), accounts)
	holdings, err := s.Holdings(ctx, user)
	require.NoError(t, err)
	assert.Equal(t, pfm.Holdings{Version: 1, Watches: goldenWatches(), All: []pfm.Holding{
		{Connection: full, Accounts: accounts}, {Connection: bare}, {Connection: deleting},
	}}, holdings)
	views, _, err := s.AccountViews(ctx, user, 10, "")
	require.NoError(t, err)
	require.Len(t, views, 2)
	for i, view := range views {
		assert.Equal(t, pfm.AccountView{Account: accounts[i], Connection: full}, view)
	}

	now := pfmtest.NewClock().Now()
	other := pfm.Lease{Token: "other", Until: now.Add(time.Hour)}
	_, err = s.AcquireSync(ctx, user, bare.ID, other, now.Add(time.Minute))
	require.ErrorIs(t, err, outcome.ErrChanged, "the lease is held")
	changes, err := s.SyncChanges(ctx, user, full.ID)
	require.NoError(t, err)
	assert.Equal(t, pfm.SyncChanges{Added: 5}, changes)
	got, err := s.AcquireSync(ctx, user, full.ID, other, now)
	require.NoError(t, err, "the lease was released")
	assert.Equal(t, full, got.Connection)
	require.NoError(t, s.SaveConnection(ctx, full), "over the version that was read")
}

func TestGoldenTransactionsAreRead(t *testing.T) {
	ctx := t.Context()
	s, user := goldenStore(t)
	rows := goldenRows()
	all, err := s.TransactionsSince(ctx, user, "")
	require.NoError(t, err)
	assert.Equal(t, rows, all)
	all, err = s.AccountTransactions(ctx, user, pfmtest.ID(1001), "")
	require.NoError(t, err)
	assert.Equal(t, rows, all)
	one, err := s.Transaction(ctx, user, pfmtest.ID(5))
	require.NoError(t, err)
	assert.Equal(t, rows[4], one)
	for want, f := range map[int]pfm.TransactionFilter{
		3: {State: pfm.Uncleared},
		4: {MerchantID: pfmtest.ID(77), AccountID: pfmtest.ID(1001), Category: pfm.FoodGroceries, State: pfm.Cleared},
	} {
		page, _, err := s.Transactions(ctx, user, f, 10, "")
		require.NoError(t, err)
		assert.Equal(t, []pfm.Transaction{listed(rows[want])}, page)
	}
	page, err := s.Changes(ctx, user, pfm.ChangePosition{Read: 6, CaughtUp: 6}, 10)
	require.NoError(t, err)
	assert.Equal(t, pfm.ChangePage{
		Changes: []pfm.Change{{Kind: pfm.Removed, TransactionID: pfmtest.ID(6)}},
		Since:   pfm.ChangePosition{Read: 7, CaughtUp: 7},
	}, page)

	for want := range slices.Chunk(goldenAggregates(), 2) { // by category, by merchant
		id := want[0].ID
		list, err := s.Aggregates(ctx, user, id.Level, id.Month, id.Month)
		require.NoError(t, err)
		assert.Equal(t, want, list)
	}
	subscriptions, err := s.Subscriptions(ctx, user)
	require.NoError(t, err)
	require.Len(t, subscriptions, 1)
	assert.Equal(t, []string{pfmtest.ID(1), pfmtest.ID(2), pfmtest.ID(3)}, subscriptions[0].TransactionIDs)
	assert.Equal(t, "119.88", subscriptions[0].YearlyCost.String())

	c, _, _ := goldenConnections()
	l := pfm.Lease{Token: "other", Until: goldenAt(24 * 60)}
	_, err = s.AcquireSync(ctx, user, c.ID, l, goldenAt(1))
	require.NoError(t, err)
	require.NoError(t, s.SaveLabels(ctx, l, user, c.ID, pfmtest.ID(1001)), "over the versions that were read")
	one, err = s.Transaction(ctx, user, pfmtest.ID(1))
	require.NoError(t, err)
	assert.True(t, one.Subscription, "the label that was due")
}
