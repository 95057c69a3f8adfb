package fulltext

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/cancellation/catalogue"
	"aviso/internal/dynamo"
	"aviso/internal/outcome"
)

const (
	// maxChunk is the maximum number of bytes of a snapshot in one row. A row may have 400 KB, and a query returns at
	// most 1 MB: three rows.
	maxChunk = 345_000

	pkSnapshots = "SEARCH"
)

// listKey returns the key of a snapshot in the list of snapshots, which is sorted by the time of writing.
func listKey(at time.Time, version string) dynamo.Key {
	return dynamo.Key{PK: pkSnapshots, SK: dynamo.Time(at) + "#" + version}
}

// chunkKey returns the key of a chunk of a version's snapshot.
func chunkKey(version string, chunk int) dynamo.Key {
	return dynamo.Key{PK: pkSnapshots + "#" + version, SK: fmt.Sprintf("%05d", chunk)}
}

// chunkRow is a part of a snapshot. Each has the number of chunks and the digest of the whole snapshot. The digest
// only finds missing and mixed chunks, so it need not withstand forgery. It is a CRC, because DynamoDB's client
// already has the tables for it.
type chunkRow struct {
	Data   []byte `dynamodbav:"data"`
	Chunks int    `dynamodbav:"chunks"`
	Digest uint32 `dynamodbav:"crc32"`
}

// Store stores the search's snapshots in the cancellation table: one for each version of the catalogue.
type Store struct {
	table     dynamo.Table
	catalogue *cancellationdb.Store // only read
	now       func() time.Time
}

// NewStore returns the store backed by the named table.
func NewStore(db *dynamodb.Client, table string, now func() time.Time) *Store {
	return &Store{dynamo.NewTable(db, table), cancellationdb.New(db, table, "no outbox", now, nil), now}
}

// CatalogueVersion reads the current version of the catalogue. It returns
// outcome.ErrNotFound before the first import.
func (s *Store) CatalogueVersion(ctx context.Context) (string, error) {
	return s.catalogue.CatalogueVersion(ctx, dynamo.Eventual)
}

// PutSnapshot stores the documents of a version. It deletes all snapshots except this one and that of the current
// version, which instances still read. It may be called again for the same version. Nobody reads a snapshot before
// its version is current, so an interrupted call does no harm.
func (s *Store) PutSnapshot(ctx context.Context, version string, documents []catalogue.SearchDocument) error {
	encoded := Encode(documents)
	// List the snapshot first, so that a later call can delete the chunks of an interrupted one.
	err := s.table.Put(ctx, listKey(s.now(), version), dynamo.Item{"version": dynamo.S(version)})
	chunks := slices.Collect(slices.Chunk(encoded, maxChunk))
	for i := 0; err == nil && i < len(chunks); i++ {
		row := chunkRow{Data: chunks[i], Chunks: len(chunks), Digest: crc32.ChecksumIEEE(encoded)}
		err = s.table.Put(ctx, chunkKey(version, i), row)
	}
	if err != nil {
		return fmt.Errorf("put snapshot %s: %w", version, err)
	}
	return s.deleteOldSnapshots(ctx, version)
}

func (s *Store) deleteOldSnapshots(ctx context.Context, written string) error {
	inForce, err := s.catalogue.CatalogueVersion(ctx)
	if err != nil && !errors.Is(err, outcome.ErrNotFound) {
		return err
	}
	rows := s.table.Query(ctx, dynamo.Query{Partition: pkSnapshots})
	for listed, err := range dynamo.Each[dynamo.Key](rows) {
		if err != nil {
			return fmt.Errorf("list snapshots: %w", err)
		}
		_, version, _ := strings.Cut(listed.SK, "#")
		if version == inForce || version == written {
			continue
		}
		err = s.table.DeletePartition(ctx, chunkKey(version, 0).PK)
		if err == nil { // the list entry comes last, so that an interrupted call can be repeated
			err = s.table.Delete(ctx, listed)
		}
		if err != nil {
			return fmt.Errorf("delete snapshot %s: %w", version, err)
		}
	}
	return nil
}

// Snapshot reads the index of a version. It returns outcome.ErrNotFound if the snapshot does not exist, and fails if
// a chunk is missing or changed. If another release has written the snapshot, it reads the catalogue itself, which
// takes a query per organization.
func (s *Store) Snapshot(ctx context.Context, version string) (catalogue.SearchIndex, error) {
	// An eventually consistent read costs half, but may miss chunks of the last second.
	index, err := s.read(ctx, version, true)
	if errors.Is(err, outcome.ErrNotFound) || errors.Is(err, errIncomplete) {
		index, err = s.read(ctx, version, false)
	}
	if errors.Is(err, ErrFormat) {
		var ed catalogue.Edition
		if ed, err = s.catalogue.Edition(ctx); err == nil {
			index, err = Open(string(Encode(ed.SearchDocuments())))
		}
	}
	if err != nil {
		return nil, fmt.Errorf("read snapshot %s: %w", version, err)
	}
	return index, nil
}

var errIncomplete = errors.New("some of its chunks are missing or changed")

// read reads the chunks of a version. A replaced longer snapshot may have left further chunks, which it ignores.
func (s *Store) read(ctx context.Context, version string, eventual bool) (*Index, error) {
	var text strings.Builder // not a slice, because the index would copy it
	var digest, want uint32
	read := 0
	rows := s.table.Query(ctx, dynamo.Query{Partition: chunkKey(version, 0).PK, Eventual: eventual})
	for row, err := range dynamo.Each[chunkRow](rows) {
		if err != nil {
			return nil, err
		}
		want = row.Digest
		text.Grow(max(0, row.Chunks*len(row.Data)-text.Len()))
		text.Write(row.Data)
		digest = crc32.Update(digest, crc32.IEEETable, row.Data)
		if read++; read == row.Chunks {
			break
		}
	}
	switch {
	case read == 0:
		return nil, outcome.ErrNotFound
	case digest != want:
		return nil, errIncomplete
	default:
		return Open(text.String())
	}
}
