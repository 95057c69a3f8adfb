package pfmdb_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/outcome"
)

func TestOutage(t *testing.T) {
	s, at := newTables(t), time.Date(2026, 3, 2, 12, 0, 0, 1e6, time.UTC)
	is := func(want time.Time) {
		t.Helper()
		got, err := s.Outage(t.Context(), "bank")
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	is(time.Time{})
	require.NoError(t, s.SetOutage(t.Context(), "bank", time.Time{}, at))
	is(at)
	require.ErrorIs(t, s.SetOutage(t.Context(), "bank", time.Time{}, at), outcome.ErrChanged, "one of several begins it")
	next := at.Add(time.Minute)
	require.NoError(t, s.SetOutage(t.Context(), "bank", at, next))
	require.ErrorIs(t, s.SetOutage(t.Context(), "bank", at, next), outcome.ErrChanged, "one of several probes")
	require.ErrorIs(t, s.SetOutage(t.Context(), "bank", at, time.Time{}), outcome.ErrChanged, "a late probe ends nothing")
	is(next)
	require.NoError(t, s.SetOutage(t.Context(), "bank", next, time.Time{}))
	is(time.Time{})
	require.ErrorIs(t, s.SetOutage(t.Context(), "bank", next, time.Time{}), outcome.ErrChanged)
	is(time.Time{})
}
