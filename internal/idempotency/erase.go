package idempotency

import (
	"context"

	"aviso/internal/dynamo"
	"aviso/internal/owner"
)

// CountAnswers is how many answers and claims are kept for the user.
func (s *Store) CountAnswers(ctx context.Context, user owner.User) (int, error) {
	pk, prefix := key(user, "")
	return dynamo.Count(ctx, s.db, s.table, pk, prefix)
}

// DeleteAnswers deletes all that is kept for the user.
func (s *Store) DeleteAnswers(ctx context.Context, user owner.User) error {
	pk, _ := key(user, "")
	return dynamo.DeletePartition(ctx, s.db, s.table, pk)
}
