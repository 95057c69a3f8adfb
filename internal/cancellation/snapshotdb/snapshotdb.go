// Package snapshotdb keeps the documents of the search in the cancellation table:
// a snapshot for each version of the catalogue, so that the search reads it with
// one query. It is apart from cancellationdb because it needs encoding/gob, which
// sets itself up at every start, and most functions with that table need no
// snapshot.
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
	// maxChunk is the part of a snapshot that one row holds, in bytes; a row
	// takes 400 KB with its keys and attributes.
	maxChunk = 350_000
	// snapshotsKept is how many of the latest are kept, for instances that have
	// seen a version and are about to read it.
	snapshotsKept = 2

	pkSnapshots = "SEARCH"
)

// snapshotKey is a chunk of the search documents of a version.
func snapshotKey(version string, chunk int) (pk, sk string) {
	return "SEARCH#" + version, fmt.Sprintf("%05d", chunk)
}

// chunkRow is a part of an encoded snapshot. Each says how many there are, and
// the digest of the whole.
type chunkRow struct {
	Data   []byte `dynamodbav:"data"`
	Chunks int    `dynamodbav:"chunks"`
	Digest []byte `dynamodbav:"digest"`
}

// snapshotRow is in the list of all snapshots, under the time of writing.
type snapshotRow struct {
	SK      string `dynamodbav:"sk"`
	Version string `dynamodbav:"version"`
}

// Store is the cancellation table.
type Store struct {
	db    *dynamodb.Client
	table string
	now   func() time.Time
}

// New is the store in the named table.
func New(db *dynamodb.Client, table string, now func() time.Time) *Store {
	return &Store{db: db, table: table, now: now}
}

// CatalogueVersion is the version of the catalogue in force; ErrNotFound before
// the first one.
func (s *Store) CatalogueVersion(ctx context.Context) (string, error) {
	return cancellationdb.CatalogueVersion(ctx, s.db, s.table, false)
}

// PutSnapshot keeps the search documents of a version, and deletes the snapshots
// before the last two, but never that of the version in force. It may be called
// again for the same version. Nobody reads a snapshot before its version is in
// force, so a call that breaks off does no harm.
func (s *Store) PutSnapshot(ctx context.Context, version string, documents []cancellation.SearchDocument) error {
	encoded, err := encodeSnapshot(documents)
	if err != nil {
		return err
	}
	// Listed first, so that what a broken call leaves is deleted one day.
	if err := s.put(ctx, pkSnapshots, dynamo.Time(s.now())+"#"+version, snapshotRow{Version: version}); err != nil {
		return fmt.Errorf("list snapshot %s: %w", version, err)
	}
	digest := sha256.Sum256(encoded)
	chunks := slices.Collect(slices.Chunk(encoded, maxChunk))
	for i, data := range chunks {
		pk, sk := snapshotKey(version, i)
		if err := s.put(ctx, pk, sk, chunkRow{Data: data, Chunks: len(chunks), Digest: digest[:]}); err != nil {
			return fmt.Errorf("put snapshot %s: %w", version, err)
		}
	}
	return s.deleteOldSnapshots(ctx)
}

func (s *Store) put(ctx context.Context, pk, sk string, row any) error {
	item, err := dynamo.Marshal(pk, sk, row)
	if err != nil {
		return err
	}
	_, err = s.db.PutItem(ctx, &dynamodb.PutItemInput{TableName: &s.table, Item: item})
	return err
}

func (s *Store) deleteOldSnapshots(ctx context.Context) error {
	inForce, err := cancellationdb.CatalogueVersion(ctx, s.db, s.table, true)
	if err != nil && !errors.Is(err, outcome.ErrNotFound) {
		return err
	}
	condition, newestFirst, consistent := "pk = :pk", false, true
	pages := dynamodb.NewQueryPaginator(s.db, &dynamodb.QueryInput{
		TableName: &s.table, KeyConditionExpression: &condition, ExpressionAttributeValues: dynamo.Item{":pk": dynamo.S(pkSnapshots)},
		ScanIndexForward: &newestFirst, ConsistentRead: &consistent,
	})
	keep := []string{inForce}
	for latest := 0; pages.HasMorePages(); {
		out, err := pages.NextPage(ctx)
		if err != nil {
			return fmt.Errorf("query snapshots: %w", err)
		}
		for _, item := range out.Items {
			var r snapshotRow
			if err := dynamo.Unmarshal(item, &r); err != nil {
				return err
			}
			if latest < snapshotsKept && !slices.Contains(keep[1:], r.Version) {
				keep, latest = append(keep, r.Version), latest+1
			}
			if slices.Contains(keep, r.Version) {
				continue
			}
			pk, _ := snapshotKey(r.Version, 0)
			if err := dynamo.LegacyDeletePartition(ctx, s.db, s.table, pk); err != nil {
				return fmt.Errorf("delete snapshot %s: %w", r.Version, err)
			}
			if err := dynamo.LegacyDeleteAll(ctx, s.db, s.table, []dynamo.Item{dynamo.LegacyKey(pkSnapshots, r.SK)}); err != nil {
				return err
			}
		}
	}
	return nil
}

// Snapshot is the search documents of a version; ErrNotFound when there is no
// such snapshot. A part that is missing or changed is an error.
func (s *Store) Snapshot(ctx context.Context, version string) ([]cancellation.SearchDocument, error) {
	pk, _ := snapshotKey(version, 0)
	condition, consistent := "pk = :pk", true
	pages := dynamodb.NewQueryPaginator(s.db, &dynamodb.QueryInput{
		TableName: &s.table, KeyConditionExpression: &condition, ExpressionAttributeValues: dynamo.Item{":pk": dynamo.S(pk)}, ConsistentRead: &consistent,
	})
	var encoded []byte
	var first chunkRow
	for next := 0; pages.HasMorePages(); {
		out, err := pages.NextPage(ctx)
		if err != nil {
			return nil, fmt.Errorf("query snapshot %s: %w", version, err)
		}
		for _, item := range out.Items {
			var r chunkRow
			if err := dynamo.Unmarshal(item, &r); err != nil {
				return nil, err
			}
			if next == 0 {
				first = r
			}
			if next < first.Chunks { // behind them may lie those of a longer one that this has replaced
				encoded = append(encoded, r.Data...)
			}
			next++
		}
	}
	if first.Chunks == 0 {
		return nil, outcome.ErrNotFound
	}
	if digest := sha256.Sum256(encoded); !bytes.Equal(digest[:], first.Digest) {
		return nil, fmt.Errorf("snapshot %s: of %d chunks some are missing or changed", version, first.Chunks)
	}
	return decodeSnapshot(encoded)
}
