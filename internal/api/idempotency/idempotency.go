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
	Holder string
	// Request is a digest of method, path, query and body.
	Request string
	// Answer is the sealed answer.
	Answer []byte
	// Until is when another claim can take over.
	Until time.Time
}

// Store is a store backed by DynamoDB.
type Store struct{ table dynamo.Table }

// New returns the store backed by the named table.
func New(db *dynamodb.Client, table string) *Store {
	return &Store{table: dynamo.NewTable(db, table)}
}

// row is a claim as stored. ExpiresAt is when it no longer counts; the table's
// time-to-live removes it some time after that.
type row struct {
	Holder    string `dynamodbav:"holder"`
	Request   string `dynamodbav:"request"`
	Answer    []byte `dynamodbav:"answer,omitempty"`
	ExpiresAt int64  `dynamodbav:"expiresAt"`
}

// Claim reserves the key, unless another claim holds it and has not expired.
func (s *Store) Claim(
	ctx context.Context, user owner.User, k string, c Claim, now, until time.Time,
) (Claim, bool, error) {
	r := row{Holder: c.Holder, Request: c.Request, ExpiresAt: dynamo.Expiry(until)}
	err := s.table.Put(ctx, keyOf(user, k), r,
		dynamo.Expr("attribute_not_exists(pk) OR expiresAt < ?", dynamo.Expiry(now)))
	refused, ok := errors.AsType[*dynamo.ConditionError](err)
	if !ok {
		return Claim{}, false, err
	}
	held, err := dynamo.Decode[row](refused.Old)
	if err != nil {
		return Claim{}, false, err
	}
	if held.Holder == c.Holder { // our own first try, whose response was lost
		return Claim{}, false, nil
	}
	free := time.Unix(held.ExpiresAt+1, 0)
	return Claim{Holder: held.Holder, Request: held.Request, Answer: held.Answer, Until: free}, true, nil
}

// Keep replaces the claim with its answer, unless another holder has taken over. It is
// for requests that made nothing; for others, Put has done it.
func (s *Store) Keep(ctx context.Context, user owner.User, k string, c Claim, until time.Time) error {
	r := row{Holder: c.Holder, Request: c.Request, Answer: c.Answer, ExpiresAt: dynamo.Expiry(until)}
	return s.table.Put(ctx, keyOf(user, k), r, heldBy(c))
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
