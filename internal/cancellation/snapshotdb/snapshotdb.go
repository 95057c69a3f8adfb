// Package snapshotdb stores the search documents in the cancellation table: one
// snapshot for each version of the catalogue, which the search reads with one query.
// It is separate from cancellationdb because it needs encoding/gob, which slows down
// every cold start, and most functions that use the table need no snapshot.
package snapshotdb

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/dynamo"
	"aviso/internal/outcome"
)

const (
	// maxChunk is how many bytes of a snapshot one row holds. A row may have 400 KB
	// including its keys and attributes.
	maxChunk = 350_000
	// snapshotsKept is how many of the latest snapshots are kept, for instances that
	// have seen a version and are about to read it.
	snapshotsKept = 2

	pkSnapshots = "SEARCH"
)

// listKey returns the key of a snapshot in the list of snapshots, which is sorted by
// the time of writing.
func listKey(at time.Time, version string) dynamo.Key {
	return dynamo.Key{PK: pkSnapshots, SK: dynamo.Time(at) + "#" + version}
}

// chunkKey returns the key of a chunk of a version's snapshot.
func chunkKey(version string, chunk int) dynamo.Key {
	return dynamo.Key{PK: pkSnapshots + "#" + version, SK: fmt.Sprintf("%05d", chunk)}
}

// chunkRow is a part of an encoded snapshot. Each has the number of chunks and the
// digest of the whole snapshot.
type chunkRow struct {
	Data   []byte `dynamodbav:"data"`
	Chunks int    `dynamodbav:"chunks"`
	Digest []byte `dynamodbav:"digest"`
}

// Store stores snapshots in the cancellation table.
type Store struct {
	db    *dynamodb.Client
	name  string
	table dynamo.Table
	now   func() time.Time
}

// New returns the store backed by the named table.
func New(db *dynamodb.Client, table string, now func() time.Time) *Store {
	return &Store{db: db, name: table, table: dynamo.NewTable(db, table), now: now}
}

// CatalogueVersion reads the current version of the catalogue. It returns
// outcome.ErrNotFound before the first import.
func (s *Store) CatalogueVersion(ctx context.Context) (string, error) {
	return cancellationdb.CatalogueVersion(ctx, s.db, s.name, false)
}

// PutSnapshot stores the search documents of a version. It deletes all but the last
// two snapshots, but never the one of the current version. It may be called again
// for the same version. Nobody reads a snapshot before its version is current, so an
// interrupted call does no harm.
func (s *Store) PutSnapshot(ctx context.Context, version string, documents []cancellation.SearchDocument) error {
	encoded, err := encodeSnapshot(documents)
	if err != nil {
		return err
	}
	// List the snapshot first, so that the chunks of an interrupted call are deleted
	// later.
	listed := dynamo.Item{"version": dynamo.S(version)}
	if err := s.table.Put(ctx, listKey(s.now(), version), listed); err != nil {
		return fmt.Errorf("list snapshot %s: %w", version, err)
	}
	digest := sha256.Sum256(encoded)
	chunks := slices.Collect(slices.Chunk(encoded, maxChunk))
	for i, data := range chunks {
		row := chunkRow{Data: data, Chunks: len(chunks), Digest: digest[:]}
		if err := s.table.Put(ctx, chunkKey(version, i), row); err != nil {
			return fmt.Errorf("put snapshot %s: %w", version, err)
		}
	}
	return s.deleteOldSnapshots(ctx)
}

func (s *Store) deleteOldSnapshots(ctx context.Context) error {
	inForce, err := cancellationdb.CatalogueVersion(ctx, s.db, s.name, true)
	if err != nil && !errors.Is(err, outcome.ErrNotFound) {
		return err
	}
	keep := []string{inForce}
	for row, err := range s.table.Query(ctx, dynamo.Query{Partition: pkSnapshots, Descending: true}) {
		if err != nil {
			return fmt.Errorf("list snapshots: %w", err)
		}
		version, listed := row.Text("version"), row.Key()
		if err := row.Err(); err != nil {
			return err
		}
		if len(keep) <= snapshotsKept && !slices.Contains(keep[1:], version) {
			keep = append(keep, version)
		}
		if slices.Contains(keep, version) {
			continue
		}
		if err := s.table.DeletePartition(ctx, chunkKey(version, 0).PK); err != nil {
			return fmt.Errorf("delete snapshot %s: %w", version, err)
		}
		if err := s.table.DeleteAll(ctx, listed); err != nil {
			return err
		}
	}
	return nil
}

// Snapshot reads the search documents of a version. It returns outcome.ErrNotFound
// if there is no such snapshot. It fails if a chunk is missing or changed.
func (s *Store) Snapshot(ctx context.Context, version string) ([]cancellation.SearchDocument, error) {
	var encoded []byte
	var first chunkRow
	read := 0
	rows := s.table.Query(ctx, dynamo.Query{Partition: chunkKey(version, 0).PK})
	for r, err := range dynamo.Each[chunkRow](rows) {
		if err != nil {
			return nil, fmt.Errorf("read snapshot %s: %w", version, err)
		}
		if read == 0 {
			first = r
		}
		if read < first.Chunks { // the rest are left over from a longer snapshot that this one replaced
			encoded = append(encoded, r.Data...)
		}
		read++
	}
	if first.Chunks == 0 {
		return nil, outcome.ErrNotFound
	}
	if digest := sha256.Sum256(encoded); !bytes.Equal(digest[:], first.Digest) {
		return nil, fmt.Errorf("snapshot %s: some of its %d chunks are missing or changed", version, first.Chunks)
	}
	return decodeSnapshot(encoded)
}
