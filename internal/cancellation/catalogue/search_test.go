package catalogue_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api/apierror"
	"aviso/internal/cancellation/catalogue"
	"aviso/internal/outcome"
)

// catalogueSource is a catalogue in memory that counts reads.
type catalogueSource struct {
	mu        sync.Mutex
	version   string // empty if there is none yet
	documents map[string][]catalogue.SearchDocument
	fails     error
	takes     time.Duration
	// looks and reads count calls. atOnce is the maximum number of concurrent calls.
	looks, reads, under, atOnce int
}

func (c *catalogueSource) publish(version string, names ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.documents == nil {
		c.documents = map[string][]catalogue.SearchDocument{}
	}
	c.version = version
	for _, name := range names {
		c.documents[version] = append(c.documents[version], catalogue.SearchDocument{Kind: catalogue.SearchOrganization, Name: name})
	}
}

func (c *catalogueSource) set(fails error, takes time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.fails, c.takes = fails, takes
}

func (c *catalogueSource) call(ctx context.Context, count *int) error {
	c.mu.Lock()
	*count++
	c.under++
	c.atOnce = max(c.atOnce, c.under)
	fails, takes := c.fails, c.takes
	c.mu.Unlock()
	defer func() { c.mu.Lock(); c.under--; c.mu.Unlock() }()
	select {
	case <-time.After(takes):
		return fails
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *catalogueSource) CatalogueVersion(ctx context.Context) (string, error) {
	if err := c.call(ctx, &c.looks); err != nil {
		return "", err
	}
	if c.version == "" {
		return "", outcome.ErrNotFound
	}
	return c.version, nil
}

func (c *catalogueSource) Snapshot(ctx context.Context, version string) (catalogue.SearchIndex, error) {
	if err := c.call(ctx, &c.reads); err != nil {
		return nil, err
	}
	if c.documents[version] == nil {
		return nil, outcome.ErrNotFound
	}
	return everything(c.documents[version]), nil
}

// everything is an index that returns all its documents and records queries.
type everything []catalogue.SearchDocument

func (e everything) Search(string, catalogue.SearchFilter, int, string) (catalogue.SearchPage, error) {
	return catalogue.SearchPage{Organizations: e}, nil
}

type searchWorld struct {
	*testing.T
	source *catalogueSource
	search *catalogue.Search
	log    bytes.Buffer
}

func newSearchWorld(t *testing.T) *searchWorld {
	w := &searchWorld{T: t, source: &catalogueSource{}}
	w.search = catalogue.NewSearch(catalogue.SearchDeps{
		Source: w.source, Now: time.Now, Log: slog.New(slog.NewTextHandler(&w.log, nil)),
	})
	return w
}

// inItsTime runs a subtest with a search and a clock of its own.
func inItsTime(t *testing.T, name string, do func(t *testing.T, w *searchWorld)) {
	t.Run(name, func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) { do(t, newSearchWorld(t)) })
	})
}

// find returns the names that a query finds immediately.
func (w *searchWorld) find() []string {
	w.Helper()
	before := time.Now()
	page, err := w.search.Search(w.Context(), "x", catalogue.SearchFilter{}, 10, "")
	require.NoError(w, err)
	require.Equal(w, before, time.Now(), "no query waits")
	names := []string{}
	for _, d := range page.Organizations {
		names = append(names, d.Name)
	}
	return names
}

// later advances the clock and waits for everything in progress.
func (w *searchWorld) later(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func TestSearchFollowsTheCatalogue(t *testing.T) {
	t.Parallel()
	inItsTime(t, "finds a new version within 30 s, without a restart", func(t *testing.T, w *searchWorld) {
		w.source.publish("v1", "Old", "Gone")
		require.NoError(t, w.search.Load(t.Context()))
		assert.Equal(t, []string{"Old", "Gone"}, w.find())
		w.source.publish("v2", "Old", "New")
		w.later(29 * time.Second)
		assert.Equal(t, []string{"Old", "Gone"}, w.find(), "it is too early to look")
		w.later(time.Second)
		assert.Equal(t, []string{"Old", "Gone"}, w.find(), "this query has begun the look, and did not wait for it")
		w.later(0)
		assert.Equal(t, []string{"Old", "New"}, w.find(), "what was deleted is gone")
		assert.Equal(t, 2, w.source.looks)
	})
	inItsTime(t, "refreshes every 30 s, one at a time, for any number of queries", func(t *testing.T, w *searchWorld) {
		w.source.publish("v1", "A")
		require.NoError(t, w.search.Load(t.Context()))
		w.source.publish("v2", "B")
		w.source.set(nil, 2*time.Second)
		for range 600 { // one minute
			var queries sync.WaitGroup
			for range 5 {
				queries.Go(func() { w.find() })
			}
			queries.Wait()
			w.later(100 * time.Millisecond)
		}
		w.later(time.Minute)
		assert.Equal(t, []int{2, 2, 1}, []int{w.source.looks, w.source.reads, w.source.atOnce}, "the start's and one more")
		assert.Equal(t, []string{"B"}, w.find())
		w.later(time.Minute)
	})
	inItsTime(t, "does not read an unchanged version again", func(t *testing.T, w *searchWorld) {
		w.source.publish("v1", "A")
		require.NoError(t, w.search.Load(t.Context()))
		for range 5 {
			w.later(30 * time.Second)
			w.find()
		}
		w.later(0)
		assert.Equal(t, []int{6, 1}, []int{w.source.looks, w.source.reads})
	})
}

func TestSearchSurvivesFaults(t *testing.T) {
	t.Parallel()
	down := errors.New("the table is away")
	inItsTime(t, "keeps the old catalogue after a failed refresh, logs and retries", func(t *testing.T, w *searchWorld) {
		w.source.publish("v1", "A")
		require.NoError(t, w.search.Load(t.Context()))
		w.source.publish("v2") // without a snapshot
		w.later(30 * time.Second)
		w.find()
		w.later(0)
		assert.Equal(t, []string{"A"}, w.find())
		assert.Contains(t, w.log.String(), "v2")
		w.source.publish("v2", "B")
		w.later(30 * time.Second)
		w.find()
		w.later(0)
		assert.Equal(t, []string{"B"}, w.find())
	})
	inItsTime(t, "does not wait for a store that never responds", func(t *testing.T, w *searchWorld) {
		w.source.publish("v1", "A")
		require.NoError(t, w.search.Load(t.Context()))
		w.source.set(nil, time.Hour)
		w.later(30 * time.Second)
		for range 10 {
			assert.Equal(t, []string{"A"}, w.find())
		}
		w.later(15 * time.Second) // the refresh times out
		assert.Contains(t, w.log.String(), "deadline")
		w.source.set(nil, 0)
	})
	inItsTime(t, "finds nothing until there is a catalogue", func(t *testing.T, w *searchWorld) {
		require.NoError(t, w.search.Load(t.Context()))
		assert.Empty(t, w.find())
		w.source.publish("v1", "A")
		assert.Empty(t, w.find(), "it is too early to look")
		assert.Equal(t, 1, w.source.looks)
		w.later(time.Second)
		assert.Equal(t, []string{"A"}, w.find(), "the first query finds what there is")
	})
	inItsTime(t, "returns 503 without the store, and retries a second later", func(t *testing.T, w *searchWorld) {
		w.source.publish("v1", "A")
		w.source.set(down, 0)
		require.ErrorIs(t, w.search.Load(t.Context()), down)
		for range 3 {
			_, err := w.search.Search(t.Context(), "x", catalogue.SearchFilter{}, 10, "")
			require.True(t, apierror.Is(err, apierror.TemporarilyUnavailable), err)
		}
		assert.Equal(t, 1, w.source.looks)
		w.source.set(nil, 0)
		w.later(time.Second)
		assert.Equal(t, []string{"A"}, w.find())
	})
	inItsTime(t, "waits up to a second for the first catalogue", func(t *testing.T, w *searchWorld) {
		w.source.publish("v1", "A")
		w.source.set(nil, 5*time.Second)
		start := time.Now()
		_, err := w.search.Search(t.Context(), "x", catalogue.SearchFilter{}, 10, "")
		require.True(t, apierror.Is(err, apierror.TemporarilyUnavailable), err)
		assert.Equal(t, time.Second, time.Since(start))
		w.later(10 * time.Second)
		assert.Equal(t, []string{"A"}, w.find())
	})
}

func TestSearchWaits(t *testing.T) {
	t.Parallel()
	inItsTime(t, "WaitForRefresh until the refresh or the context ends", func(t *testing.T, w *searchWorld) {
		w.source.publish("v1", "A")
		require.NoError(t, w.search.Load(t.Context()))
		start := time.Now()
		w.search.WaitForRefresh(t.Context())
		assert.Equal(t, start, time.Now(), "there is nothing to wait for")

		w.source.publish("v2", "B")
		w.source.set(nil, 100*time.Millisecond)
		time.Sleep(30 * time.Second)
		w.find()
		short, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		w.search.WaitForRefresh(short)
		assert.Equal(t, []string{"A"}, w.find())
		w.search.WaitForRefresh(t.Context())
		assert.Equal(t, []string{"B"}, w.find())
	})
	inItsTime(t, "Load for a refresh in progress", func(t *testing.T, w *searchWorld) {
		w.source.publish("v1", "A")
		w.source.set(nil, time.Second)
		_, err := w.search.Search(t.Context(), "x", catalogue.SearchFilter{}, 10, "")
		require.Error(t, err)
		short, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		require.ErrorIs(t, w.search.Load(short), context.DeadlineExceeded)
		require.NoError(t, w.search.Load(t.Context()))
		assert.Equal(t, []string{"A"}, w.find())
		assert.Equal(t, []int{1, 1}, []int{w.source.reads, w.source.atOnce})
	})
}
