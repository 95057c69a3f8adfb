package idempotency

import (
	"context"

	"aviso/internal/dynamo"
	"aviso/internal/owner"
)

const keyPrefix = "KEY#"

// keyOf puts all of a user's answers in one partition, so that an erasure finds them.
func keyOf(user owner.User, k string) dynamo.Key {
	return dynamo.Key{PK: user.Key(), SK: keyPrefix + k}
}

// Close does nothing. Answers come only from calls, and no more calls for the user are admitted.
func (*Store) Close(context.Context, owner.User) (bool, error) { return true, nil }

// Count returns the number of answers stored for the user.
func (s *Store) Count(ctx context.Context, user owner.User) (map[string]int, error) {
	n, err := s.table.Count(ctx, dynamo.Query{Partition: user.Key(), Sort: dynamo.Prefix(keyPrefix)})
	return map[string]int{"storedAnswers": n}, err
}

// Erase deletes all answers stored for the user.
func (s *Store) Erase(ctx context.Context, user owner.User) (bool, error) {
	err := s.table.DeletePartition(ctx, user.Key())
	return err == nil, err
}
