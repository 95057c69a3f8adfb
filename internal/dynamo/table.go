package dynamo

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"aviso/internal/outcome"
)

// Table is a DynamoDB table. Its keys are the strings pk and sk, or pk alone.
type Table struct {
	db   *dynamodb.Client
	name string
}

// NewTable returns the table with that name.
func NewTable(db *dynamodb.Client, name string) Table { return Table{db: db, name: name} }

// Sibling returns another table of the same client.
func (t Table) Sibling(name string) Table { return Table{db: t.db, name: name} }

// Key is a primary key. SK is empty in tables without a sort key. Structs embed Key to read a row's key; writing a
// row sets the key itself.
type Key struct {
	PK string `dynamodbav:"pk"`
	SK string `dynamodbav:"sk,omitempty"`
}

func (k Key) item() Item {
	item := Item{"pk": S(k.PK)}
	if k.SK != "" {
		item["sk"] = S(k.SK)
	}
	return item
}

// MaxBatch is the maximum number of rows in one BatchWriteItem.
const MaxBatch = 25

const (
	// maxBatchGet is the maximum number of rows in one BatchGetItem.
	maxBatchGet = 100
	// batchTries is how often a batch is sent while DynamoDB leaves part of it unprocessed. Between calls that are
	// throttled as a whole, the SDK's client waits.
	batchTries = 5
)

// ReadOption changes how rows are read.
type ReadOption func(*readOptions)

type readOptions struct {
	eventual   bool
	attributes string
}

// Eventual makes a read cost half. It may miss the writes of the last second.
func Eventual(o *readOptions) { o.eventual = true }

// Attributes restricts a read to a comma-separated list of attributes. None of them may be a reserved word.
func Attributes(names string) ReadOption { return func(o *readOptions) { o.attributes = names } }

func readOptionsOf(options []ReadOption) (o readOptions) {
	for _, option := range options {
		option(&o)
	}
	return o
}

func (o readOptions) projection() *string {
	if o.attributes == "" {
		return nil
	}
	return &o.attributes
}

// Row reads one row. It returns outcome.ErrNotFound if there is none.
func (t Table) Row(ctx context.Context, key Key, options ...ReadOption) (Item, error) {
	o := readOptionsOf(options)
	out, err := t.db.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: &t.name, Key: key.item(), ConsistentRead: new(!o.eventual), ProjectionExpression: o.projection(),
	})
	if err != nil {
		return nil, fmt.Errorf("get item: %w", err)
	}
	if len(out.Item) == 0 {
		return nil, outcome.ErrNotFound
	}
	return out.Item, nil
}

// Get reads one row into a struct with dynamodbav tags. It returns
// outcome.ErrNotFound if there is none.
func Get[R any](ctx context.Context, t Table, key Key, options ...ReadOption) (R, error) {
	row, err := t.Row(ctx, key, options...)
	if err != nil {
		return *new(R), err
	}
	return Decode[R](row)
}

// Rows reads several rows by key, in no particular order. Missing rows are left out.
func (t Table) Rows(ctx context.Context, keys []Key, options ...ReadOption) ([]Item, error) {
	o := readOptionsOf(options)
	var rows []Item
	for chunk := range slices.Chunk(keys, maxBatchGet) {
		wanted := types.KeysAndAttributes{ConsistentRead: new(!o.eventual), ProjectionExpression: o.projection()}
		for _, key := range chunk {
			wanted.Keys = append(wanted.Keys, key.item())
		}
		request := map[string]types.KeysAndAttributes{t.name: wanted}
		for try := 0; len(request) > 0; try++ { // a response has 16 MB at most
			if try == batchTries {
				return nil, leftOver("BatchGetItem", len(request[t.name].Keys))
			}
			out, err := t.db.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: request})
			if err != nil {
				return nil, fmt.Errorf("get items: %w", err)
			}
			rows = append(rows, out.Responses[t.name]...)
			request = out.UnprocessedKeys
		}
	}
	return rows, nil
}

// leftOver returns a throttling error for a batch that DynamoDB processed only in part, because DynamoDB itself sends
// none.
func leftOver(operation string, n int) error {
	return &smithy.OperationError{
		ServiceID: dynamodb.ServiceID, OperationName: operation,
		Err: &types.ProvisionedThroughputExceededException{Message: new(fmt.Sprintf("%d items are left over", n))},
	}
}

// Put writes one row, a struct with dynamodbav tags or an Item. If a condition is
// not met it returns a *ConditionError, which is outcome.ErrChanged.
func (t Table) Put(ctx context.Context, key Key, row any, conditions ...Expression) error {
	item, err := marshal(key, row)
	if err != nil {
		return err
	}
	var r renderer
	condition := r.condition(conditions)
	_, err = t.db.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: &t.name, Item: item, ConditionExpression: condition, ExpressionAttributeNames: r.names,
		ExpressionAttributeValues: r.values, ReturnValuesOnConditionCheckFailure: onRefusal(condition),
	})
	return refused("put item", err)
}

// Update changes one row and returns the new row. It creates a row that does not
// exist, unless a condition forbids it. If a condition is not met it returns a
// *ConditionError, which is outcome.ErrChanged.
func (t Table) Update(ctx context.Context, key Key, update Expression, conditions ...Expression) (Item, error) {
	var r renderer
	change, condition := r.render(update), r.condition(conditions)
	out, err := t.db.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &t.name, Key: key.item(), UpdateExpression: &change, ConditionExpression: condition,
		ExpressionAttributeNames: r.names, ExpressionAttributeValues: r.values,
		ReturnValues: types.ReturnValueAllNew, ReturnValuesOnConditionCheckFailure: onRefusal(condition),
	})
	if err := refused("update item", err); err != nil {
		return nil, err
	}
	return out.Attributes, nil
}

// Delete deletes one row. A missing row is not an error. If a condition is not met it
// returns a *ConditionError, which is outcome.ErrChanged.
func (t Table) Delete(ctx context.Context, key Key, conditions ...Expression) error {
	var r renderer
	condition := r.condition(conditions)
	_, err := t.db.DeleteItem(ctx, &dynamodb.DeleteItemInput{
		TableName: &t.name, Key: key.item(), ConditionExpression: condition, ExpressionAttributeNames: r.names,
		ExpressionAttributeValues: r.values, ReturnValuesOnConditionCheckFailure: onRefusal(condition),
	})
	return refused("delete item", err)
}

// DeleteAll deletes rows without conditions. Missing rows are not an error.
func (t Table) DeleteAll(ctx context.Context, keys ...Key) error {
	requests := make([]types.WriteRequest, len(keys))
	for i, key := range keys {
		requests[i] = types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: key.item()}}
	}
	return t.writeAll(ctx, requests)
}

// PutAll writes rows without conditions: structs with dynamodbav tags, or Items. Each may be written although another
// one fails.
func (t Table) PutAll(ctx context.Context, rows map[Key]any) error {
	requests := make([]types.WriteRequest, 0, len(rows))
	for key, row := range rows {
		item, err := marshal(key, row)
		if err != nil {
			return err
		}
		requests = append(requests, types.WriteRequest{PutRequest: &types.PutRequest{Item: item}})
	}
	return t.writeAll(ctx, requests)
}

func (t Table) writeAll(ctx context.Context, all []types.WriteRequest) error {
	for requests := range slices.Chunk(all, MaxBatch) {
		for try := 0; len(requests) > 0; try++ {
			if try == batchTries {
				return leftOver("BatchWriteItem", len(requests))
			}
			out, err := t.db.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{
				RequestItems: map[string][]types.WriteRequest{t.name: requests},
			})
			if err != nil {
				return fmt.Errorf("write items: %w", err)
			}
			requests = out.UnprocessedItems[t.name]
		}
	}
	return nil
}

// DeletePartition deletes all rows of a partition.
func (t Table) DeletePartition(ctx context.Context, pk string) error {
	return t.DeleteFound(ctx, Query{Partition: pk}, nil)
}

// DeleteFound deletes the rows that a query finds and match accepts; a nil match accepts all. It deletes page by
// page, so an interrupted call can be repeated.
func (t Table) DeleteFound(ctx context.Context, q Query, match func(Key) bool) error {
	q.Attributes = "pk, sk"
	for {
		page, err := t.Page(ctx, q)
		if err != nil {
			return err
		}
		var keys []Key
		for _, row := range page.Items {
			if key := KeyOf(row); match == nil || match(key) {
				keys = append(keys, key)
			}
		}
		if err := t.DeleteAll(ctx, keys...); err != nil {
			return err
		}
		if q.Start = page.Last; len(q.Start) == 0 {
			return nil
		}
	}
}

func onRefusal(condition *string) types.ReturnValuesOnConditionCheckFailure {
	if condition == nil {
		return ""
	}
	return types.ReturnValuesOnConditionCheckFailureAllOld
}

// ConditionError reports which conditions were not met; nothing was written. It is
// outcome.ErrChanged.
type ConditionError struct {
	// Old is the row that a single write found; nil if there is none.
	Old Item
	// actions are the indexes of the refused actions in the transaction.
	actions []int
}

func (e *ConditionError) Error() string {
	return fmt.Sprintf("%v: condition of actions %v not met", outcome.ErrChanged, e.actions)
}

// Is makes errors.Is(err, outcome.ErrChanged) true.
func (e *ConditionError) Is(target error) bool { return target == outcome.ErrChanged }

// Refused reports whether the condition of an action of a transaction was not met.
func Refused(err error, action int) bool {
	refused, ok := errors.AsType[*ConditionError](err)
	return ok && slices.Contains(refused.actions, action)
}

// OnlyRefused reports whether the condition of that action, and no other, was not met.
func OnlyRefused(err error, action int) bool {
	refused, ok := errors.AsType[*ConditionError](err)
	return ok && len(refused.actions) == 1 && refused.actions[0] == action
}
