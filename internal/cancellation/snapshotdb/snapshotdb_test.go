package snapshotdb_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/snapshotdb"
	"aviso/internal/dynamo"
	"aviso/internal/outcome"
	"aviso/localstack/testenv"
)

// snapshots is a store with a clock that advances by itself, and its table.
type snapshots struct {
	*snapshotdb.Store
	t     *testing.T
	db    *dynamodb.Client
	table string
}

func newSnapshots(t *testing.T) *snapshots {
	t.Helper()
	s := &snapshots{t: t, db: testenv.DynamoDB(t), table: testenv.Table(t, "CancellationTable")}
	at := time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)
	now := func() time.Time { at = at.Add(time.Second); return at }
	s.Store = snapshotdb.New(s.db, s.table, now)
	return s
}

// publish makes a version current, as the importer does.
func (s *snapshots) publish(version string) {
	s.t.Helper()
	row := dynamo.Item{"version": dynamo.S(version)}
	require.NoError(s.t, dynamo.NewTable(s.db, s.table).Put(s.t.Context(), dynamo.Key{PK: "CATALOGUE", SK: "VERSION"}, row))
}

func (s *snapshots) rows(pk string) int {
	s.t.Helper()
	n, err := dynamo.NewTable(s.db, s.table).Count(s.t.Context(), dynamo.Query{Partition: pk})
	require.NoError(s.t, err)
	return n
}

func (s *snapshots) put(version string, documents []cancellation.SearchDocument) {
	s.t.Helper()
	require.NoError(s.t, s.PutSnapshot(s.t.Context(), version, documents))
}

// read returns what the index of a version finds, organizations before products.
func (s *snapshots) read(version, query string) []cancellation.SearchDocument {
	s.t.Helper()
	index, err := s.Snapshot(s.t.Context(), version)
	require.NoError(s.t, err)
	page, err := index.Search(query, cancellation.SearchFilter{}, 10_000, "")
	require.NoError(s.t, err)
	return append(page.Organizations, page.Products...)
}

// readAll returns all documents of a version, sorted by ID.
func (s *snapshots) readAll(version string) []cancellation.SearchDocument {
	s.t.Helper()
	return sorted(s.read(version, "stadtwerke"))
}

func sorted(documents []cancellation.SearchDocument) []cancellation.SearchDocument {
	return slices.SortedFunc(slices.Values(documents), func(a, b cancellation.SearchDocument) int { return strings.Compare(a.ID, b.ID) })
}

// documents returns n organizations with a product each, with text that does not
// compress well.
func documents(n int) []cancellation.SearchDocument {
	r := rand.New(rand.NewPCG(1, 1))
	list := make([]cancellation.SearchDocument, 0, 2*n)
	for i := range n {
		o := cancellation.SearchDocument{
			Kind:       cancellation.SearchOrganization,
			ID:         uuid.NewString(),
			CategoryID: cancellation.CategoryID(fmt.Sprint(i % 20)),
			Name: fmt.Sprintf(
				"Stadtwerke %x %d",
				noise(r, 200),
				i,
			),
			ExtraConsent: i%3 == 0,
			URL:          fmt.Sprintf("https://%x.example/", r.Uint64()),
			Locales:      []cancellation.Locale{"de-DE", "en-GB"}[:i%3],
		}
		if i%3 == 0 {
			o.Locales = nil
		}
		o.OrganizationID, o.OrganizationName = o.ID, o.Name
		p := o
		p.Kind, p.ID, p.Name = cancellation.SearchProduct, uuid.NewString(), "Ökostrom"
		list = append(list, o, p)
	}
	return list
}

func noise(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func TestSnapshotIsReadAsWritten(t *testing.T) {
	t.Parallel()
	for name, n := range map[string]int{"nothing": 0, "one organization": 1, "several chunks": 4_000} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSnapshots(t)
			want := documents(n)
			s.put("v1", want)
			got, want := s.readAll("v1"), sorted(want)
			require.Len(t, got, len(want))
			for i := range want { // not assert.Equal on all: it would print them
				require.Equal(t, want[i], got[i])
			}
			if n > 1000 {
				assert.Greater(t, s.rows("SEARCH#v1"), 3)
			}
		})
	}
}

func TestMissingSnapshot(t *testing.T) {
	t.Parallel()
	s := newSnapshots(t)
	_, err := s.Snapshot(t.Context(), "v1")
	require.ErrorIs(t, err, outcome.ErrNotFound)
}

func TestBrokenSnapshotIsRejected(t *testing.T) {
	t.Parallel()
	s := newSnapshots(t)
	s.put("v1", documents(4_000))
	all, table := s.rows("SEARCH#v1"), dynamo.NewTable(s.db, s.table)
	require.Greater(t, all, 2)
	for name, number := range map[string]int{"first": 0, "middle": 1, "last": all - 1} {
		t.Run("the "+name+" chunk is missing", func(t *testing.T) {
			chunk := dynamo.Key{PK: "SEARCH#v1", SK: fmt.Sprintf("%05d", number)}
			kept, err := table.Row(t.Context(), chunk)
			require.NoError(t, err)
			require.NoError(t, table.Delete(t.Context(), chunk))
			_, err = s.Snapshot(t.Context(), "v1")
			require.ErrorContains(t, err, "missing")
			require.NoError(t, table.Put(t.Context(), chunk, kept.Item()))
			require.Len(t, s.readAll("v1"), 8_000)
		})
	}
	change := func(number int, attribute string, to func(types.AttributeValue) types.AttributeValue) {
		chunk := dynamo.Key{PK: "SEARCH#v1", SK: fmt.Sprintf("%05d", number)}
		row, err := table.Row(t.Context(), chunk)
		require.NoError(t, err)
		item := row.Item()
		item[attribute] = to(item[attribute])
		require.NoError(t, table.Put(t.Context(), chunk, item))
	}
	t.Run("a byte is different", func(t *testing.T) {
		flip := func(v types.AttributeValue) types.AttributeValue {
			b, _ := v.(*types.AttributeValueMemberB)
			b.Value[1000] ^= 1
			return b
		}
		change(1, "data", flip)
		_, err := s.Snapshot(t.Context(), "v1")
		require.ErrorContains(t, err, "changed")
		change(1, "data", flip)
		require.Len(t, s.readAll("v1"), 8_000)
	})
	t.Run("another program has written it", func(t *testing.T) {
		other := []byte("aviso search index\x02\x00\x00\x00 of another release, and much longer than its header is in this one ...")
		require.NoError(t, table.DeletePartition(t.Context(), "SEARCH#v1"))
		require.NoError(t, table.Put(t.Context(), dynamo.Key{PK: "SEARCH#v1", SK: "00000"}, dynamo.Item{
			"data": &types.AttributeValueMemberB{Value: other}, "chunks": dynamo.N(1),
			"crc32": dynamo.N(int64(crc32.ChecksumIEEE(other))),
		}))
		_, err := s.Snapshot(t.Context(), "v1")
		require.ErrorContains(t, err, "format 2")
		s.put("v1", documents(4_000))
	})
	t.Run("a shorter snapshot replaces a longer one", func(t *testing.T) {
		s.put("v1", documents(10))
		require.Greater(t, s.rows("SEARCH#v1"), 1, "chunks of the longer one are still there")
		require.Len(t, s.readAll("v1"), 20)
	})
}

// The rows of earlier releases have no CRC.
func TestSnapshotOfAnEarlierReleaseIsRead(t *testing.T) {
	t.Parallel()
	s := newSnapshots(t)
	noDocuments, err := base64.StdEncoding.DecodeString("H4sIAAAAAAAA/2JmYWAABAAA//8u2Pg0BAAAAA==")
	require.NoError(t, err)
	put := func(data []byte) {
		require.NoError(t, dynamo.NewTable(s.db, s.table).Put(t.Context(), dynamo.Key{PK: "SEARCH#v1", SK: "00000"}, dynamo.Item{
			"data": &types.AttributeValueMemberB{Value: data}, "chunks": dynamo.N(1), "digest": &types.AttributeValueMemberB{Value: []byte{0}},
		}))
	}
	put(noDocuments)
	assert.Empty(t, s.readAll("v1"))
	put(noDocuments[:20])
	_, err = s.Snapshot(t.Context(), "v1")
	require.Error(t, err)
}

// TestCrashLeavesTheOldSnapshot ends the writer before each of its calls.
func TestCrashLeavesTheOldSnapshot(t *testing.T) {
	t.Parallel()
	s := newSnapshots(t)
	s.put("v1", documents(10))
	s.publish("v1")
	for call := 1; ; call++ {
		err := s.crashing(call).PutSnapshot(t.Context(), "v2", documents(1_000))
		require.Len(t, s.readAll("v1"), 20)
		if err == nil {
			require.Greater(t, call, 5)
			require.Len(t, s.readAll("v2"), 2_000)
			return
		}
		if index, unread := s.Snapshot(t.Context(), "v2"); unread == nil { // it crashed while it deleted old ones
			page, err := index.Search("stadtwerke", cancellation.SearchFilter{}, 10_000, "")
			require.NoError(t, err)
			require.Len(t, page.Organizations, 1_000)
		}
	}
}

// crashing returns a store for the same table whose calls fail from the nth on.
func (s *snapshots) crashing(n int) *snapshotdb.Store {
	var calls atomic.Int64
	return s.with(func(any) error {
		if calls.Add(1) >= int64(n) {
			return errors.New("the process has ended")
		}
		return nil
	})
}

// with returns a store for the same table that makes a call only if before, which gets its input,
// returns no error.
func (s *snapshots) with(before func(input any) error) *snapshotdb.Store {
	db := dynamodb.New(s.db.Options(), func(o *dynamodb.Options) {
		o.APIOptions = append(o.APIOptions, func(stack *middleware.Stack) error {
			return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("Before", func(
				ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler,
			) (middleware.InitializeOutput, middleware.Metadata, error) {
				if err := before(in.Parameters); err != nil {
					return middleware.InitializeOutput{}, middleware.Metadata{}, err
				}
				return next.HandleInitialize(ctx, in)
			}), middleware.Before)
		})
	})
	return snapshotdb.New(db, s.table, time.Now)
}

// An eventual read may come before a chunk that has just been written.
func TestChunksOfTheLastSecondAreReadAgain(t *testing.T) {
	t.Parallel()
	s := newSnapshots(t)
	s.put("v1", documents(4_000))
	chunks := s.rows("SEARCH#v1")
	require.Greater(t, chunks, 3)
	for _, missed := range []string{"none", "00000", "00001", fmt.Sprintf("%05d", chunks-1)} {
		t.Run(missed, func(t *testing.T) {
			t.Parallel()
			var eventual, consistent atomic.Int64
			index, err := s.with(func(input any) error {
				in, _ := input.(*dynamodb.GetItemInput)
				if *in.ConsistentRead {
					consistent.Add(1)
					return nil
				}
				eventual.Add(1)
				if sk, _ := in.Key["sk"].(*types.AttributeValueMemberS); sk.Value == missed {
					in.Key["sk"] = dynamo.S("not yet written")
				}
				return nil
			}).Snapshot(t.Context(), "v1")
			require.NoError(t, err)
			page, err := index.Search("stadtwerke", cancellation.SearchFilter{}, 10_000, "")
			require.NoError(t, err)
			assert.Len(t, page.Organizations, 4_000)
			again := chunks
			if missed == "none" {
				again = 0
				assert.EqualValues(t, chunks, eventual.Load())
			}
			assert.EqualValues(t, again, consistent.Load())
		})
	}
}

// Throttling is not a missing chunk: to read all again would ask for more.
func TestAThrottledChunkFailsTheRead(t *testing.T) {
	t.Parallel()
	s := newSnapshots(t)
	s.put("v1", documents(4_000))
	throttled := &types.ProvisionedThroughputExceededException{}
	_, err := s.with(func(input any) error {
		in, _ := input.(*dynamodb.GetItemInput)
		assert.False(t, *in.ConsistentRead)
		if sk, _ := in.Key["sk"].(*types.AttributeValueMemberS); sk.Value == "00002" {
			return throttled
		}
		return nil
	}).Snapshot(t.Context(), "v1")
	require.ErrorIs(t, err, throttled)
	require.Len(t, s.readAll("v1"), 8_000)
}

func TestOldSnapshotsAreDeleted(t *testing.T) {
	t.Parallel()
	kept := func(s *snapshots) string {
		var versions []string
		for _, v := range []string{"v1", "v2", "v3", "v4", "v5"} {
			if s.rows("SEARCH#"+v) > 0 {
				versions = append(versions, v)
			}
		}
		require.Equal(s.t, s.rows("SEARCH") > 0, len(versions) > 0)
		return strings.Join(versions, " ")
	}
	t.Run("keeps the last two", func(t *testing.T) {
		t.Parallel()
		s := newSnapshots(t)
		for i, want := range []string{"v1", "v1 v2", "v2 v3", "v3 v4", "v4 v5"} {
			version := fmt.Sprint("v", i+1)
			s.put(version, documents(2))
			s.publish(version)
			assert.Equal(t, want, kept(s))
		}
		assert.Equal(t, 2, s.rows("SEARCH"))
	})
	t.Run("keeps the current one after many unpublished ones", func(t *testing.T) {
		t.Parallel()
		s := newSnapshots(t)
		s.put("v1", documents(2))
		s.publish("v1")
		for _, version := range []string{"v2", "v3", "v4"} {
			s.put(version, documents(2))
		}
		assert.Equal(t, "v1 v3 v4", kept(s))
	})
	t.Run("counts a version written twice only once", func(t *testing.T) {
		t.Parallel()
		s := newSnapshots(t)
		for _, version := range []string{"v1", "v2", "v2", "v2"} {
			s.put(version, documents(2))
		}
		assert.Equal(t, "v1 v2", kept(s))
		s.put("v3", documents(2))
		assert.Equal(t, "v2 v3", kept(s))
	})
}

func TestCatalogueVersion(t *testing.T) {
	t.Parallel()
	s := newSnapshots(t)
	_, err := s.CatalogueVersion(t.Context())
	require.ErrorIs(t, err, outcome.ErrNotFound)
	s.publish("v7")
	version, err := s.CatalogueVersion(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "v7", version)
}
