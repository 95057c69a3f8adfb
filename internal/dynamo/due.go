package dynamo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"iter"
	"strconv"
	"time"

	"aviso/internal/outcome"
)

// DueIndex is the index `due` of a table. It has the keys of rows that need work by housekeeping, and the time from
// which they need it.
//
// Its partition key, dueKind, is a kind of work and a shard. Rows written at the same time are due at about the same
// time. Without shards, all their writes would go to one place in one partition, which DynamoDB cannot split: a
// partition takes 1,000 write units a second, and moving a row to another time takes two.
type DueIndex struct {
	// Shards is how many partitions a kind has. It may grow but not shrink: a shard that is no longer read may still
	// have rows.
	Shards int
}

// Key returns the value of dueKind for work on the object with that ID.
func (d DueIndex) Key(kind, id string) string {
	return shardKey(kind, Shard(id, d.Shards))
}

// Shard returns the shard of the object with that ID.
func Shard(id string, shards int) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(id))
	return int(h.Sum32() % uint32(shards))
}

func shardKey(kind string, shard int) string { return kind + "#" + strconv.Itoa(shard) }

// Rows iterates over the due rows of a shard, the longest overdue first, and reads each one consistently. It skips
// rows deleted since the index was written. An error comes last.
func (d DueIndex) Rows(
	ctx context.Context, t Table, kind string, shard int, until time.Time,
) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		for found, err := range t.Query(ctx, dueQuery(shardKey(kind, shard), until)) {
			var row Item
			if err == nil {
				row, err = t.Row(ctx, KeyOf(found))
			}
			if errors.Is(err, outcome.ErrNotFound) {
				continue
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

// duePage is the number of keys that one call reads: a few seconds of work.
const duePage = 200

func dueQuery(key string, until time.Time) Query {
	index := Index{Name: "due", Partition: "dueKind", Sort: "dueAt", Global: true}
	return Query{Index: index, Partition: key, Sort: UpTo(Time(until)), Limit: duePage}
}

// Convert converts rows one by one. Unlike Collect it continues after an error, so that one malformed row does not
// hide the others.
func Convert[T any](rows iter.Seq2[Item, error], convert func(Item) (T, error)) iter.Seq2[T, error] {
	return converted(rows, func(row Item) (T, error) {
		one, err := convert(row)
		if err != nil {
			err = fmt.Errorf("row %s is malformed: %w", cmp.Or(KeyOf(row).SK, KeyOf(row).PK), err)
		}
		return one, err
	})
}
