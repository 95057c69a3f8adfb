// Package idempotency stores the answers given under idempotency keys, in their own
// DynamoDB table, whose rows expire.
//
// The transaction that makes something also stores the answer, on condition that its key
// has none. So whatever breaks, and however often a request is sent, a key makes one
// thing at most, and its answer is known from then on.
package idempotency

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"aviso/internal/dynamo"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// Answer is what an idempotency key was used for.
type Answer struct {
	// Request is a digest of method, path, query and body.
	Request string `dynamodbav:"request"`
	// Sealed is the sealed answer.
	Sealed []byte `dynamodbav:"answer"`
	// ExpiresAt is when it no longer counts. The table's time-to-live removes the row some time
	// after that.
	ExpiresAt int64 `dynamodbav:"expiresAt"`
}

// life is how long an answer is repeated.
const life = 24 * time.Hour

// Store is a store backed by DynamoDB.
type Store struct{ table dynamo.Table }

// New returns the store backed by the named table.
func New(db *dynamodb.Client, table string) *Store {
	return &Store{table: dynamo.NewTable(db, table)}
}

// Find returns the answer that the key has at a time, or outcome.ErrNotFound.
func (s *Store) Find(ctx context.Context, user owner.User, k string, now time.Time) (Answer, error) {
	a, err := dynamo.Get[Answer](ctx, s.table, keyOf(user, k))
	if err == nil && a.ExpiresAt < dynamo.Expiry(now) {
		return Answer{}, outcome.ErrNotFound
	}
	return a, err
}

// Keep stores an answer for a day. It is for requests that made nothing; for others, Put has
// done it. It returns outcome.ErrChanged if the key has an answer.
func (s *Store) Keep(ctx context.Context, user owner.User, k string, a Answer, now time.Time) error {
	a.ExpiresAt = dynamo.Expiry(now.Add(life))
	return s.table.Put(ctx, keyOf(user, k), a, free(now))
}

// free is the condition that a key has no answer.
func free(now time.Time) dynamo.Expression {
	return dynamo.Expr("attribute_not_exists(pk) OR expiresAt < ?", dynamo.Expiry(now))
}
