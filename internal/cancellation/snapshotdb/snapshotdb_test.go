package snapshotdb_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
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

func (s *snapshots) read(version string) []cancellation.SearchDocument {
	s.t.Helper()
	documents, err := s.Snapshot(s.t.Context(), version)
	require.NoError(s.t, err)
	return documents
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
	for name, n := range map[string]int{"nothing": 0, "one organization": 1, "several chunks, and pages of a query": 4_000} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSnapshots(t)
			want := documents(n)
			s.put("v1", want)
			got := s.read("v1")
			require.Len(t, got, len(want))
			for i := range want { // not assert.Equal on all: it would print them
				require.Equal(t, want[i], got[i])
			}
			if n > 1000 {
				assert.Greater(t, s.rows("SEARCH#v1"), 3, "chunks, of which a page of a query holds three at most")
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
			require.Len(t, s.read("v1"), 8_000)
		})
	}
	t.Run("a shorter snapshot replaces a longer one", func(t *testing.T) {
		s.put("v1", documents(10))
		require.Greater(t, s.rows("SEARCH#v1"), 1, "chunks of the longer one are still there")
		require.Len(t, s.read("v1"), 20)
	})
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
