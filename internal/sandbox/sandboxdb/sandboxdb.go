// Package sandboxdb stores the records of the sandbox, each with a version and an
// expiry time, in one DynamoDB table or, in tests, in memory. Packages bankdb and
// letterdb define the records and their keys.
package sandboxdb

import (
	"context"
	"fmt"
	"iter"
	"time"

	"aviso/internal/dynamo"
	"aviso/internal/outcome"
)

// Key is the primary key of a row.
type Key = dynamo.Key

// Record is what a row holds.
type Record interface {
	// KeepUntil returns when the record expires.
	KeepUntil() time.Time
}

// Store stores records. It ignores expired rows, because DynamoDB deletes them with a
// delay.
type Store struct {
	rows rows
	now  func() time.Time
}

// rows is the storage of the rows.
type rows interface {
	// get returns outcome.ErrNotFound if there is no such row.
	get(ctx context.Context, key Key) (*dynamo.Row, error)
	// newestFirst yields the rows of a partition whose sort keys come before this one
	// (empty: all). wanted is about how many rows the caller needs.
	newestFirst(ctx context.Context, pk, before string, wanted int) iter.Seq2[*dynamo.Row, error]
	// write makes all changes or none. It returns outcome.ErrChanged if a condition is
	// not met.
	write(ctx context.Context, now int64, changes []change) error
	// count adds one to a counter and returns the new value.
	count(ctx context.Context, key Key, until int64) (int, error)
}

// change puts a row under a key or, if the row is nil, deletes it.
type change struct {
	key Key
	row any
	// was is the version that the row must have. With 0 there must be no unexpired row;
	// below 0 it does not matter.
	was int
}

// row is the stored form of a record.
type row[R any] struct {
	Record    R     `dynamodbav:"record"`
	Version   int   `dynamodbav:"version"`
	ExpiresAt int64 `dynamodbav:"expiresAt"`
}

// Get reads one record. It returns outcome.ErrNotFound if there is none, or if it has
// expired.
func Get[R Record](ctx context.Context, s *Store, key Key) (R, error) {
	var none R
	item, err := s.rows.get(ctx, key)
	if err != nil {
		return none, fmt.Errorf("get %T: %w", none, err)
	}
	found, err := dynamo.Decode[row[R]](item)
	if err != nil {
		return none, err
	}
	if found.ExpiresAt <= s.now().Unix() {
		return none, outcome.ErrNotFound
	}
	return found.Record, nil
}

// List returns the records of a partition whose sort keys come before this one (empty:
// all), newest first: at most limit of those that keep accepts (nil: all). Expired
// records are the oldest, so the list ends at the first of them.
func List[R Record](ctx context.Context, s *Store, pk, before string, limit int, keep func(R) bool) ([]R, error) {
	wanted := limit
	if keep != nil {
		wanted = 0
	}
	var out []R
	for found, err := range dynamo.Each[row[R]](s.rows.newestFirst(ctx, pk, before, wanted)) {
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

// Write is one record to write.
type Write = change

// Put writes a record and replaces an existing one.
func Put(key Key, r Record) Write { return put(key, r, 0, -1) }

// PutNew writes a record that must not exist yet.
func PutNew(key Key, r Record) Write { return put(key, r, 0, 0) }

// PutNext writes the next version of a record, if the stored one still has the
// version that was read. The version is the record's own.
func PutNext(key Key, r Record, version *int) Write {
	*version++
	return put(key, r, *version, *version-1)
}

func put(key Key, r Record, version, was int) Write {
	return Write{key, row[Record]{r, version, dynamo.Expiry(r.KeepUntil())}, was}
}

// Save writes all records or none. It returns outcome.ErrChanged if a condition is not
// met.
func (s *Store) Save(ctx context.Context, writes []Write) error {
	return s.rows.write(ctx, s.now().Unix(), writes)
}

// Delete deletes all rows or none. It is not an error if some do not exist.
func (s *Store) Delete(ctx context.Context, keys []Key) error {
	changes := make([]change, len(keys))
	for i, key := range keys {
		changes[i] = change{key: key, was: -1}
	}
	return s.Save(ctx, changes)
}

// Count adds one to the counter under a key and returns the new value.
func (s *Store) Count(ctx context.Context, key Key, until time.Time) (int, error) {
	return s.rows.count(ctx, key, dynamo.Expiry(until))
}
