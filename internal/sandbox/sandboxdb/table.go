package sandboxdb

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"aviso/internal/dynamo"
)

// New is a store in a table.
func New(db *dynamodb.Client, name string, now func() time.Time, errs Errors) *Store {
	return &Store{&table{db, name}, now, errs}
}

// table is rows in DynamoDB.
type table struct {
	db   *dynamodb.Client
	name string
}

func (t *table) get(ctx context.Context, key Key) (dynamo.Item, error) {
	return dynamo.GetItem(ctx, t.db, t.name, key.PK, key.SK, true)
}

func (t *table) newestFirst(ctx context.Context, pk, before string, wanted int) iter.Seq2[dynamo.Item, error] {
	in := &dynamodb.QueryInput{
		TableName: &t.name, KeyConditionExpression: aws.String("pk = :pk"), ExpressionAttributeValues: dynamo.Item{":pk": dynamo.S(pk)},
		ConsistentRead: aws.Bool(true), ScanIndexForward: aws.Bool(false),
	}
	if before != "" {
		in.KeyConditionExpression = aws.String("pk = :pk AND sk < :before")
		in.ExpressionAttributeValues[":before"] = dynamo.S(before)
	}
	if wanted > 0 {
		in.Limit = aws.Int32(int32(wanted)) //nolint:gosec // a page of a list
	}
	return func(yield func(dynamo.Item, error) bool) {
		for pages := dynamodb.NewQueryPaginator(t.db, in); pages.HasMorePages(); {
			page, err := pages.NextPage(ctx)
			if err != nil {
				yield(nil, err)
				return
			}
			for _, item := range page.Items {
				if !yield(item, nil) {
					return
				}
			}
		}
	}
}

func (t *table) write(ctx context.Context, now int64, changes []change) error {
	actions := make([]types.TransactWriteItem, len(changes))
	for i, c := range changes {
		if c.item == nil {
			actions[i].Delete = &types.Delete{TableName: &t.name, Key: dynamo.Key(c.key.PK, c.key.SK)}
			continue
		}
		p := &types.Put{TableName: &t.name, Item: c.item}
		switch {
		case c.was > 0:
			p.ConditionExpression = aws.String("version = :was")
			p.ExpressionAttributeValues = dynamo.Item{":was": dynamo.N(int64(c.was))}
		case c.was == 0:
			// A row that reading calls forgotten may be replaced by a new one.
			p.ConditionExpression = aws.String("attribute_not_exists(pk) OR expiresAt <= :now")
			p.ExpressionAttributeValues = dynamo.Item{":now": dynamo.N(now)}
		}
		actions[i].Put = p
	}
	err := dynamo.Transact(ctx, t.db, actions)
	if errors.Is(err, dynamo.ErrConditionFailed) || contended(err) {
		return errChanged
	}
	return err
}

// contended reports whether another transaction held one of the rows just then.
func contended(err error) bool {
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) {
		return false
	}
	for _, reason := range cancelled.CancellationReasons {
		if aws.ToString(reason.Code) == "TransactionConflict" {
			return true
		}
	}
	return false
}

func (t *table) count(ctx context.Context, key Key, until int64) (int, error) {
	res, err := t.db.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &t.name, Key: dynamo.Key(key.PK, key.SK), ReturnValues: types.ReturnValueUpdatedNew,
		UpdateExpression:          aws.String("ADD calls :one SET expiresAt = if_not_exists(expiresAt, :until)"),
		ExpressionAttributeValues: dynamo.Item{":one": dynamo.N(1), ":until": dynamo.N(until)},
	})
	if err != nil {
		return 0, fmt.Errorf("count call: %w", err)
	}
	n, ok := res.Attributes["calls"].(*types.AttributeValueMemberN)
	if !ok {
		return 0, errors.New("count call: no count came back")
	}
	return strconv.Atoi(n.Value)
}
