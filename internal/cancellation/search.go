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
	// lookEvery is the least time between two looks at the version. While there
	// is no catalogue to search in, it is lookSoon, and that long a query waits
	// for one.
	lookEvery = 30 * time.Second
	lookSoon  = time.Second
	// lookLimit bounds a look with all that follows from it.
	lookLimit = 15 * time.Second
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
	looked  time.Time
	looking chan struct{}
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
	s.lookBeside(ctx)
	if s.hasNone() {
		wait, cancel := context.WithTimeout(ctx, lookSoon)
		defer cancel()
		s.Settle(wait)
	}
	current := s.current.Load()
	if current == nil {
		return SearchPage{}, &apierror.Error{Code: apierror.TemporarilyUnavailable, Detail: "The catalogue is being read. Try again in a moment.", RetryAfter: lookSoon}
	}
	return current.index.Search(query, f, limit, position)
}

// Load reads the catalogue in force, and waits for it. A look that is under way
// is waited for first.
func (s *Search) Load(ctx context.Context) error {
	done, err := s.take(ctx)
	if err != nil {
		return err
	}
	defer s.end(done)
	return s.look(ctx)
}

// take begins a look once none is under way.
func (s *Search) take(ctx context.Context) (done chan struct{}, err error) {
	for {
		done, under := s.tryTake()
		if done != nil {
			return done, nil
		}
		select {
		case <-under:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// tryTake begins a look, or gives the one that is under way.
func (s *Search) tryTake() (done, under chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.looking != nil {
		return nil, s.looking
	}
	return s.begin(), nil
}

// Settle waits for a look that is under way, until ctx ends.
func (s *Search) Settle(ctx context.Context) {
	s.mu.Lock()
	under := s.looking
	s.mu.Unlock()
	if under != nil {
		select {
		case <-under:
		case <-ctx.Done():
		}
	}
}

// hasNone tells whether no catalogue was read yet.
func (s *Search) hasNone() bool {
	current := s.current.Load()
	return current == nil || current.version == ""
}

// lookBeside begins a look when it is time for one and none is under way.
func (s *Search) lookBeside(ctx context.Context) {
	gap := lookEvery
	if s.hasNone() {
		gap = lookSoon
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.looking != nil || s.deps.Now().Sub(s.looked) < gap {
		return
	}
	done := s.begin()
	beside, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookLimit)
	go func() {
		defer s.end(done)
		defer cancel()
		if err := s.look(beside); err != nil {
			s.deps.Log.WarnContext(beside, "catalogue not read; the search keeps what it has", "error", err.Error())
		}
	}()
}

// begin and end frame a look. begin is called under the lock.
func (s *Search) begin() chan struct{} {
	s.looked, s.looking = s.deps.Now(), make(chan struct{})
	return s.looking
}

func (s *Search) end(done chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.looking = nil
	close(done)
}

// look reads the version in force, and where it is another one than the index
// has, its documents. Before there is a catalogue, nothing is found.
func (s *Search) look(ctx context.Context) error {
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
