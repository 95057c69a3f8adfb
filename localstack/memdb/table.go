package memdb

import (
	"cmp"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"aviso/localstack/template"
)

// table is a table with its indexes.
type table struct {
	name  string
	views []*view // the table itself and then its indexes
}

// view is a table or an index: rows by partition, ordered by key.
type view struct {
	template.Index
	global bool
	// keys are the names of its key attributes, and then of the table's.
	keys       []string
	partitions map[string][]Item
}

func newTable(name string, definition template.Table) *table {
	t := &table{name: name}
	add := func(index template.Index, global bool) {
		keys := []string{index.Key.Hash, index.Key.Range, definition.Key.Hash, definition.Key.Range}
		for i := len(keys) - 1; i >= 0; i-- {
			if keys[i] == "" || slices.Contains(keys[:i], keys[i]) {
				keys = slices.Delete(keys, i, i+1)
			}
		}
		t.views = append(t.views, &view{Index: index, global: global, keys: keys, partitions: map[string][]Item{}})
	}
	add(template.Index{Key: definition.Key, Projection: "ALL"}, false)
	for _, index := range definition.LocalIndexes {
		add(index, false)
	}
	for _, index := range definition.GlobalIndexes {
		add(index, true)
	}
	return t
}

func (t *table) clone() *table {
	c := &table{name: t.name, views: make([]*view, len(t.views))}
	for i, v := range t.views {
		copied := *v
		copied.partitions = make(map[string][]Item, len(v.partitions))
		for hash, rows := range v.partitions {
			copied.partitions[hash] = slices.Clone(rows)
		}
		c.views[i] = &copied
	}
	return c
}

// key checks the key of a row, or a key alone.
func (t *table) key(item Item, alone bool) error {
	keys := t.views[0].keys
	if alone && len(item) != len(keys) {
		return invalid("the key of %s has %d attributes", t.name, len(item))
	}
	for i, name := range keys {
		if value := text(item[name]); value == "" || len(value) > []int{2048, 1024}[i] {
			return invalid("key attribute %s of %s is missing, empty, too long or not a string", name, t.name)
		}
	}
	return nil
}

// row returns the row with a key, or nil.
func (t *table) row(key Item) Item {
	main := t.views[0]
	rows := main.partitions[text(key[main.Key.Hash])]
	if at, found := main.find(rows, key); found {
		return rows[at]
	}
	return nil
}

// store puts a row in the place of an old one. Either may be nil.
func (t *table) store(old, row Item) {
	for _, v := range t.views {
		if v.has(old) {
			hash := text(old[v.Key.Hash])
			rows := v.partitions[hash]
			at, _ := v.find(rows, old)
			if v.partitions[hash] = slices.Delete(rows, at, at+1); len(rows) == 1 {
				delete(v.partitions, hash)
			}
		}
		if v.has(row) {
			hash := text(row[v.Key.Hash])
			rows := v.partitions[hash]
			at, _ := v.find(rows, row)
			v.partitions[hash] = slices.Insert(rows, at, row)
		}
	}
}

// view returns the named index, or the table itself.
func (t *table) view(name *string, consistent *bool) (*view, error) {
	if name == nil {
		return t.views[0], nil
	}
	for _, v := range t.views[1:] {
		if v.Name == *name {
			if v.global && consistent != nil && *consistent {
				return nil, invalid("global index %s cannot be read consistently", *name)
			}
			return v, nil
		}
	}
	return nil, invalid("table %s has no index %s", t.name, *name)
}

// has reports whether a row is in the view.
func (v *view) has(row Item) bool {
	return row != nil && row[v.Key.Hash] != nil && (v.Key.Range == "" || row[v.Key.Range] != nil)
}

// find returns where in the rows of a partition a row is, or has to be inserted.
func (v *view) find(rows []Item, row Item) (int, bool) {
	return slices.BinarySearchFunc(rows, row, v.compare)
}

func (v *view) compare(a, b Item) int {
	for _, name := range v.keys {
		if order := cmp.Compare(text(a[name]), text(b[name])); order != 0 {
			return order
		}
	}
	return 0
}

// all returns the rows of all partitions, ordered by key.
func (v *view) all() []Item {
	var rows []Item
	for _, hash := range slices.Sorted(maps.Keys(v.partitions)) {
		rows = append(rows, v.partitions[hash]...)
	}
	return rows
}

// position is the key of a row in the view and the table.
func (v *view) position(row Item) Item {
	out := Item{}
	for _, name := range v.keys {
		out[name] = row[name]
	}
	return out
}

// projected returns the attributes of a row that the view has, or nil if it does not have the row.
func (v *view) projected(row Item) Item {
	if !v.has(row) {
		return nil
	}
	if v.Projection == "ALL" {
		return row
	}
	out := v.position(row)
	for _, name := range v.NonKey {
		if value, ok := row[name]; ok {
			out[name] = value
		}
	}
	return out
}

// text returns a key attribute, all of which are strings.
func text(v types.AttributeValue) string {
	if s, ok := v.(*types.AttributeValueMemberS); ok {
		return s.Value
	}
	return ""
}
