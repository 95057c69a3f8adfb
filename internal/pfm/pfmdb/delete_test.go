package pfmdb_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/money"
	"aviso/internal/observe"
	"aviso/internal/outcome"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/transaction"
	"aviso/localstack/tests/pfmtest"
	"aviso/localstack/tests/testenv"
)

// leaveOver makes every batch leave one row unprocessed, or all of them.
func leaveOver(all bool) func(*dynamodb.Options) {
	return testenv.Around(func(call any, next func() (any, error)) (any, error) {
		batch, ok := call.(*dynamodb.BatchWriteItemInput)
		switch {
		case !ok:
			return next()
		case all:
			return &dynamodb.BatchWriteItemOutput{UnprocessedItems: batch.RequestItems}, nil
		}
		left := map[string][]types.WriteRequest{}
		for table, requests := range batch.RequestItems {
			if len(requests) > 1 {
				left[table] = requests[:1]
				batch.RequestItems = map[string][]types.WriteRequest{table: requests[1:]}
			}
		}
		out, err := next()
		if res, ok := out.(*dynamodb.BatchWriteItemOutput); ok {
			res.UnprocessedItems = left
		}
		return out, err
	})
}

// deleting returns a connection to delete, with two accounts of n rows each, and one
// to keep.
func (s *tables) deleting(n int) connection.Connection {
	s.t.Helper()
	for i := range 2 {
		c := s.connect(i)
		lease := s.lease(c, "token")
		for k := range 2 {
			a := pfm.Account{ID: pfmtest.ID(100 + 10*i + k), Owner: c.Owner, ConnectionID: c.ID}
			require.NoError(s.t, s.SaveAccounts(s.t.Context(), lease, []pfm.Account{a}))
			var rows []transaction.RowChange
			for r := range n {
				rows = append(rows, transaction.RowChange{New: transaction.Transaction{
					ID: pfmtest.ID(10000*(10*i+k) + r), Owner: c.Owner, AccountID: a.ID, ConnectionID: c.ID, State: transaction.Cleared,
					RecordDate: pfm.Date(fmt.Sprintf("2026-02-%02d", 1+r%28)),
					Amount:     money.MustParse("-1"), Currency: "EUR", Merchant: pfm.Merchant{ID: pfmtest.ID(77), Name: "Grünkorb"},
				}})
			}
			require.NoError(s.t, s.SaveRows(s.t.Context(), lease, c.Owner, c.ID, rows))
		}
	}
	c := s.connection(0)
	c.Status, c.UpdatedAt = connection.Deleting, s.clock.Now()
	require.NoError(s.t, s.SaveConnection(s.t.Context(), c, nil, connection.SyncJob{ConnectionID: c.ID}))
	return c
}

// Else the deletions of an erased user's connections fail each other: all write the user's notes.
func TestDeletionWithoutAccountsReadsNoContracts(t *testing.T) {
	s, c := connected(t)
	ctx, calls := observe.CountCalls(t.Context())
	require.NoError(t, s.DeleteData(ctx, c.Owner, c.ID))
	assert.EqualValues(t, 1, calls.Count())
}

func TestDeletion(t *testing.T) {
	t.Run("deletes all data of one connection, and nothing else", func(t *testing.T) {
		s := newTables(t)
		c := s.deleting(130)
		require.Equal(t, 520, s.count("T#"))
		sums, groups := s.count("G"), s.count("R#")
		require.Equal(t, 24, sums, "by category and by merchant, at three levels, of four accounts")
		require.Equal(t, 4, groups)
		require.NoError(t, s.DeleteData(t.Context(), c.Owner, c.ID))
		assert.Equal(t, 260, s.count("T#"))
		assert.Equal(t, sums/2, s.count("G"))
		assert.Equal(t, groups/2, s.count("R#"))
		assert.Equal(t, 1, s.count("C#"+c.ID))
		require.NoError(t, s.DeleteConnection(t.Context(), c))
		assert.Zero(t, s.count("C#"+c.ID))
		assert.Equal(t, 3, s.count("C#"))
		_, err := s.ConnectionOwner(t.Context(), c.ID)
		require.ErrorIs(t, err, outcome.ErrNotFound)
		require.NoError(t, s.DeleteData(t.Context(), c.Owner, c.ID), "again")
		require.NoError(t, s.DeleteConnection(t.Context(), c), "again")
	})

	t.Run("hides the connection from everything but itself and housekeeping", func(t *testing.T) {
		s := newTables(t)
		c := s.deleting(1)
		_, err := s.Connection(t.Context(), c.Owner, c.ID)
		require.ErrorIs(t, err, outcome.ErrNotFound)
		_, err = s.AcquireSync(t.Context(), c.Owner, c.ID, connection.Lease{Token: "new"}, s.clock.Now())
		require.ErrorIs(t, err, outcome.ErrNotFound)
		views, _, err := s.AccountViews(t.Context(), c.Owner, 10, "")
		require.NoError(t, err)
		assert.Len(t, views, 2)
		got, err := s.AnyConnection(t.Context(), c.Owner, c.ID)
		require.NoError(t, err)
		assert.Equal(t, connection.Deleting, got.Status)
		assert.Len(t, s.dueConnections(connection.DueDelete, s.clock.Now().Add(2*3600e9)), 1)
		assert.Equal(t, 1, s.messages())
	})

	t.Run("ends the lease of a running sync", func(t *testing.T) {
		s := newTables(t)
		c := s.deleting(1)
		err := s.SaveAccounts(
			t.Context(), connection.Lease{Token: "token"},
			[]pfm.Account{{ID: pfmtest.ID(1), Owner: c.Owner, ConnectionID: c.ID}},
		)
		require.ErrorIs(t, err, outcome.ErrChanged)
		err = s.FinishSync(
			t.Context(), connection.Lease{Token: "token"}, c, func(*connection.Connection) []connection.SyncJob { return nil },
		)
		require.ErrorIs(t, err, outcome.ErrChanged)
	})

	t.Run("retries what a batch leaves unprocessed", func(t *testing.T) {
		s := newTables(t, leaveOver(false))
		c := s.deleting(30)
		require.NoError(t, s.DeleteData(t.Context(), c.Owner, c.ID))
		assert.Equal(t, 60, s.count("T#"))
	})

	t.Run("fails when a batch is never processed completely", func(t *testing.T) {
		s := newTables(t, leaveOver(true))
		c := s.deleting(1)
		require.ErrorContains(t, s.DeleteData(t.Context(), c.Owner, c.ID), "left over")
	})

	t.Run("fails when the table fails", func(t *testing.T) {
		s := newTables(t)
		c := s.deleting(1)
		_, err := s.db.DeleteTable(t.Context(), &dynamodb.DeleteTableInput{TableName: aws.String(s.table)})
		require.NoError(t, err)
		require.Error(t, s.DeleteData(t.Context(), c.Owner, c.ID))
		require.Error(t, s.DeleteConnection(t.Context(), c))
	})
}

func TestErasure(t *testing.T) {
	t.Run("finds and counts all data, whatever the connection's status", func(t *testing.T) {
		s := newTables(t)
		c := s.deleting(30)
		held, err := s.Holdings(t.Context(), c.Owner)
		require.NoError(t, err)
		require.Len(t, held.All, 2)
		assert.Len(t, slices.Concat(held.All[0].Accounts, held.All[1].Accounts), 4)
		transactions, err := s.CountTransactions(t.Context(), c.Owner)
		require.NoError(t, err)
		assert.Equal(t, 120, transactions)
		require.NoError(t, s.DeleteRest(t.Context(), c.Owner))
		assert.Zero(t, s.count(""))
	})

	t.Run("is not undone by a late deletion", func(t *testing.T) {
		var happens func()
		s := newTables(t, testenv.BeforeWrite(func() error {
			if do := happens; do != nil {
				happens = nil
				do()
			}
			return nil
		}))
		c := s.deleting(30)
		happens = func() { // another worker was faster, and the erasure is complete by now
			require.NoError(t, s.DeleteData(t.Context(), c.Owner, c.ID))
			require.NoError(t, s.DeleteConnection(t.Context(), c))
			require.NoError(t, s.DeleteRest(t.Context(), c.Owner))
		}
		require.ErrorIs(t, s.DeleteData(t.Context(), c.Owner, c.ID), outcome.ErrChanged)
		assert.Zero(t, s.count(""))
	})
}
