package cancellation

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"aviso/internal/apierror"
	"aviso/internal/outcome"
)

// SearchFilter narrows a search; empty fields do not.
type SearchFilter struct {
	Locale     Locale
	CategoryID string
}

// SearchPage is a page of what was found, best first in each list.
type SearchPage struct {
	Organizations, Products []SearchDocument
	// Next is the position of the following page; empty at the end of both.
	Next string
}

// SearchIndex finds documents of one version of the catalogue.
type SearchIndex interface {
	// Search is at most limit organizations and limit products that match the
	// query, from position on (empty for the first page). It fails for a
	// position that no page has given, and for nothing else. A position of one
	// version goes on at the same place in another.
	Search(query string, f SearchFilter, limit int, position string) (SearchPage, error)
}

// SearchSource is where the importer leaves what can be found.
type SearchSource interface {
	// CatalogueVersion is the version in force; outcome.ErrNotFound before the first.
	CatalogueVersion(ctx context.Context) (string, error)
	// Snapshot is the documents of a version; outcome.ErrNotFound when they are gone.
	Snapshot(ctx context.Context, version string) ([]SearchDocument, error)
}

const (
	// refreshInterval is the least time between two looks at the version. While there
	// is no catalogue to search in, it is emptyInterval, and that long a query waits
	// for one.
	refreshInterval = 30 * time.Second
	emptyInterval   = time.Second
	// refreshTimeout bounds a look with all that follows from it.
	refreshTimeout = 15 * time.Second
)

// SearchDeps is what the search works with.
type SearchDeps struct {
	Source SearchSource
	// Build makes the index of documents; it may use their slice.
	Build func([]SearchDocument) SearchIndex
	Now   func() time.Time
	Log   *slog.Logger
}

// Search finds organizations and products. It answers from memory; beside the
// answers it looks whether there is a new version of the catalogue.
type Search struct {
	deps    SearchDeps
	current atomic.Pointer[searchable]

	mu sync.Mutex
	// looked is when the last look began. looking is closed when it has ended,
	// and nil when none is under way.
	lastRefresh time.Time
	refreshing  chan struct{}
}

// searchable is the index of one version; of none when version is empty.
type searchable struct {
	version string
	index   SearchIndex
}

// NewSearch has nothing to search in before Load, or the first query, has looked.
func NewSearch(deps SearchDeps) *Search { return &Search{deps: deps} }

// Search is one page of what matches the query; see SearchIndex. It never waits
// for a catalogue that is newer than the one it has. It is
// temporarily_unavailable while none could be read.
func (s *Search) Search(ctx context.Context, query string, f SearchFilter, limit int, position string) (SearchPage, error) {
	s.refreshInBackground(ctx)
	if s.isEmpty() {
		wait, cancel := context.WithTimeout(ctx, emptyInterval)
		defer cancel()
		s.WaitForRefresh(wait)
	}
	current := s.current.Load()
	if current == nil {
		return SearchPage{}, &apierror.Error{
			Code:   apierror.TemporarilyUnavailable,
			Detail: "The catalogue is still loading. Try again in a moment.", RetryAfter: emptyInterval,
		}
	}
	return current.index.Search(query, f, limit, position)
}

// Load reads the catalogue in force, and waits for it. A look that is under way
// is waited for first.
func (s *Search) Load(ctx context.Context) error {
	done, err := s.waitAndBegin(ctx)
	if err != nil {
		return err
	}
	defer s.end(done)
	return s.refresh(ctx)
}

// take begins a look once none is under way.
func (s *Search) waitAndBegin(ctx context.Context) (done chan struct{}, err error) {
	for {
		done, pending := s.tryBegin()
		if done != nil {
			return done, nil
		}
		select {
		case <-pending:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// tryBegin begins a look, or gives the one that is under way.
func (s *Search) tryBegin() (done, pending chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refreshing != nil {
		return nil, s.refreshing
	}
	return s.begin(), nil
}

// Settle waits for a look that is under way, until ctx ends.
func (s *Search) WaitForRefresh(ctx context.Context) {
	s.mu.Lock()
	pending := s.refreshing
	s.mu.Unlock()
	if pending != nil {
		select {
		case <-pending:
		case <-ctx.Done():
		}
	}
}

// isEmpty tells whether no catalogue was read yet.
func (s *Search) isEmpty() bool {
	current := s.current.Load()
	return current == nil || current.version == ""
}

// refreshInBackground begins a look when it is time for one and none is under way.
func (s *Search) refreshInBackground(ctx context.Context) {
	gap := refreshInterval
	if s.isEmpty() {
		gap = emptyInterval
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refreshing != nil || s.deps.Now().Sub(s.lastRefresh) < gap {
		return
	}
	done := s.begin()
	background, cancel := context.WithTimeout(context.WithoutCancel(ctx), refreshTimeout)
	go func() {
		defer s.end(done)
		defer cancel()
		if err := s.refresh(background); err != nil {
			s.deps.Log.WarnContext(background, "catalogue not read; the search keeps what it has", "error", err.Error())
		}
	}()
}

// begin and end frame a look. begin is called pending the lock.
func (s *Search) begin() chan struct{} {
	s.lastRefresh, s.refreshing = s.deps.Now(), make(chan struct{})
	return s.refreshing
}

func (s *Search) end(done chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refreshing = nil
	close(done)
}

// look reads the version in force, and where it is another one than the index
// has, its documents. Before there is a catalogue, nothing is found.
func (s *Search) refresh(ctx context.Context) error {
	version, err := s.deps.Source.CatalogueVersion(ctx)
	var documents []SearchDocument
	switch current := s.current.Load(); {
	case errors.Is(err, outcome.ErrNotFound):
		version = ""
	case err != nil:
		return fmt.Errorf("read version of the catalogue: %w", err)
	case current != nil && current.version == version:
		return nil
	default:
		if documents, err = s.deps.Source.Snapshot(ctx, version); err != nil {
			return fmt.Errorf("read search documents of version %s: %w", version, err)
		}
	}
	s.current.Store(&searchable{version, s.deps.Build(documents)})
	return nil
}
