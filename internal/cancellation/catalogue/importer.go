package catalogue

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"aviso/internal/cancellation"
	"aviso/internal/outcome"
)

// ErrImportRunning is returned while another import holds the lease.
var ErrImportRunning = errors.New("cancellation: another import is running")

const (
	// importLease is the duration of the import lease. Every write renews it.
	importLease = 2 * time.Minute
	// importBatch is how many organizations are written between two progress reports.
	importBatch = 50
)

// ImportLease lets only one import at a time write.
type ImportLease struct {
	Token string    `dynamodbav:"leaseToken"`
	Until time.Time `dynamodbav:"leaseUntil"`
}

// SearchSnapshot stores the index of the search documents of a version of the catalogue.
type SearchSnapshot interface {
	// PutSnapshot is called before the version is published, so a version that is
	// never published may have a snapshot too.
	PutSnapshot(ctx context.Context, version string, docs []SearchDocument) error
}

// Version describes the stored edition of the catalogue, when it was
// imported, and what the import changed.
type Version struct {
	// ID changes with every import that changes something.
	ID            string    `dynamodbav:"version"`
	Digest        string    `dynamodbav:"digest"`
	At            time.Time `dynamodbav:"at"`
	Categories    int       `dynamodbav:"categories"`
	Organizations int       `dynamodbav:"organizations"`
	Products      int       `dynamodbav:"products"`
	New           int       `dynamodbav:"new"`
	Changed       int       `dynamodbav:"changed"`
	Removed       int       `dynamodbav:"removed"`
}

// Stored describes the stored catalogue for an import.
type Stored struct {
	// Version is zero before the first import has finished.
	Version Version
	// Entries maps organization IDs to entries.
	Entries map[string]StoredEntry
}

// StoredEntry is what an import needs to know about a stored organization.
type StoredEntry struct {
	Slug string `dynamodbav:"slug"`
	// Digest is empty while the organization has been written only in part.
	Digest string `dynamodbav:"digest,omitempty"`
	// Placements are the organization's placements in lists: none if it is inactive,
	// usually one, more after an interrupted write.
	Placements []Placement `dynamodbav:"placements,omitempty"`
	// ProductIDs are the IDs of all products that may be stored.
	ProductIDs []string `dynamodbav:"productIds"`
}

// Placement determines the keys of an organization's list entries.
type Placement struct {
	Name       string                `dynamodbav:"name"`
	CategoryID string                `dynamodbav:"categoryId"`
	Locales    []cancellation.Locale `dynamodbav:"locales"`
}

// EntryChange is an organization to write or remove.
type EntryChange struct {
	OrganizationID string
	// Stored is zero for a new organization.
	Stored StoredEntry
	// Entry is nil and Digest empty for an organization to remove.
	Entry  *Entry
	Digest string
}

// ImportResult is what an import has changed, or would change: the slugs of organizations of each
// kind.
type ImportResult struct {
	New, Changed, Removed []string
	Unchanged             int
	// Unanswerable are the products of the edition (organization/product) whose letters go by
	// e-mail alone, and whose template has no e-mail address that could be answered.
	Unanswerable []string
	// Version is the current version of the catalogue. It is empty before the first
	// import. A dry run does not change it.
	Version string
}

// ImportStore writes the catalogue.
type ImportStore interface {
	// AcquireImport acquires the import lease, so that only one import runs at a
	// time. It returns outcome.ErrChanged while another import's lease is valid.
	AcquireImport(ctx context.Context, lease ImportLease, now time.Time) error
	// ReleaseImport releases the lease. If another import has taken it over,
	// ReleaseImport does nothing.
	ReleaseImport(ctx context.Context, lease ImportLease) error
	// StoredCatalogue returns what is stored now.
	StoredCatalogue(ctx context.Context) (Stored, error)
	// WriteEntries writes the changes, each organization with its products and list
	// entries, and renews the lease. If it fails, it may have written some of them;
	// an organization written in part has an empty digest in StoredCatalogue. If
	// another import has taken over the lease, it stops and returns
	// outcome.ErrChanged.
	WriteEntries(ctx context.Context, lease ImportLease, changes []EntryChange) error
	// PublishCatalogue writes changes as WriteEntries does. Together with the last of them, it
	// writes categories and version and releases the lease, all or nothing. It returns
	// outcome.ErrChanged if another import has taken over the lease.
	PublishCatalogue(
		ctx context.Context, lease ImportLease, changes []EntryChange, categories []Category, v Version,
	) error
}

// Importer makes the stored catalogue equal to an edition.
type Importer struct {
	Store  ImportStore
	Search SearchSnapshot
	Now    func() time.Time
	NewID  func() string
}

// Import writes what has changed and removes what the edition does not contain. A
// dry run only returns what it would change. The last changes are written together with the
// version: a few changes are made as a whole or not at all, and an interrupted import always has
// some left to do, which a dry run returns, and another run does.
// Importing the stored edition again changes nothing. Import returns
// ErrImportRunning while another import is running. It calls progress with the
// number of organizations written and the total to write.
func (i *Importer) Import(
	ctx context.Context, ed Edition, dryRun bool, progress func(done, total int),
) (ImportResult, error) {
	if dryRun {
		p, err := i.plan(ctx, ed)
		return p.result, err
	}
	lease := ImportLease{Token: i.NewID(), Until: i.Now().Add(importLease)}
	err := i.Store.AcquireImport(ctx, lease, i.Now())
	if errors.Is(err, outcome.ErrChanged) {
		return ImportResult{}, ErrImportRunning
	}
	if err != nil {
		return ImportResult{}, fmt.Errorf("acquire import: %w", err)
	}
	result, published, err := i.importWithLease(ctx, lease, ed, progress)
	if !published {
		// Release the lease so that the next import can start at once. If this fails,
		// it has to wait until the lease expires.
		if released := i.Store.ReleaseImport(context.WithoutCancel(ctx), lease); released != nil {
			err = errors.Join(err, fmt.Errorf("release import: %w", released))
		}
	}
	if errors.Is(err, outcome.ErrChanged) {
		return ImportResult{}, ErrImportRunning
	}
	return result, err
}

// importWithLease imports while the caller holds the lease. published reports
// whether it has released the lease by publishing the version.
func (i *Importer) importWithLease(
	ctx context.Context, lease ImportLease, ed Edition, progress func(done, total int),
) (r ImportResult, published bool, err error) {
	p, err := i.plan(ctx, ed)
	if err != nil {
		return ImportResult{}, false, err
	}
	if len(p.changes) == 0 && p.stored.Version.Digest == p.digest {
		return p.result, false, nil
	}
	total := len(p.changes)
	progress(0, total)
	v := Version{
		ID: i.NewID(), Digest: p.digest, At: i.Now(),
		Categories: len(ed.Categories), Organizations: len(ed.Entries),
		New: len(p.result.New), Changed: len(p.result.Changed), Removed: len(p.result.Removed),
	}
	for _, e := range ed.Entries {
		v.Products += len(e.Products)
	}
	if err := i.Search.PutSnapshot(ctx, v.ID, ed.SearchDocuments()); err != nil {
		return ImportResult{}, false, fmt.Errorf("put search snapshot: %w", err)
	}
	left := p.changes
	for ; len(left) > importBatch; left = left[importBatch:] {
		lease.Until = i.Now().Add(importLease)
		if err := i.Store.WriteEntries(ctx, lease, left[:importBatch]); err != nil {
			return ImportResult{}, false, fmt.Errorf("write organizations: %w", err)
		}
		progress(total-len(left)+importBatch, total)
	}
	lease.Until = i.Now().Add(importLease)
	if err := i.Store.PublishCatalogue(ctx, lease, left, ed.Categories, v); err != nil {
		return ImportResult{}, false, fmt.Errorf("publish catalogue: %w", err)
	}
	progress(total, total)
	p.result.Version = v.ID
	return p.result, true, nil
}

// plan is how to get from the stored catalogue to an edition.
type plan struct {
	stored  Stored
	changes []EntryChange
	digest  string // of the edition
	result  ImportResult
}

func (i *Importer) plan(ctx context.Context, ed Edition) (plan, error) {
	stored, err := i.Store.StoredCatalogue(ctx)
	if err != nil {
		return plan{}, fmt.Errorf("read stored catalogue: %w", err)
	}
	p := plan{stored: stored, result: ImportResult{Version: stored.Version.ID, Unanswerable: ed.unanswerable()}}
	digests := make(map[string]string, len(ed.Entries))
	for _, e := range slices.SortedFunc(slices.Values(ed.Entries), compareSlugs) {
		o := e.Organization
		digest, err := e.digest()
		if err != nil {
			return plan{}, err
		}
		digests[o.ID] = digest
		old, exists := stored.Entries[o.ID]
		switch {
		case !exists:
			p.result.New = append(p.result.New, o.Slug)
		case old.Digest != digest:
			p.result.Changed = append(p.result.Changed, o.Slug)
		default:
			p.result.Unchanged++
			continue
		}
		p.changes = append(p.changes, EntryChange{OrganizationID: o.ID, Stored: old, Entry: &e, Digest: digest})
	}
	for _, id := range slices.Sorted(maps.Keys(stored.Entries)) {
		if _, exists := digests[id]; !exists {
			old := stored.Entries[id]
			p.result.Removed = append(p.result.Removed, old.Slug)
			p.changes = append(p.changes, EntryChange{OrganizationID: id, Stored: old})
		}
	}
	slices.Sort(p.result.Removed)
	p.digest, err = digestOf(snapshotLayout, ed.Categories, digests)
	return p, err
}
