package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api/idempotency"
	"aviso/internal/dynamo"
	"aviso/internal/identity"
	"aviso/internal/identity/identitydb"
	"aviso/internal/messaging/outbox"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/pfmdb"
	"aviso/internal/pfm/transaction"
	"aviso/localstack/tests/pfmtest"
	"aviso/localstack/tests/testenv"
)

const returnURL = "https://partner.example/back"

// gate is the gate of the function pfm.
type gate struct{ agreements *identity.Agreements }

func (g gate) Admit(ctx context.Context, user owner.User) error {
	return g.agreements.Admit(ctx, user, identity.TermsOperator, identity.TermsBankingSupplier)
}

// world is everything that an erasure affects, on the real stores, with a bank and a
// clock that the test controls.
type world struct {
	*testing.T
	db          *dynamodb.Client
	tables      map[string]string
	clock       *pfmtest.Clock
	bank        *pfmtest.Bank
	people      *identitydb.Store
	users       *identity.Users
	runner      *identity.ErasureRunner
	store       *pfmdb.Store
	connections *connection.Connections
	deleter     *connection.Jobs
	answers     *idempotency.Store
	attempts    map[string]int
	told        []outbox.Event // what partners were told in the minutes that passed
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{T: t, clock: pfmtest.NewClock(), bank: &pfmtest.Bank{}, tables: map[string]string{}, attempts: map[string]int{}}
	for _, id := range []string{"IdentityTable", "PfmTable", "OutboxTable", "IdempotencyTable"} {
		w.tables[id] = testenv.Table(t, id)
	}
	w.db = testenv.DynamoDB(t)
	w.people = identitydb.New(w.db, w.tables["IdentityTable"])
	w.users = identity.NewUsers(w.people, w.clock.Now, uuid.NewString)
	w.store = pfmdb.New(w.db, w.tables["PfmTable"], w.tables["OutboxTable"], w.clock.Now, uuid.NewString)
	w.store.RequireUsers(w.tables["IdentityTable"])
	w.answers = idempotency.New(w.db, w.tables["IdempotencyTable"])
	w.runner = identity.NewErasureRunner(
		identitydb.NewErasureTaskStore(w.people, w.tables["OutboxTable"], uuid.NewString), w.clock.Now,
		&connection.Eraser{Store: w.store, Now: w.clock.Now}, idempotency.New(w.db, w.tables["IdempotencyTable"]),
	)
	w.deleter = pfmtest.Jobs(w.store, w.bank.Of, pfmtest.Enrich, w.clock.Now)
	agreements := identity.NewAgreements(w.people, w.clock.Now)
	w.connections = connection.New(connection.Deps{
		Store: w.store, Bank: w.bank.Of, Gate: gate{agreements}, AnyUser: agreements.Gate(),
		ReturnURL: pfmtest.ReturnURLs{returnURL}.Choose,
		Now:       w.clock.Now, NewID: uuid.NewString, NewSecret: uuid.NewString,
	})
	require.NoError(t, w.store.PutProvider(t.Context(), pfmtest.Provider()))
	for _, terms := range identity.TermsTypes() {
		require.NoError(t, agreements.Publish(t.Context(), identity.Terms{Type: terms, Version: "1", URL: "https://aviso.example/terms"}))
	}
	return w
}

func german(externalID string) identity.NewUser {
	return identity.NewUser{ExternalID: externalID, CountryCode: "DE", LanguageCode: "de"}
}

// user creates a user with all kinds of data: two connections, of which one has
// two accounts of 20 transactions each; two stored answers; two acceptances.
func (w *world) user(externalID string) owner.User {
	w.Helper()
	u, _, err := w.users.Create(w.Context(), "sandbox", german(externalID), nil)
	require.NoError(w, err)
	user := u.Owner
	agreements := identity.NewAgreements(w.people, w.clock.Now)
	for _, terms := range []identity.TermsType{identity.TermsOperator, identity.TermsBankingSupplier} {
		_, err := agreements.Accept(w.Context(), user, terms, "1", nil)
		require.NoError(w, err)
	}
	_, err = w.connections.Create(w.Context(), user, pfmtest.Provider().ID, returnURL, nil)
	require.NoError(w, err)
	c, lease := w.syncing(user)
	for range 2 {
		a := w.fill(c, lease, 20)
		require.NotEmpty(w, a)
	}
	require.NoError(w, w.store.FinishSync(w.Context(), lease, c, func(*connection.Connection) []connection.SyncJob { return nil }))
	for i := range 2 {
		require.NoError(w, w.answers.Keep(w.Context(), user, fmt.Sprint(i), idempotency.Answer{}, w.clock.Now()))
	}
	return user
}

// whole is the final receipt of such a user.
func whole() map[string]int {
	return map[string]int{"users": 1, "termsAcceptances": 2, "connections": 2, "accounts": 2, "transactions": 40, "storedAnswers": 2}
}

// syncing returns a connection that a sync is about to write.
func (w *world) syncing(user owner.User) (connection.Connection, connection.Lease) {
	w.Helper()
	c := connection.Connection{
		ID: uuid.NewString(), Owner: user, ProviderID: pfmtest.Provider().ID, Status: connection.Active,
		ConsentID: "consent-of-" + string(user.ID), CreatedAt: w.clock.Now(),
		ConsentExpiresAt: w.clock.Now().AddDate(0, 6, 0),
	}
	require.NoError(w, w.store.CreateConnection(w.Context(), c, nil))
	lease := connection.Lease{Token: uuid.NewString(), Until: w.clock.Now().Add(time.Hour)}
	_, err := w.store.AcquireSync(w.Context(), user, c.ID, lease, w.clock.Now())
	require.NoError(w, err)
	return c, lease
}

// fill writes an account with n transactions under the lease.
func (w *world) fill(c connection.Connection, lease connection.Lease, n int) pfm.Account {
	w.Helper()
	a := pfm.Account{ID: uuid.NewString(), Owner: c.Owner, ConnectionID: c.ID}
	require.NoError(w, w.store.SaveAccounts(w.Context(), lease, []pfm.Account{a}))
	rows := make([]transaction.RowChange, n)
	for i := range rows {
		rows[i].New = transaction.Transaction{
			ID: uuid.NewString(), Owner: c.Owner, AccountID: a.ID, ConnectionID: c.ID, State: transaction.Cleared,
			RecordDate: pfm.Date(fmt.Sprintf("2026-02-%02d", 1+i)),
		}
	}
	require.NoError(w, w.store.SaveRows(w.Context(), lease, c.Owner, c.ID, rows))
	return a
}

// begin starts the user's erasure and returns the receipt's ID.
func (w *world) begin(user owner.User) string {
	w.Helper()
	e, err := w.users.Erase(w.Context(), user)
	require.NoError(w, err)
	assert.Equal(w, identity.ErasureRunning, e.Status)
	return e.ID
}

// minute runs what happens in a minute: housekeeping, and bank-sync processing
// the outbox. Failed jobs remain for the next minute.
func (w *world) minute() error {
	w.clock.Advance(time.Minute)
	_, err := w.runner.Run(w.Context())
	for id, job := range w.jobs() {
		w.attempts[id]++
		if failed := w.deleter.Delete(w.Context(), job, w.attempts[id]); failed != nil {
			err = errors.Join(err, failed)
			continue
		}
		w.take(id)
	}
	for id, body := range w.messages(outbox.EventQueue) {
		var e outbox.Event
		require.NoError(w, json.Unmarshal([]byte(body), &e))
		w.told = append(w.told, e)
		w.take(id)
	}
	return err
}

func (w *world) take(id string) {
	w.Helper()
	row := &dynamodb.DeleteItemInput{TableName: new(w.tables["OutboxTable"]), Key: dynamo.Item{"pk": dynamo.S(id)}}
	_, err := w.db.DeleteItem(w.Context(), row)
	require.NoError(w, err)
}

// messages returns the messages in the outbox for the queue, by ID.
func (w *world) messages(queueName string) map[string]string {
	w.Helper()
	messages := map[string]string{}
	for _, item := range w.scan("OutboxTable") {
		var r struct {
			PK    string `dynamodbav:"pk"`
			Queue string `dynamodbav:"queue"`
			Body  string `dynamodbav:"body"`
		}
		require.NoError(w, attributevalue.UnmarshalMap(item, &r))
		if r.Queue == queueName {
			messages[r.PK] = r.Body
		}
	}
	return messages
}

func (w *world) jobs() map[string]connection.SyncJob {
	w.Helper()
	jobs := map[string]connection.SyncJob{}
	for id, body := range w.messages(outbox.SyncQueue) {
		var job connection.SyncJob
		require.NoError(w, json.Unmarshal([]byte(body), &job))
		require.Contains(w, []connection.JobAction{connection.JobDelete, connection.JobWatch}, job.Action)
		jobs[id] = job
	}
	return jobs
}

func (w *world) receipt(id string) identity.ErasureReceipt {
	w.Helper()
	e, err := w.users.Receipt(w.Context(), "sandbox", id)
	require.NoError(w, err)
	return e
}

func (w *world) scan(table string) []dynamo.Item {
	w.Helper()
	var items []dynamo.Item
	pages := dynamodb.NewScanPaginator(w.db, &dynamodb.ScanInput{TableName: new(w.tables[table]), ConsistentRead: new(true)})
	for pages.HasMorePages() {
		out, err := pages.NextPage(w.Context())
		require.NoError(w, err)
		items = append(items, out.Items...)
	}
	return items
}

// traces returns all rows of all tables that name the user.
func (w *world) traces(user owner.User) []string {
	w.Helper()
	var found []string
	for table := range w.tables {
		for _, item := range w.scan(table) {
			var plain map[string]any
			require.NoError(w, attributevalue.UnmarshalMap(item, &plain))
			text, err := json.Marshal(plain)
			require.NoError(w, err)
			bytesToo := fmt.Sprintf("%s", plain) // JSON has bytes in base64
			if strings.Contains(string(text)+bytesToo, string(user.ID)) {
				found = append(found, table+" "+string(text))
			}
		}
	}
	return found
}

// completed asserts that the erasure completes within a few minutes and leaves nothing.
func (w *world) completed(user owner.User, id string) {
	w.Helper()
	for range 8 {
		_ = w.minute()
		if w.receipt(id).Status == identity.ErasureCompleted {
			break
		}
	}
	e := w.receipt(id)
	require.Equal(w, identity.ErasureCompleted, e.Status)
	assert.Equal(w, whole(), e.Counts)
	assert.True(w, e.CompletedAt.After(e.RequestedAt) && !e.CompletedAt.After(w.clock.Now()), e.CompletedAt)
	assert.Empty(w, w.traces(user))
	if assert.Len(w, w.told, 1, "one event, and none for the connections") {
		told := w.told[0]
		assert.Equal(w, identity.EventUserErased, told.Type)
		assert.Equal(w, owner.User{Partner: told.Partner, ID: told.User}, user)
		assert.True(w, told.OccurredAt.Time().Equal(e.CompletedAt))
		assert.JSONEq(w, `{"erasureId":"`+id+`"}`, string(told.Data))
	}
	assert.Contains(w, w.bank.Ended, "consent-of-"+string(user.ID))
}
