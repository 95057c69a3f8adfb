package pfmdb_test

import (
	"context"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/middleware"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/pfm"
	"aviso/internal/pfm/transaction"
)

// What a first sync keeps between its transactions is old as soon as the user chooses a
// category in between. Then it reads again, and the sums are exact.
func TestUserChoosesWhileAHistoryIsWritten(t *testing.T) {
	var between func()
	interrupt := func(stack *middleware.Stack) error {
		return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("Interrupt", func(
			ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler,
		) (middleware.InitializeOutput, middleware.Metadata, error) {
			out, metadata, err := next.HandleInitialize(ctx, in)
			if _, ok := in.Parameters.(*dynamodb.TransactWriteItemsInput); ok && between != nil {
				f := between
				between = nil
				f()
			}
			return out, metadata, err
		}), middleware.Before)
	}
	s := newTables(t, func(o *dynamodb.Options) { o.APIOptions = append(o.APIOptions, interrupt) })
	c := s.connect(1)
	l := s.lease(c, "l")
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
