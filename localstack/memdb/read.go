package memdb

import (
	"cmp"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"aviso/localstack/template"
)

func (db *DB) getItem(in *dynamodb.GetItemInput) (any, error) {
	t, err := db.table(in.TableName)
	if err != nil {
		return nil, err
	}
	item, err := t.get(in.Key, projection{in.ProjectionExpression, in.ExpressionAttributeNames})
	return &dynamodb.GetItemOutput{Item: item}, err
}

func (db *DB) batchGetItem(in *dynamodb.BatchGetItemInput) (any, error) {
	out := &dynamodb.BatchGetItemOutput{Responses: map[string][]Item{}}
	for name, wanted := range in.RequestItems {
		t, err := db.table(&name)
		if err != nil {
			return nil, err
		}
		if len(wanted.Keys) > 100 {
			return nil, invalid("too many keys")
		}
		for _, k := range wanted.Keys {
			item, err := t.get(k, projection{wanted.ProjectionExpression, wanted.ExpressionAttributeNames})
			if err != nil {
				return nil, err
			}
			if item != nil {
				out.Responses[name] = append(out.Responses[name], item)
			}
		}
	}
	return out, nil
}

func (t *table) get(k Item, p projection) (Item, error) {
	at, err := t.keyOnly(k)
	if err != nil {
		return nil, err
	}
	item := t.rows[at]
	if item == nil {
		return nil, nil // as DynamoDB answers
	}
	return p.of(item)
}

// projection restricts rows to some attributes.
type projection struct {
	text  *string
	names map[string]string
}

func (p projection) of(item Item) (Item, error) {
	if p.text == nil {
		return maps.Clone(item), nil
	}
	paths, err := parsed(*p.text, (*parser).paths)
	if err != nil {
		return nil, err
	}
	out := Item{}
	for _, path := range paths {
		if len(path) != 1 {
			return nil, invalid("memdb projects top-level attributes only: %s", *p.text)
		}
		name, err := path[0].resolve(p.names)
		if err != nil {
			return nil, err
		}
		if v, ok := item[name]; ok {
			out[name] = v
		}
	}
	return out, nil
}

func (db *DB) query(in *dynamodb.QueryInput) (any, error) {
	t, err := db.table(in.TableName)
	if err != nil {
		return nil, err
	}
	index, err := t.index(in.IndexName, in.ConsistentRead)
	if err != nil {
		return nil, err
	}
	if in.KeyConditionExpression == nil {
		return nil, invalid("a query needs a key condition")
	}
	p := page{
		table: t, index: index, limit: in.Limit, start: in.ExclusiveStartKey,
		descending: in.ScanIndexForward != nil && !*in.ScanIndexForward,
		key:        in.KeyConditionExpression, filter: in.FilterExpression,
		projection: projection{in.ProjectionExpression, in.ExpressionAttributeNames},
		scope:      scope{names: in.ExpressionAttributeNames, values: in.ExpressionAttributeValues},
	}
	items, last, read, err := p.read()
	out := &dynamodb.QueryOutput{
		Items: items, Count: int32(len(items)), ScannedCount: int32(read), LastEvaluatedKey: last,
	}
	if in.Select == types.SelectCount {
		out.Items = nil
	}
	return out, err
}

func (db *DB) scan(in *dynamodb.ScanInput) (any, error) {
	t, err := db.table(in.TableName)
	if err != nil {
		return nil, err
	}
	index, err := t.index(in.IndexName, in.ConsistentRead)
	if err != nil {
		return nil, err
	}
	p := page{
		table: t, index: index, limit: in.Limit, start: in.ExclusiveStartKey, filter: in.FilterExpression,
		projection: projection{in.ProjectionExpression, in.ExpressionAttributeNames},
		scope:      scope{names: in.ExpressionAttributeNames, values: in.ExpressionAttributeValues},
	}
	items, last, read, err := p.read()
	return &dynamodb.ScanOutput{
		Items: items, Count: int32(len(items)), ScannedCount: int32(read), LastEvaluatedKey: last,
	}, err
}

// index returns the named index, or nil for the table itself.
func (t *table) index(name *string, consistent *bool) (*template.Index, error) {
	if name == nil {
		return nil, nil //nolint:nilnil // this is the table itself
	}
	for i := range t.LocalIndexes {
		if t.LocalIndexes[i].Name == *name {
			return &t.LocalIndexes[i], nil
		}
	}
	for i := range t.GlobalIndexes {
		if t.GlobalIndexes[i].Name == *name {
			if consistent != nil && *consistent {
				return nil, invalid("global index %s cannot be read consistently", *name)
			}
			return &t.GlobalIndexes[i], nil
		}
	}
	return nil, invalid("table %s has no index %s", t.ID, *name)
}

// page is one call of a query or scan.
type page struct {
	table       *table
	index       *template.Index
	key, filter *string
	projection  projection
	scope       scope
	limit       *int32
	start       Item
	descending  bool
}

// read returns the rows that match, the key at which the page ended, if it did not reach the
// end, and how many rows were read.
func (p *page) read() (items []Item, last Item, read int, err error) {
	rows := p.table.sorted(p.index)
	if p.descending {
		slices.Reverse(rows)
	}
	for _, row := range rows {
		if p.start != nil && !p.after(row) {
			continue
		}
		if ok, err := p.matches(p.key, row); err != nil || !ok {
			if err != nil {
				return nil, nil, 0, err
			}
			continue
		}
		read++
		projected := p.projected(row)
		ok, err := p.matches(p.filter, projected)
		if err != nil {
			return nil, nil, 0, err
		}
		if ok {
			item, err := p.projection.of(projected)
			if err != nil {
				return nil, nil, 0, err
			}
			items = append(items, item)
		}
		if p.limit != nil && read == int(*p.limit) {
			return items, p.position(row), read, nil
		}
	}
	return items, nil, read, nil
}

func (p *page) matches(text *string, row Item) (bool, error) {
	if text == nil {
		return true, nil
	}
	condition, err := parsed(*text, (*parser).condition)
	if err != nil {
		return false, err
	}
	s := p.scope
	s.item = row
	return condition(&s)
}

// after reports whether a row comes after the start key.
func (p *page) after(row Item) bool {
	order := p.table.compare(p.index, row, p.start)
	return order > 0 && !p.descending || order < 0 && p.descending
}

// position is the key of a row in the table and the index.
func (p *page) position(row Item) Item {
	out := Item{}
	for _, name := range p.table.keyNames(p.index) {
		out[name] = row[name]
	}
	return out
}

// projected returns the attributes of a row that the index has.
func (p *page) projected(row Item) Item {
	if p.index == nil || p.index.Projection == "ALL" {
		return row
	}
	local := func(i template.Index) bool { return i.Name == p.index.Name }
	if slices.ContainsFunc(p.table.LocalIndexes, local) {
		return row // DynamoDB fetches from the table what a local index lacks
	}
	out := p.position(row)
	for _, name := range p.index.NonKey {
		if v, ok := row[name]; ok {
			out[name] = v
		}
	}
	return out
}

// keyNames returns the key attributes of an index, or the table, and then of the table.
func (t *table) keyNames(index *template.Index) []string {
	keys := []template.Key{t.Key}
	if index != nil {
		keys = []template.Key{index.Key, t.Key}
	}
	var names []string
	for _, k := range keys {
		for _, name := range []string{k.Hash, k.Range} {
			if name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// sorted returns the rows that are in the index, or all, in its order.
func (t *table) sorted(index *template.Index) []Item {
	rows := make([]Item, 0, len(t.rows))
	for _, row := range t.rows {
		if index == nil || row[index.Key.Hash] != nil && (index.Key.Range == "" || row[index.Key.Range] != nil) {
			rows = append(rows, row)
		}
	}
	slices.SortFunc(rows, func(a, b Item) int { return t.compare(index, a, b) })
	return rows
}

func (t *table) compare(index *template.Index, a, b Item) int {
	for _, name := range t.keyNames(index) {
		if order := cmp.Compare(text(a[name]), text(b[name])); order != 0 {
			return order
		}
	}
	return 0
}
