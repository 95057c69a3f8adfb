package catalogue_test

import (
	"bytes"
	"context"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

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
