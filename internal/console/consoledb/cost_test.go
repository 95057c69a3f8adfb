package consoledb_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/console/consoledb"
	"aviso/internal/console/feed"
	"aviso/internal/observe"
)

// meter adds up what the table and its indexes say that calls consumed.
type meter struct {
	mu    sync.Mutex
	units float64
}

func (m *meter) install(stack *middleware.Stack) error {
	return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("Meter", func(
		ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler,
	) (middleware.InitializeOutput, middleware.Metadata, error) {
		switch call := in.Parameters.(type) {
		case *dynamodb.TransactWriteItemsInput:
			call.ReturnConsumedCapacity = types.ReturnConsumedCapacityTotal
		case *dynamodb.BatchGetItemInput:
			call.ReturnConsumedCapacity = types.ReturnConsumedCapacityTotal
		case *dynamodb.QueryInput:
			call.ReturnConsumedCapacity = types.ReturnConsumedCapacityTotal
		}
		out, metadata, err := next.HandleInitialize(ctx, in)
		var used []types.ConsumedCapacity
		switch answer := out.Result.(type) {
		case *dynamodb.TransactWriteItemsOutput:
			used = answer.ConsumedCapacity
		case *dynamodb.BatchGetItemOutput:
			used = answer.ConsumedCapacity
		case *dynamodb.QueryOutput:
			used = append(used, *answer.ConsumedCapacity)
		}
		m.mu.Lock()
		defer m.mu.Unlock()
		for _, c := range used {
			m.units += *c.CapacityUnits
		}
		return out, metadata, err
	}), middleware.Before)
}

// The units are those of docs/data-model.md, for rows of realistic size.
func TestWhatTheFeedCosts(t *testing.T) {
	b, m := newBench(t), &meter{}
	db := dynamodb.New(b.db.Options(), func(o *dynamodb.Options) { o.APIOptions = append(o.APIOptions, m.install) })
	store := consoledb.New(db, b.table, b.identity, now)
	measure := func(what string, n int, want float64, do func() error) {
		t.Helper()
		m.units = 0
		require.NoError(t, do())
		t.Logf("%s: %.3f units each of %d", what, m.units/float64(n), n)
		assert.InDelta(t, want, m.units/float64(n), 0.005, what)
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
