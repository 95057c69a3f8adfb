// Package consoledb stores what the console needs in DynamoDB.
package consoledb

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"aviso/internal/console"
	"aviso/internal/dynamo"
	"aviso/internal/dynamo/outcome"
	"aviso/internal/dynamo/owner"
)

// Store stores the console's rows in its table.
type Store struct{ table dynamo.Table }

var (
	_ console.Audit  = (*Store)(nil)
	_ console.Visits = (*Store)(nil)
)

// New returns the store backed by the named table.
func New(db *dynamodb.Client, table string) *Store { return &Store{table: dynamo.NewTable(db, table)} }

// The keys of the table; docs/data-model.md lists their readers and writers.

func auditKey(partner owner.PartnerID, id string) dynamo.Key {
	return dynamo.Key{PK: partner.Key() + "#AUDIT", SK: id}
}

func attemptKey(client owner.PartnerID, source string, minute time.Time) dynamo.Key {
	return dynamo.Key{PK: "SIGNIN#" + string(client) + "#" + source, SK: minute.UTC().Format(time.RFC3339)}
}

func signOutKey(session string) dynamo.Key {
	return dynamo.Key{PK: "SIGNOUT#" + session, SK: "SIGNOUT"}
}

// Attempt implements console.Visits.
func (s *Store) Attempt(
	ctx context.Context, client owner.PartnerID, source string, minute time.Time,
) (int, error) {
	count := dynamo.Expr("ADD attempts ? SET expiresAt = ?", 1, dynamo.Expiry(minute.Add(time.Hour)))
	row, err := s.table.Update(ctx, attemptKey(client, source, minute), count)
	if err != nil {
		return 0, fmt.Errorf("count attempt: %w", err)
	}
	r, err := dynamo.Decode[struct {
		Attempts int `dynamodbav:"attempts"`
	}](row)
	return r.Attempts, err
}

// SignOut implements console.Visits.
func (s *Store) SignOut(ctx context.Context, session string, until time.Time) error {
	return s.table.Put(ctx, signOutKey(session), dynamo.Item{"expiresAt": dynamo.N(dynamo.Expiry(until))})
}

// SignedOut implements console.Visits.
func (s *Store) SignedOut(ctx context.Context, session string) (bool, error) {
	_, err := s.table.Row(ctx, signOutKey(session))
	if errors.Is(err, outcome.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}
