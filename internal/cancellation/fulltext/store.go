package fulltext

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"golang.org/x/sync/errgroup"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/dynamo"
	"aviso/internal/dynamo/outcome"
)

const (
	// maxChunk is how many bytes of a snapshot one row holds. A row may have 400 KB, and a
	// query returns 1 MB at most: three rows.
	maxChunk = 345_000
	// entriesAtOnce is how many organizations are read at the same time.
	entriesAtOnce = 16
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

// chunkRow is a part of a snapshot. Each has the number of chunks and the digest of the whole
// snapshot. A digest need not withstand forgery: it finds missing and mixed chunks. DynamoDB's
// client computes the same CRC for each answer, so that its tables exist.
type chunkRow struct {
	Data   []byte  `dynamodbav:"data"`
	Chunks int     `dynamodbav:"chunks"`
	Digest *uint32 `dynamodbav:"crc32"` // nil in those of releases up to 0.1.0
}

// listedRow lists a snapshot.
type listedRow struct {
	dynamo.Key

	Version string `dynamodbav:"version"`
}

// Store stores what the search reads when it starts in the cancellation table: one snapshot for
// each version of the catalogue.
type Store struct {
	table     dynamo.Table
	catalogue *cancellationdb.Store
	now       func() time.Time
}

// NewStore returns the store backed by the named table.
func NewStore(db *dynamodb.Client, table string, now func() time.Time) *Store {
	catalogue := cancellationdb.New(db, table, "no outbox", now, nil) // only reads
	return &Store{table: dynamo.NewTable(db, table), catalogue: catalogue, now: now}
}

// CatalogueVersion reads the current version of the catalogue. It returns
// outcome.ErrNotFound before the first import.
func (s *Store) CatalogueVersion(ctx context.Context) (string, error) {
	return s.catalogue.CatalogueVersion(ctx, dynamo.Eventual)
}

// PutSnapshot stores the documents of a version. It deletes all but the last
// two snapshots, but never the one of the current version. It may be called again
// for the same version. Nobody reads a snapshot before its version is current, so an
// interrupted call does no harm.
func (s *Store) PutSnapshot(ctx context.Context, version string, documents []cancellation.SearchDocument) error {
	encoded := Encode(documents)
	// List the snapshot first, so that the chunks of an interrupted call are deleted
	// later.
	if err := s.table.Put(ctx, listKey(s.now(), version), listedRow{Version: version}); err != nil {
		return fmt.Errorf("list snapshot %s: %w", version, err)
	}
	chunks := slices.Collect(slices.Chunk(encoded, maxChunk))
	for i, data := range chunks {
		row := chunkRow{Data: data, Chunks: len(chunks), Digest: new(crc32.ChecksumIEEE(encoded))}
		if err := s.table.Put(ctx, chunkKey(version, i), row); err != nil {
			return fmt.Errorf("put snapshot %s: %w", version, err)
		}
	}
	return s.deleteOldSnapshots(ctx)
}

func (s *Store) deleteOldSnapshots(ctx context.Context) error {
	inForce, err := s.catalogue.CatalogueVersion(ctx)
	if err != nil && !errors.Is(err, outcome.ErrNotFound) {
		return err
	}
	var latest []string
	rows := s.table.Query(ctx, dynamo.Query{Partition: pkSnapshots, Descending: true})
	for listed, err := range dynamo.Each[listedRow](rows) {
		if err != nil {
			return fmt.Errorf("list snapshots: %w", err)
		}
		version := listed.Version
		if !slices.Contains(latest, version) {
			latest = append(latest, version)
		}
		if version == inForce || slices.Index(latest, version) < snapshotsKept {
			continue
		}
		err = s.table.DeletePartition(ctx, chunkKey(version, 0).PK)
		if err == nil { // the list comes last, so that the chunks of an interrupted call are found again
			err = s.table.Delete(ctx, listed.Key)
		}
		if err != nil {
			return fmt.Errorf("delete snapshot %s: %w", version, err)
		}
	}
	return nil
}

// Snapshot reads the index of a version. It returns outcome.ErrNotFound if there is no
// such snapshot. It fails if a chunk is missing or changed. If another release has written the
// snapshot, it reads the catalogue itself, which takes a query for each organization.
func (s *Store) Snapshot(ctx context.Context, version string) (cancellation.SearchIndex, error) {
	// A read at half the price may miss chunks that were written in the last second.
	index, err := s.read(ctx, version, true)
	if errors.Is(err, outcome.ErrNotFound) || errors.Is(err, errIncomplete) {
		index, err = s.read(ctx, version, false)
	}
	if errors.Is(err, ErrFormat) {
		index, err = s.rebuild(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("read snapshot %s: %w", version, err)
	}
	return index, nil
}

var errIncomplete = errors.New("some of its chunks are missing or changed")

// read reads the chunks of a version. A longer snapshot that this one has replaced may have left
// others behind.
func (s *Store) read(ctx context.Context, version string, eventual bool) (*Index, error) {
	var text strings.Builder // not a slice, of which the index would be a copy
	var digest uint32
	var want *uint32
	read := 0
	rows := s.table.Query(ctx, dynamo.Query{Partition: chunkKey(version, 0).PK, Eventual: eventual})
	for row, err := range dynamo.Each[chunkRow](rows) {
		if err != nil {
			return nil, err
		}
		want = row.Digest
		if read == 0 {
			text.Grow(row.Chunks * len(row.Data))
		}
		text.Write(row.Data)
		digest = crc32.Update(digest, crc32.IEEETable, row.Data)
		if read++; read == row.Chunks {
			break
		}
	}
	switch {
	case read == 0:
		return nil, outcome.ErrNotFound
	case want != nil && digest != *want:
		return nil, errIncomplete
	default:
		return Open(text.String())
	}
}

// rebuild makes the index from the catalogue's own rows.
func (s *Store) rebuild(ctx context.Context) (*Index, error) {
	stored, err := s.catalogue.StoredCatalogue(ctx)
	if err != nil {
		return nil, err
	}
	var ed cancellation.Edition
	if ed.Categories, err = s.catalogue.Categories(ctx); err != nil {
		return nil, err
	}
	var mu sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(entriesAtOnce)
	for id := range stored.Entries {
		group.Go(func() error {
			entry, err := s.catalogue.Entry(ctx, id)
			if errors.Is(err, outcome.ErrNotFound) { // inactive
				return nil
			}
			mu.Lock()
			defer mu.Unlock()
			ed.Entries = append(ed.Entries, entry)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return Open(string(Encode(ed.SearchDocuments())))
}
