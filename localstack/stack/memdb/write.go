package memdb

import (
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
)

// write is one change of a row, or a check without a change.
type write struct {
	action
	table     *table
	key       Item
	condition condition
	scope     scope
	// change returns the new row; nil deletes it. A nil change is a check.
	change   func(old Item) (Item, error)
	old, row Item
}

// prepare checks the condition and computes the row to store.
func (w *write) prepare() (met bool, err error) {
	w.old = w.table.row(w.key)
	if !w.scope.holds(w.condition, w.old) {
		return false, nil
	}
	if w.row = w.old; w.change != nil {
		if w.row, err = w.change(w.old); err == nil {
			err = w.table.fits(w.row)
		}
	}
	return true, err
}

// store performs a prepared write and adds its units.
func (w *write) store(used usage, factor float64) usage {
	used[w.table.name] += w.table.writeUnits(w.old, w.row, factor)
	w.table.store(w.old, w.row)
	return used
}

// fits rejects rows that the table or one of its indexes cannot store.
func (t *table) fits(row Item) error {
	if size(row) > maxItem {
		return invalid("Item size has exceeded the maximum allowed size")
	}
	for _, v := range t.views[1:] {
		for _, name := range []string{v.hash, v.sort} {
			if value, ok := row[name]; ok && text(value) == "" {
				return invalid("key attribute %s of index %s is not a string, or empty", name, v.name)
			}
		}
	}
	return nil
}

// shown returns the row for the error of a refused write.
func (w *write) shown() Item {
	if w.ReturnValuesOnConditionCheckFailure != types.ReturnValuesOnConditionCheckFailureAllOld {
		return nil
	}
	return maps.Clone(w.old)
}

// single performs one write. In and Out are the SDK's input and output.
func single[In, Out any](db *DB, in *In) (any, error) {
	w, err := db.write(in)
	if err != nil {
		return nil, err
	}
	met, err := w.prepare()
	if err == nil && !met {
		message := aws.String("The conditional request failed")
		err = &types.ConditionalCheckFailedException{Message: message, Item: w.shown()}
	}
	if err != nil {
		return nil, err
	}
	var done struct {
		Attributes       Item
		ConsumedCapacity *types.ConsumedCapacity
	}
	done.ConsumedCapacity = w.store(usage{}, 1).only(w.ReturnConsumedCapacity)
	switch w.ReturnValues {
	case "", types.ReturnValueNone:
	case types.ReturnValueAllOld:
		done.Attributes = maps.Clone(w.old)
	case types.ReturnValueAllNew:
		done.Attributes = maps.Clone(w.row)
	default:
		return nil, invalid("memdb does not return %s", w.ReturnValues)
	}
	out := new(Out)
	fill(out, &done)
	return out, nil
}

// action has the common fields of writes and of actions in transactions.
type action struct {
	TableName                             *string
	Item, Key                             Item
	UpdateExpression, ConditionExpression *string
	ExpressionAttributeNames              map[string]string
	ExpressionAttributeValues             Item
	ReturnValues                          types.ReturnValue
	ReturnValuesOnConditionCheckFailure   types.ReturnValuesOnConditionCheckFailure
	ReturnConsumedCapacity                types.ReturnConsumedCapacity
}

// write prepares a write from the SDK's input, or a part of it.
func (db *DB) write(in any) (*write, error) {
	var a action
	fill(&a, in)
	t, err := db.table(a.TableName)
	if err != nil {
		return nil, err
	}
	names := scope{names: a.ExpressionAttributeNames, values: a.ExpressionAttributeValues}
	w := &write{action: a, table: t, key: a.Key, scope: names}
	if err := w.scope.check(a.UpdateExpression, a.ConditionExpression); err != nil {
		return nil, err
	}
	if w.condition, err = parsed(a.ConditionExpression, (*parser).condition); err != nil {
		return nil, err
	}
	switch in.(type) {
	case *dynamodb.PutItemInput, *types.Put:
		row := maps.Clone(a.Item)
		w.key, w.change = row, func(Item) (Item, error) { return row, nil }
	case *dynamodb.DeleteItemInput, *types.Delete:
		w.change = func(Item) (Item, error) { return nil, nil } // nil deletes
	case *dynamodb.UpdateItemInput, *types.Update:
		if w.change, err = t.update(a); err != nil {
			return nil, err
		}
	}
	return w, t.key(w.key, a.Item == nil)
}

// update returns the change of an update expression.
func (t *table) update(a action) (func(old Item) (Item, error), error) {
	if a.UpdateExpression == nil {
		return nil, invalid("memdb needs an update expression")
	}
	changes, err := parsed(a.UpdateExpression, (*parser).update)
	if err != nil {
		return nil, err
	}
	paths := make([][]string, len(changes))
	for i, c := range changes {
		for _, n := range c.path {
			paths[i] = append(paths[i], n.resolve(a.ExpressionAttributeNames))
		}
		if slices.Contains(t.views[0].keys, paths[i][0]) {
			return nil, invalid("Cannot update attribute %s. This attribute is part of the key", paths[i][0])
		}
		for _, other := range paths[:i] {
			if n := min(len(other), len(paths[i])); slices.Equal(other[:n], paths[i][:n]) {
				return nil, invalid("Two document paths overlap with each other")
			}
		}
	}
	return func(old Item) (Item, error) {
		row := maps.Clone(old)
		if row == nil {
			row = maps.Clone(a.Key)
		}
		// All values are computed from the old row.
		s := scope{item: old, names: a.ExpressionAttributeNames, values: a.ExpressionAttributeValues}
		for _, c := range changes {
			if err := c.apply(&s, row); err != nil {
				return nil, err
			}
		}
		return row, nil
	}, nil
}

func (db *DB) batchWriteItem(in *dynamodb.BatchWriteItemInput) (any, error) {
	var writes []*write
	for name, requests := range in.RequestItems {
		for _, r := range requests {
			var one any
			if r.PutRequest != nil {
				one = &types.Put{TableName: &name, Item: r.PutRequest.Item}
			} else {
				one = &types.Delete{TableName: &name, Key: r.DeleteRequest.Key}
			}
			w, err := db.write(one)
			if err == nil {
				_, err = w.prepare()
			}
			if err != nil {
				return nil, err
			}
			writes = append(writes, w)
		}
	}
	if err := distinct(writes, 25); err != nil {
		return nil, err
	}
	used := usage{}
	for _, w := range writes {
		w.store(used, 1)
	}
	return &dynamodb.BatchWriteItemOutput{ConsumedCapacity: used.consumed(in.ReturnConsumedCapacity)}, nil
}

// distinct rejects empty lists, long lists, and two writes of the same row.
func distinct(writes []*write, most int) error {
	if len(writes) == 0 || len(writes) > most {
		return invalid("there must be 1 to %d writes", most)
	}
	type place struct{ table, hash, sort string }
	seen := map[place]bool{}
	for _, w := range writes {
		main := w.table.views[0]
		at := place{w.table.name, text(w.key[main.hash]), text(w.key[main.sort])}
		if seen[at] {
			return invalid("there cannot be multiple operations on one item")
		}
		seen[at] = true
	}
	return nil
}

const (
	maxTransaction = 4 << 20
	// maxDone is how many transactions are remembered; DynamoDB remembers them for 10 minutes.
	maxDone = 1000
)

func (db *DB) transactWriteItems(in *dynamodb.TransactWriteItemsInput) (any, error) {
	writes := make([]*write, len(in.TransactItems))
	for i, item := range in.TransactItems {
		var err error
		switch {
		case item.Put != nil:
			writes[i], err = db.write(item.Put)
		case item.Update != nil:
			writes[i], err = db.write(item.Update)
		case item.Delete != nil:
			writes[i], err = db.write(item.Delete)
		case item.ConditionCheck != nil:
			writes[i], err = db.write(item.ConditionCheck)
		default:
			err = invalid("an action does nothing")
		}
		if err != nil {
			return nil, err
		}
	}
	if err := distinct(writes, 100); err != nil {
		return nil, err
	}
	token, used, bytes := aws.ToString(in.ClientRequestToken), usage{}, 0
	if done, ok := db.done[token]; ok {
		if !reflect.DeepEqual(done, in.TransactItems) {
			return nil, &types.IdempotentParameterMismatchException{Message: aws.String("another transaction has this token")}
		}
		return &dynamodb.TransactWriteItemsOutput{}, nil
	}
	reasons := make([]types.CancellationReason, len(writes))
	refused := false
	for i, w := range writes {
		met, err := w.prepare()
		reasons[i].Code = aws.String("None")
		if api, ok := errors.AsType[smithy.APIError](err); ok { // the update does not fit the stored row
			refused, reasons[i] = true, types.CancellationReason{
				Code: aws.String("ValidationError"), Message: aws.String(api.ErrorMessage()),
			}
		} else if !met {
			refused, reasons[i] = true, types.CancellationReason{
				Code: aws.String("ConditionalCheckFailed"), Message: aws.String("The conditional request failed"), Item: w.shown(),
			}
		}
		bytes += max(size(w.old), size(w.row))
	}
	if refused {
		return nil, &types.TransactionCanceledException{
			Message: aws.String("Transaction cancelled"), CancellationReasons: reasons,
		}
	}
	if bytes > maxTransaction {
		return nil, invalid("Collection size of items in the transaction exceeds 4 MB")
	}
	for _, w := range writes {
		w.store(used, 2)
	}
	if token != "" {
		if len(db.done) >= maxDone {
			clear(db.done)
		}
		db.done[token] = in.TransactItems
	}
	return &dynamodb.TransactWriteItemsOutput{ConsumedCapacity: used.consumed(in.ReturnConsumedCapacity)}, nil
}

// change is one change of an update expression.
type change struct {
	path path
	// value returns the new value; a nil value removes the attribute.
	value operand
}

// update parses an update expression.
func (p *parser) update() (changes []change) {
	for p.peek() != "" {
		clause := strings.ToUpper(p.next())
		for more := true; more; more = p.accept(",") {
			changes = append(changes, p.change(clause))
		}
	}
	return changes
}

func (p *parser) change(clause string) change {
	at := p.path()
	switch clause {
	case "SET":
		p.expect("=")
		return change{at, p.sum()}
	case "ADD":
		more := p.operand()
		return change{at, func(s *scope) types.AttributeValue {
			if old := at.value(s); old != nil {
				return plus(old, more(s))
			}
			return plus(&types.AttributeValueMemberN{Value: "0"}, more(s))
		}}
	case "REMOVE":
		return change{at, nil}
	default:
		p.fail("memdb has no clause %s", clause)
		return change{}
	}
}

// sum parses the right side of a SET: a value, or the sum of two.
func (p *parser) sum() operand {
	left := p.operand()
	if !p.accept("+") {
		return left
	}
	right := p.operand()
	return func(s *scope) types.AttributeValue { return plus(left(s), right(s)) }
}

// apply changes the row. It copies nested maps first.
func (c change) apply(s *scope, row Item) error {
	for _, n := range c.path[:len(c.path)-1] {
		name := n.resolve(s.names)
		m, ok := row[name].(*types.AttributeValueMemberM)
		if !ok {
			return invalid("The document path provided in the update expression is invalid for update")
		}
		inner := maps.Clone(m.Value)
		if inner == nil {
			inner = Item{}
		}
		row[name] = &types.AttributeValueMemberM{Value: inner}
		row = inner
	}
	name := c.path[len(c.path)-1].resolve(s.names)
	if c.value == nil {
		delete(row, name)
		return nil
	}
	if row[name] = c.value(s); row[name] == nil {
		return invalid("the value of %s has an operand that is missing or of an incorrect type", name)
	}
	return nil
}
