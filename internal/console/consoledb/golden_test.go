package consoledb_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/clock"
	"aviso/internal/console/consoledb"
	"aviso/internal/console/feed"
	"aviso/localstack/tests/testenv"
)

// goldenEntry is an entry of the audit log whose action has ended.
func goldenEntry() feed.Entry {
	return feed.Entry{
		ID: "entry", At: at, Who: "erika", Role: "developer", Action: "secret.create", Result: feed.Done, Detail: "abc",
		Trace: "4bf92f3577b34da6a3ce929d0e0e4736",
	}
}

func TestGoldenItemsAreWritten(t *testing.T) {
	b := newBench(t)
	replayed := request(1, 503)
	replayed.Replayed, replayed.RequestID, replayed.TraceID = true, "own", "aaaaaaaa000040008000000000000001"
	with := lines(request(0, 200), replayed)
	with.Callbacks = map[string]int{"HttpError": 1}
	require.NoError(t, b.AddLines(t.Context(), acme, with))
	simulated := occurred("e2", "connection.expired", now())
	simulated.IsSimulated, simulated.User = true, ""
	require.NoError(t, b.AddEvents(t.Context(), acme, []feed.Event{occurred("e1", "cancellation.sent", now()), simulated}))
	require.NoError(t, b.Begin(t.Context(), acme, goldenEntry()))
	require.NoError(t, b.End(t.Context(), acme, "entry", feed.Done, "abc"))
	_, err := b.Attempt(t.Context(), acme, "203.0.113.7", at)
	require.NoError(t, err)
	require.NoError(t, b.SignOut(t.Context(), "session", at))
	testenv.Golden(t, map[string]string{"ConsoleTable": b.table})
}

func TestGoldenItemsAreRead(t *testing.T) {
	b := newBench(t)
	b.Store = consoledb.New(b.db, testenv.GoldenTable(t, "ConsoleTable"), b.identity, now)
	page, _, err := b.Requests(t.Context(), acme, false, 10, "")
	require.NoError(t, err)
	require.Len(t, page, 2)
	assert.True(t, page[0].Replayed)
	events, _, err := b.Timeline(t.Context(), erika(), 10, "")
	require.NoError(t, err)
	require.Len(t, events, 1)
	events[0].SeenAt = clock.Real(now())
	assert.Equal(t, occurred("e1", "cancellation.sent", now()), events[0])
	e, err := b.Event(t.Context(), acme, "e2")
	require.NoError(t, err)
	assert.True(t, e.IsSimulated)
	found, err := b.Find(t.Context(), acme, "own")
	require.NoError(t, err)
	assert.Len(t, found.Requests, 1)
	assert.Equal(t, feed.Counts{
		feed.CountRequests: 2, feed.CountBroken: 1, "route.GET /openbanking/v1/accounts": 2,
		"failedRoute.GET /openbanking/v1/accounts": 1, "callbacks.HttpError": 1, "letters.Sent": 1,
	}, b.overview(acme, feed.Day))
	entries, err := b.Entries(t.Context(), acme, "", 10)
	require.NoError(t, err)
	assert.Equal(t, []feed.Entry{goldenEntry()}, entries)
	attempts, err := b.Attempt(t.Context(), acme, "203.0.113.7", at)
	require.NoError(t, err)
	assert.Equal(t, 2, attempts)
	ended, err := b.SignedOut(t.Context(), "session")
	require.NoError(t, err)
	assert.True(t, ended)
}
