package dynamo

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"aviso/internal/outcome"
)

func LegacyKey(pk, sk string) Item               { return Item{"pk": S(pk), "sk": S(sk)} }
func Marshal(pk, sk string, v any) (Item, error) { return marshal(Key{pk, sk}, v) }
func LegacyGet(ctx context.Context, db *dynamodb.Client, table, pk, sk string, consistent bool, out any) error {
	item, err := LegacyGetItem(ctx, db, table, pk, sk, consistent)
	if err != nil {
		return err
	}
	return Unmarshal(item, out)
}
func LegacyGetItem(ctx context.Context, db *dynamodb.Client, table, pk, sk string, consistent bool) (Item, error) {
	res, err := db.GetItem(ctx, &dynamodb.GetItemInput{TableName: &table, Key: LegacyKey(pk, sk), ConsistentRead: &consistent})
	if err != nil {
		return nil, fmt.Errorf("get item: %w", err)
	}
	if len(res.Item) == 0 {
		return nil, outcome.ErrNotFound
	}
	return res.Item, nil
}
func Unmarshal(item Item, out any) error {
	if err := attributevalue.UnmarshalMap(item, out); err != nil {
		return fmt.Errorf("unmarshal %T: %w", out, err)
	}
	return nil
}
func LegacyTransact(ctx context.Context, db *dynamodb.Client, actions []types.TransactWriteItem) error {
	return (&Transaction{db: db, actions: actions}).Commit(ctx)
}
func (e *ConditionError) Failed(i int) bool { return Refused(e, i) }
func Conditional(err error) error {
	var refused *types.ConditionalCheckFailedException
	if errors.As(err, &refused) {
		return outcome.ErrChanged
	}
	return err
}
func LegacyQuery(ctx context.Context, db *dynamodb.Client, in *dynamodb.QueryInput) (*Page, error) {
	var p Page
	out, err := db.Query(ctx, in, p.rows.Take)
	if err != nil {
		return nil, err
	}
	p.rows.Filled(out.Items)
	p.Last = out.LastEvaluatedKey
	return &p, nil
}
func LegacyAll(ctx context.Context, db *dynamodb.Client, in *dynamodb.QueryInput) iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		for query := *in; ; {
			page, err := LegacyQuery(ctx, db, &query)
			if err != nil {
				yield(nil, err)
				return
			}
			for row := range page.Rows() {
				if !yield(row, nil) {
					return
				}
			}
			if query.ExclusiveStartKey = page.Last; len(page.Last) == 0 {
				return
			}
		}
	}
}
func LegacyDeleteAll(ctx context.Context, db *dynamodb.Client, table string, items []Item) error {
	keys := make([]Key, len(items))
	for i, item := range items {
		keys[i] = NewRow(item).Key()
	}
	return NewTable(db, table).DeleteAll(ctx, keys...)
}
func LegacyDeletePartition(ctx context.Context, db *dynamodb.Client, table, pk string) error {
	return NewTable(db, table).DeletePartition(ctx, pk)
}
func LegacyCount(ctx context.Context, db *dynamodb.Client, table, pk, prefix string) (int, error) {
	return NewTable(db, table).Count(ctx, Query{Partition: pk, Sort: Prefix(prefix)})
}

func (x *Transaction) Legacy() (types.TransactWriteItem, error) {
	if x.err != nil {
		return types.TransactWriteItem{}, x.err
	}
	return x.actions[0], nil
}
