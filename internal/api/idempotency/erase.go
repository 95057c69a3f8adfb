package idempotency

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"aviso/internal/dynamo"
	"aviso/internal/dynamo/owner"
)

// Eraser erases a user's stored answers.
type Eraser struct{ table dynamo.Table }

// NewEraser returns an Eraser for the named table.
func NewEraser(db *dynamodb.Client, table string) Eraser { return Eraser{dynamo.NewTable(db, table)} }

const keyPrefix = "KEY#"

// keyOf puts all of a user's answers in one partition, where an erasure finds them.
func keyOf(user owner.User, k string) dynamo.Key {
	return dynamo.Key{PK: user.Key(), SK: keyPrefix + k}
}

// Close does nothing: an answer is the result of a call, and no further call for the
// user is admitted.
func (Eraser) Close(context.Context, owner.User) (bool, error) { return true, nil }

// Count returns how many answers and claims are stored for the user.
func (e Eraser) Count(ctx context.Context, user owner.User) (map[string]int, error) {
	n, err := e.table.Count(ctx, dynamo.Query{Partition: user.Key(), Sort: dynamo.Prefix(keyPrefix)})
	return map[string]int{"storedAnswers": n}, err
}

// Erase deletes everything that is stored for the user.
func (e Eraser) Erase(ctx context.Context, user owner.User) (bool, error) {
	err := e.table.DeletePartition(ctx, user.Key())
	return err == nil, err
}
