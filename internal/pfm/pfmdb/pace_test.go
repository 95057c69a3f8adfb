package pfmdb

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/aws/config"
	"aviso/internal/dynamo"
	"aviso/internal/money"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/transaction"
	"aviso/localstack/tests/pfmtest"
	"aviso/localstack/tests/testenv"
)

// throttled is a store whose next transactions DynamoDB refuses, as it does when a
// partition takes no more writes. Tables in memory never do.
func throttled(t *testing.T, refusals *atomic.Int64) *Store {
	t.Helper()
	db := dynamodb.New(testenv.DynamoDB(t).Options(), testenv.BeforeWrite(func() error {
		if refusals.Add(-1) < 0 {
			return nil
		}
		return &types.TransactionCanceledException{
			CancellationReasons: []types.CancellationReason{{Code: new("None")}, {Code: new("ThrottlingError")}},
		}
	}))
	return New(db, testenv.Table(t, "PfmTable"), testenv.Table(t, "OutboxTable"), pfmtest.NewClock().Now, uuid.NewString)
}

// leased returns a connection with a lease.
func leased(t *testing.T, s *Store) (connection.Connection, connection.Lease) {
	t.Helper()
	c := connection.Connection{ID: pfmtest.ID(1), Owner: pfmtest.User(), Status: connection.Active}
	require.NoError(t, s.CreateConnection(t.Context(), c, nil))
	l := connection.Lease{Token: "l", Until: s.now().Add(time.Hour)}
	_, err := s.AcquireSync(t.Context(), c.Owner, c.ID, l, s.now())
	require.NoError(t, err)
	return c, l
}

// history returns n new rows.
func history(c connection.Connection, n int) []transaction.RowChange {
	rows := make([]transaction.RowChange, n)
	for i := range rows {
		rows[i].New = transaction.Transaction{
			ID: pfmtest.ID(1000 + i), Owner: c.Owner, AccountID: pfmtest.ID(7), RecordDate: "2026-02-01",
			Amount: money.MustParse("-1.00"), Currency: "EUR", State: transaction.Cleared,
		}
	}
	return rows
}

func (s *Store) countRows(t *testing.T, c connection.Connection) int {
	t.Helper()
	n, err := s.table.Count(t.Context(), dynamo.Query{Partition: c.Owner.Key(), Sort: dynamo.Prefix(rowPrefix)})
	require.NoError(t, err)
	return n
}

func TestALargeHistory(t *testing.T) {
	t.Run("is written although its partition takes no more for a while", func(t *testing.T) {
		var refusals atomic.Int64
		s := throttled(t, &refusals)
		c, l := leased(t, s)
		refusals.Store(8)
		require.NoError(t, s.SaveRows(t.Context(), l, c.Owner, c.ID, history(c, 200)))
		assert.Equal(t, 200, s.countRows(t, c))
	})

	t.Run("waits only for as long as the sync has time", func(t *testing.T) {
		var refusals atomic.Int64
		s := throttled(t, &refusals)
		c, l := leased(t, s)
		refusals.Store(1 << 40)
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer cancel()
		err := s.SaveRows(ctx, l, c.Owner, c.ID, history(c, 10))
		require.Error(t, err)
		assert.True(t, config.Unavailable(err), "the sync is tried again: %v", err)
	})

	t.Run("is paced after its first rows", func(t *testing.T) {
		s := throttled(t, new(atomic.Int64))
		s.PaceRows()
		assert.Equal(t, pace{unpaced: 3000, perSecond: 130}, s.pace)
		s.pace = pace{unpaced: 200, perSecond: 400}
		c, l := leased(t, s)
		began := time.Now()
		require.NoError(t, s.SaveRows(t.Context(), l, c.Owner, c.ID, history(c, 400)))
		assert.GreaterOrEqual(t, time.Since(began), 400*time.Millisecond)
		assert.Equal(t, 400, s.countRows(t, c))
	})
}
