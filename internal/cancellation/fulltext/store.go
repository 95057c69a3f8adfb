package fulltext

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
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

// chunkRow is a part of a snapshot.
type chunkRow struct {
	Data []byte `dynamodbav:"data"`
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
	return s.catalogue.CatalogueVersion(ctx, false)
}

// PutSnapshot stores the documents of a version, and deletes all other snapshots but the one of
// the current version. It may be called again for the same version. Nobody reads a snapshot before its version is current, so an
// interrupted call does no harm.
func (s *Store) PutSnapshot(ctx context.Context, version string, documents []cancellation.SearchDocument) error {
	encoded, err := encode(documents)
	if err != nil {
		return fmt.Errorf("write snapshot %s: %w", version, err)
	}
	// List the snapshot first, so that the chunks of an interrupted call are deleted
	// later.
	if err := s.table.Put(ctx, listKey(s.now(), version), listedRow{Version: version}); err != nil {
		return fmt.Errorf("list snapshot %s: %w", version, err)
	}
	for i, data := range slices.Collect(slices.Chunk(encoded, maxChunk)) {
		if err := s.table.Put(ctx, chunkKey(version, i), chunkRow{data}); err != nil {
			return fmt.Errorf("put snapshot %s: %w", version, err)
		}
	}
	return s.deleteSnapshots(ctx, version)
}

// deleteSnapshots deletes all snapshots but this one and that of the current version, which
// instances may be about to read.
func (s *Store) deleteSnapshots(ctx context.Context, but string) error {
	current, err := s.catalogue.CatalogueVersion(ctx, true)
	if err != nil && !errors.Is(err, outcome.ErrNotFound) {
		return err
	}
	for listed, err := range dynamo.Each[listedRow](s.table.Query(ctx, dynamo.Query{Partition: pkSnapshots})) {
		if err != nil {
			return fmt.Errorf("list snapshots: %w", err)
		}
		if listed.Version == but || listed.Version == current {
			continue
		}
		if err := s.table.DeletePartition(ctx, chunkKey(listed.Version, 0).PK); err != nil {
			return fmt.Errorf("delete snapshot %s: %w", listed.Version, err)
		}
		if err := s.table.DeleteAll(ctx, listed.Key); err != nil {
			return err
		}
	}
	return nil
}

// Snapshot reads the index of a version. It returns outcome.ErrNotFound if there is no
// such snapshot. If one cannot be read, because it is damaged or another release has written it,
// Snapshot reads the catalogue itself, which takes a query for each organization.
func (s *Store) Snapshot(ctx context.Context, version string) (cancellation.SearchIndex, error) {
	// A read at half the price may miss chunks that were written in the last second.
	index, err := s.read(ctx, version, true)
	if errors.Is(err, outcome.ErrNotFound) || errors.Is(err, errUnreadable) {
		index, err = s.read(ctx, version, false)
	}
	if errors.Is(err, errUnreadable) {
		index, err = s.rebuild(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("read snapshot %s: %w", version, err)
	}
	return index, nil
}

func (s *Store) read(ctx context.Context, version string, eventual bool) (*Index, error) {
	var text bytes.Buffer
	rows := s.table.Query(ctx, dynamo.Query{Partition: chunkKey(version, 0).PK, Eventual: eventual})
	for row, err := range dynamo.Each[chunkRow](rows) {
		if err != nil {
			return nil, err
		}
		text.Write(row.Data)
	}
	if text.Len() == 0 {
		return nil, outcome.ErrNotFound
	}
	return open(&text)
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
	return New(ed.SearchDocuments())
}
