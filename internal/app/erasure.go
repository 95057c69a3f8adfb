package app

import (
	"context"

	"aviso/internal/idempotency"
	"aviso/internal/owner"
)

// storedAnswers erases what is kept under a user's idempotency keys. It is no
// area, and knows none.
type storedAnswers struct{ store *idempotency.Store }

// Close has nothing to do: an answer follows from a call, and no call for the
// user is let pass any more.
func (storedAnswers) Close(context.Context, owner.User) error { return nil }

func (a storedAnswers) Count(ctx context.Context, user owner.User) (map[string]int, error) {
	n, err := a.store.CountAnswers(ctx, user)
	return map[string]int{"storedAnswers": n}, err
}

func (a storedAnswers) Erase(ctx context.Context, user owner.User) (bool, error) {
	err := a.store.DeleteAnswers(ctx, user)
	return err == nil, err
}
