package pfmdb_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/pfm"
	"aviso/internal/pfm/transaction"
	"aviso/localstack/tests/testenv"
)

// What a first sync keeps between its transactions is old as soon as the user chooses a
// category in between. Then it reads again, and the sums are exact.
func TestUserChoosesWhileAHistoryIsWritten(t *testing.T) {
	var between func()
	s, c, l := syncing(t, testenv.Around(func(call any, next func() (any, error)) (any, error) {
		out, err := next()
		if _, ok := call.(*dynamodb.TransactWriteItemsInput); ok && between != nil {
			f := between
			between = nil
			f()
		}
		return out, err
	}))
	var rows []transaction.Transaction
	for i := range 300 {
		rows = append(rows, purchase(c, i, "2026-02-27"))
	}
	chosen, _ := pfm.CategoryOf(pfm.HealthDoctor)
	between = func() {
		_, err := s.OverrideCategory(t.Context(), c.Owner, rows[0].ID, chosen, false, s.clock.Now())
		require.NoError(t, err)
	}
	require.NoError(t, s.SaveRows(t.Context(), l, c.Owner, c.ID, newRows(rows...)))
	assert.Nil(t, between)
	list, err := s.Aggregates(t.Context(), c.Owner, transaction.LevelAllTime, "", "")
	require.NoError(t, err)
	require.Len(t, list, 2, "by category and by merchant")
	counts := map[int]int{}
	for key, tally := range list[0].Tallies {
		counts[key.Subcategory] += tally.Count
	}
	assert.Equal(t, map[int]int{pfm.HealthDoctor: 1, rows[0].Category.SubcategoryID: 299}, counts)
}
