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
	User owner.User
	Key  string
	// Request is as in Answer.
	Request string
	Now     time.Time
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
// The Commit fails with idempotency_in_progress, and writes nothing, if the key has an
// answer. Without an idempotency key, Put does nothing.
func Put(ctx context.Context, x *dynamo.Transaction, made any) {
	e, ok := ctx.Value(effectKey{}).(*Effect)
	if !ok {
		return
	}
	sealed, err := e.Answer(made)
	x.Fail(err)
	a := Answer{Request: e.Request, Sealed: sealed, ExpiresAt: dynamo.Expiry(e.Now.Add(life))}
	action := x.Put(e.table, keyOf(e.User, e.Key), a, free(e.Now))
	x.Follow(action, func(refused bool, err error) error {
		e.committed = err == nil
		if refused {
			return InProgress()
		}
		return err
	})
}

// InProgress is the error of a request whose key another request uses.
func InProgress() error {
	return &apierror.Error{
		Code: apierror.IdempotencyInProgress, RetryAfter: time.Second,
		Detail: "Another request with this key is still in progress. Retry later.",
	}
}
