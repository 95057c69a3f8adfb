package pfmdb_test

import (
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"aviso/internal/dynamo"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/localstack/tests/pfmtest"
	"aviso/localstack/tests/testenv"
)

func TestConnections(t *testing.T) {
	t.Run("are found by their owner only", func(t *testing.T) {
		s, c := connected(t)
		for _, user := range []owner.User{{Partner: "other", ID: c.Owner.ID}, {Partner: c.Owner.Partner, ID: "other"}} {
			_, err := s.Connection(t.Context(), user, c.ID)
			assert.ErrorIs(t, err, outcome.ErrNotFound)
		}
		_, err := s.ConnectionOwner(t.Context(), pfmtest.ID(2))
		assert.ErrorIs(t, err, outcome.ErrNotFound)
	})

	t.Run("are listed by reading little more than the page", func(t *testing.T) {
		var rows []int32
		s := newTables(t, testenv.Around(func(_ any, next func() (any, error)) (any, error) {
			out, err := next()
			if found, ok := out.(*dynamodb.QueryOutput); ok {
				rows = append(rows, found.ScannedCount)
			}
			return out, err
		}))
		for n := range 300 {
			s.connect(n)
		}
		page, next, err := s.Connections(t.Context(), pfmtest.User(), 50, "")
		require.NoError(t, err)
		assert.Len(t, page, 50)
		assert.NotEmpty(t, next)
		assert.Equal(t, []int32{100}, rows)
	})

	t.Run("are created once", func(t *testing.T) {
		s := newTables(t)
		s.connect(1)
		assert.ErrorIs(t, s.CreateConnection(t.Context(), s.connection(1), nil), outcome.ErrChanged)
	})

	t.Run("are saved only over the version that was read", func(t *testing.T) {
		s := newTables(t)
		first := s.connect(1)
		second := first
		first.Reason = "first"
		require.NoError(t, s.SaveConnection(t.Context(), first, nil))
		second.Reason = "second"
		require.ErrorIs(t, s.SaveConnection(t.Context(), second, nil, connection.SyncJob{ConnectionID: second.ID}), outcome.ErrChanged)
		got := s.read(first)
		assert.Equal(t, connection.StatusReason("first"), got.Reason)
		assert.Equal(t, int64(1), got.Version)
		assert.Zero(t, s.messages(), "a change that was not made sends no job")
	})

	t.Run("that are deleted are not restored", func(t *testing.T) {
		s := newTables(t)
		assert.ErrorIs(t, s.SaveConnection(t.Context(), s.connection(1), nil), outcome.ErrChanged)
	})

	t.Run("saved concurrently are saved once per version", func(t *testing.T) {
		s, c := connected(t)
		results := make([]error, 8)
		var group errgroup.Group
		for i := range results {
			group.Go(func() error {
				results[i] = s.SaveConnection(t.Context(), c, nil, connection.SyncJob{ConnectionID: c.ID})
				return nil
			})
		}
		require.NoError(t, group.Wait())
		saved := 0
		for _, err := range results {
			if err == nil {
				saved++
			} else {
				require.ErrorIs(t, err, outcome.ErrChanged)
			}
		}
		assert.Equal(t, 1, saved)
		assert.Equal(t, 1, s.messages())
	})
}

func (s *tables) messages() int {
	s.t.Helper()
	out, err := s.db.Scan(s.t.Context(), &dynamodb.ScanInput{TableName: &s.outbox, ConsistentRead: new(true)})
	require.NoError(s.t, err)
	return len(out.Items)
}

// dueConnections returns the connections of all shards that are due, the longest overdue
// first.
func (s *tables) dueConnections(kind connection.DueKind, until time.Time) (all []connection.Connection) {
	s.t.Helper()
	for shard := range s.DueShards() {
		for c, err := range s.DueConnections(s.t.Context(), kind, shard, until) {
			require.NoError(s.t, err)
			all = append(all, c)
		}
	}
	slices.SortStableFunc(all, func(a, b connection.Connection) int {
		_, first := a.Due()
		_, second := b.Due()
		return first.Compare(second)
	})
	return all
}

func TestDueConnections(t *testing.T) {
	due := func(s *tables, kind connection.DueKind, at time.Time, limit int) []string {
		list := s.dueConnections(kind, at)
		ids := make([]string, min(limit, len(list)))
		for i := range ids {
			ids[i] = list[i].ID
		}
		return ids
	}
	link := func(ends time.Time) func(*connection.Connection) {
		return func(c *connection.Connection) {
			c.Status, c.Authorisation = connection.Pending, &connection.Authorisation{ExpiresAt: ends}
		}
	}

	t.Run("are found by kind and time, the longest overdue first", func(t *testing.T) {
		s := newTables(t)
		now := s.clock.Now()
		s.connect(1, link(now.Add(time.Minute)))
		s.connect(2, link(now))
		s.connect(3, link(now.Add(2*time.Minute)))
		s.connect(4, func(c *connection.Connection) { c.SyncRequestedAt = now.Add(-2 * time.Hour) })
		s.connect(5)
		assert.Empty(t, due(s, connection.DueLink, now.Add(-time.Millisecond), 10))
		assert.Equal(t, []string{pfmtest.ID(2)}, due(s, connection.DueLink, now, 10))
		assert.Equal(t, []string{pfmtest.ID(2), pfmtest.ID(1)}, due(s, connection.DueLink, now.Add(time.Minute), 10))
		assert.Equal(t, []string{pfmtest.ID(2)}, due(s, connection.DueLink, now.Add(time.Hour), 1))
		assert.Equal(t, []string{pfmtest.ID(4)}, due(s, connection.DueSync, now, 10))
	})

	t.Run("leave the index when there is nothing left to do", func(t *testing.T) {
		s := newTables(t)
		now := s.clock.Now()
		c := s.connect(1, link(now))
		require.Len(t, due(s, connection.DueLink, now, 10), 1)
		c.Authorisation, c.SyncRequestedAt = nil, now.Add(-3*time.Hour)
		require.NoError(t, s.SaveConnection(t.Context(), c, nil))
		assert.Empty(t, due(s, connection.DueLink, now, 10))
		assert.Len(t, due(s, connection.DueSync, now, 10), 1)
		c.Version, c.SyncRequestedAt = 1, time.Time{}
		require.NoError(t, s.SaveConnection(t.Context(), c, nil))
		assert.Empty(t, due(s, connection.DueSync, now, 10))
	})

	t.Run("are read from the table, not from the index", func(t *testing.T) {
		s := newTables(t)
		now := s.clock.Now()
		c := s.connect(1, link(now))
		c.Reason = "later"
		require.NoError(t, s.SaveConnection(t.Context(), c, nil))
		list := s.dueConnections(connection.DueLink, now)
		require.Len(t, list, 1)
		assert.Equal(t, connection.StatusReason("later"), list[0].Reason)
		assert.Equal(t, int64(1), list[0].Version)
	})
}

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
		changed, err := connection.NewHousekeeping(s.Store, 90, s.clock.Now).Run(t.Context())
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
		changed, err := connection.NewHousekeeping(s.Store, 90, s.clock.Now).Run(t.Context())
		require.ErrorContains(t, err, malformed.ID)
		assert.Equal(t, 40, changed)
	})
}

func TestListConnections(t *testing.T) {
	s := newTables(t)
	for i := range 5 {
		c := s.connect(i, func(c *connection.Connection) {
			c.AutomaticFetch, c.SyncEndedAt, c.Unattended = true, s.clock.Now(), []time.Time{s.clock.Now()}
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
