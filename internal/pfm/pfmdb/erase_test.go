package pfmdb_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/outcome"
	"aviso/localstack/tests/testenv"
)

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
