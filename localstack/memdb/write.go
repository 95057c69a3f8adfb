package memdb

import (
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// write is one change of a row, or a check without a change.
type write struct {
	table     *table
	key       key
	condition *string
	scope     scope
	// change returns the new row; nil deletes it. A nil change is a check.
	change func(old Item) (Item, error)
}

// prepare checks the condition and returns the row to store.
func (w *write) prepare() (old, stored Item, met bool, err error) {
	old = w.table.rows[w.key]
	if w.condition != nil {
		condition, err := parsed(*w.condition, (*parser).condition)
		if err != nil {
			return nil, nil, false, err
		}
		w.scope.item = old
		if met, err = condition(&w.scope); err != nil || !met {
			return old, nil, false, err
		}
	}
	if w.change == nil {
		return old, old, true, nil
	}
	stored, err = w.change(old)
	return old, stored, true, err
}

func (w *write) store(row Item) {
	if row == nil {
		delete(w.table.rows, w.key)
		return
	}
	w.table.rows[w.key] = row
}

// single performs one write and returns the new row.
func (w *write) single(onRefusal types.ReturnValuesOnConditionCheckFailure) (Item, error) {
	old, stored, met, err := w.prepare()
	if err != nil {
		return nil, err
	}
	if !met {
		refused := &types.ConditionalCheckFailedException{Message: aws.String("The conditional request failed")}
		if onRefusal == types.ReturnValuesOnConditionCheckFailureAllOld {
			refused.Item = maps.Clone(old)
		}
		return nil, refused
	}
	w.store(stored)
	return stored, nil
}

func (db *DB) put(name *string, item Item, condition *string, names map[string]string, values Item) (*write, error) {
	t, err := db.table(name)
	if err != nil {
		return nil, err
	}
	k, err := t.key(item)
	if err != nil {
		return nil, err
	}
	for _, index := range slices.Concat(t.LocalIndexes, t.GlobalIndexes) {
		for _, name := range []string{index.Key.Hash, index.Key.Range} {
			if v, ok := item[name]; ok && text(v) == "" {
				return nil, invalid("key attribute %s of index %s is not a string, or empty", name, index.Name)
			}
		}
	}
	row := maps.Clone(item)
	return &write{
		table: t, key: k, condition: condition, scope: scope{names: names, values: values},
		change: func(Item) (Item, error) { return row, nil },
	}, nil
}

func (db *DB) remove(name *string, k Item, condition *string, names map[string]string, values Item) (*write, error) {
	w, err := db.check(name, k, condition, names, values)
	if err == nil {
		w.change = func(Item) (Item, error) { return nil, nil } // nil deletes
	}
	return w, err
}

func (db *DB) check(name *string, k Item, condition *string, names map[string]string, values Item) (*write, error) {
	t, err := db.table(name)
	if err != nil {
		return nil, err
	}
	at, err := t.keyOnly(k)
	return &write{table: t, key: at, condition: condition, scope: scope{names: names, values: values}}, err
}

func (db *DB) update(
	name *string, k Item, update, condition *string, names map[string]string, values Item,
) (*write, error) {
	w, err := db.check(name, k, condition, names, values)
	if err != nil {
		return nil, err
	}
	changes, err := parsed(aws.ToString(update), (*parser).update)
	if err != nil {
		return nil, err
	}
	w.change = func(old Item) (Item, error) {
		row := maps.Clone(old)
		if row == nil {
			row = maps.Clone(k)
		}
		// All values are computed from the row as it was.
		s := scope{item: old, names: names, values: values}
		for _, c := range changes {
			if err := c.apply(&s, row); err != nil {
				return nil, err
			}
		}
		return row, nil
	}
	return w, nil
}

func (db *DB) putItem(in *dynamodb.PutItemInput) (any, error) {
	w, err := db.put(in.TableName, in.Item, in.ConditionExpression, in.ExpressionAttributeNames,
		in.ExpressionAttributeValues)
	if err != nil {
		return nil, err
	}
	_, err = w.single(in.ReturnValuesOnConditionCheckFailure)
	return &dynamodb.PutItemOutput{}, err
}

func (db *DB) deleteItem(in *dynamodb.DeleteItemInput) (any, error) {
	w, err := db.remove(in.TableName, in.Key, in.ConditionExpression, in.ExpressionAttributeNames,
		in.ExpressionAttributeValues)
	if err != nil {
		return nil, err
	}
	_, err = w.single(in.ReturnValuesOnConditionCheckFailure)
	return &dynamodb.DeleteItemOutput{}, err
}

func (db *DB) updateItem(in *dynamodb.UpdateItemInput) (any, error) {
	w, err := db.update(in.TableName, in.Key, in.UpdateExpression, in.ConditionExpression,
		in.ExpressionAttributeNames, in.ExpressionAttributeValues)
	if err != nil {
		return nil, err
	}
	stored, err := w.single(in.ReturnValuesOnConditionCheckFailure)
	out := &dynamodb.UpdateItemOutput{}
	switch in.ReturnValues {
	case "", types.ReturnValueNone:
	case types.ReturnValueAllNew:
		out.Attributes = maps.Clone(stored)
	default:
		return nil, invalid("memdb does not return %s", in.ReturnValues)
	}
	return out, err
}

func (db *DB) batchWriteItem(in *dynamodb.BatchWriteItemInput) (any, error) {
	for name, requests := range in.RequestItems {
		if len(requests) > 25 {
			return nil, invalid("too many writes")
		}
		for _, r := range requests {
			var w *write
			var err error
			if r.PutRequest != nil {
				w, err = db.put(&name, r.PutRequest.Item, nil, nil, nil)
			} else {
				w, err = db.remove(&name, r.DeleteRequest.Key, nil, nil, nil)
			}
			if err != nil {
				return nil, err
			}
			if _, err := w.single(""); err != nil {
				return nil, err
			}
		}
	}
	return &dynamodb.BatchWriteItemOutput{}, nil
}

func (db *DB) transactWriteItems(in *dynamodb.TransactWriteItemsInput) (any, error) {
	if len(in.TransactItems) == 0 || len(in.TransactItems) > 100 {
		return nil, invalid("a transaction has 1 to 100 actions")
	}
	type place struct {
		table *table
		key   key
	}
	seen := map[place]bool{}
	writes := make([]*write, len(in.TransactItems))
	rows := make([]Item, len(writes))
	reasons := make([]types.CancellationReason, len(writes))
	refused := false
	for i, action := range in.TransactItems {
		w, err := db.action(action)
		if err != nil {
			return nil, err
		}
		at := place{w.table, w.key}
		if seen[at] {
			return nil, invalid("Transaction request cannot include multiple operations on one item")
		}
		seen[at] = true
		_, row, met, err := w.prepare()
		writes[i], rows[i], reasons[i].Code = w, row, aws.String("None")
		switch {
		case err != nil: // only the row shows that the expression does not fit it
			refused, reasons[i].Code = true, aws.String("ValidationError")
		case !met:
			refused, reasons[i].Code = true, aws.String("ConditionalCheckFailed")
		}
	}
	if refused {
		return nil, &types.TransactionCanceledException{CancellationReasons: reasons}
	}
	for i, w := range writes {
		if w.change != nil {
			w.store(rows[i])
		}
	}
	return &dynamodb.TransactWriteItemsOutput{}, nil
}

func (db *DB) action(a types.TransactWriteItem) (*write, error) {
	switch {
	case a.Put != nil:
		return db.put(a.Put.TableName, a.Put.Item, a.Put.ConditionExpression, a.Put.ExpressionAttributeNames,
			a.Put.ExpressionAttributeValues)
	case a.Update != nil:
		return db.update(a.Update.TableName, a.Update.Key, a.Update.UpdateExpression, a.Update.ConditionExpression,
			a.Update.ExpressionAttributeNames, a.Update.ExpressionAttributeValues)
	case a.Delete != nil:
		return db.remove(a.Delete.TableName, a.Delete.Key, a.Delete.ConditionExpression,
			a.Delete.ExpressionAttributeNames, a.Delete.ExpressionAttributeValues)
	case a.ConditionCheck != nil:
		return db.check(a.ConditionCheck.TableName, a.ConditionCheck.Key, a.ConditionCheck.ConditionExpression,
			a.ConditionCheck.ExpressionAttributeNames, a.ConditionCheck.ExpressionAttributeValues)
	default:
		return nil, invalid("an action of the transaction does nothing")
	}
}
