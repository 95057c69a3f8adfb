// Package sandboxdb stores the records of the sandbox: each with a version and
// the time when it may be forgotten, in one table of DynamoDB or, in tests, in
// memory. Packages bankdb and letterdb say which records there are and under
// which keys.
package sandboxdb

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"aviso/internal/dynamo"
)

// Key is the primary key of a row.
type Key struct{ PK, SK string }

// Record is what a row holds.
type Record interface {
	// KeepUntil is when the record may be forgotten.
	KeepUntil() time.Time
}

// Errors are what a store answers, in the words of the package whose records it
// keeps.
type Errors struct{ NotFound, Conflict error }

// Store keeps records. Rows that may be forgotten are filtered on reading, since
// DynamoDB takes its time to delete them.
type Store struct {
	rows rows
	now  func() time.Time
	errs Errors
}

// rows is where the rows are.
type rows interface {
	// get answers dynamo.ErrNotFound where there is no row.
	get(ctx context.Context, key Key) (dynamo.Item, error)
	// newestFirst yields the rows of a partition whose sort keys come before this
	// one (empty: all), and reads about as many at once as the caller wants.
	newestFirst(ctx context.Context, pk, before string, wanted int) iter.Seq2[dynamo.Item, error]
	// write carries out all changes or none, and answers errChanged when a
	// condition is not met.
	write(ctx context.Context, now int64, changes []change) error
	// count adds one to the calls and returns how many they are with it.
	count(ctx context.Context, key Key, until int64) (int, error)
}

// errChanged says that a row is not as a change expects it.
var errChanged = errors.New("sandboxdb: row has changed")

// change puts an item under a key or, where the item is nil, deletes the row.
type change struct {
	key  Key
	item dynamo.Item
	// was is the version that the row must have; 0 where there must be none that
	// is still remembered, and below 0 where it does not matter.
	was int
}

// row is how a record is stored.
type row[R any] struct {
	Record    R     `dynamodbav:"record"`
	Version   int   `dynamodbav:"version"`
	ExpiresAt int64 `dynamodbav:"expiresAt"`
}

// Get reads one record.
func Get[R Record](ctx context.Context, s *Store, key Key) (R, error) {
	var found row[R]
	item, err := s.rows.get(ctx, key)
	if err == nil {
		err = dynamo.Unmarshal(item, &found)
	}
	switch {
	case errors.Is(err, dynamo.ErrNotFound):
		return found.Record, s.errs.NotFound
	case err != nil:
		return found.Record, fmt.Errorf("get %T: %w", found.Record, err)
	case found.ExpiresAt <= s.now().Unix():
		return *new(R), s.errs.NotFound
	}
	return found.Record, nil
}

// List lists the records of a partition whose sort keys come before this one
// (empty: all), newest first, at most limit of those that keep wants (nil: all).
// Those that may be forgotten are the oldest, so that the list ends with the
// first of them.
func List[R Record](ctx context.Context, s *Store, pk, before string, limit int, keep func(R) bool) ([]R, error) {
	wanted := limit
	if keep != nil {
		wanted = 0
	}
	var out []R
	for item, err := range s.rows.newestFirst(ctx, pk, before, wanted) {
		var found row[R]
		if err == nil {
			err = dynamo.Unmarshal(item, &found)
		}
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

// Write is one record to be written, or why it cannot be.
type Write struct {
	change
	err error
}

// Put writes a record over what is there.
func Put(key Key, r Record) Write { return put(key, r, 0, -1) }

// PutNew writes a record that must not be there yet.
func PutNew(key Key, r Record) Write { return put(key, r, 0, 0) }

// PutNext writes a record one version up, on the condition that it is still at
// the version that was read. The version is the record's own.
func PutNext(key Key, r Record, version *int) Write {
	*version++
	return put(key, r, *version, *version-1)
}

func put(key Key, r Record, version, was int) Write {
	item, err := dynamo.Marshal(key.PK, key.SK, row[Record]{r, version, dynamo.Expiry(r.KeepUntil())})
	return Write{change{key, item, was}, err}
}

// Save writes all records or none.
func (s *Store) Save(ctx context.Context, writes []Write) error {
	changes := make([]change, len(writes))
	for i, w := range writes {
		if w.err != nil {
			return w.err
		}
		changes[i] = w.change
	}
	return s.write(ctx, changes)
}

// Delete deletes all rows or none. What is not there is no error.
func (s *Store) Delete(ctx context.Context, keys []Key) error {
	changes := make([]change, len(keys))
	for i, key := range keys {
		changes[i] = change{key: key, was: -1}
	}
	return s.write(ctx, changes)
}

func (s *Store) write(ctx context.Context, changes []change) error {
	err := s.rows.write(ctx, s.now().Unix(), changes)
	if errors.Is(err, errChanged) {
		return s.errs.Conflict
	}
	return err
}

// Count adds one to the calls under a key and returns how many they are with it.
func (s *Store) Count(ctx context.Context, key Key, until time.Time) (int, error) {
	return s.rows.count(ctx, key, dynamo.Expiry(until))
}
