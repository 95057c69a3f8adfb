package outbox_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/outbox"
	"aviso/localstack/testenv"
)

// The golden item is the message "a" of commit; see testenv.Golden.

func TestGoldenItemsAreWritten(t *testing.T) {
	b := newBench(t)
	b.commit("a")
	testenv.Golden(t, map[string]string{"OutboxTable": b.table})
}

func TestGoldenItemsAreRead(t *testing.T) {
	b := newBench(t)
	b.table = testenv.GoldenTable(t, "OutboxTable")
	waiting, err := outbox.Waiting(t.Context(), b.db, b.table, written().Add(time.Second))
	require.NoError(t, err)
	assert.Equal(t, 1, waiting)
	relay := b.relay(senderFunc(func(_ context.Context, queue, body string) error {
		assert.Equal(t, outbox.SyncQueue, queue)
		assert.JSONEq(t, `{"id":"a"}`, body)
		return nil
	}))
	sent, err := relay.Resend(t.Context(), written().Add(time.Second))
	require.NoError(t, err)
	assert.Equal(t, 1, sent)
	assert.Empty(t, b.waiting(), "sent messages are deleted")
}
