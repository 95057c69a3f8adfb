package cancellationdb

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"aviso/internal/cancellation/catalogue"
	"aviso/internal/dynamo"
	"aviso/internal/outcome"
)

// AcquireImport acquires the import lease. It returns outcome.ErrChanged while
// another import holds it.
func (s *Store) AcquireImport(ctx context.Context, lease catalogue.ImportLease, now time.Time) error {
	// Accept the lease's own token too, because the SDK may retry a call that has
	// already succeeded.
	return s.table.Put(ctx, leaseKey(), lease, dynamo.Expr(
		"attribute_not_exists(pk) OR leaseUntil <= ? OR leaseToken = ?", now.UnixMilli(), lease.Token))
}

// ReleaseImport releases the lease unless another import holds it.
func (s *Store) ReleaseImport(ctx context.Context, lease catalogue.ImportLease) error {
	err := s.table.Delete(ctx, leaseKey(), leaseHeld(lease))
	if errors.Is(err, outcome.ErrChanged) {
		return nil
	}
	return err
}

func leaseHeld(lease catalogue.ImportLease) dynamo.Expression {
	return dynamo.Expr("leaseToken = ?", lease.Token)
}

// StoredCatalogue reads the partition that imports work with. It has one row for
// each organization.
func (s *Store) StoredCatalogue(ctx context.Context) (catalogue.Stored, error) {
	stored := catalogue.Stored{Entries: map[string]catalogue.StoredEntry{}}
	for row, err := range s.table.Query(ctx, dynamo.Query{Partition: pkCatalogue}) {
		if err == nil {
			err = addStored(&stored, row)
		}
		if err != nil {
			return catalogue.Stored{}, err
		}
	}
	return stored, nil
}

func addStored(stored *catalogue.Stored, row dynamo.Item) error {
	sk := dynamo.KeyOf(row).SK
	var err error
	if sk == skVersion {
		stored.Version, err = dynamo.Decode[catalogue.Version](row)
		return err
	}
	id, isImprint := strings.CutPrefix(sk, imprintPrefix)
	if !isImprint {
		return nil
	}
	stored.Entries[id], err = dynamo.Decode[catalogue.StoredEntry](row)
	return err
}

const (
	// A transaction writes up to maxRows rows with up to maxBytes bytes, and the lease, or what
	// publishes them: at most three more rows. DynamoDB allows 4 MB.
	maxRows  = dynamo.MaxTransaction - 3
	maxBytes = 2 << 20
	// safeChunk is how many rows always fit into a transaction, with an imprint: no row has more
	// than 400 KB.
	safeChunk = 8
)

// WriteEntries writes the changes in as few transactions as possible. Each
// transaction checks and renews the lease. An organization is written in one
// transaction unless it has too many rows. In that case its imprint, written with the first of them,
// records all rows that may exist, so that no failure leaves rows that nobody knows about.
func (s *Store) WriteEntries(ctx context.Context, lease catalogue.ImportLease, changes []catalogue.EntryChange) error {
	last, err := s.writeAllButLast(ctx, lease, changes)
	if err != nil {
		return err
	}
	return s.writeWithLease(ctx, lease, last)
}

// writeAllButLast writes the changes except for the last transaction, which it returns.
func (s *Store) writeAllButLast(
	ctx context.Context, lease catalogue.ImportLease, changes []catalogue.EntryChange,
) (rows dynamo.Transaction, err error) {
	bytes := 0
	for _, c := range changes {
		change, intent := s.rowsOf(c)
		parts := []dynamo.Transaction{change}
		if change.Len() > maxRows || change.Size() > maxBytes {
			parts = slices.Collect(change.Chunks(safeChunk)) // the last row is the final imprint
			parts[0].Append(intent)
		}
		for _, part := range parts {
			if rows.Len()+part.Len() > maxRows || bytes+part.Size() > maxBytes {
				if err := s.writeWithLease(ctx, lease, rows); err != nil {
					return rows, err
				}
				rows, bytes = dynamo.Transaction{}, 0
			}
			rows.Append(part)
			bytes += part.Size()
		}
	}
	return rows, nil
}

// writeWithLease writes rows, if there are any, and renews the lease. It fails if
// the lease is lost.
func (s *Store) writeWithLease(ctx context.Context, lease catalogue.ImportLease, rows dynamo.Transaction) error {
	if rows.Len() == 0 {
		return nil
	}
	var x dynamo.Transaction
	x.Update(s.table, leaseKey(), dynamo.Expr("SET leaseUntil = ?", lease.Until.UnixMilli()), leaseHeld(lease))
	x.Append(rows)
	return x.Commit(ctx)
}

// PublishCatalogue writes the changes as WriteEntries does, and with the last of them categories
// and version. It releases the lease.
func (s *Store) PublishCatalogue(
	ctx context.Context, lease catalogue.ImportLease, changes []catalogue.EntryChange,
	categories []catalogue.Category, v catalogue.Version,
) error {
	x, err := s.writeAllButLast(ctx, lease, changes)
	if err != nil {
		return err
	}
	x.Put(s.table, categoriesKey(), categoriesRow{categories})
	x.Put(s.table, versionKey(), v)
	x.Delete(s.table, leaseKey(), leaseHeld(lease))
	return x.Commit(ctx)
}

// rowsOf returns the writes that replace what may be stored of an organization, with
// the imprint last. intent writes the imprint that has to come first if the rows do
// not fit into one transaction.
func (s *Store) rowsOf(c catalogue.EntryChange) (rows, intent dynamo.Transaction) {
	imprint := imprintKey(c.OrganizationID)
	outdated := keysOf(c.OrganizationID, c.Stored)
	after := catalogue.StoredEntry{Digest: c.Digest}
	if c.Entry != nil {
		o := c.Entry.Organization
		after.Slug, after.ProductIDs = o.Slug, []string{}
		if !o.Inactive {
			after.Placements = []catalogue.Placement{{Name: o.Name, CategoryID: o.CategoryID, Locales: o.Locales}}
		}
		for _, p := range c.Entry.Products {
			after.ProductIDs = append(after.ProductIDs, p.ID)
		}
		for key := range keysOf(o.ID, after) {
			delete(outdated, key)
		}
		s.putEntry(&rows, *c.Entry, after.Placements)
	}
	for key := range outdated {
		rows.Delete(s.table, key)
	}
	intent.Put(s.table, imprint, union(c.Stored, after))
	if c.Entry == nil {
		rows.Delete(s.table, imprint)
	} else {
		rows.Put(s.table, imprint, after)
	}
	return rows, intent
}

// putEntry puts an organization, its products and its list entries.
func (s *Store) putEntry(rows *dynamo.Transaction, e catalogue.Entry, placements []catalogue.Placement) {
	row := ownOrganizationRow{Organization: e.Organization}
	if i := slices.IndexFunc(e.Products, func(p catalogue.Product) bool { return !p.Inactive }); i >= 0 {
		row.FirstProduct = e.Products[i].ID
	}
	rows.Put(s.table, organizationKey(row.ID), row)
	for i, p := range e.Products {
		rows.Put(s.table, productKey(row.ID, p.ID), productRow{p, i})
	}
	for _, p := range placements {
		for _, place := range placesOf(row.ID, p) {
			rows.Put(s.table, place, row.Organization)
		}
	}
}

// keysOf returns the keys of all rows that may be stored for an organization, except
// its imprint.
func keysOf(id string, e catalogue.StoredEntry) map[dynamo.Key]bool {
	keys := map[dynamo.Key]bool{}
	if e.Slug == "" { // nothing is stored
		return keys
	}
	keys[organizationKey(id)] = true
	for _, productID := range e.ProductIDs {
		keys[productKey(id, productID)] = true
	}
	for _, p := range e.Placements {
		for _, place := range placesOf(id, p) {
			keys[place] = true
		}
	}
	return keys
}

// union returns everything that may be stored while a changes to b.
func union(a, b catalogue.StoredEntry) catalogue.StoredEntry {
	return catalogue.StoredEntry{
		Slug: cmp.Or(b.Slug, a.Slug), Placements: slices.Concat(a.Placements, b.Placements),
		ProductIDs: slices.Compact(slices.Sorted(slices.Values(slices.Concat(a.ProductIDs, b.ProductIDs)))),
	}
}
