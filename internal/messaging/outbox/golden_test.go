package outbox_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/messaging/outbox"
	"aviso/internal/observe"
	"aviso/localstack/tests/testenv"
)

// The golden items are the messages of commit: "a" outside any trace, and "b" in one; see
// testenv.Golden.

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
	traces := map[string]string{}
	relay := b.relay(func(_ context.Context, rows []outbox.Row) []error {
		for _, row := range rows {
			assert.Equal(t, outbox.SyncQueue, row.Queue)
			traces[row.Body] = row.TraceID
		}
		return make([]error, len(rows))
	})
	sent, err := relay.Resend(t.Context(), written().Add(time.Second))
	require.NoError(t, err)
	assert.Equal(t, 2, sent)
	assert.Equal(t, map[string]string{`{"id":"a"}`: "", `{"id":"b"}`: traced}, traces)
	assert.Empty(t, b.waiting(), "sent messages are deleted")
}
