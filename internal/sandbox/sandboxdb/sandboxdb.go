// Package sandboxdb stores the records of the sandbox, each with an expiry time and often a
// version, in one DynamoDB table or, in tests, in memory. Each part of the sandbox defines its
// records and their keys.
package sandboxdb

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

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
	rows rows
	now  func() time.Time
}

// New returns a store backed by the named table.
func New(db *dynamodb.Client, name string, now func() time.Time) *Store {
	return &Store{table{dynamo.NewTable(db, name)}, now}
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

// Get reads the record with the key of this one. It returns outcome.ErrNotFound if there is
// none, or if it has expired.
func Get[R Record](ctx context.Context, s *Store, like R) (R, error) {
	var none R
	item, err := s.rows.get(ctx, like.Key())
	if err != nil {
		return none, fmt.Errorf("get %T: %w", none, err)
	}
	found, err := dynamo.Decode[row[R]](item)
	if err == nil && found.ExpiresAt <= s.now().Unix() {
		err = outcome.ErrNotFound
	}
	if err != nil {
		return none, err
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

// Save writes all records or none. It returns outcome.ErrChanged if a versioned one was written
// since it was read.
func (s *Store) Save(ctx context.Context, records ...Record) error {
	now := s.now().Unix()
	changes := make([]change, len(records))
	for i, r := range records {
		stored := row[Record]{Record: r, ExpiresAt: dynamo.Expiry(r.KeepUntil())}
		was := -1
		if v, ok := r.(Versioned); ok {
			stored.Record, was = v.Next()
			stored.Version = was + 1
		}
		changes[i] = change{r.Key(), stored, was}
	}
	return s.rows.write(ctx, now, changes)
}

// Delete deletes all records or none. It is not an error if some do not exist.
func (s *Store) Delete(ctx context.Context, records ...Record) error {
	changes := make([]change, len(records))
	for i, r := range records {
		changes[i] = change{key: r.Key(), was: -1}
	}
	return s.rows.write(ctx, s.now().Unix(), changes)
}

// Count adds one to the counter under a key and returns the new value.
func (s *Store) Count(ctx context.Context, key Key, until time.Time) (int, error) {
	return s.rows.count(ctx, key, dynamo.Expiry(until))
}

// table stores rows in DynamoDB.
type table struct{ dynamo.Table }

func (t table) get(ctx context.Context, key Key) (*dynamo.Row, error) { return t.Row(ctx, key) }

func (t table) newestFirst(ctx context.Context, pk, before string, wanted int) iter.Seq2[*dynamo.Row, error] {
	q := dynamo.Query{Partition: pk, Descending: true, Limit: wanted}
	if before != "" {
		q.Sort = dynamo.Before(before)
	}
	return t.Query(ctx, q)
}

func (t table) write(ctx context.Context, now int64, changes []change) error {
	var x dynamo.Transaction
	for _, c := range changes {
		switch {
		case c.row == nil:
			x.Delete(t.Table, c.key)
		case c.was > 0:
			x.Put(t.Table, c.key, c.row, dynamo.Expr("version = ?", c.was))
		case c.was == 0:
			// An expired row may be replaced by a new one.
			x.Put(t.Table, c.key, c.row, dynamo.Expr("attribute_not_exists(pk) OR expiresAt <= ?", now))
		default:
			x.Put(t.Table, c.key, c.row)
		}
	}
	return dynamo.LostRace(x.Commit(ctx))
}

func (t table) count(ctx context.Context, key Key, until int64) (int, error) {
	row, err := t.Update(ctx, key, dynamo.Expr("ADD calls ? SET expiresAt = if_not_exists(expiresAt, ?)", 1, until))
	if err != nil {
		return 0, fmt.Errorf("count call: %w", err)
	}
	return int(row.Int("calls")), row.Err()
}
