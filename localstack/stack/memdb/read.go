package memdb

import (
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

func (db *DB) getItem(in *dynamodb.GetItemInput) (any, error) {
	t, p, err := db.projected(in.TableName, in.ProjectionExpression, in.ExpressionAttributeNames)
	if err != nil {
		return nil, err
	}
	if err := t.key(in.Key, true); err != nil {
		return nil, err
	}
	row := t.row(in.Key)
	used := usage{t.name: readUnits(size(row), in.ConsistentRead)}
	return &dynamodb.GetItemOutput{Item: p.of(row), ConsumedCapacity: used.only(in.ReturnConsumedCapacity)}, nil
}

func (db *DB) batchGetItem(in *dynamodb.BatchGetItemInput) (any, error) {
	out := &dynamodb.BatchGetItemOutput{
		Responses: map[string][]Item{}, UnprocessedKeys: map[string]types.KeysAndAttributes{},
	}
	total, used := 0, usage{}
	for name, wanted := range in.RequestItems {
		t, p, err := db.projected(&name, wanted.ProjectionExpression, wanted.ExpressionAttributeNames)
		if err != nil {
			return nil, err
		}
		total += len(wanted.Keys)
		out.Responses[name] = []Item{}
		for i, key := range wanted.Keys {
			if err := t.key(key, true); err != nil {
				return nil, err
			}
			if slices.ContainsFunc(wanted.Keys[:i], func(k Item) bool { return t.views[0].compare(k, key) == 0 }) {
				return nil, invalid("Provided list of item keys contains duplicates")
			}
			row := t.row(key)
			used[t.name] += readUnits(size(row), wanted.ConsistentRead)
			if row != nil {
				out.Responses[name] = append(out.Responses[name], p.of(row))
			}
		}
	}
	if total == 0 || total > 100 { // AWS also limits them to 16 MB, memdb does not
		return nil, invalid("a BatchGetItem has 1 to 100 keys")
	}
	out.ConsumedCapacity = used.consumed(in.ReturnConsumedCapacity)
	return out, nil
}

// projected returns a table and the attributes to return.
func (db *DB) projected(name, attributes *string, names map[string]string) (*table, projection, error) {
	t, err := db.table(name)
	if err != nil {
		return nil, nil, err
	}
	s := scope{names: names}
	if err := s.check(attributes); err != nil {
		return nil, nil, err
	}
	p, err := s.projection(attributes)
	return t, p, err
}

// projection names the attributes to return; nil means all.
type projection []string

func (s *scope) projection(text *string) (projection, error) {
	paths, err := parsed(text, (*parser).paths)
	if err != nil || text == nil {
		return nil, err
	}
	p := make(projection, len(paths))
	for i, path := range paths {
		if len(path) != 1 {
			return nil, invalid("memdb projects top-level attributes only: %s", *text)
		}
		if p[i] = path[0].resolve(s.names); slices.Contains(p[:i], p[i]) {
			return nil, invalid("Two document paths overlap with each other")
		}
	}
	return p, nil
}

func (p projection) of(row Item) Item {
	if p == nil || row == nil {
		return maps.Clone(row)
	}
	return pick(row, p)
}

func (db *DB) query(in *dynamodb.QueryInput) (any, error) {
	return db.page(in, &dynamodb.QueryOutput{}, (*page).partition)
}

func (db *DB) scan(in *dynamodb.ScanInput) (any, error) {
	return db.page(in, &dynamodb.ScanOutput{}, func(p *page) ([]Item, error) { return p.view.all(), nil })
}

// page is one call of a query or scan.
type page struct {
	TableName, IndexName                                           *string
	KeyConditionExpression, FilterExpression, ProjectionExpression *string
	ExpressionAttributeNames                                       map[string]string
	ExpressionAttributeValues                                      Item
	ConsistentRead, ScanIndexForward                               *bool
	Limit                                                          *int32
	ExclusiveStartKey                                              Item
	Select                                                         types.Select
	ReturnConsumedCapacity                                         types.ReturnConsumedCapacity

	view       *view
	key        condition
	scope      scope
	descending bool
}

// page reads a page of the rows from rowsOf, and fills in the SDK's output.
func (db *DB) page(in, out any, rowsOf func(*page) ([]Item, error)) (any, error) {
	var p page
	fill(&p, in)
	t, err := db.table(p.TableName)
	if err != nil {
		return nil, err
	}
	if p.view, err = t.view(p.IndexName, p.ConsistentRead); err != nil {
		return nil, err
	}
	p.scope = scope{names: p.ExpressionAttributeNames, values: p.ExpressionAttributeValues}
	if err := p.scope.check(p.KeyConditionExpression, p.FilterExpression, p.ProjectionExpression); err != nil {
		return nil, err
	}
	rows, err := rowsOf(&p)
	if err != nil {
		return nil, err
	}
	f, err := p.read(rows)
	if err != nil {
		return nil, err
	}
	if p.Select == types.SelectCount {
		f.Items = nil
	}
	f.ConsumedCapacity = usage{t.name: readUnits(f.bytes, p.ConsistentRead)}.only(p.ReturnConsumedCapacity)
	fill(out, &f)
	return out, nil
}

// partition returns the rows of a query's partition.
func (p *page) partition() ([]Item, error) {
	if p.KeyConditionExpression == nil {
		return nil, invalid("a query needs a key condition")
	}
	key, err := parsed(p.KeyConditionExpression, (*parser).keyCondition)
	if err != nil {
		return nil, err
	}
	hash, v := key.value(&p.scope), p.view
	if key.hash.resolve(p.scope.names) != v.hash || key.sort != "" && key.sort.resolve(p.scope.names) != v.sort ||
		text(hash) == "" {
		return nil, invalid("Query condition missed key schema element")
	}
	if p.FilterExpression != nil && p.scope.mentions(*p.FilterExpression, v.hash, v.sort) {
		return nil, invalid("Filter Expression can only contain non-primary key attributes")
	}
	p.key, p.descending = key.condition, p.ScanIndexForward != nil && !*p.ScanIndexForward
	return p.view.partitions[text(hash)], nil
}

// found is the content of a page: the matching rows, the last key if the page is not the last one, and the number of
// bytes read.
type found struct {
	Items               []Item
	LastEvaluatedKey    Item
	Count, ScannedCount int32
	ConsumedCapacity    *types.ConsumedCapacity

	bytes int
}

// read reads a page of these rows.
func (p *page) read(rows []Item) (f found, err error) {
	projection, err := p.scope.projection(p.ProjectionExpression)
	if err != nil {
		return f, err
	}
	filter, err := parsed(p.FilterExpression, (*parser).condition)
	if err != nil {
		return f, err
	}
	if p.Limit != nil && *p.Limit < 1 {
		return f, invalid("the limit is less than 1")
	}
	if p.ExclusiveStartKey != nil && len(p.ExclusiveStartKey) != len(p.view.keys) {
		return f, invalid("The provided starting key is invalid")
	}
	if p.ExclusiveStartKey != nil {
		at, found := p.view.find(rows, p.ExclusiveStartKey)
		switch {
		case p.descending:
			rows = rows[:at]
		case found:
			rows = rows[at+1:]
		default:
			rows = rows[at:]
		}
	}
	if p.descending {
		rows = slices.Clone(rows)
		slices.Reverse(rows)
	}
	f.Items = []Item{}
	var before Item
	for _, row := range rows {
		if !p.scope.holds(p.key, row) {
			continue
		}
		row = p.view.projected(row)
		if f.ScannedCount > 0 && f.bytes+size(row) > maxPage {
			f.LastEvaluatedKey = pick(before, p.view.keys)
			return f, nil
		}
		before = row
		f.ScannedCount++
		f.bytes += size(row)
		if p.scope.holds(filter, row) {
			f.Count++
			f.Items = append(f.Items, projection.of(row))
		}
		if p.Limit != nil && f.ScannedCount == *p.Limit {
			f.LastEvaluatedKey = pick(row, p.view.keys)
			return f, nil
		}
	}
	return f, nil
}
