package cancellationdb

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"aviso/internal/cancellation/catalogue"
	"aviso/internal/dynamo"
	"aviso/internal/outcome"
)

// Categories reads all categories. There are none before the first import.
func (s *Store) Categories(ctx context.Context) ([]catalogue.Category, error) {
	r, err := dynamo.Get[categoriesRow](ctx, s.table, categoriesKey(), dynamo.Eventual)
	if errors.Is(err, outcome.ErrNotFound) {
		return nil, nil
	}
	return r.Categories, err
}

// Organizations reads a page of the list that matches the filter. The position is the
// sort key of the last organization on the previous page.
func (s *Store) Organizations(
	ctx context.Context, f catalogue.SearchFilter, limit int, position string,
) ([]catalogue.Organization, string, error) {
	q := dynamo.Query{
		Partition: listKey(cmp.Or(f.Locale, "*"), cmp.Or(f.CategoryID, "*")), Eventual: true,
		Limit: limit + 1, // one more shows whether there is another page
	}
	if f.Confirmed != nil {
		q.Filter, q.Limit = dynamo.Expr("attribute_exists(unconfirmed)"), 0
		if *f.Confirmed {
			q.Filter = dynamo.Expr("attribute_not_exists(unconfirmed)")
		}
	}
	if position != "" {
		q.Start = dynamo.Item{"pk": dynamo.S(q.Partition), "sk": dynamo.S(position)}
	}
	page, more := make([]catalogue.Organization, 0, limit), false
	for r, err := range dynamo.Each[catalogue.Organization](s.table.Query(ctx, q)) {
		if err != nil {
			return nil, "", err
		}
		if more = len(page) == limit; more {
			break
		}
		page = append(page, r)
	}
	if !more {
		return page, "", nil
	}
	end := page[len(page)-1]
	return page, listSort(end.Name, end.ID), nil
}

// Entry reads an organization with its products. It needs one query, or more if the
// products have more than a megabyte.
func (s *Store) Entry(ctx context.Context, organizationID string) (catalogue.Entry, error) {
	var entry catalogue.Entry
	var products []productRow
	rows := s.table.Query(ctx, dynamo.Query{Partition: organizationKey(organizationID).PK, Eventual: true})
	for row, err := range rows {
		switch {
		case err != nil:
		case strings.HasPrefix(dynamo.KeyOf(row).SK, productPrefix):
			var product productRow
			product, err = dynamo.Decode[productRow](row)
			products = append(products, product)
		default:
			entry.Organization, err = dynamo.Decode[catalogue.Organization](row)
		}
		if err != nil {
			return catalogue.Entry{}, err
		}
	}
	if entry.Organization.ID == "" || entry.Organization.Inactive {
		return catalogue.Entry{}, outcome.ErrNotFound
	}
	slices.SortFunc(products, func(a, b productRow) int { return cmp.Compare(a.Order, b.Order) })
	for _, r := range products {
		if !r.Inactive {
			entry.Products = append(entry.Products, r.Product)
		}
	}
	return entry, nil
}

// entriesAtOnce is how many organizations are read at the same time.
const entriesAtOnce = 16

// Edition reads the whole catalogue, with a query for each organization. It leaves out what is
// inactive.
func (s *Store) Edition(ctx context.Context) (ed catalogue.Edition, err error) {
	if ed.Categories, err = s.Categories(ctx); err != nil {
		return ed, err
	}
	stored, err := s.StoredCatalogue(ctx)
	if err != nil {
		return ed, err
	}
	var mu sync.Mutex
	reading, ctx := errgroup.WithContext(ctx)
	reading.SetLimit(entriesAtOnce)
	for id := range stored.Entries {
		reading.Go(func() error {
			entry, err := s.Entry(ctx, id)
			if errors.Is(err, outcome.ErrNotFound) { // inactive
				return nil
			}
			mu.Lock()
			defer mu.Unlock()
			ed.Entries = append(ed.Entries, entry)
			return err
		})
	}
	err = reading.Wait()
	return ed, err
}

// maxFirstProducts is how many rows one BatchGetItem can read.
const maxFirstProducts = 100

// FirstProducts maps organization IDs to the ID of their first active product. It
// leaves out organizations that have none, are unknown or are inactive. It looks up
// at most 100.
func (s *Store) FirstProducts(ctx context.Context, organizationIDs []string) (map[string]string, error) {
	keys := each(organizationIDs[:min(len(organizationIDs), maxFirstProducts)], organizationKey)
	rows, err := s.table.Rows(ctx, keys, dynamo.Eventual, dynamo.Attributes("id, inactive, firstProduct"))
	if err != nil {
		return nil, err
	}
	found := map[string]string{}
	for _, row := range rows {
		r, err := dynamo.Decode[ownOrganizationRow](row)
		if err != nil {
			return nil, err
		}
		if r.FirstProduct != "" && !r.Inactive {
			found[r.ID] = r.FirstProduct
		}
	}
	return found, nil
}

// ProductKey names a product of an organization.
type ProductKey struct{ OrganizationID, ProductID string }

// Products returns the active products among these. It looks up at most 100.
func (s *Store) Products(ctx context.Context, products []ProductKey) (map[ProductKey]catalogue.Product, error) {
	keys := each(products[:min(len(products), maxFirstProducts)], func(k ProductKey) dynamo.Key {
		return productKey(k.OrganizationID, k.ProductID)
	})
	rows, err := s.table.Rows(ctx, keys, dynamo.Eventual)
	if err != nil {
		return nil, err
	}
	found := map[ProductKey]catalogue.Product{}
	for _, row := range rows {
		r, err := dynamo.Decode[productRow](row)
		if err != nil {
			return nil, err
		}
		if !r.Inactive {
			found[ProductKey{r.OrganizationID, r.ID}] = r.Product
		}
	}
	return found, nil
}

// CatalogueVersion reads the current version of the catalogue. It returns
// outcome.ErrNotFound before the first import.
func (s *Store) CatalogueVersion(ctx context.Context, options ...dynamo.ReadOption) (string, error) {
	r, err := dynamo.Get[catalogue.Version](ctx, s.table, versionKey(), options...)
	return r.ID, err
}
