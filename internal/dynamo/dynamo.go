// Package dynamo holds what all DynamoDB stores share: the item shape of
// pk and sk, transactions that tell which of their conditions failed, and page
// positions.
package dynamo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// ErrConditionFailed says that a conditional write found the row in another
// state than it expected; nothing was written.
var ErrConditionFailed = errors.New("dynamo: condition failed")

// ErrNotFound says that there is no such row.
var ErrNotFound = errors.New("dynamo: not found")

// MaxTransaction is how many actions one transaction holds at most.
const MaxTransaction = 100

// Item is a row as the SDK wants it.
type Item = map[string]types.AttributeValue

// Key is the primary key of a row.
func Key(pk, sk string) Item {
	return Item{"pk": S(pk), "sk": S(sk)}
}

// S is a string attribute.
func S(v string) types.AttributeValue { return &types.AttributeValueMemberS{Value: v} }

// N is a whole-number attribute.
func N(v int64) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(v, 10)}
}

// Time writes t as RFC 3339 UTC with nanoseconds of fixed width, so that text
// order is time order.
func Time(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000000Z") }

// Millis stores a time as milliseconds since 1970; the zero time as 0.
func Millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// FromMillis reads what Millis has made, in UTC.
func FromMillis(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// Expiry is the value of a time-to-live attribute: whole seconds since 1970.
func Expiry(t time.Time) int64 { return t.Unix() }

// Marshal turns a stored struct (tags `dynamodbav`) into a row under its key.
func Marshal(pk, sk string, v any) (Item, error) {
	item, err := attributevalue.MarshalMap(v)
	if err != nil {
		return nil, fmt.Errorf("marshal %T: %w", v, err)
	}
	item["pk"] = S(pk)
	if sk != "" {
		item["sk"] = S(sk)
	}
	return item, nil
}

// Get reads one row into out. ErrNotFound when there is none.
func Get(ctx context.Context, db *dynamodb.Client, table, pk, sk string, consistent bool, out any) error {
	item, err := GetItem(ctx, db, table, pk, sk, consistent)
	if err != nil {
		return err
	}
	return Unmarshal(item, out)
}

// GetItem reads one row as it is. ErrNotFound when there is none.
func GetItem(ctx context.Context, db *dynamodb.Client, table, pk, sk string, consistent bool) (Item, error) {
	res, err := db.GetItem(ctx, &dynamodb.GetItemInput{TableName: &table, Key: Key(pk, sk), ConsistentRead: &consistent})
	if err != nil {
		return nil, fmt.Errorf("get item: %w", err)
	}
	if len(res.Item) == 0 {
		return nil, ErrNotFound
	}
	return res.Item, nil
}

// Unmarshal reads a row into a stored struct.
func Unmarshal(item Item, out any) error {
	if err := attributevalue.UnmarshalMap(item, out); err != nil {
		return fmt.Errorf("unmarshal %T: %w", out, err)
	}
	return nil
}

// Transact writes all actions or none. When conditions refuse it, the error is
// a *ConditionError, which wraps ErrConditionFailed.
func Transact(ctx context.Context, db *dynamodb.Client, actions []types.TransactWriteItem) error {
	_, err := db.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: actions})
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) {
		if err != nil {
			return fmt.Errorf("transact %d actions: %w", len(actions), err)
		}
		return nil
	}
	failed := &ConditionError{}
	for i, r := range cancelled.CancellationReasons {
		if r.Code != nil && *r.Code == "ConditionalCheckFailed" {
			failed.Actions = append(failed.Actions, i)
		}
	}
	if len(failed.Actions) == 0 {
		return fmt.Errorf("transact %d actions: %w", len(actions), err)
	}
	return failed
}

// ConditionError names the actions whose conditions refused a transaction.
type ConditionError struct{ Actions []int }

func (e *ConditionError) Error() string {
	return fmt.Sprintf("%v: actions %v", ErrConditionFailed, e.Actions)
}

// Is makes errors.Is(err, ErrConditionFailed) true.
func (e *ConditionError) Is(target error) bool { return target == ErrConditionFailed }

// Failed tells whether the action at index i was among those that refused.
func (e *ConditionError) Failed(i int) bool {
	for _, a := range e.Actions {
		if a == i {
			return true
		}
	}
	return false
}

// Conditional turns the refusal of a single conditional write into
// ErrConditionFailed and leaves other errors alone.
func Conditional(err error) error {
	var refused *types.ConditionalCheckFailedException
	if errors.As(err, &refused) {
		return ErrConditionFailed
	}
	return err
}

// Position writes the key at which a query stopped as text, and is empty at the
// end. Keys hold strings only.
func Position(key Item) (string, error) {
	if len(key) == 0 {
		return "", nil
	}
	flat := make(map[string]string, len(key))
	for name, av := range key {
		s, ok := av.(*types.AttributeValueMemberS)
		if !ok {
			return "", fmt.Errorf("position: key attribute %s is not a string", name)
		}
		flat[name] = s.Value
	}
	b, err := json.Marshal(flat)
	return string(b), err
}

// StartKey reads what Position wrote; nil for an empty position.
func StartKey(position string) (Item, error) {
	if position == "" {
		return nil, nil
	}
	var flat map[string]string
	if err := json.Unmarshal([]byte(position), &flat); err != nil {
		return nil, fmt.Errorf("start key: %w", err)
	}
	key := make(Item, len(flat))
	for name, v := range flat {
		key[name] = S(v)
	}
	return key, nil
}
