package fulltext_test

import (
	"context"
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
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/cancellation/catalogue"
	"aviso/internal/cancellation/fulltext"
	"aviso/internal/dynamo"
	"aviso/internal/outcome"
	"aviso/localstack/tests/testenv"
)

// snapshots is a store with a clock that advances by itself, and its table.
type snapshots struct {
	*fulltext.Store
	t     *testing.T
	db    *dynamodb.Client
	table string
}

func newSnapshots(t *testing.T) *snapshots {
	t.Helper()
	s := &snapshots{t: t, db: testenv.DynamoDB(t), table: testenv.Table(t, "CancellationTable")}
	at := time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)
	now := func() time.Time { at = at.Add(time.Second); return at }
	s.Store = fulltext.NewStore(s.db, s.table, now)
	return s
}

// publish makes a version current, as the importer does.
func (s *snapshots) publish(version string) {
	s.t.Helper()
	row := dynamo.Item{"version": dynamo.S(version)}
	require.NoError(s.t, dynamo.NewTable(s.db, s.table).Put(s.t.Context(), dynamo.Key{PK: "CATALOGUE", SK: "VERSION"}, row))
}

// unpublish makes no version current.
func (s *snapshots) unpublish() {
	s.t.Helper()
	require.NoError(s.t, dynamo.NewTable(s.db, s.table).Delete(s.t.Context(), dynamo.Key{PK: "CATALOGUE", SK: "VERSION"}))
}

func (s *snapshots) rows(pk string) int {
	s.t.Helper()
	n, err := dynamo.NewTable(s.db, s.table).Count(s.t.Context(), dynamo.Query{Partition: pk})
	require.NoError(s.t, err)
	return n
}

func (s *snapshots) put(version string, documents []catalogue.SearchDocument) {
	s.t.Helper()
	require.NoError(s.t, s.PutSnapshot(s.t.Context(), version, documents))
}

// read returns what the index of a version finds, organizations before products.
func (s *snapshots) read(version, query string) []catalogue.SearchDocument {
	s.t.Helper()
	index, err := s.Snapshot(s.t.Context(), version)
	require.NoError(s.t, err)
	page, err := index.Search(query, catalogue.SearchFilter{}, 10_000, "")
	require.NoError(s.t, err)
	return append(page.Organizations, page.Products...)
}

// readAll returns all documents of a version, sorted by ID.
func (s *snapshots) readAll(version string) []catalogue.SearchDocument {
	s.t.Helper()
	return sorted(s.read(version, "stadtwerke"))
}

func sorted(documents []catalogue.SearchDocument) []catalogue.SearchDocument {
	return slices.SortedFunc(slices.Values(documents), func(a, b catalogue.SearchDocument) int { return strings.Compare(a.ID, b.ID) })
}

// documents returns n organizations with a product each, with text that does not
// compress well.
func documents(n int) []catalogue.SearchDocument {
	r := rand.New(rand.NewPCG(1, 1))
	list := make([]catalogue.SearchDocument, 0, 2*n)
	for i := range n {
		o := catalogue.SearchDocument{
			Kind: catalogue.SearchOrganization, ID: uuid.NewString(),
			CategoryID: catalogue.CategoryID(fmt.Sprint(i % 20)),
			Name:       fmt.Sprintf("Stadtwerke %x %d", noise(r, 200), i), ExtraConsent: i%3 == 0,
			URL: fmt.Sprintf("https://%x.example/", r.Uint64()), Locales: []cancellation.Locale{"de-DE", "en-GB"}[:i%3],
		}
		if i%3 == 0 {
			o.Locales = nil
		}
		o.OrganizationID, o.OrganizationName = o.ID, o.Name
		p := o
		p.Kind, p.ID, p.Name = catalogue.SearchProduct, uuid.NewString(), "Ökostrom"
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
			require.NoError(t, table.Put(t.Context(), chunk, kept))
			require.Len(t, s.readAll("v1"), 8_000)
		})
	}
	change := func(number int, attribute string, to func(types.AttributeValue) types.AttributeValue) {
		chunk := dynamo.Key{PK: "SEARCH#v1", SK: fmt.Sprintf("%05d", number)}
		row, err := table.Row(t.Context(), chunk)
		require.NoError(t, err)
		item := row
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
	t.Run("a shorter snapshot replaces a longer one", func(t *testing.T) {
		s.put("v1", documents(10))
		require.Greater(t, s.rows("SEARCH#v1"), 1, "chunks of the longer one are still there")
		require.Len(t, s.readAll("v1"), 20)
	})
}

// The catalogue's own rows replace a snapshot that this release cannot read.
func TestSnapshotOfAnotherReleaseIsRebuilt(t *testing.T) {
	t.Parallel()
	s := newSnapshots(t)
	imported := cancellationdb.New(s.db, s.table, "no outbox", time.Now, uuid.NewString)
	ed := catalogue.Edition{Categories: []catalogue.Category{
		{ID: "energy", Slug: "energy", Names: map[string]string{"de": "Strom und Gas"}},
	}}
	for _, slug := range []string{"nord", "sued", "gone"} {
		o := catalogue.Organization{
			ID: slug, Slug: slug, CategoryID: "energy", Name: "Stadtwerke " + slug, URL: "https://" + slug + ".example",
			Locales: []cancellation.Locale{"de-DE"}, Inactive: slug == "gone",
		}
		p := catalogue.Product{ID: slug + "-1", Slug: "power", OrganizationID: slug, Name: "Ökostrom", Locales: o.Locales}
		ed.Entries = append(ed.Entries, catalogue.Entry{Organization: o, Products: []catalogue.Product{p}})
	}
	result, err := (&catalogue.Importer{Store: imported, Search: s.Store, Now: time.Now, NewID: uuid.NewString}).
		Import(t.Context(), ed, false, func(int, int) {})
	require.NoError(t, err)
	want := s.read(result.Version, "gas")
	require.Len(t, want, 4, "two organizations and their products, by the name of their category")
	index := []byte("aviso search 4\n")
	key := dynamo.Key{PK: "SEARCH#" + result.Version, SK: "00000"}
	require.NoError(t, dynamo.NewTable(s.db, s.table).Put(t.Context(), key, dynamo.Item{
		"data": &types.AttributeValueMemberB{Value: index}, "chunks": dynamo.N(1),
		"crc32": dynamo.N(int64(crc32.ChecksumIEEE(index))),
	}))
	assert.Equal(t, want, s.read(result.Version, "gas"))
	down := errors.New("the table is away")
	for call := int64(2); call <= 5; call++ { // of the query for the snapshot, and four for the catalogue
		var calls atomic.Int64
		_, err := s.with(func(any) error {
			if calls.Add(1) == call {
				return down
			}
			return nil
		}).Snapshot(t.Context(), result.Version)
		require.ErrorIs(t, err, down)
	}
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
			page, err := index.Search("stadtwerke", catalogue.SearchFilter{}, 10_000, "")
			require.NoError(t, err)
			require.Len(t, page.Organizations, 1_000)
		}
	}
}

// crashing returns a store for the same table whose calls fail from the nth on.
func (s *snapshots) crashing(n int) *fulltext.Store {
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
func (s *snapshots) with(before func(input any) error) *fulltext.Store {
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
	return fulltext.NewStore(db, s.table, time.Now)
}

// An eventual read may come before a chunk that has just been written.
func TestChunksOfTheLastSecondAreReadAgain(t *testing.T) {
	t.Parallel()
	for name, missed := range map[string]int{"none": -1, "the first": 0, "the second": 1, "the last": 2} {
		t.Run(name, func(t *testing.T) {
			s := newSnapshots(t)
			s.put("v1", documents(1_000))
			require.Equal(t, 3, s.rows("SEARCH#v1"))
			table, key := dynamo.NewTable(s.db, s.table), dynamo.Key{PK: "SEARCH#v1", SK: fmt.Sprintf("%05d", missed)}
			var written dynamo.Item
			if missed >= 0 {
				row, err := table.Row(t.Context(), key)
				require.NoError(t, err)
				written = row
				require.NoError(t, table.Delete(t.Context(), key))
			}
			again := false
			index, err := s.with(func(input any) error {
				in, _ := input.(*dynamodb.QueryInput)
				if !*in.ConsistentRead || again {
					return nil
				}
				again = true
				return table.Put(t.Context(), key, written)
			}).Snapshot(t.Context(), "v1")
			require.NoError(t, err)
			page, err := index.Search("stadtwerke", catalogue.SearchFilter{}, 10_000, "")
			require.NoError(t, err)
			assert.Len(t, page.Organizations, 1_000)
			assert.Equal(t, missed >= 0, again)
		})
	}
}

// Throttling is not a missing chunk: to read all again would ask for more.
func TestThrottlingFailsTheRead(t *testing.T) {
	t.Parallel()
	s := newSnapshots(t)
	s.put("v1", documents(4_000))
	throttled := &types.ProvisionedThroughputExceededException{}
	_, err := s.with(func(input any) error {
		in, _ := input.(*dynamodb.QueryInput)
		assert.False(t, *in.ConsistentRead)
		if len(in.ExclusiveStartKey) > 0 {
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
		s := newSnapshots(t)
		s.put("v1", documents(2))
		s.publish("v1")
		for _, version := range []string{"v2", "v3", "v4"} {
			s.put(version, documents(2))
		}
		assert.Equal(t, "v1 v4", kept(s))
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
