package pfmdb_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/pfmtest"
)

func TestListConnections(t *testing.T) {
	s := newTables(t)
	for i := range 5 {
		c := s.connect(i, func(c *connection.Connection) {
			c.AutomaticFetch, c.SyncEndedAt, c.Unattended = true, s.clock.Now(), connection.Unattended{Day: "2026-03-02", Count: 3}
		})
		accounts := []pfm.Account{
			{ID: pfmtest.ID(100 + i), Owner: c.Owner, ConnectionID: c.ID},
			{ID: pfmtest.ID(200 + i), Owner: c.Owner, ConnectionID: c.ID},
		}
		require.NoError(t, s.SaveAccounts(t.Context(), s.lease(c, "token"), accounts))
	}
	deleting := s.connection(2)
	deleting.Status = connection.Deleting
	require.NoError(t, s.SaveConnection(t.Context(), deleting, nil))

	for _, limit := range []int{1, 2, 3, 4, 50} {
		var ids []string
		for position := ""; ; {
			page, next, err := s.Connections(t.Context(), pfmtest.User(), limit, position)
			require.NoError(t, err)
			require.LessOrEqual(t, len(page), limit)
			for _, c := range page {
				ids = append(ids, c.ID)
			}
			if position = next; next == "" {
				break
			}
		}
		assert.Equal(t, []string{pfmtest.ID(0), pfmtest.ID(1), pfmtest.ID(3), pfmtest.ID(4)}, ids, "pages of %d", limit)
	}
	page, _, err := s.Connections(t.Context(), pfmtest.User(), 1, "")
	require.NoError(t, err)
	want, err := s.Connection(t.Context(), pfmtest.User(), pfmtest.ID(0))
	require.NoError(t, err)
	assert.Equal(t, want, page[0], "in full")
	other := pfmtest.User()
	other.Partner = "other"
	page, next, err := s.Connections(t.Context(), other, 10, "")
	require.NoError(t, err)
	assert.Empty(t, page)
	assert.Empty(t, next)
}
