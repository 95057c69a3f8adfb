package app

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/app/banksyncfn"
	"aviso/internal/app/bootstrap"
	"aviso/internal/app/housekeepingfn"
	"aviso/internal/app/outboxrelayfn"
	"aviso/internal/clock"
	"aviso/internal/dynamo"
	"aviso/internal/identity"
	"aviso/internal/identity/identitydb"
	"aviso/internal/messaging/outbox"
	"aviso/internal/notification/notificationdb"
	"aviso/internal/observe"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/pfmdb"
	"aviso/localstack/tests/metrictest"
	"aviso/localstack/tests/notificationtest"
	"aviso/localstack/tests/pfmtest"
	"aviso/localstack/tests/testenv"
)

// hangingQueues returns the environment of a function whose queues do not answer.
func hangingQueues(t *testing.T) map[string]string {
	t.Helper()
	closed := make(chan struct{})
	queues := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-closed }))
	t.Cleanup(queues.Close)
	t.Cleanup(func() { close(closed) })
	env := map[string]string{
		"ENVIRONMENT": "local", "AWS_REGION": "eu-central-1", "AWS_ACCESS_KEY_ID": "local", "AWS_SECRET_ACCESS_KEY": "local",
		"AWS_ENDPOINT_URL_DYNAMODB": *testenv.DynamoDB(t).Options().BaseEndpoint, "AWS_ENDPOINT_URL_SQS": queues.URL,
		"SYNC_QUEUE_URL": queues.URL + "/sync", "LETTER_QUEUE_URL": queues.URL + "/letters", "DELIVERY_QUEUE_URL": queues.URL + "/deliveries",
	}
	for variable, table := range map[string]string{
		"IDENTITY_TABLE": "IdentityTable", "PFM_TABLE": "PfmTable", "CANCELLATION_TABLE": "CancellationTable",
		"NOTIFICATION_TABLE": "NotificationTable", "OUTBOX_TABLE": "OutboxTable", "IDEMPOTENCY_TABLE": "IdempotencyTable",
	} {
		env[variable] = testenv.Table(t, table)
	}
	return env
}

// A queue that takes no messages holds up the outbox, and nothing else.
func TestBacklogHoldsUpNothingElse(t *testing.T) {
	ctx, env, db := t.Context(), hangingQueues(t), testenv.DynamoDB(t)
	people := identitydb.New(db, env["IDENTITY_TABLE"])
	user, _, err := identity.NewUsers(people, time.Now, uuid.NewString).Create(ctx, "sandbox", german("u-1"), nil)
	require.NoError(t, err)
	anHourAgo := func() time.Time { return time.Now().Add(-time.Hour) }
	erasures := identity.NewUsers(people, anHourAgo, uuid.NewString)
	erasure, err := erasures.Erase(ctx, user.Owner)
	require.NoError(t, err)
	var x dynamo.Transaction
	message := outbox.Message{ID: "overdue", Queue: outbox.SyncQueue, Body: 1}
	outbox.Put(t.Context(), &x, outbox.Box{Table: dynamo.NewTable(db, env["OUTBOX_TABLE"])}, message, anHourAgo())
	require.NoError(t, x.Commit(ctx))
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewJSONHandler(&log, nil)))
	t.Cleanup(func() { slog.SetDefault(before) })
	handler, err := housekeepingfn.New(ctx, func(name string) string { return env[name] })
	require.NoError(t, err)

	limited, cancel := context.WithTimeout(ctx, bootstrap.EndBefore+2*time.Second)
	defer cancel()
	_, err = handler.Invoke(limited, []byte("{}"))
	require.ErrorContains(t, err, "send outbox message")
	require.NoError(t, limited.Err(), "the function has time left to log")
	assert.Contains(t, log.String(), `"erasures":1`)
	receipt, err := erasures.Receipt(ctx, "sandbox", erasure.ID)
	require.NoError(t, err)
	assert.Equal(t, identity.ErasureCompleted, receipt.Status)
}

// The relay reports what it could not send while it still can. Otherwise the whole batch
// would be sent again.
func TestRelayEndsBeforeItsTimeOut(t *testing.T) {
	env := hangingQueues(t)
	handler, err := outboxrelayfn.New(t.Context(), func(name string) string { return env[name] })
	require.NoError(t, err)
	event := `{"Records":[{"eventName":"INSERT","dynamodb":{"SequenceNumber":"7","NewImage":{
		"pk":{"S":"a"},"queue":{"S":"sync"},"body":{"S":"1"}}}}]}`

	limited, cancel := context.WithTimeout(t.Context(), bootstrap.EndBefore+2*time.Second)
	defer cancel()
	answer, err := handler.Invoke(limited, []byte(event))
	require.NoError(t, err)
	require.NoError(t, limited.Err(), "the function has time left to answer")
	var response events.DynamoDBEventResponse
	require.NoError(t, json.Unmarshal(answer, &response))
	assert.Equal(t, []events.DynamoDBBatchItemFailure{{ItemIdentifier: "7"}}, response.BatchItemFailures)
}

// The log line says how late the oldest due work is and how much had come to nothing, and a
// run of another part than the first does nothing but connections.
func TestHousekeepingTellsHowLateItIs(t *testing.T) {
	env := hangingQueues(t)
	now := time.Now()
	store := pfmdb.New(testenv.DynamoDB(t), env["PFM_TABLE"], env["OUTBOX_TABLE"], time.Now, uuid.NewString)
	require.NoError(t, store.CreateConnection(t.Context(), connection.Connection{
		ID: uuid.NewString(), Owner: owner.User{Partner: "sandbox", ID: "u-1"}, Status: connection.Pending,
		Authorisation: &connection.Authorisation{ExpiresAt: now.Add(-time.Hour)},
	}, nil))
	notices := notificationdb.New(testenv.DynamoDB(t), env["NOTIFICATION_TABLE"], env["OUTBOX_TABLE"], nil, time.Now, uuid.NewString)
	delivery := notificationtest.SampleDelivery(notificationtest.SampleSubscription())
	delivery.User, delivery.WakeAt = "", clock.Real(now.Add(-2*time.Hour))
	_, err := notificationtest.Create(t.Context(), notices, delivery)
	require.NoError(t, err)
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewJSONHandler(&log, nil)).With(observe.Stack, "test"))
	t.Cleanup(func() { slog.SetDefault(before) })
	handler, err := housekeepingfn.New(t.Context(), func(name string) string { return env[name] })
	require.NoError(t, err)
	run := func(event string) map[string]any {
		t.Helper()
		log.Reset()
		_, err := handler.Invoke(t.Context(), []byte(event))
		require.NoError(t, err)
		var line map[string]any
		require.NoError(t, json.Unmarshal(log.Bytes(), &line))
		return line
	}

	line := run("{}")
	assert.InDelta(t, 7200, line["late"].(map[string]any)["Delivery"], 60)
	assert.InDelta(t, 7200, line["DueLate"], 60)
	assert.EqualValues(t, 1, line["deliveries"])
	metrictest.Assert(t, line, observe.Repeated, "Count", 1)
	// Each schedule has its turn with the first part, in which everything else is done.
	for tried := false; !tried; {
		minute, everything := time.Now().Minute(), 0
		for part := range 2 {
			line := run(fmt.Sprintf(`{"part":%d,"parts":2}`, part))
			assert.Equal(t, line["resent"] != nil, line["erasures"] != nil)
			if line["erasures"] != nil {
				everything++
			}
		}
		if tried = minute == time.Now().Minute(); tried {
			assert.Equal(t, 1, everything)
		}
	}
	// Without the user the write is refused, so the connection stays due.
	line = run("{}")
	assert.EqualValues(t, 0, line["Repeated"])
	assert.InDelta(t, 3600, line["DueLate"], 60)
	assert.InDelta(t, 3600, line["late"].(map[string]any)["Link"], 60)
	assert.Contains(t, log.String(), `{"Name":"DueLate","Unit":"Seconds"}`)
	assert.NotContains(t, log.String(), `{"Name":"Repeated"`, "a metric costs nothing while it has no value")
}

// bank-sync records what a hanging bank has cost while it still can. Otherwise its messages
// and the lease would be out of reach until they expire.
func TestBankSyncEndsBeforeItsTimeOut(t *testing.T) {
	closed := make(chan struct{})
	bank := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-closed }))
	t.Cleanup(bank.Close)
	t.Cleanup(func() { close(closed) })
	env, c := bankSyncOf(t, bank.URL)
	invoke := bankSync(t, env)
	store := pfmdb.New(testenv.DynamoDB(t), env["PFM_TABLE"], env["OUTBOX_TABLE"], time.Now, uuid.NewString)
	require.NoError(t, store.CreateConnection(t.Context(), c, nil))

	limited, cancel := context.WithTimeout(t.Context(), bootstrap.EndBefore+2*time.Second)
	defer cancel()
	failures := invoke(limited, c)
	require.NoError(t, limited.Err(), "the function has time left to answer")
	assert.Equal(t, []events.SQSBatchItemFailure{{ItemIdentifier: c.ID}}, failures)
	got, err := store.Connection(t.Context(), c.Owner, c.ID)
	require.NoError(t, err)
	assert.NotEmpty(t, got.Reason)
}

// After three connections of a bank have failed, the next one waits without an attempt.
func TestBankSyncLeavesABankThatIsDownAlone(t *testing.T) {
	var calls atomic.Int64
	bank := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		calls.Add(1)
		w.WriteHeader(http.StatusBadGateway)
	}))
	t.Cleanup(bank.Close)
	env, c := bankSyncOf(t, bank.URL)
	invoke := bankSync(t, env)
	store := pfmdb.New(testenv.DynamoDB(t), env["PFM_TABLE"], env["OUTBOX_TABLE"], time.Now, uuid.NewString)
	all := make([]connection.Connection, 4)
	for i := range all {
		c.ID = uuid.NewString()
		all[i] = c
		require.NoError(t, store.CreateConnection(t.Context(), all[i], nil))
	}
	assert.Len(t, invoke(t.Context(), all[:3]...), 3)
	asked := calls.Load()
	assert.Empty(t, invoke(t.Context(), all[3]), "its message is done")
	assert.Equal(t, asked, calls.Load())
	url := env["SYNC_WAIT_QUEUE_URL"]
	delayed := types.QueueAttributeNameApproximateNumberOfMessagesDelayed
	out, err := testenv.SQS(t).GetQueueAttributes(t.Context(), &sqs.GetQueueAttributesInput{
		QueueUrl: &url, AttributeNames: []types.QueueAttributeName{delayed},
	})
	require.NoError(t, err)
	assert.Equal(t, "1", out.Attributes[string(delayed)])
	got, err := store.Connection(t.Context(), c.Owner, all[3].ID)
	require.NoError(t, err)
	assert.Equal(t, connection.StatusReason(pfm.SupplierUnavailable), got.Reason)
}

// bankSyncOf returns the environment of bank-sync, with a bank at that address, and a
// connection to it of a user, with a refresh that waits for its job.
func bankSyncOf(t *testing.T, bankURL string) (env map[string]string, c connection.Connection) {
	t.Helper()
	env = newRotation(t).env
	env["SYNC_QUEUE_URL"], env["AWS_ENDPOINT_URL_SQS"] = testenv.Queue(t, "SyncQueue"), *testenv.SQS(t).Options().BaseEndpoint
	env["SYNC_WAIT_QUEUE_URL"] = testenv.Queue(t, "SyncWaitQueue")
	people := identitydb.New(testenv.DynamoDB(t), env["IDENTITY_TABLE"])
	user, _, err := identity.NewUsers(people, time.Now, uuid.NewString).Create(t.Context(), "sandbox", german("u-1"), nil)
	require.NoError(t, err)
	agreements := identity.NewAgreements(people, time.Now)
	for _, terms := range identity.PFMTerms() {
		require.NoError(t, agreements.Publish(t.Context(), identity.Terms{Type: terms, Version: "1", URL: "https://aviso.example"}))
		_, err := agreements.Accept(t.Context(), user.Owner, terms, "1", nil)
		require.NoError(t, err)
	}
	store := pfmdb.New(testenv.DynamoDB(t), env["PFM_TABLE"], env["OUTBOX_TABLE"], time.Now, uuid.NewString)
	provider := pfmtest.Provider()
	provider.ID, provider.Endpoint.BaseURL = uuid.NewString(), bankURL
	require.NoError(t, store.PutProvider(t.Context(), provider))
	return env, connection.Connection{
		ID: uuid.NewString(), Owner: user.Owner, ProviderID: provider.ID, Status: connection.Active, ConsentID: "consent",
		ConsentExpiresAt: time.Now().Add(time.Hour), SyncRequestedAt: time.Now(),
	}
}

// bankSync returns what invokes the function with a job for each connection.
func bankSync(t *testing.T, env map[string]string) func(context.Context, ...connection.Connection) []events.SQSBatchItemFailure {
	t.Helper()
	handler, err := banksyncfn.New(t.Context(), func(name string) string { return env[name] })
	require.NoError(t, err)
	return func(ctx context.Context, connections ...connection.Connection) []events.SQSBatchItemFailure {
		var batch events.SQSEvent
		for _, c := range connections {
			job, err := json.Marshal(connection.SyncJob{
				Partner: c.Owner.Partner, User: c.Owner.ID, ConnectionID: c.ID, ProviderID: c.ProviderID,
			})
			require.NoError(t, err)
			batch.Records = append(batch.Records, events.SQSMessage{MessageId: c.ID, Body: string(job)})
		}
		event, err := json.Marshal(batch)
		require.NoError(t, err)
		answer, err := handler.Invoke(ctx, event)
		require.NoError(t, err)
		var response events.SQSEventResponse
		require.NoError(t, json.Unmarshal(answer, &response))
		return response.BatchItemFailures
	}
}
