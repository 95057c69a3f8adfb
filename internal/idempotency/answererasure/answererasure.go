// Package answererasure erases what is kept for a user under idempotency keys. It
// is apart from idempotency, which speaks of calls and so of HTTP, since
// housekeeping erases and answers no calls.
package answererasure

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"aviso/internal/dynamo"
	"aviso/internal/owner"
)

// Eraser is an identity.Eraser over the table of answers. It is no area, and knows
// none.
type Eraser struct {
	db    *dynamodb.Client
	table string
}

// New erases from the named table.
func New(db *dynamodb.Client, table string) Eraser { return Eraser{db, table} }

// Key puts all of a user's answers in one partition, where an erasure finds
// them.
func Key(user owner.User, k string) (pk, sk string) { return user.Key(), "KEY#" + k }

// Close has nothing to do: an answer follows from a call, and no call for the
// user is let pass any more.
func (Eraser) Close(context.Context, owner.User) error { return nil }

// Count is how many answers and claims are kept for the user.
func (e Eraser) Count(ctx context.Context, user owner.User) (map[string]int, error) {
	pk, prefix := Key(user, "")
	n, err := dynamo.LegacyCount(ctx, e.db, e.table, pk, prefix)
	return map[string]int{"storedAnswers": n}, err
}

// Erase deletes all that is kept for the user.
func (e Eraser) Erase(ctx context.Context, user owner.User) (bool, error) {
	pk, _ := Key(user, "")
	err := dynamo.LegacyDeletePartition(ctx, e.db, e.table, pk)
	return err == nil, err
}
