package consoledb_test

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/console/consoledb"
	"aviso/internal/console/feed"
	"aviso/internal/observe"
	"aviso/localstack/tests/testenv"
)

// The units are those of docs/data-model.md, for rows of realistic size.
func TestWhatTheFeedCosts(t *testing.T) {
	b, spent := newBench(t), &testenv.Spent{}
	db := dynamodb.New(b.db.Options(), spent.Install)
	store := consoledb.New(db, b.table, b.identity, now)
	measure := func(what string, n int, want float64, do func() error) {
		t.Helper()
		spent.Reset()
		require.NoError(t, do())
		t.Logf("%s: %.3f units each of %d", what, spent.Units()/float64(n), n)
		assert.InDelta(t, want, spent.Units()/float64(n), 0.005, what)
	}
	const n = 90 // of one transaction
	requests, events := make([]feed.Request, n), make([]feed.Event, n)
	for i := range n {
		requests[i] = request(i, 200)
		requests[i].RequestID = uuid.NewString()
		requests[i].TraceID = string(observe.TraceOf(requests[i].RequestID))
		events[i] = occurred(uuid.NewString(), "cancellation.sent", now().Add(time.Duration(i)*time.Second))
		events[i].Data = `{"cancellationId":"0195a1c7-54b2-7c60-8f6d-1f6a6f5b2c33",` +
			`"externalCancellationRequestIdentifier":"contract-4711","status":"Sent","statusReason":"","channel":"Email"}`
	}
	measure("requests", n, 0.38, func() error { return store.AddLines(t.Context(), acme, lines(requests...)) })
	measure("events", n, 5.03, func() error { return store.AddEvents(t.Context(), acme, events) })
	measure("page of requests", 1, 8, func() error {
		_, _, err := store.Requests(t.Context(), acme, false, 50, "")
		return err
	})
	measure("timeline", 1, 2, func() error {
		_, _, err := store.Timeline(t.Context(), erika(), 20, "")
		return err
	})
	measure("overview", 1, 0.5, func() error {
		_, err := store.Overview(t.Context(), acme, feed.Month)
		return err
	})
}
