// Package sandboxdb stores the records of the sandbox, each with an expiry time and often a
// version, in one DynamoDB table. Each part of the sandbox defines its records and their keys.
package sandboxdb

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"aviso/internal/dynamo"
	"aviso/internal/outcome"
)

// Key is the primary key of a row.
type Key = dynamo.Key

// Record is what a row holds.
type Record interface {
	// Key returns the key of the row, which some members of the record give.
	Key() Key
	// KeepUntil returns when the record expires.
	KeepUntil() time.Time
}

// Versioned is a record that nobody overwrites without having read it. Others are overwritten.
type Versioned interface {
	Record
	// Next returns the record with its next version, and the version that it replaces: 0 if
	// there must be none.
	Next() (next Record, replaced int)
}

// Store stores records. It ignores expired rows, because DynamoDB deletes them with a
// delay.
type Store struct {
	table dynamo.Table
	now   func() time.Time
}

// New returns a store backed by the named table.
func New(db *dynamodb.Client, name string, now func() time.Time) *Store {
	return &Store{dynamo.NewTable(db, name), now}
}

// row is the stored form of a record.
type row[R any] struct {
	Record    R     `dynamodbav:"record"`
	Version   int   `dynamodbav:"version"`
	ExpiresAt int64 `dynamodbav:"expiresAt"`
}

// Get reads the record with the key of this one. It returns outcome.ErrNotFound if there is
// none, or if it has expired.
func Get[R Record](ctx context.Context, s *Store, like R) (R, error) {
	var none R
	found, err := dynamo.Get[row[R]](ctx, s.table, like.Key())
	if err == nil && found.ExpiresAt <= s.now().Unix() {
		err = outcome.ErrNotFound
	}
	if err != nil {
		return none, fmt.Errorf("get %T: %w", none, err)
	}
	return found.Record, nil
}

// GetOr reads the record with the key of this one, or returns this one if there is none.
func GetOr[R Record](ctx context.Context, s *Store, like R) (R, error) {
	found, err := Get(ctx, s, like)
	if errors.Is(err, outcome.ErrNotFound) {
		return like, nil
	}
	return found, err
}

// List returns the records of a partition whose sort keys come before this one (empty:
// all), newest first: at most limit of those that keep accepts (nil: all). Expired
// records are the oldest, so the list ends at the first of them.
func List[R Record](ctx context.Context, s *Store, pk, before string, limit int, keep func(R) bool) ([]R, error) {
	q := dynamo.Query{Partition: pk, Descending: true}
	if keep == nil {
		q.Limit = limit
	}
	if before != "" {
		q.Sort = dynamo.Before(before)
	}
	var out []R
	for found, err := range dynamo.Each[row[R]](s.table.Query(ctx, q)) {
		if err != nil {
			return nil, fmt.Errorf("list %T: %w", found.Record, err)
		}
		if found.ExpiresAt <= s.now().Unix() {
			break
		}
		if keep == nil || keep(found.Record) {
			out = append(out, found.Record)
		}
		if len(out) == limit {
			break
		}
	}
	return out, nil
}

// Save writes all records or none. It returns outcome.ErrChanged if a versioned one was written
// since it was read.
func (s *Store) Save(ctx context.Context, records ...Record) error {
	var x dynamo.Transaction
	for _, r := range records {
		stored := row[Record]{Record: r, ExpiresAt: dynamo.Expiry(r.KeepUntil())}
		var conditions []dynamo.Expression
		if v, ok := r.(Versioned); ok {
			var replaced int
			stored.Record, replaced = v.Next()
			stored.Version = replaced + 1
			condition := dynamo.Expr("version = ?", replaced)
			if replaced == 0 { // an expired row may be replaced by a new one
				condition = dynamo.Expr("attribute_not_exists(pk) OR expiresAt <= ?", s.now().Unix())
			}
			conditions = append(conditions, condition)
		}
		item, err := attributevalue.MarshalMap(stored) // times as text: tests of the sandbox look at nanoseconds
		if err != nil {
			return fmt.Errorf("marshal %T: %w", r, err)
		}
		x.Put(s.table, r.Key(), item, conditions...)
	}
	return dynamo.LostRace(x.Commit(ctx))
}

// Delete deletes all records or none. It is not an error if some do not exist.
func (s *Store) Delete(ctx context.Context, records ...Record) error {
	var x dynamo.Transaction
	for _, r := range records {
		x.Delete(s.table, r.Key())
	}
	return dynamo.LostRace(x.Commit(ctx))
}

// Count adds one to the counter under a key and returns the new value.
func (s *Store) Count(ctx context.Context, key Key, until time.Time) (int, error) {
	add := dynamo.Expr("ADD calls ? SET expiresAt = if_not_exists(expiresAt, ?)", 1, dynamo.Expiry(until))
	row, err := s.table.Update(ctx, key, add)
	if err != nil {
		return 0, fmt.Errorf("count call: %w", err)
	}
	r, err := dynamo.Decode[struct {
		Calls int `dynamodbav:"calls"`
	}](row)
	return r.Calls, err
}
