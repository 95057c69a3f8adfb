package idempotency

import (
	"context"
	"errors"
	"time"

	"aviso/internal/dynamo"
	"aviso/internal/owner"
)

// Effect stores the answer of a request in the transaction that does what the request asked for.
type Effect struct {
	User owner.User
	Key  string
	// Request is as in Answer.
	Request string
	Now     time.Time
	// Answer returns the sealed answer for the new object.
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

// ErrAnswered is the error of a Commit that wrote nothing because the key already has an answer.
var ErrAnswered = errors.New("idempotency: the key has an answer")

// Put adds the answer for the new object to the transaction that creates it. The Commit fails with ErrAnswered if the
// key has an answer. Without an idempotency key, Put does nothing.
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
			return ErrAnswered
		}
		return err
	})
}
