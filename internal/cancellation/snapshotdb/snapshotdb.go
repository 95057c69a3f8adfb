// Package snapshotdb stores the search's index in the cancellation table: one snapshot
// for each version of the catalogue, which the search reads with one query. It is separate
// from cancellationdb because most functions that use the table need no snapshot.
package snapshotdb

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/cancellation/fulltext"
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

// chunkRow is a part of an encoded index. Each has the number of chunks and the digest of
// the whole index.
type chunkRow struct {
	Data   []byte `dynamodbav:"data"`
	Chunks int    `dynamodbav:"chunks"`
	Digest uint32 `dynamodbav:"crc32c"`
}

// castagnoli is the table of CRC-32C, for which processors have an instruction. A digest need
// not withstand forgery: it finds missing and mixed chunks.
func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

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

// PutSnapshot stores the index of a version's documents. It deletes all but the last
// two snapshots, but never the one of the current version. It may be called again
// for the same version. Nobody reads a snapshot before its version is current, so an
// interrupted call does no harm.
func (s *Store) PutSnapshot(ctx context.Context, version string, documents []cancellation.SearchDocument) error {
	encoded := fulltext.Encode(documents)
	// List the snapshot first, so that the chunks of an interrupted call are deleted
	// later.
	listed := dynamo.Item{"version": dynamo.S(version)}
	if err := s.table.Put(ctx, listKey(s.now(), version), listed); err != nil {
		return fmt.Errorf("list snapshot %s: %w", version, err)
	}
	chunks := slices.Collect(slices.Chunk(encoded, maxChunk))
	for i, data := range chunks {
		row := chunkRow{Data: data, Chunks: len(chunks), Digest: crc32.Checksum(encoded, castagnoli())}
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

// Snapshot reads the index of a version. It returns outcome.ErrNotFound if there is no
// such snapshot. It fails if a chunk is missing or changed.
func (s *Store) Snapshot(ctx context.Context, version string) (cancellation.SearchIndex, error) {
	var encoded strings.Builder // not a slice, of which the index would be a copy
	var digest, want uint32
	chunks, read, old := 0, 0, false
	for row, err := range s.table.Query(ctx, dynamo.Query{Partition: chunkKey(version, 0).PK}) {
		if err != nil {
			return nil, fmt.Errorf("read snapshot %s: %w", version, err)
		}
		data := row.Bytes("data")
		if read == 0 {
			chunks, want, old = int(row.Int("chunks")), uint32(row.Int("crc32c")), !row.Has("crc32c")
			encoded.Grow(chunks * len(data))
		}
		if err := row.Err(); err != nil {
			return nil, fmt.Errorf("read snapshot %s: %w", version, err)
		}
		if read < chunks { // the rest are left over from a longer snapshot that this one replaced
			encoded.Write(data)
			digest = crc32.Update(digest, castagnoli(), data)
		}
		read++
	}
	switch {
	case chunks == 0:
		return nil, outcome.ErrNotFound
	case old:
		return indexOf(encoded.String())
	case read < chunks || digest != want:
		return nil, fmt.Errorf("snapshot %s: some of its %d chunks are missing or changed", version, chunks)
	default:
		return fulltext.Open(encoded.String())
	}
}
