// Package idempotency stores the answers given under idempotency keys, in their own
// DynamoDB table, whose rows expire.
//
// A request claims its key before it does anything. The transaction that makes
// something also stores the answer, on condition that the claim still holds. So
// whatever breaks, a key makes one thing at most, and its answer is known from then on.
package idempotency

import (
	"context"
	"errors"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"aviso/internal/dynamo"
	"aviso/internal/dynamo/outcome"
	"aviso/internal/dynamo/owner"
)

// Claim is one use of an idempotency key. Answer is empty while the request is still
// running.
type Claim struct {
	// Holder tells two uses of the same key apart.
	Holder string `dynamodbav:"holder"`
	// Request is a digest of method, path, query and body.
	Request string `dynamodbav:"request"`
	// Answer is the sealed answer.
	Answer []byte `dynamodbav:"answer,omitempty"`
	// ExpiresAt is when it no longer counts. The store sets it; the table's time-to-live removes
	// the row some time after that.
	ExpiresAt int64 `dynamodbav:"expiresAt"`
}

// Store is a store backed by DynamoDB.
type Store struct{ table dynamo.Table }

// New returns the store backed by the named table.
func New(db *dynamodb.Client, table string) *Store {
	return &Store{table: dynamo.NewTable(db, table)}
}

// Claim reserves the key, unless another claim holds it and has not expired.
func (s *Store) Claim(
	ctx context.Context, user owner.User, k string, c Claim, now, until time.Time,
) (Claim, bool, error) {
	c.ExpiresAt = dynamo.Expiry(until)
	err := s.table.Put(ctx, keyOf(user, k), c,
		dynamo.Expr("attribute_not_exists(pk) OR expiresAt < ?", dynamo.Expiry(now)))
	refused, ok := errors.AsType[*dynamo.ConditionError](err)
	if !ok {
		return Claim{}, false, err
	}
	held, err := dynamo.Decode[Claim](refused.Old)
	if err != nil || held.Holder == c.Holder { // our own first try, whose response was lost
		return Claim{}, false, err
	}
	return held, true, nil
}

// Keep replaces the claim with its answer, unless another holder has taken over. It is
// for requests that made nothing; for others, Put has done it.
func (s *Store) Keep(ctx context.Context, user owner.User, k string, c Claim, until time.Time) error {
	c.ExpiresAt = dynamo.Expiry(until)
	return s.table.Put(ctx, keyOf(user, k), c, heldBy(c))
}

// Release frees the key, unless it has an answer or another holder has taken over.
// A transaction of the claim that is still in flight can no longer be committed.
func (s *Store) Release(ctx context.Context, user owner.User, k string, c Claim) error {
	err := s.table.Delete(ctx, keyOf(user, k), dynamo.Expr("holder = ? AND attribute_not_exists(answer)", c.Holder))
	if errors.Is(err, outcome.ErrChanged) {
		return nil
	}
	return err
}

func heldBy(c Claim) dynamo.Expression { return dynamo.Expr("holder = ?", c.Holder) }
