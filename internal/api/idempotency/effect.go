package idempotency

import (
	"errors"
	"time"

	"aviso/internal/dynamo"
	"aviso/internal/owner"
)

// Effect stores the answer of a request in the transaction that creates a T for it. It is nil if there is no answer to
// store, because the request has no idempotency key, or because the work is not for a request.
type Effect[T any] func(x *dynamo.Transaction, created T)

// Put adds the answer to the transaction that creates the object. The Commit fails with ErrAnswered if the key has an
// answer.
func (e Effect[T]) Put(x *dynamo.Transaction, created T) {
	if e != nil {
		e(x, created)
	}
}

// ErrAnswered is the error of a Commit that wrote nothing because the key already has an answer.
var ErrAnswered = errors.New("idempotency: the key has an answer")

// Pending is a request with an idempotency key that has no answer yet.
type Pending struct {
	table     dynamo.Table
	user      owner.User
	key       string
	request   string
	now       time.Time
	committed bool
}

// Begin returns a pending request. request is its digest, as in Answer.
func (s *Store) Begin(user owner.User, key, request string, now time.Time) *Pending {
	return &Pending{table: s.table, user: user, key: key, request: request, now: now}
}

// Committed reports whether a transaction with the answer was committed.
func (p *Pending) Committed() bool { return p.committed }

// EffectOf returns the effect that stores the sealed answer for a new T.
func EffectOf[T any](p *Pending, answer func(created T) ([]byte, error)) Effect[T] {
	return func(x *dynamo.Transaction, created T) {
		sealed, err := answer(created)
		x.Fail(err)
		a := Answer{Request: p.request, Sealed: sealed, ExpiresAt: dynamo.Expiry(p.now.Add(life))}
		action := x.Put(p.table, keyOf(p.user, p.key), a, free(p.now))
		x.Follow(action, func(refused bool, err error) error {
			p.committed = err == nil
			if refused {
				return ErrAnswered
			}
			return err
		})
	}
}
