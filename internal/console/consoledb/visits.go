package consoledb

import (
	"context"
	"errors"
	"fmt"
	"time"

	"aviso/internal/dynamo"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// Attempt implements console.Store.
func (s *Store) Attempt(
	ctx context.Context, client owner.PartnerID, source string, minute time.Time,
) (int, error) {
	count := dynamo.Expr("ADD attempts ? SET expiresAt = ?", 1, dynamo.Expiry(minute.Add(time.Hour)))
	row, err := s.table.Update(ctx, attemptKey(client, source, minute), count)
	if err != nil {
		return 0, fmt.Errorf("count attempt: %w", err)
	}
	counts, err := dynamo.Numbers(row)
	return int(counts["attempts"]), err
}

// SignOut implements console.Store.
func (s *Store) SignOut(ctx context.Context, session string, until time.Time) error {
	return s.table.Put(ctx, signOutKey(session), dynamo.Item{"expiresAt": dynamo.N(dynamo.Expiry(until))})
}

// SignedOut implements console.Store.
func (s *Store) SignedOut(ctx context.Context, session string) (bool, error) {
	_, err := s.table.Row(ctx, signOutKey(session))
	if errors.Is(err, outcome.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}
