package connection_test

import (
	"cmp"
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"aviso/internal/messaging/outbox"
	"aviso/internal/messaging/overdue"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/dynamo"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/pfmdb"
	"aviso/internal/pfm/transaction"
	"aviso/localstack/tests/logtest"
	"aviso/localstack/tests/pfmtest"
	"aviso/localstack/tests/testenv"
)

const (
	returnURL = "https://partner.example/back?order=4711"
	base      = "https://api.example"
)

var visitor = connection.Visitor{IPAddress: "203.0.113.7", UserAgent: "Browser", BaseURL: base}

// world is the area with the real store, a fake bank and a fake clock.
type world struct {
	*testing.T
	clock       *pfmtest.Clock
	bank        *pfmtest.Bank
	store       *pfmdb.Store
	connections *connection.Connections
	syncer      loggedJobs
	reading     *transaction.Reading
	chores      *overdue.Housekeeping
	// visitor is the user's browser.
	visitor connection.Visitor
	// refuse makes the nth transaction, batch or update from now on fail, counting from 1.
	refuse atomic.Int64

	db            *dynamodb.Client
	table, outbox string
	// links are the secrets of the latest links, keys what the user's browser got from
	// them, both by connection.
	links, keys sync.Map
}

// loggedJobs logs the errors of jobs, which have no personal data.
type loggedJobs struct{ *connection.Jobs }

func (j loggedJobs) Do(ctx context.Context, job connection.SyncJob, attempt int) error {
	return logtest.Error(j.Jobs.Do(ctx, job, attempt))
}

func (j loggedJobs) Sync(ctx context.Context, job connection.SyncJob, attempt int) error {
	return logtest.Error(j.Syncer.Sync(ctx, job, attempt))
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{
		T: t, clock: pfmtest.NewClock(), bank: &pfmtest.Bank{}, visitor: visitor,
		table: testenv.Table(t, "PfmTable"), outbox: testenv.Table(t, "OutboxTable"),
	}
	w.db = dynamodb.New(testenv.DynamoDB(t).Options(), testenv.Around(w.refuseWrites))
	w.store = pfmdb.New(w.db, w.table, w.outbox, w.clock.Now, uuid.NewString)
	w.store.SpreadDue(2) // housekeeping runs hundreds of times
	require.NoError(t, w.store.PutProvider(t.Context(), pfmtest.Provider()))
	w.connections = w.connectionsBehind(pfmtest.Gate{})
	w.syncer = loggedJobs{pfmtest.Jobs(w.store, logtest.Banks(w.bank.Of), pfmtest.Enrich, w.clock.Now)}
	w.chores = connection.NewHousekeeping(w.store, 90, w.clock.Now)
	w.reading = transaction.NewReading(w.store, pfmtest.Gate{}, w.clock.Now)
	return w
}

func (w *world) connectionsBehind(g owner.Gate) *connection.Connections {
	return connection.New(connection.Deps{
		Store: w.store, Bank: w.bank.Of, Gate: g, AnyUser: pfmtest.Gate{}, ReturnURL: pfmtest.ReturnURLs{returnURL}.Choose,
		Now: w.clock.Now, NewID: uuid.NewString, NewSecret: uuid.NewString,
	})
}

// refuseWrites makes a chosen write fail as if the table were unavailable.
func (w *world) refuseWrites(call any, next func() (any, error)) (any, error) {
	switch call.(type) {
	case *dynamodb.TransactWriteItemsInput, *dynamodb.BatchWriteItemInput, *dynamodb.UpdateItemInput:
		if w.refuse.Add(-1) == 0 {
			return nil, &types.InternalServerError{}
		}
	}
	return next()
}

// create creates a connection whose link nobody has opened.
func (w *world) create() connection.Connection {
	w.Helper()
	c, err := w.connections.Create(w.Context(), pfmtest.User(), pfmtest.Provider().ID, returnURL, nil)
	require.NoError(w, err)
	w.links.Store(c.ID, c.Authorisation.Link)
	return c
}

// visit opens the latest link of the connection in the user's browser.
func (w *world) visit(id string) (connection.Visit, error) {
	w.Helper()
	link, _ := w.links.Load(id)
	secret, _ := link.(string)
	visit, err := w.connections.Open(w.Context(), id, secret, w.visitor)
	if visit.BrowserKey != "" {
		w.keys.Store(id, visit.BrowserKey)
	}
	return visit, err
}

// back returns from the bank in the user's browser.
func (w *world) back(state string, refused bool) (connection.Visit, error) {
	w.Helper()
	user := w.visitor
	key, _ := w.keys.Load(connection.IDOf(state))
	user.BrowserKey, _ = key.(string)
	return w.connections.Finish(w.Context(), callbackPath, callback(state, refused), user)
}

// finish is like back for a user who has not refused, and succeeds.
func (w *world) finish(state string) connection.Visit {
	w.Helper()
	visit, err := w.back(state, false)
	require.NoError(w, err)
	return visit
}

// state is that of the bank's latest request.
func (w *world) state() string {
	return stateOf(w, w.bank.Requested[len(w.bank.Requested)-1])
}

// callbackPath is where the bank sends users back.
var callbackPath = "/connect/callback/" + pfmtest.Provider().ID

// callback is the query with which the bank sends the user back.
func callback(state string, refused bool) url.Values {
	q := url.Values{"state": {state}}
	if refused {
		q.Set("refused", "true")
	}
	return q
}

// open creates a connection and opens its link. It returns the state that the bank
// sends back.
func (w *world) open() (c connection.Connection, state string) {
	w.Helper()
	c = w.create()
	_, err := w.visit(c.ID)
	require.NoError(w, err)
	return w.read(c.ID), w.state()
}

// activate creates a connection that waits for its first sync.
func (w *world) activate() connection.Connection {
	w.Helper()
	c, state := w.open()
	w.bank.SetConsent(c.Authorisation.ConsentID, pfm.Consent{State: pfm.ConsentValid, ValidUntil: "2026-08-01"})
	w.finish(state)
	return w.read(c.ID)
}

// synced creates a connection whose accounts and rows have been read.
func (w *world) synced() connection.Connection {
	w.Helper()
	c := w.activate()
	w.bank.Listed = []pfm.BankAccount{current("r1", "DE1"), current("r2", "DE2")}
	w.bank.Rows = map[string][]pfm.BankTransaction{
		"r1": {booked("2026-03-01", "t1", "-23.90"), booked("2026-02-01", "t2", "-1.00")}, "r2": {booked("2026-02-01", "t3", "1800.00")},
	}
	w.run(w.jobs()...)
	require.Len(w, w.transactions(), 3)
	return w.read(c.ID)
}

// synced returns a world with a connection that has been read; see world.synced.
func synced(t *testing.T) (*world, connection.Connection) {
	t.Helper()
	w := newWorld(t)
	c := w.synced()
	return w, c
}

// activated returns a world with a connection that waits for its first sync.
func activated(t *testing.T) (*world, connection.Connection) {
	t.Helper()
	w := newWorld(t)
	c := w.activate()
	return w, c
}

// reading is like activated. The bank lists one account with these rows.
func reading(t *testing.T, rows ...pfm.BankTransaction) (*world, connection.Connection) {
	t.Helper()
	w, c := activated(t)
	w.bank.Listed = []pfm.BankAccount{current("r1", "DE1")}
	w.bank.Rows = map[string][]pfm.BankTransaction{"r1": rows}
	return w, c
}

// approved returns a world with a consent that the user has approved at the bank, before they come back.
func approved(t *testing.T) (w *world, c connection.Connection, state string) {
	t.Helper()
	w = newWorld(t)
	c, state = w.open()
	w.bank.SetConsent("consent-1", pfm.Consent{State: pfm.ConsentValid})
	return w, c, state
}

// run runs jobs as the bank-sync function would, and removes all jobs.
func (w *world) run(jobs ...connection.SyncJob) {
	w.Helper()
	for _, job := range jobs {
		require.NoError(w, w.syncer.Do(w.Context(), job, 1))
	}
	w.dropJobs()
}

// dropJobs removes all jobs.
func (w *world) dropJobs() {
	w.Helper()
	for id := range w.messages(outbox.SyncQueue) {
		w.take(id)
	}
}

// takeEvents returns and removes the events so far, ordered by time and type.
func (w *world) takeEvents() []outbox.Event {
	w.Helper()
	var events []outbox.Event
	for id, body := range w.messages(outbox.EventQueue) {
		var e outbox.Event
		require.NoError(w, json.Unmarshal([]byte(body), &e))
		assert.Equal(w, id, e.ID)
		events = append(events, e)
		w.take(id)
	}
	slices.SortFunc(events, func(a, b outbox.Event) int {
		return cmp.Or(a.OccurredAt.Compare(b.OccurredAt), strings.Compare(a.Type, b.Type))
	})
	return events
}

// messages returns the outbox messages for a queue, by ID.
func (w *world) messages(queueName string) map[string]string {
	w.Helper()
	messages := map[string]string{}
	for row, err := range dynamo.NewTable(w.db, w.outbox).Scan(w.Context(), dynamo.Query{}) {
		require.NoError(w, err)
		if dynamo.Text(row, "queue") == queueName {
			messages[dynamo.Text(row, "pk")] = dynamo.Text(row, "body")
		}
	}
	return messages
}

func (w *world) take(id string) {
	w.Helper()
	_, err := w.db.DeleteItem(w.Context(), &dynamodb.DeleteItemInput{TableName: &w.outbox, Key: dynamo.Item{"pk": dynamo.S(id)}})
	require.NoError(w, err)
}

func (w *world) read(id string) connection.Connection {
	w.Helper()
	c, err := w.store.Connection(w.Context(), pfmtest.User(), id)
	require.NoError(w, err)
	return c
}

// shows requires this status and reason of a connection, and returns it.
func (w *world) shows(id string, status connection.Status, reason connection.StatusReason) connection.Connection {
	w.Helper()
	c := w.read(id)
	assert.Equal(w, status, c.Status)
	assert.Equal(w, reason, c.Reason)
	return c
}

// request requests a sync, as a refresh would.
func (w *world) request(id string) connection.Connection {
	w.Helper()
	c := w.read(id)
	c.SyncRequestedAt = w.clock.Now()
	require.NoError(w, w.store.SaveConnection(w.Context(), c, nil))
	return c
}

// refresh refreshes a connection without its user.
func (w *world) refresh(id string) connection.Connection {
	w.Helper()
	c, err := w.connections.Refresh(w.Context(), pfmtest.User(), id, connection.Visitor{}, nil)
	require.NoError(w, err)
	return c
}

// housekeep runs housekeeping, and returns how much it changed.
func (w *world) housekeep() int {
	w.Helper()
	changed, err := w.chores.Run(w.Context())
	require.NoError(w, err)
	return changed
}

// rows returns all stored rows of the user.
func (w *world) rows() []dynamo.Item {
	w.Helper()
	var rows []dynamo.Item
	pages := dynamodb.NewQueryPaginator(w.db, &dynamodb.QueryInput{
		TableName: &w.table, ConsistentRead: new(true), KeyConditionExpression: new("pk = :pk"),
		ExpressionAttributeValues: dynamo.Item{":pk": dynamo.S(pfmtest.User().Key())},
	})
	for pages.HasMorePages() {
		out, err := pages.NextPage(w.Context())
		require.NoError(w, err)
		rows = append(rows, out.Items...)
	}
	return rows
}

// jobs returns the jobs so far.
func (w *world) jobs() []connection.SyncJob {
	w.Helper()
	var jobs []connection.SyncJob
	for _, body := range w.messages(outbox.SyncQueue) {
		var job connection.SyncJob
		require.NoError(w, json.Unmarshal([]byte(body), &job))
		jobs = append(jobs, job)
	}
	return jobs
}

// transactions returns all of the user's transactions, newest first.
func (w *world) transactions() []transaction.Transaction {
	w.Helper()
	all, err := w.store.TransactionsSince(w.Context(), pfmtest.User(), "")
	require.NoError(w, err)
	slices.Reverse(all)
	return all
}

// by returns the row with this ID of the bank.
func (w *world) by(id string) transaction.Transaction {
	w.Helper()
	for _, t := range w.transactions() {
		if t.BankID == id {
			return t
		}
	}
	w.Fatalf("no row %s", id)
	return transaction.Transaction{}
}

// categorise sets the user's category of a row or, forMerchant, of all rows of its merchant.
func (w *world) categorise(id string, category int, forMerchant bool) transaction.Transaction {
	w.Helper()
	t, err := w.reading.Categorise(w.Context(), pfmtest.User(), id, category, forMerchant)
	require.NoError(w, err)
	return t
}

// changes returns the first changes after a position.
func (w *world) changes(since transaction.ChangePosition) transaction.ChangePage {
	w.Helper()
	page, err := w.store.Changes(w.Context(), pfmtest.User(), since, 200)
	require.NoError(w, err)
	return page
}

func (w *world) accounts() []pfm.Account {
	w.Helper()
	views, next, err := w.store.AccountViews(w.Context(), pfmtest.User(), 200, "")
	require.NoError(w, err)
	require.Empty(w, next)
	accounts := make([]pfm.Account, len(views))
	for i, v := range views {
		accounts[i] = v.Account
	}
	return accounts
}

func (w *world) accountIDs() (ids []string) {
	w.Helper()
	for _, a := range w.accounts() {
		ids = append(ids, a.ID)
	}
	return ids
}

// fourReads are as many reads without the user as 24 hours allow.
func fourReads(at time.Time) []time.Time { return []time.Time{at, at, at, at} }
