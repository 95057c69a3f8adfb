package consoledb_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/console/feed"
	"aviso/internal/outcome"
)

var at = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

func TestAudit(t *testing.T) {
	s := newBench(t)
	entry := func(id string) feed.Entry {
		return feed.Entry{
			ID: id, At: at, Who: "erika", Role: "developer", Action: "secret.create", Result: feed.Begun,
			Trace: "4bf92f3577b34da6a3ce929d0e0e4736",
		}
	}
	for _, id := range []string{"1", "2", "3"} {
		require.NoError(t, s.Begin(t.Context(), "alpha", entry(id)))
	}
	require.ErrorIs(t, s.Begin(t.Context(), "alpha", entry("1")), outcome.ErrChanged)
	require.NoError(t, s.End(t.Context(), "alpha", "2", feed.Done, "abc"))
	require.ErrorIs(t, s.End(t.Context(), "beta", "2", feed.Done, ""), outcome.ErrChanged)

	entries, err := s.Entries(t.Context(), "alpha", "3", 10)
	require.NoError(t, err)
	ended := entry("2")
	ended.Result, ended.Detail = feed.Done, "abc"
	assert.Equal(t, []feed.Entry{ended, entry("1")}, entries)
	entries, err = s.Entries(t.Context(), "alpha", "", 1)
	require.NoError(t, err)
	assert.Equal(t, []feed.Entry{entry("3")}, entries)
	entries, err = s.Entries(t.Context(), "beta", "", 10)
	require.NoError(t, err)
	assert.Empty(t, entries)
}

func TestVisits(t *testing.T) {
	s := newBench(t)
	for want := range 3 {
		n, err := s.Attempt(t.Context(), "alpha", "203.0.113.7", at)
		require.NoError(t, err)
		assert.Equal(t, want+1, n)
	}
	for source, minute := range map[string]time.Time{"203.0.113.7": at.Add(time.Minute), "203.0.113.8": at} {
		n, err := s.Attempt(t.Context(), "alpha", source, minute)
		require.NoError(t, err)
		assert.Equal(t, 1, n)
	}

	ended, err := s.SignedOut(t.Context(), "session")
	require.NoError(t, err)
	assert.False(t, ended)
	require.NoError(t, s.SignOut(t.Context(), "session", at))
	ended, err = s.SignedOut(t.Context(), "session")
	require.NoError(t, err)
	assert.True(t, ended)
}
