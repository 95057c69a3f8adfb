// Package idempotency stores the answers given under idempotency keys, in their own
// DynamoDB table, whose rows expire.
//
// The transaction that creates an object also stores the answer, on condition that the key has none. So a key creates
// at most one object, whatever fails and however often a request is sent, and its answer is known from then on.
package idempotency

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"aviso/internal/dynamo"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// Answer is the stored answer of an idempotency key.
type Answer struct {
	// Request is a digest of method, path, query and body.
	Request string `dynamodbav:"request"`
	// Sealed is the sealed answer.
	Sealed []byte `dynamodbav:"answer"`
	// ExpiresAt is the end of its life. The table's time-to-live removes the row some time later.
	ExpiresAt int64 `dynamodbav:"expiresAt"`
}

// life is the time for which the service repeats an answer.
const life = 24 * time.Hour

// Store is a store backed by DynamoDB.
type Store struct{ table dynamo.Table }

// New returns the store backed by the named table.
func New(db *dynamodb.Client, table string) *Store {
	return &Store{table: dynamo.NewTable(db, table)}
}

// Find returns the answer stored under the key at a time, or outcome.ErrNotFound.
func (s *Store) Find(ctx context.Context, user owner.User, k string, now time.Time) (Answer, error) {
	a, err := dynamo.Get[Answer](ctx, s.table, keyOf(user, k))
	if err == nil && a.ExpiresAt < dynamo.Expiry(now) {
		return Answer{}, outcome.ErrNotFound
	}
	return a, err
}

// Keep stores an answer for a day. It is for requests that created nothing; for all others, an Effect stores the
// answer. It returns outcome.ErrChanged if the key already has an answer.
func (s *Store) Keep(ctx context.Context, user owner.User, k string, a Answer, now time.Time) error {
	a.ExpiresAt = dynamo.Expiry(now.Add(life))
	return s.table.Put(ctx, keyOf(user, k), a, free(now))
}

// free is the condition that a key has no answer.
func free(now time.Time) dynamo.Expression {
	return dynamo.Expr("attribute_not_exists(pk) OR expiresAt < ?", dynamo.Expiry(now))
}
