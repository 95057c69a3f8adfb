package idempotency

import (
	"context"
	"time"

	"aviso/internal/api/apierror"
	"aviso/internal/dynamo"
	"aviso/internal/dynamo/owner"
)

// Effect stores the answer of a request in the transaction that makes what the
// request asked for.
type Effect struct {
	// User and Key are those of the claim.
	User  owner.User
	Key   string
	Claim Claim
	// Until is how long the answer is kept.
	Until time.Time
	// Answer returns the sealed answer for what the request makes.
	Answer func(made any) ([]byte, error)

	table     dynamo.Table
	committed bool
}

// Committed reports whether a transaction with the answer was committed.
func (e *Effect) Committed() bool { return e.committed }

type effectKey struct{}

// Bind returns a context in which Put stores the answer of e.
func (s *Store) Bind(ctx context.Context, e *Effect) context.Context {
	e.table = s.table
	return context.WithValue(ctx, effectKey{}, e)
}

// Put adds the answer for what the request makes to the transaction that makes it.
// The Commit fails with idempotency_in_progress, and writes nothing, if another request
// has taken over the key. Without an idempotency key, Put does nothing.
func Put(ctx context.Context, x *dynamo.Transaction, made any) {
	e, ok := ctx.Value(effectKey{}).(*Effect)
	if !ok {
		return
	}
	c := e.Claim
	answer, err := e.Answer(made)
	x.Fail(err)
	c.Answer, c.ExpiresAt = answer, dynamo.Expiry(e.Until)
	action := x.Put(e.table, keyOf(e.User, e.Key), c, heldBy(c))
	x.Follow(action, func(refused bool, err error) error {
		e.committed = err == nil
		if refused {
			return InProgress(0) // the other one may be done by now
		}
		return err
	})
}

// InProgress is the error of a request whose key another request holds for so long.
func InProgress(left time.Duration) error {
	return &apierror.Error{
		Code: apierror.IdempotencyInProgress, RetryAfter: max(left, time.Second),
		Detail: "Another request with this key is still in progress. Retry later.",
	}
}
