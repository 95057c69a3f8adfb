package pfmdb_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/money"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/contract"
	"aviso/internal/pfm/pfmdb"
	"aviso/internal/pfm/transaction"
	"aviso/localstack/tests/pfmtest"
	"aviso/localstack/tests/testenv"
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
func goldenConnections() (full, bare, deleting connection.Connection) {
	full = connection.Connection{
		ID: pfmtest.ID(1), Owner: pfmtest.User(), ProviderID: pfmtest.Provider().ID, ProviderName: "Nordlicht Bank",
		LogoURL: "https://logo.example",
		Status:  connection.Active, Reason: connection.ReasonLinkExpired, CreatedAt: goldenAt(1), UpdatedAt: goldenAt(2),
		ReturnURL: "https://partner.example", LinkHash: "linkHash",
		Authorisation: &connection.Authorisation{
			ExpiresAt: goldenAt(3), ConsentID: "consent-2", StateHash: "hash",
			Next: pfm.Step{Kind: pfm.StepRedirect, URL: "https://bank.example"},
		},
		ConsentID: "consent-1", ConsentExpiresAt: goldenAt(4), AuthorisedAt: goldenAt(9), LastNotice: 7, SyncRequestedAt: goldenAt(5),
		LastSuccessAt: goldenAt(6), SyncEndedAt: goldenAt(7), SyncFailing: true,
		Refusal: &connection.Refusal{
			At: goldenAt(8), Operation: "read accounts", Status: 503, Code: "SERVICE_BLOCKED", Message: "Closed", RequestID: "r",
		},
		Partial:    connection.Partial{Rows: 3, Accounts: 1, From: "2026-02-01"},
		Unattended: []time.Time{goldenAt(10), goldenAt(11)}, RefreshTimeoutMinutes: 60, AutomaticFetch: true,
	}
	bare = connection.Connection{
		ID: pfmtest.ID(2), Owner: pfmtest.User(), Status: connection.Active, CreatedAt: goldenAt(1),
	}
	deleting = connection.Connection{
		ID: pfmtest.ID(3), Owner: pfmtest.User(), Status: connection.Deleting, CreatedAt: goldenAt(1),
		UpdatedAt: goldenAt(2),
	}
	return full, bare, deleting
}

func goldenAccounts() []pfm.Account {
	full, _, _ := goldenConnections()
	return []pfm.Account{
		{
			ID: pfmtest.ID(1001), Owner: full.Owner, ConnectionID: full.ID, Name: "Everyday account",
			Number: "0532013000", IBAN: "DE89370400440532013000", Type: pfm.AccountCurrent, Currency: "EUR",
			Balance: money.MustParse("1843.20"), CreatedAt: goldenAt(1), UpdatedAt: goldenAt(2), HeldSince: goldenAt(3),
			ResourceID: "r1", ConsentID: "consent-1", SignsInverted: true,
		},
		{ID: pfmtest.ID(1002), Owner: full.Owner, ConnectionID: full.ID},
	}
}

// goldenRows returns rows as they are stored, oldest first: three payments of a
// subscription, the first of which does not have its label yet, a pending row with
// only the required fields, and one with all fields.
func goldenRows() []transaction.Transaction {
	c, _, _ := goldenConnections()
	c.CreatedAt = goldenAt(1)
	debit := func(id int, day pfm.Date) transaction.Transaction {
		return transaction.Transaction{
			ID: pfmtest.ID(id), Owner: c.Owner, AccountID: pfmtest.ID(1001), ConnectionID: c.ID, RecordDate: day,
			Amount: money.MustParse("-9.99"), Currency: "EUR", PaymentType: transaction.PaidTransfer,
			State: transaction.Cleared, Frequency: "Monthly", Subscription: true, Category: pfm.Uncategorised(),
			Counterparty: "Lampe", PartyName: "Lampe", MandateID: "M-1", CreatedAt: goldenAt(1), UpdatedAt: goldenAt(2), Content: "x",
			Source: pfm.SourceNone,
		}
	}
	first := debit(1, "2025-12-05")
	first.Frequency, first.Subscription = transaction.Once, false
	pending := debit(4, "2026-02-26")
	pending.State, pending.Frequency, pending.Subscription = transaction.Uncleared, transaction.Once, false
	pending.Counterparty, pending.PartyName, pending.MandateID = "", "", ""
	full := purchase(c, 5, "2026-02-27")
	full.Source = pfm.SourceOverride
	full.Found = transaction.Found{Subcategory: pfm.HousingTelecom, Source: pfm.SourceKeyword, RuleID: "rule"}
	rows := []transaction.Transaction{first, debit(2, "2026-01-05"), debit(3, "2026-02-05"), pending, full}
	for i := range rows {
		rows[i].Revision, rows[i].Added, rows[i].Changed = 1, int64(i+1), int64(i+1)
	}
	return rows
}

// goldenChoices is for the merchant of the last row.
func goldenChoices() transaction.Choices {
	return transaction.Choices{"M#" + pfmtest.ID(77): pfm.Uncategorised().SubcategoryID}
}

// goldenWatches returns a watch with all fields, and one that never began.
func goldenWatches() []contract.Watch {
	c, _, _ := goldenConnections()
	debit := func(id int, day pfm.Date) contract.Debit {
		return contract.Debit{TransactionID: pfmtest.ID(id), Date: day, Amount: money.MustParse("-9.99"), Currency: "EUR"}
	}
	refunded := debit(8, "2026-04-05")
	refunded.RefundID = pfmtest.ID(9)
	return []contract.Watch{
		{
			CancellationID: pfmtest.ID(2001), Owner: c.Owner, SentOn: "2026-02-20", End: "2026-03-31",
			Contract: contract.WatchedContract{
				SubscriptionID: pfmtest.ID(2101), AccountID: pfmtest.ID(1001), Merchant: pfm.Merchant{ID: pfmtest.ID(77), Name: "Lampe"},
				Subcategory: pfm.HousingTelecom, Amount: money.MustParse("-9.99"), YearlyCost: money.MustParse("119.88"),
				Currency: "EUR", Frequency: "Monthly", TimesPerYear: 12, MandateID: "M-1",
			},
			Last: debit(7, "2026-04-04"), FinalBill: pfmtest.ID(7), AfterEnd: []contract.Debit{refunded},
			Outcome: contract.WatchWaiting, Reason: contract.WatchRefunded, Reports: 3, CheckedOn: "2026-04-20", DueAt: goldenAt(9),
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
func asNew(rows []transaction.Transaction) []transaction.RowChange {
	changes := newRows(rows...)
	for i := range changes {
		changes[i].New.Revision, changes[i].New.Added, changes[i].New.Changed = 0, 0, 0
	}
	return changes
}

// goldenAggregates returns the sums of all time, a month and its days, each by category and
// by merchant.
func goldenAggregates() []transaction.Aggregate {
	none, shop := transaction.TallyKey{Subcategory: pfm.Uncategorised().SubcategoryID}, transaction.TallyKey{MerchantID: pfmtest.ID(77)}
	// Counterparties whose merchant is unknown: Lampe, and one without a name.
	lampe := transaction.TallyKey{MerchantID: "be87a93a-45a2-5bfe-8fec-cbc5ed4f0c3a"}
	nobody := transaction.TallyKey{MerchantID: "8a3c06e5-2df4-5abb-bc8b-6eb801ff8530"}
	groceries := transaction.TallyKey{Subcategory: groceries().SubcategoryID}
	on := func(day int, k transaction.TallyKey) transaction.TallyKey {
		k.Day, k.Currency, k.Type = day, "EUR", transaction.Expense
		return k
	}
	sum := func(amount string, count int) transaction.Tally {
		return transaction.Tally{Amount: money.MustParse(amount), Count: count}
	}
	one, shopped := sum("-9.99", 1), sum("-23.90", 1)
	all := []transaction.Aggregate{
		{ID: transaction.AggregateID{Level: transaction.LevelAllTime}, Version: 2, Tallies: map[transaction.TallyKey]transaction.Tally{
			on(0, none): sum("-39.96", 4), on(0, groceries): shopped,
		}},
		{ID: transaction.AggregateID{Level: transaction.LevelAllTime}, Version: 2, Tallies: map[transaction.TallyKey]transaction.Tally{
			on(0, shop): shopped, on(0, lampe): sum("-29.97", 3), on(0, nobody): one,
		}},
		{ID: transaction.AggregateID{
			Level: transaction.LevelMonth, Month: "2026-02",
		}, Version: 1, Tallies: map[transaction.TallyKey]transaction.Tally{
			on(0, none): sum("-19.98", 2), on(0, groceries): shopped,
		}},
		{ID: transaction.AggregateID{
			Level: transaction.LevelMonth, Month: "2026-02",
		}, Version: 1, Tallies: map[transaction.TallyKey]transaction.Tally{
			on(0, shop): shopped, on(0, lampe): one, on(0, nobody): one,
		}},
		{ID: transaction.AggregateID{
			Level: transaction.LevelDay, Month: "2026-02",
		}, Version: 1, Tallies: map[transaction.TallyKey]transaction.Tally{
			on(5, none): one, on(26, none): one, on(27, groceries): shopped,
		}},
		{ID: transaction.AggregateID{
			Level: transaction.LevelDay, Month: "2026-02",
		}, Version: 1, Tallies: map[transaction.TallyKey]transaction.Tally{
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
	for _, c := range []connection.Connection{full, bare, deleting} {
		c.Status = connection.Active
		require.NoError(t, s.CreateConnection(ctx, c, nil))
	}
	told := full
	told.Events = []pfm.Event{{Type: connection.EventExpiring, At: goldenAt(8), Data: connection.EventData{
		ConnectionID: full.ID, ProviderID: full.ProviderID, Status: full.Status, Reason: full.Reason,
		ConsentExpiresAt: &full.ConsentExpiresAt,
	}}}
	told.Consents = []connection.ConsentRecord{goldenConsent()}
	require.NoError(t, s.SaveConnection(ctx, told, nil,
		connection.SyncJob{
			Action: connection.JobEndConsent, Partner: full.Owner.Partner, User: full.Owner.ID, ConnectionID: full.ID,
			PSUIPAddress: "192.0.2.1", ProviderID: full.ProviderID, ConsentID: "consent-1",
		},
		connection.SyncJob{Partner: full.Owner.Partner, User: full.Owner.ID, ConnectionID: full.ID}))

	l := s.lease(full, "token")
	require.NoError(t, s.TakeAccounts(ctx, l, connection.Takeover{Accounts: goldenAccounts()}))
	rows := goldenRows()
	for _, together := range [][]transaction.Transaction{rows[:1], rows[1:]} {
		require.NoError(t, s.SaveRows(ctx, l, full.Owner, full.ID, asNew(together)))
	}
	// The lease is released, with changes that have not been reported yet.
	require.NoError(t, s.FinishSync(ctx, l, full, func(*connection.Connection) []connection.SyncJob { return nil }))
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
	_, err := s.OverrideCategory(ctx, deleting.Owner, gone.ID, pfm.Uncategorised(), true, goldenAt(9))
	require.NoError(t, err)
	require.NoError(t, s.SaveConnection(ctx, deleting, nil))
	require.NoError(t, s.DeleteData(ctx, deleting.Owner, deleting.ID))
	require.NoError(t, s.SetOutage(ctx, goldenProviders()[0].ID, time.Time{}, goldenAt(9)))
	notes, err := s.ContractNotes(ctx, full.Owner)
	require.NoError(t, err)
	require.NoError(t, s.SaveContractNotes(ctx, goldenContractNotes(notes.Version)))
	testenv.Golden(t, map[string]string{"PfmTable": s.table, "OutboxTable": s.outbox})
}

func goldenConsent() connection.ConsentRecord {
	return connection.ConsentRecord{
		ID: pfmtest.ID(1301), ProviderID: goldenProviders()[0].ID, ProviderName: "Bank", Status: connection.ConsentActive,
		ConsentText: connection.ConsentText{Text: "May we?", Language: "en", Version: 1}, AnsweredAt: goldenAt(1),
		AuthorisedAt: goldenAt(2), EndedAt: goldenAt(4), ValidUntil: goldenAt(3), AccountIDs: []string{pfmtest.ID(1001)},
		KeptUntil: goldenAt(5),
	}
}

func TestGoldenConsentsAreRead(t *testing.T) {
	s, user := goldenStore(t)
	full, _, _ := goldenConnections()
	got, err := s.ConsentRecords(t.Context(), user, full.ID)
	require.NoError(t, err)
	want := goldenConsent()
	want.KeptUntil = time.Time{} // for the table only
	assert.Equal(t, []connection.ConsentRecord{want}, got)
}

// goldenContractNotes follows the version that the sync has written.
func goldenContractNotes(version int64) contract.Notes {
	return contract.Notes{
		Owner: pfmtest.User(), Version: version, CheckAt: goldenAt(9),
		Facts: map[string]contract.Facts{
			"full": {Start: "2024-02-29", Product: &contract.Cancellable{OrganizationID: "o", ProductID: "p"}}, "bare": {},
		},
		Notified: map[string]contract.DeadlineNotice{"full": {SendBy: "2026-05-01", Days: 30}},
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
	outage, err := s.Outage(t.Context(), goldenProviders()[0].ID)
	require.NoError(t, err)
	assert.Equal(t, goldenAt(9), outage)
	countries, err := s.Countries(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []pfm.ProviderCountry{{Code: "AT", ProviderCount: 1}, {Code: "DE", ProviderCount: 1}}, countries)
}

func TestGoldenConnectionsAreRead(t *testing.T) {
	ctx := t.Context()
	s, user := goldenStore(t)
	full, bare, deleting := goldenConnections()
	full.Version, deleting.Version = 2, 1
	held, err := s.Holdings(ctx, user)
	require.NoError(t, err)
	require.Len(t, held.All, 3)
	for i, want := range []connection.Connection{full, bare, deleting} {
		assert.Equal(t, want, held.All[i].Connection)
	}
	page, _, err := s.Connections(ctx, user, 10, "")
	require.NoError(t, err)
	assert.Equal(t, []connection.Connection{full, bare}, page)
	for _, want := range []connection.Connection{full, deleting} {
		kind, at := want.Due()
		assert.Equal(t, []connection.Connection{want}, (&tables{Store: s, t: t}).dueConnections(kind, at))
	}
	whose, err := s.ConnectionOwner(ctx, full.ID)
	require.NoError(t, err)
	assert.Equal(t, user, whose)
	accounts, err := s.ConnectionAccounts(ctx, user, full.ID)
	require.NoError(t, err)
	assert.Equal(t, goldenAccounts(), accounts)
	holdings, err := s.Holdings(ctx, user)
	require.NoError(t, err)
	assert.Equal(t, connection.Holdings{
		Version: 1, Choices: goldenChoices(), ChoicesMade: 1, Watches: goldenWatches(),
		All: []connection.Holding{{Connection: full, Accounts: accounts}, {Connection: bare}, {Connection: deleting}},
	}, holdings)
	views, _, err := s.AccountViews(ctx, user, 10, "")
	require.NoError(t, err)
	require.Len(t, views, 2)
	for i, view := range views {
		assert.Equal(t, connection.AccountView{Account: accounts[i], Connection: full}, view)
	}

	now := pfmtest.NewClock().Now()
	other := connection.Lease{Token: "other", Until: now.Add(time.Hour)}
	_, err = s.AcquireSync(ctx, user, bare.ID, other, now.Add(time.Minute))
	require.ErrorIs(t, err, outcome.ErrChanged, "the lease is held")
	changes, err := s.SyncChanges(ctx, user, full.ID)
	require.NoError(t, err)
	assert.Equal(t, connection.SyncChanges{Added: 5}, changes)
	got, err := s.AcquireSync(ctx, user, full.ID, other, now)
	require.NoError(t, err, "the lease was released")
	assert.Equal(t, full, got.Connection)
	require.NoError(t, s.SaveConnection(ctx, full, nil), "over the version that was read")
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
	for want, f := range map[int]transaction.Filter{
		3: {State: transaction.Uncleared},
		4: {MerchantID: pfmtest.ID(77), AccountID: pfmtest.ID(1001), Category: pfm.FoodGroceries, State: transaction.Cleared},
	} {
		page, _, err := s.Transactions(ctx, user, f, 10, "")
		require.NoError(t, err)
		assert.Equal(t, []transaction.Transaction{listed(rows[want])}, page)
	}
	page, err := s.Changes(ctx, user, transaction.ChangePosition{Read: 6, CaughtUp: 6}, 10)
	require.NoError(t, err)
	assert.Equal(t, transaction.ChangePage{
		Changes: []transaction.Change{{Kind: transaction.Removed, TransactionID: pfmtest.ID(6)}},
		Since:   transaction.ChangePosition{Read: 8, CaughtUp: 8},
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
	l := connection.Lease{Token: "other", Until: goldenAt(24 * 60)}
	_, err = s.AcquireSync(ctx, user, c.ID, l, goldenAt(1))
	require.NoError(t, err)
	require.NoError(t, s.SaveLabels(ctx, l, user, c.ID, pfmtest.ID(1001)), "over the versions that were read")
	one, err = s.Transaction(ctx, user, pfmtest.ID(1))
	require.NoError(t, err)
	assert.True(t, one.Subscription, "the label that was due")
}
