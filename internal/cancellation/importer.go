package cancellation

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"aviso/internal/outcome"
)

// ErrImportRunning says that another import holds the catalogue.
var ErrImportRunning = errors.New("cancellation: another import is running")

const (
	// importLease is how long the catalogue stays with an import of which
	// nothing is heard. Every write begins it anew.
	importLease = 2 * time.Minute
	// importBatch is how many organizations are written between two reports of
	// progress.
	importBatch = 50
	// maxSlugs is how many organizations of each kind a result names.
	maxSlugs = 20
)

// ImportLease makes one import at a time the only one that may write.
type ImportLease struct {
	Token string
	Until time.Time
}

// SearchSnapshot takes what the search is to know of one version of the
// catalogue.
type SearchSnapshot interface {
	// PutSnapshot comes before the version is published. A version that never
	// is may have one, too.
	PutSnapshot(ctx context.Context, version string, docs []SearchDocument) error
}

// CatalogueVersion says which edition of the catalogue is stored, since when,
// and what the import changed.
type CatalogueVersion struct {
	// ID is new with every import that changes something.
	ID     string
	Digest string
	At     time.Time

	Categories, Organizations, Products int
	New, Changed, Removed               int
}

// StoredCatalogue is what an import has to know of what is stored.
type StoredCatalogue struct {
	// Version is zero before the first import has ended.
	Version CatalogueVersion
	// Entries are by the organizations' ids.
	Entries map[string]StoredEntry
}

// StoredEntry is what an import has to know of an organization that is stored.
type StoredEntry struct {
	Slug string
	// Digest is empty while a write of the organization has not ended.
	Digest string
	// Placements are the places at which lists hold it: none where it is
	// inactive, one as a rule, more after a write that broke off.
	Placements []Placement
	// ProductIDs are of all products that may be stored.
	ProductIDs []string
}

// Placement is what an organization's places in the lists follow from.
type Placement struct {
	Name, CategoryID string
	Locales          []Locale
}

// EntryChange is an organization that is written anew or removed.
type EntryChange struct {
	OrganizationID string
	// Stored is zero for one that is new.
	Stored StoredEntry
	// Entry is nil for one that is removed, with Digest empty.
	Entry  *Entry
	Digest string
}

// ImportResult says what an import has changed, or would change. The lists name
// the first organizations of each kind, by slug.
type ImportResult struct {
	New, Changed, Removed, Unchanged     int
	NewSlugs, ChangedSlugs, RemovedSlugs []string
	// Version is that of the catalogue now; empty before the first import, and
	// the former one after a dry run.
	Version string
}

// Importer brings the stored catalogue to the state of an edition.
type Importer struct {
	store  Store
	search SearchSnapshot
	now    func() time.Time
	newID  func() string
}

// NewImporter writes to store and tells search.
func NewImporter(store Store, search SearchSnapshot, now func() time.Time, newID func() string) *Importer {
	return &Importer{store: store, search: search, now: now, newID: newID}
}

// Import writes what is not stored yet and removes what the edition does not
// have; a dry run only says what it would do. It can break off anywhere and be
// run again: the version comes last, and what was not finished counts as
// changed. An edition that is stored already changes nothing. ErrImportRunning
// while another import is under way. progress hears how many organizations of
// those to be changed are done.
func (i *Importer) Import(ctx context.Context, ed Edition, dryRun bool, progress func(done, total int)) (ImportResult, error) {
	if dryRun {
		p, err := i.plan(ctx, ed)
		return p.result, err
	}
	lease := ImportLease{Token: i.newID(), Until: i.now().Add(importLease)}
	err := i.store.AcquireImport(ctx, lease, i.now())
	if errors.Is(err, outcome.ErrChanged) {
		return ImportResult{}, ErrImportRunning
	}
	if err != nil {
		return ImportResult{}, fmt.Errorf("acquire import: %w", err)
	}
	result, published, err := i.importWithLease(ctx, lease, ed, progress)
	if !published {
		// The next import need not wait for the lease to run out. That it has to
		// where this fails is all the harm.
		if released := i.store.ReleaseImport(context.WithoutCancel(ctx), lease); released != nil {
			err = errors.Join(err, fmt.Errorf("release import: %w", released))
		}
	}
	if errors.Is(err, outcome.ErrChanged) {
		return ImportResult{}, ErrImportRunning
	}
	return result, err
}

// importWithLease is Import once the lease is held. published tells that the lease
// has been given back with the version.
func (i *Importer) importWithLease(ctx context.Context, lease ImportLease, ed Edition, progress func(done, total int)) (r ImportResult, published bool, err error) {
	p, err := i.plan(ctx, ed)
	if err != nil {
		return ImportResult{}, false, err
	}
	if len(p.changes) == 0 && p.stored.Version.Digest == p.digest {
		return p.result, false, nil
	}
	total := len(p.changes)
	progress(0, total)
	done := 0
	for batch := range slices.Chunk(p.changes, importBatch) {
		lease.Until = i.now().Add(importLease)
		if err := i.store.WriteEntries(ctx, lease, batch); err != nil {
			return ImportResult{}, false, fmt.Errorf("write organizations: %w", err)
		}
		done += len(batch)
		progress(done, total)
	}
	v := CatalogueVersion{
		ID: i.newID(), Digest: p.digest, At: i.now(), Categories: len(ed.Categories), Organizations: len(ed.Entries),
		New: p.result.New, Changed: p.result.Changed, Removed: p.result.Removed,
	}
	for _, e := range ed.Entries {
		v.Products += len(e.Products)
	}
	if err := i.search.PutSnapshot(ctx, v.ID, ed.SearchDocuments()); err != nil {
		return ImportResult{}, false, fmt.Errorf("put search snapshot: %w", err)
	}
	if err := i.store.PublishCatalogue(ctx, lease, ed.Categories, v); err != nil {
		return ImportResult{}, false, fmt.Errorf("publish catalogue: %w", err)
	}
	p.result.Version = v.ID
	return p.result, true, nil
}

// plan is what has to be done to come from what is stored to an edition.
type plan struct {
	stored  StoredCatalogue
	changes []EntryChange
	digest  string // of the edition
	result  ImportResult
}

func (i *Importer) plan(ctx context.Context, ed Edition) (plan, error) {
	stored, err := i.store.StoredCatalogue(ctx)
	if err != nil {
		return plan{}, fmt.Errorf("read stored catalogue: %w", err)
	}
	p := plan{stored: stored, result: ImportResult{Version: stored.Version.ID}}
	digests := make(map[string]string, len(ed.Entries))
	for _, e := range slices.SortedFunc(slices.Values(ed.Entries), func(a, b Entry) int { return strings.Compare(a.Organization.Slug, b.Organization.Slug) }) {
		o := e.Organization
		digest, err := e.digest()
		if err != nil {
			return plan{}, err
		}
		digests[o.ID] = digest
		old, exists := stored.Entries[o.ID]
		switch {
		case !exists:
			p.result.New++
			p.result.NewSlugs = addSlug(p.result.NewSlugs, o.Slug)
		case old.Digest != digest:
			p.result.Changed++
			p.result.ChangedSlugs = addSlug(p.result.ChangedSlugs, o.Slug)
		default:
			p.result.Unchanged++
			continue
		}
		p.changes = append(p.changes, EntryChange{OrganizationID: o.ID, Stored: old, Entry: &e, Digest: digest})
	}
	var removed []EntryChange
	for id, old := range stored.Entries {
		if _, exists := digests[id]; !exists {
			removed = append(removed, EntryChange{OrganizationID: id, Stored: old})
		}
	}
	slices.SortFunc(removed, func(a, b EntryChange) int { return strings.Compare(a.Stored.Slug, b.Stored.Slug) })
	for _, c := range removed {
		p.result.Removed++
		p.result.RemovedSlugs = addSlug(p.result.RemovedSlugs, c.Stored.Slug)
	}
	p.changes = append(p.changes, removed...)
	p.digest, err = digestOf(ed.Categories, digests)
	return p, err
}

// shown adds a slug to those that a result names.
func addSlug(slugs []string, slug string) []string {
	if len(slugs) == maxSlugs {
		return slugs
	}
	return append(slugs, slug)
}
