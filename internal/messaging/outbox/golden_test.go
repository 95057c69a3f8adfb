package outbox_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/messaging/outbox"
	"aviso/internal/observe"
	"aviso/localstack/testenv"
)

// The golden items are the messages of commit: "a" from before there were trace IDs, and "b"
// with one; see testenv.Golden.

const traced = "4bf92f3577b34da6a3ce929d0e0e4736"

func TestGoldenItemsAreWritten(t *testing.T) {
	b := inMemory(t, testenv.Table(t, "OutboxTable"))
	b.commit("a")
	require.NoError(t, commit(observe.WithTrace(t.Context(), traced), b.db, b.table, b.business, "b"))
	testenv.Golden(t, map[string]string{"OutboxTable": b.table})
}

func TestGoldenItemsAreRead(t *testing.T) {
	b := inMemory(t, testenv.GoldenTable(t, "OutboxTable"))
	waiting, err := outbox.Waiting(t.Context(), b.db, b.table, written().Add(time.Second))
	require.NoError(t, err)
	assert.Equal(t, 2, waiting)
	var traces sync.Map
	relay := b.relay(senderFunc(func(ctx context.Context, queue, body string) error {
		assert.Equal(t, outbox.SyncQueue, queue)
		traces.Store(body, observe.TraceFrom(ctx))
		return nil
	}))
	sent, err := relay.Resend(t.Context(), written().Add(time.Second))
	require.NoError(t, err)
	assert.Equal(t, 2, sent)
	for body, want := range map[string]observe.TraceID{`{"id":"a"}`: "", `{"id":"b"}`: traced} {
		got, ok := traces.Load(body)
		assert.True(t, ok, body)
		assert.Equal(t, want, got, body)
	}
	assert.Empty(t, b.waiting(), "sent messages are deleted")
}
