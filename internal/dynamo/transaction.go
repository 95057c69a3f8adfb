package dynamo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"aviso/internal/clock"
	"aviso/internal/outcome"
)

// MaxTransaction is the maximum number of actions in one transaction.
const MaxTransaction = 100

// Transaction collects writes that succeed or fail together. Its zero value is empty. If an action cannot be encoded,
// the Commit fails.
type Transaction struct {
	db      *dynamodb.Client
	actions []types.TransactWriteItem
	follow  []followUp
	err     error
}

// followUp is called with the result of a Commit.
type followUp struct {
	action int
	do     func(refused bool, err error) error
}

// Put writes a row, a struct with dynamodbav tags or an Item. Like the other
// methods it returns the index of the action, for Refused.
func (x *Transaction) Put(t Table, key Key, row any, conditions ...Expression) int {
	item, err := marshal(key, row)
	x.Fail(err)
	var r renderer
	condition := r.condition(conditions)
	return x.add(t, types.TransactWriteItem{Put: &types.Put{
		TableName: &t.name, Item: item, ConditionExpression: condition,
		ExpressionAttributeNames: r.names, ExpressionAttributeValues: r.values,
	}})
}

// Update changes a row.
func (x *Transaction) Update(t Table, key Key, update Expression, conditions ...Expression) int {
	var r renderer
	change, condition := r.render(update), r.condition(conditions)
	return x.add(t, types.TransactWriteItem{Update: &types.Update{
		TableName: &t.name, Key: key.item(), UpdateExpression: &change, ConditionExpression: condition,
		ExpressionAttributeNames: r.names, ExpressionAttributeValues: r.values,
	}})
}

// Delete deletes a row.
func (x *Transaction) Delete(t Table, key Key, conditions ...Expression) int {
	var r renderer
	condition := r.condition(conditions)
	return x.add(t, types.TransactWriteItem{Delete: &types.Delete{
		TableName: &t.name, Key: key.item(), ConditionExpression: condition,
		ExpressionAttributeNames: r.names, ExpressionAttributeValues: r.values,
	}})
}

// Check makes the transaction depend on a row that it does not write.
func (x *Transaction) Check(t Table, key Key, condition Expression) int {
	var r renderer
	text := r.render(condition)
	return x.add(t, types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{
		TableName: &t.name, Key: key.item(), ConditionExpression: &text,
		ExpressionAttributeNames: r.names, ExpressionAttributeValues: r.values,
	}})
}

// Follow makes Commit call do with its error, and return do's error instead. refused reports whether the condition of
// that action was not met.
func (x *Transaction) Follow(action int, do func(refused bool, err error) error) {
	x.follow = append(x.follow, followUp{action, do})
}

// Append adds the actions of another transaction.
func (x *Transaction) Append(other Transaction) {
	for _, f := range other.follow {
		x.Follow(len(x.actions)+f.action, f.do)
	}
	x.actions = append(x.actions, other.actions...)
	if x.db == nil {
		x.db = other.db
	}
	x.Fail(other.err)
}

// Fail makes the Commit fail with err. Code that adds actions uses it.
func (x *Transaction) Fail(err error) {
	if x.err == nil {
		x.err = err
	}
}

// Len returns the number of actions.
func (x *Transaction) Len() int { return len(x.actions) }

// Size returns the approximate size of the rows to put, in bytes. It counts their JSON, which is larger than
// DynamoDB's own size.
func (x *Transaction) Size() int {
	n := 0
	for _, action := range x.actions {
		if action.Put != nil {
			text, _ := json.Marshal(action.Put.Item) // only strings, numbers and bytes: cannot fail
			n += len(text)
		}
	}
	return n
}

// Chunks splits the transaction into transactions of at most n actions each. It does not work with Follow.
func (x *Transaction) Chunks(n int) iter.Seq[Transaction] {
	return func(yield func(Transaction) bool) {
		for actions := range slices.Chunk(x.actions, n) {
			if !yield(Transaction{db: x.db, actions: actions, err: x.err}) {
				return
			}
		}
	}
}

func (x *Transaction) add(t Table, action types.TransactWriteItem) int {
	x.db, x.actions = t.db, append(x.actions, action)
	return len(x.actions) - 1
}

// commitTries is how often a transaction is tried while other transactions use its rows.
const commitTries = 6

// Commit writes all actions or none. If conditions are not met it returns a *ConditionError, which is
// outcome.ErrChanged. It retries while another transaction is using one of the rows. That takes milliseconds, and is
// common, because many transactions check the same user's row.
func (x *Transaction) Commit(ctx context.Context) error {
	err := x.commit(ctx)
	for _, f := range x.follow {
		err = f.do(Refused(err, f.action), err)
	}
	return err
}

// CommitOne is Commit at half the price if the only action puts a row without a condition.
func (x *Transaction) CommitOne(ctx context.Context) error {
	if x.err != nil || len(x.actions) != 1 || x.actions[0].Put == nil || x.actions[0].Put.ConditionExpression != nil {
		return x.Commit(ctx)
	}
	put := x.actions[0].Put
	if _, err := x.db.PutItem(ctx, &dynamodb.PutItemInput{TableName: put.TableName, Item: put.Item}); err != nil {
		return fmt.Errorf("put item: %w", err)
	}
	return nil
}

func (x *Transaction) commit(ctx context.Context) error {
	if x.err != nil {
		return x.err
	}
	if len(x.actions) == 0 {
		return errors.New("transaction without actions")
	}
	err := x.write(ctx)
	for try := 1; try < commitTries && Contended(err) && pause(ctx, try); try++ {
		err = x.write(ctx)
	}
	if err == nil {
		return nil
	}
	if refused := refusedActions(err, "ConditionalCheckFailed"); len(refused) > 0 {
		return &ConditionError{actions: refused}
	}
	return fmt.Errorf("transact %d actions: %w", len(x.actions), err)
}

func (x *Transaction) write(ctx context.Context) error {
	_, err := x.db.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: x.actions})
	return err
}

// pause waits before a retry, for a random time below a bound that doubles with each try. Transactions that collided
// would otherwise collide again.
func pause(ctx context.Context, try int) bool {
	return clock.Wait(ctx, rand.N(5*time.Millisecond<<try)) //nolint:gosec // no secret
}

// Contended reports whether a write failed because a transaction was using one of its rows. Such a write wrote
// nothing.
func Contended(err error) bool {
	_, crossed := errors.AsType[*types.TransactionConflictException](err)
	return crossed || len(refusedActions(err, "TransactionConflict")) > 0
}

// Throttled reports whether a transaction failed because a partition was throttled. Such a transaction wrote nothing.
// The SDK retries throttled calls, but not transactions.
func Throttled(err error) bool {
	return len(refusedActions(err, "ThrottlingError")) > 0 ||
		len(refusedActions(err, "ProvisionedThroughputExceeded")) > 0
}

// LostRace turns the error of a Contended write into outcome.ErrChanged, for callers that read and try again after a
// lost race. It returns any other err unchanged.
func LostRace(err error) error {
	if Contended(err) {
		return outcome.ErrChanged
	}
	return err
}

// refusedActions returns the indexes of the actions that failed with the code.
func refusedActions(err error, code string) (actions []int) {
	cancelled, ok := errors.AsType[*types.TransactionCanceledException](err)
	if !ok {
		return nil
	}
	for i, reason := range cancelled.CancellationReasons {
		if reason.Code != nil && *reason.Code == code {
			actions = append(actions, i)
		}
	}
	return actions
}
