package sandboxdb

import (
	"context"
	"fmt"
	"iter"

	"aviso/internal/dynamo"
)

// table stores rows in DynamoDB.
type table struct{ dynamo.Table }

func (t table) get(ctx context.Context, key Key) (*dynamo.Row, error) { return t.Row(ctx, key) }

func (t table) newestFirst(ctx context.Context, pk, before string, wanted int) iter.Seq2[*dynamo.Row, error] {
	q := dynamo.Query{Partition: pk, Descending: true, Limit: wanted}
	if before != "" {
		q.Sort = dynamo.Before(before)
	}
	return t.Query(ctx, q)
}

func (t table) write(ctx context.Context, now int64, changes []change) error {
	var x dynamo.Transaction
	for _, c := range changes {
		switch {
		case c.row == nil:
			x.Delete(t.Table, c.key)
		case c.was > 0:
			x.Put(t.Table, c.key, c.row, dynamo.Expr("version = ?", c.was))
		case c.was == 0:
			// An expired row may be replaced by a new one.
			x.Put(t.Table, c.key, c.row, dynamo.Expr("attribute_not_exists(pk) OR expiresAt <= ?", now))
		default:
			x.Put(t.Table, c.key, c.row)
		}
	}
	return dynamo.LostRace(x.Commit(ctx))
}

func (t table) count(ctx context.Context, key Key, until int64) (int, error) {
	row, err := t.Update(ctx, key, dynamo.Expr("ADD calls ? SET expiresAt = if_not_exists(expiresAt, ?)", 1, until))
	if err != nil {
		return 0, fmt.Errorf("count call: %w", err)
	}
	return int(row.Int("calls")), row.Err()
}
