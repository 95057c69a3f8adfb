package cancellationdb

import (
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"aviso/internal/cancellation"
	"aviso/internal/dynamo"
)

// written is what one change writes.
type written struct {
	// rows are all rows that are put or deleted, the imprint last.
	rows []types.TransactWriteItem
	// bytes is about what they take.
	bytes int
	// intent is the imprint that has to be written first where the rows do not
	// go into one transaction.
	intent types.TransactWriteItem
}

// rowsOf brings an organization from what may be stored of it to what it is.
func (s *Store) rowsOf(c cancellation.EntryChange) (written, error) {
	before := oldKeys(c.OrganizationID, c.Stored)
	var w written
	put := func(k rowKey, row any) error {
		delete(before, k)
		item, err := dynamo.Marshal(k.pk, k.sk, row)
		if err != nil {
			return err
		}
		w.rows = append(w.rows, types.TransactWriteItem{Put: &types.Put{TableName: &s.table, Item: item}})
		w.bytes += size(item)
		return nil
	}
	after := cancellation.StoredEntry{Digest: c.Digest}
	if c.Entry != nil {
		after.Slug, after.ProductIDs = c.Entry.Organization.Slug, []string{}
		if err := putEntry(*c.Entry, &after, put); err != nil {
			return written{}, err
		}
	}
	for k := range before {
		w.rows = append(w.rows, types.TransactWriteItem{Delete: &types.Delete{TableName: &s.table, Key: k.item()}})
	}
	pk, sk := imprintKey(c.OrganizationID)
	intent, err := dynamo.Marshal(pk, sk, toImprintRow(union(c.Stored, after)))
	if err != nil {
		return written{}, err
	}
	w.intent = types.TransactWriteItem{Put: &types.Put{TableName: &s.table, Item: intent}}
	if c.Entry == nil {
		w.rows = append(w.rows, types.TransactWriteItem{Delete: &types.Delete{TableName: &s.table, Key: dynamo.LegacyKey(pk, sk)}})
		return w, nil
	}
	return w, put(rowKey{pk, sk}, toImprintRow(after))
}

// putEntry puts an organization, its products and its places, and notes them in
// after.
func putEntry(e cancellation.Entry, after *cancellation.StoredEntry, put func(rowKey, any) error) error {
	o := e.Organization
	pk, sk := organizationKey(o.ID)
	row := toOrganizationRow(o)
	if i := slices.IndexFunc(e.Products, func(p cancellation.Product) bool { return !p.Inactive }); i >= 0 {
		row.FirstProduct = e.Products[i].ID
	}
	if err := put(rowKey{pk, sk}, row); err != nil {
		return err
	}
	for i, p := range e.Products {
		pk, sk := productKey(o.ID, p.ID)
		if err := put(rowKey{pk, sk}, toProductRow(p, i)); err != nil {
			return err
		}
		after.ProductIDs = append(after.ProductIDs, p.ID)
	}
	if o.Inactive {
		return nil
	}
	after.Placements = []cancellation.Placement{{Name: o.Name, CategoryID: o.CategoryID, Locales: o.Locales}}
	for _, k := range placesOf(o.ID, after.Placements[0]) {
		if err := put(k, toOrganizationRow(o)); err != nil {
			return err
		}
	}
	return nil
}

// oldKeys are all rows that may be stored of an organization, its imprint aside.
func oldKeys(id string, e cancellation.StoredEntry) map[rowKey]bool {
	keys := map[rowKey]bool{}
	if e.Slug == "" { // nothing is stored
		return keys
	}
	pk, sk := organizationKey(id)
	keys[rowKey{pk, sk}] = true
	for _, productID := range e.ProductIDs {
		pk, sk := productKey(id, productID)
		keys[rowKey{pk, sk}] = true
	}
	for _, p := range e.Placements {
		for _, k := range placesOf(id, p) {
			keys[k] = true
		}
	}
	return keys
}

// union is all that may be stored while a is being changed to b.
func union(a, b cancellation.StoredEntry) cancellation.StoredEntry {
	u := cancellation.StoredEntry{Slug: a.Slug, Placements: slices.Concat(a.Placements, b.Placements), ProductIDs: slices.Concat(a.ProductIDs, b.ProductIDs)}
	if b.Slug != "" {
		u.Slug = b.Slug
	}
	slices.Sort(u.ProductIDs)
	u.ProductIDs = slices.Compact(u.ProductIDs)
	return u
}

// size is about what DynamoDB reckons an attribute's value with.
func size(item dynamo.Item) int {
	n := 0
	for name, value := range item {
		n += len(name) + 3 + sizeOf(value)
	}
	return n
}

func sizeOf(value types.AttributeValue) int {
	switch v := value.(type) {
	case *types.AttributeValueMemberS:
		return len(v.Value)
	case *types.AttributeValueMemberM:
		return size(v.Value)
	case *types.AttributeValueMemberL:
		n := 0
		for _, element := range v.Value {
			n += 3 + sizeOf(element)
		}
		return n
	default: // numbers and booleans
		return 8
	}
}
