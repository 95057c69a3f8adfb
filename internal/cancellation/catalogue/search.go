package catalogue

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"aviso/internal/api/apierror"
	"aviso/internal/cancellation"
	"aviso/internal/outcome"
)

// SearchPage is a page of results. Each list starts with the best match.
type SearchPage struct {
	Organizations, Products []SearchDocument
	// Next is the position of the next page. It is empty at the end of both lists.
	Next string
}

// SearchIndex finds documents in one version of the catalogue.
type SearchIndex interface {
	// Search returns at most limit organizations and limit products that match the
	// query, from position on (empty for the first page). Its only error is a
	// position that it never returned. A position from one version is also valid in
	// another and continues at the same place.
	Search(query string, f SearchFilter, limit int, position string) (SearchPage, error)
}

// SearchSource reads the indexes that the importer stores.
type SearchSource interface {
	// CatalogueVersion returns the current version. It returns outcome.ErrNotFound
	// before the first import.
	CatalogueVersion(ctx context.Context) (string, error)
	// Snapshot returns the index of a version. It returns outcome.ErrNotFound if it has
	// been deleted.
	Snapshot(ctx context.Context, version string) (SearchIndex, error)
}

const (
	// refreshInterval is the minimum time between two reads of the version. While
	// there is no catalogue, it is emptyInterval, which is also how long a query
	// waits for one.
	refreshInterval = 30 * time.Second
	emptyInterval   = time.Second
	// refreshTimeout bounds a refresh in the background.
	refreshTimeout = 15 * time.Second
)

// SearchDeps are the dependencies of Search.
type SearchDeps struct {
	Source SearchSource
	Now    func() time.Time
	Log    *slog.Logger
}

// Search finds organizations and products. It searches in memory and refreshes the
// catalogue in the background.
type Search struct {
	deps    SearchDeps
	current atomic.Pointer[searchable]
	// refreshing has an element while a refresh is in progress, or somebody looks whether one is
	// due. lastRefresh is the start of the last one.
	refreshing  chan struct{}
	lastRefresh time.Time
}

// searchable is the index of one version. Without a catalogue, the version is empty and
// the index nil.
type searchable struct {
	version string
	index   SearchIndex
}

// NewSearch returns a search that reads the catalogue on Load or the first query.
func NewSearch(deps SearchDeps) *Search {
	return &Search{deps: deps, refreshing: make(chan struct{}, 1)}
}

// Search returns a page of results; see SearchIndex. It never waits for a newer
// catalogue. It returns apierror.TemporarilyUnavailable if it has not been able to
// read any catalogue.
func (s *Search) Search(
	ctx context.Context, query string, f SearchFilter, limit int, position string,
) (SearchPage, error) {
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
	if current.index == nil {
		return SearchPage{}, nil
	}
	return current.index.Search(query, f, limit, position)
}

// Load reads the current catalogue. If a refresh is in progress, Load waits for it
// and then starts another.
func (s *Search) Load(ctx context.Context) error {
	select {
	case s.refreshing <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer s.end()
	return s.refresh(ctx)
}

// WaitForRefresh waits until no refresh is in progress or ctx is done.
func (s *Search) WaitForRefresh(ctx context.Context) {
	select {
	case s.refreshing <- struct{}{}:
		s.end()
	case <-ctx.Done():
	}
}

func (s *Search) end() { <-s.refreshing }

// isEmpty reports whether no catalogue has been read yet.
func (s *Search) isEmpty() bool {
	current := s.current.Load()
	return current == nil || current.version == ""
}

// refreshInBackground starts a refresh if one is due and none is in progress.
func (s *Search) refreshInBackground(ctx context.Context) {
	gap := refreshInterval
	if s.isEmpty() {
		gap = emptyInterval
	}
	select {
	case s.refreshing <- struct{}{}:
	default:
		return
	}
	if s.deps.Now().Sub(s.lastRefresh) < gap {
		s.end()
		return
	}
	background, cancel := context.WithTimeout(context.WithoutCancel(ctx), refreshTimeout)
	go func() {
		defer s.end()
		defer cancel()
		if err := s.refresh(background); err != nil {
			s.deps.Log.WarnContext(background, "reading the catalogue failed; the search keeps the one it has",
				"error", err.Error())
		}
	}()
}

// refresh reads the current version, and its index if the version has changed.
// The caller has put an element into refreshing.
func (s *Search) refresh(ctx context.Context) error {
	s.lastRefresh = s.deps.Now()
	version, err := s.deps.Source.CatalogueVersion(ctx)
	var index SearchIndex
	switch current := s.current.Load(); {
	case errors.Is(err, outcome.ErrNotFound):
		version = ""
	case err != nil:
		return fmt.Errorf("read catalogue version: %w", err)
	case current != nil && current.version == version:
		return nil
	default:
		if index, err = s.deps.Source.Snapshot(ctx, version); err != nil {
			return fmt.Errorf("read search index of version %s: %w", version, err)
		}
	}
	s.current.Store(&searchable{version, index})
	return nil
}

// SearchKind is the kind of a search document.
type SearchKind string

// The kinds.
const (
	SearchOrganization SearchKind = "Organization"
	SearchProduct      SearchKind = "Product"
)

// SearchDocument is an active organization or product in the search. It has all the
// data that a search response shows.
type SearchDocument struct {
	Kind SearchKind
	// ID is the ID of the organization or product.
	ID string
	// OrganizationID equals ID for an organization.
	OrganizationID string
	// CategoryID is the category of the organization.
	CategoryID string
	// CategoryNames are the category's names in all languages, for the index only: hits have
	// none.
	CategoryNames []string
	Name          string
	// OrganizationName equals Name for an organization.
	OrganizationName string
	// ExtraConsent, URL, Unconfirmed and Source belong to the organization.
	ExtraConsent, Unconfirmed bool
	URL, Source               string
	Locales                   []cancellation.Locale
}
