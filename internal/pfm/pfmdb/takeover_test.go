package pfmdb_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/observe"
	"aviso/internal/outcome"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
)

func TestTakeAccounts(t *testing.T) {
	// given returns two connections, the first of which holds two accounts, and a takeover of
	// one of them by the second.
	given := func(t *testing.T) (s *tables, l connection.Lease, takeover connection.Takeover) {
		s = newTables(t)
		older, newer := s.connect(1), s.connect(2)
		require.NoError(t, s.TakeAccounts(t.Context(), s.lease(older, "older"), connection.Takeover{
			Accounts: []pfm.Account{account(older, 1001), account(older, 1002)},
		}))
		l = s.lease(newer, "newer")
		return s, l, connection.Takeover{
			Version: 1, Accounts: []pfm.Account{account(newer, 1001), account(newer, 1003)},
			From: &connection.Former{Connection: older, AccountIDs: []string{account(older, 1001).ID}},
		}
	}
	held := func(t *testing.T, s *tables) map[string][]string {
		t.Helper()
		holdings, err := s.Holdings(t.Context(), s.connection(1).Owner)
		require.NoError(t, err)
		ids := map[string][]string{}
		for _, h := range holdings.All {
			for _, a := range h.Accounts {
				ids[h.Connection.ID] = append(ids[h.Connection.ID], a.ID)
			}
		}
		return ids
	}
	accounts := func(s *tables) (older, newer string, first, second, third string) {
		c := s.connection(1)
		return c.ID, s.connection(2).ID, account(c, 1001).ID, account(c, 1002).ID, account(c, 1003).ID
	}

	t.Run("moves and creates accounts, and ends the other connection's sync", func(t *testing.T) {
		s, l, takeover := given(t)
		require.NoError(t, s.TakeAccounts(t.Context(), l, takeover))
		older, newer, first, second, third := accounts(s)
		assert.Equal(t, map[string][]string{older: {second}, newer: {first, third}}, held(t, s))
		c, err := s.Connection(t.Context(), s.connection(1).Owner, older)
		require.NoError(t, err)
		assert.Equal(t, int64(1), c.Version)
		err = s.SaveAccounts(t.Context(), connection.Lease{Token: "older"}, []pfm.Account{account(s.connection(1), 1001)})
		require.ErrorIs(t, err, outcome.ErrChanged)
	})

	t.Run("writes nothing without the lease", func(t *testing.T) {
		s, _, takeover := given(t)
		require.ErrorIs(t, s.TakeAccounts(t.Context(), connection.Lease{Token: "lost"}, takeover), outcome.ErrChanged)
		older, _, first, second, _ := accounts(s)
		assert.Equal(t, map[string][]string{older: {first, second}}, held(t, s))
	})

	for name, change := range map[string]func(t *testing.T, s *tables, takeover *connection.Takeover){
		"accounts were created or taken over": func(_ *testing.T, _ *tables, takeover *connection.Takeover) { takeover.Version = 0 },
		"the other connection was changed": func(t *testing.T, s *tables, takeover *connection.Takeover) {
			require.NoError(t, s.SaveConnection(t.Context(), takeover.From.Connection, nil))
		},
		"the other connection's sync has written rows": func(t *testing.T, s *tables, takeover *connection.Takeover) {
			c := takeover.From.Connection
			for id, day := range []pfm.Date{"2026-02-26", "2026-02-27"} { // the second sync's changes come after others
				l := s.lease(c, "older")
				require.NoError(t, s.SaveRows(t.Context(), l, c.Owner, c.ID, newRows(purchase(c, id+1, day))))
				require.NoError(t, s.FinishSync(t.Context(), l, c, func(c *connection.Connection) []connection.SyncJob {
					if id == 0 {
						c.Events = append(c.Events, pfm.Event{Type: connection.EventRefreshed, At: s.clock.Now(), Data: struct{}{}})
					}
					return nil
				}))
			}
			var err error
			takeover.From.Connection, err = s.Connection(t.Context(), c.Owner, c.ID)
			require.NoError(t, err)
		},
	} {
		t.Run("writes nothing if "+name+" in the meantime", func(t *testing.T) {
			s, l, takeover := given(t)
			change(t, s, &takeover)
			require.ErrorIs(t, s.TakeAccounts(t.Context(), l, takeover), pfm.ErrRowChanged)
			older, _, first, second, _ := accounts(s)
			assert.Equal(t, map[string][]string{older: {first, second}}, held(t, s))
		})
	}

	t.Run("takes one call, and its accounts are read with one", func(t *testing.T) {
		s, l, takeover := given(t)
		ctx, calls := observe.CountCalls(t.Context())
		require.NoError(t, s.TakeAccounts(ctx, l, takeover))
		assert.Equal(t, int64(1), calls.Count())
		_, err := s.Holdings(ctx, takeover.From.Connection.Owner)
		require.NoError(t, err)
		assert.Equal(t, int64(2), calls.Count())
	})
}
