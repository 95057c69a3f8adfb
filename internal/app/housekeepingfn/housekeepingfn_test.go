package housekeepingfn

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/dynamo"
	"aviso/internal/identity"
	"aviso/internal/identity/identitydb"
	"aviso/internal/outbox"
	"aviso/internal/owner"
	"aviso/localstack/testenv"
)

// A queue that takes no messages holds up the outbox, and nothing else.
func TestBacklogHoldsUpNothingElse(t *testing.T) {
	ctx := t.Context()
	closed := make(chan struct{})
	queues := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-closed }))
	t.Cleanup(queues.Close)
	t.Cleanup(func() { close(closed) })
	db := testenv.DynamoDB(t)
	env := map[string]string{
		"ENVIRONMENT": "local", "AWS_REGION": "eu-central-1", "AWS_ACCESS_KEY_ID": "local", "AWS_SECRET_ACCESS_KEY": "local",
		"AWS_ENDPOINT_URL_DYNAMODB": *db.Options().BaseEndpoint, "AWS_ENDPOINT_URL_SQS": queues.URL,
		"SYNC_QUEUE_URL": queues.URL + "/sync", "LETTER_QUEUE_URL": queues.URL + "/letters", "DELIVERY_QUEUE_URL": queues.URL + "/deliveries",
	}
	for variable, table := range map[string]string{
		"IDENTITY_TABLE": "IdentityTable", "PFM_TABLE": "PfmTable", "CANCELLATION_TABLE": "CancellationTable",
		"NOTIFICATION_TABLE": "NotificationTable", "OUTBOX_TABLE": "OutboxTable", "IDEMPOTENCY_TABLE": "IdempotencyTable",
	} {
		env[variable] = testenv.Table(t, table)
	}
	people := identitydb.New(db, env["IDENTITY_TABLE"])
	user, _, err := identity.NewUsers(people, time.Now, uuid.NewString).Create(ctx, "sandbox",
		identity.NewUser{ExternalID: "u-1", CountryCode: "DE", LanguageCode: "de"})
	require.NoError(t, err)
	anHourAgo := func() time.Time { return time.Now().Add(-time.Hour) }
	erasures := identity.NewErasures(people, anHourAgo, uuid.NewString)
	erasure, err := erasures.Begin(ctx, user.Owner)
	require.NoError(t, err)
	var x dynamo.Transaction
	outbox.Put(&x, dynamo.NewTable(db, env["OUTBOX_TABLE"]), outbox.Message{ID: "overdue", Queue: outbox.SyncQueue, Body: 1}, anHourAgo())
	require.NoError(t, x.Commit(ctx))
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewJSONHandler(&log, nil)))
	t.Cleanup(func() { slog.SetDefault(before) })
	handler, err := New(ctx, func(name string) string { return env[name] })
	require.NoError(t, err)

	limited, cancel := context.WithTimeout(ctx, stopBefore+2*time.Second)
	defer cancel()
	_, err = handler.Invoke(limited, []byte("{}"))
	require.ErrorContains(t, err, "send outbox message")
	require.NoError(t, limited.Err(), "the function has time left to log")
	assert.Contains(t, log.String(), `"erasures":1`)
	receipt, err := erasures.Receipt(ctx, owner.PartnerID("sandbox"), erasure.ID)
	require.NoError(t, err)
	assert.Equal(t, identity.ErasureCompleted, receipt.Status)
}
