package pfmdb_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"aviso/internal/dynamo"
	"aviso/internal/pfm/connection"
)

// expired makes a connection's link expire at a time.
func expired(at time.Time) func(*connection.Connection) {
	return func(c *connection.Connection) {
		c.Status, c.Authorisation = connection.Pending, &connection.Authorisation{ExpiresAt: at}
	}
}

// overwrite replaces attributes of a connection's row, past the store.
func (s *tables) overwrite(c connection.Connection, attributes string, values ...any) {
	s.t.Helper()
	key := dynamo.Key{PK: c.Owner.Key(), SK: "C#" + c.ID}
	_, err := dynamo.NewTable(s.db, s.table).Update(s.t.Context(), key, dynamo.Expr("SET "+attributes, values...))
	require.NoError(s.t, err)
}

func TestHousekeepingKeepsUp(t *testing.T) {
	t.Run("with more than one page of each shard", func(t *testing.T) {
		s := newTables(t)
		now := s.clock.Now()
		const many = 700
		var creating errgroup.Group
		creating.SetLimit(16)
		for i := range many {
			creating.Go(func() error { return s.CreateConnection(t.Context(), s.connection(i, expired(now)), nil) })
		}
		require.NoError(t, creating.Wait())
		changed, err := connection.NewHousekeeping(s.Store, s.clock.Now).Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, many, changed)
	})

	t.Run("with a malformed row, which it reports", func(t *testing.T) {
		s := newTables(t)
		now := s.clock.Now()
		malformed := s.connect(1, expired(now.Add(-time.Hour)))
		s.overwrite(malformed, "createdAt = ?", "yesterday")
		for i := range 40 { // some in every shard
			s.connect(i+2, expired(now))
		}
		changed, err := connection.NewHousekeeping(s.Store, s.clock.Now).Run(t.Context())
		require.ErrorContains(t, err, malformed.ID)
		assert.Equal(t, 40, changed)
	})
}
