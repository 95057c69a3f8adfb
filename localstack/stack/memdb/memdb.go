// Package memdb is an in-memory DynamoDB for tests: a call costs microseconds, and a copy of all tables little more.
// It has everything that the service uses: reads, conditional writes, transactions, queries and scans with their
// expressions, indexes that are always up to date, and consumed capacity units. It rejects everything else. Its tests
// compare it with the emulator.
package memdb

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/middleware"

	"aviso/localstack/template"
)

// Item is a row. The rows of a DB are never changed in place, so copies of a DB share them.
type Item = map[string]types.AttributeValue

// DB is a database. Calls happen one after the other, so transactions never conflict.
type DB struct {
	mu     sync.Mutex
	tables map[string]*table
	done   map[string][]types.TransactWriteItem // transactions by ClientRequestToken
}

// New returns a database with these tables, empty and under their names in the template.
func New(tables []template.Table) *DB {
	db := &DB{tables: map[string]*table{}, done: map[string][]types.TransactWriteItem{}}
	for _, t := range tables {
		db.Create(t.ID, t)
	}
	return db
}

// Create adds an empty table with that name.
func (db *DB) Create(name string, t template.Table) {
	db.mu.Lock()
	defer db.mu.Unlock()
	db.tables[name] = newTable(name, t)
}

// Drop deletes a table, if it exists.
func (db *DB) Drop(name string) {
	db.mu.Lock()
	defer db.mu.Unlock()
	delete(db.tables, name)
}

// Clone returns an independent copy.
func (db *DB) Clone() *DB {
	db.mu.Lock()
	defer db.mu.Unlock()
	c := &DB{tables: make(map[string]*table, len(db.tables)), done: maps.Clone(db.done)}
	for name, t := range db.tables {
		c.tables[name] = t.clone()
	}
	return c
}

// Items returns all rows of a table, ordered by key.
func (db *DB) Items(name string) []Item {
	db.mu.Lock()
	defer db.mu.Unlock()
	return db.tables[name].views[0].all()
}

// Call performs an operation of DynamoDB. in is the SDK's input, and the result is the SDK's output. Errors are
// DynamoDB's.
func (db *DB) Call(in any) (any, error) {
	call, ok := operations()[strings.TrimSuffix(reflect.TypeOf(in).Elem().Name(), "Input")]
	if !ok {
		return nil, invalid("memdb does not support %T", in)
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	results := call.Call([]reflect.Value{reflect.ValueOf(db), reflect.ValueOf(in)})
	err, _ := reflect.TypeAssert[error](results[1])
	return results[0].Interface(), err
}

// operations are the methods for all supported operations, by name.
var operations = sync.OnceValue(func() map[string]reflect.Value { //nolint:gochecknoglobals // constant
	all := map[string]reflect.Value{}
	for name, method := range map[string]any{
		"GetItem": (*DB).getItem, "BatchGetItem": (*DB).batchGetItem, "Query": (*DB).query, "Scan": (*DB).scan,
		"PutItem":        single[dynamodb.PutItemInput, dynamodb.PutItemOutput],
		"UpdateItem":     single[dynamodb.UpdateItemInput, dynamodb.UpdateItemOutput],
		"DeleteItem":     single[dynamodb.DeleteItemInput, dynamodb.DeleteItemOutput],
		"BatchWriteItem": (*DB).batchWriteItem, "TransactWriteItems": (*DB).transactWriteItems,
		"CreateTable": (*DB).createTable, "DescribeTable": (*DB).describeTable, "DeleteTable": (*DB).deleteTable,
		"ListTables":       (*DB).listTables,
		"UpdateTimeToLive": (*DB).updateTimeToLive, "DescribeStream": (*DB).describeStream,
		"GetShardIterator": (*DB).getShardIterator, "GetRecords": (*DB).getRecords,
	} {
		all[name] = reflect.ValueOf(method)
	}
	return all
})

func (db *DB) deleteTable(in *dynamodb.DeleteTableInput) (any, error) {
	_, err := db.table(in.TableName)
	delete(db.tables, aws.ToString(in.TableName))
	return &dynamodb.DeleteTableOutput{}, err
}

// fill copies the exported fields that both structs have.
func fill(to, from any) {
	into, other := reflect.ValueOf(to).Elem(), reflect.ValueOf(from).Elem()
	for field, value := range into.Fields() {
		if same := other.FieldByName(field.Name); field.IsExported() && same.IsValid() {
			value.Set(same)
		}
	}
}

// Intercept returns an option of an AWS client: call answers every call of the client. With next, it can pass a call
// on to the client's configured address.
func Intercept(
	call func(ctx context.Context, in any, next func(context.Context) (any, error)) (any, error),
) func(*middleware.Stack) error {
	return func(stack *middleware.Stack) error {
		return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("Intercept",
			func(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (
				out middleware.InitializeOutput, metadata middleware.Metadata, err error,
			) {
				out.Result, err = call(ctx, in.Parameters, func(ctx context.Context) (any, error) {
					var passed middleware.InitializeOutput
					passed, metadata, err = next.HandleInitialize(ctx, in)
					return passed.Result, err
				})
				return out, metadata, err
			}), middleware.After)
	}
}

func (db *DB) table(name *string) (*table, error) {
	if t := db.tables[aws.ToString(name)]; t != nil {
		return t, nil
	}
	return nil, &types.ResourceNotFoundException{Message: aws.String("no table " + aws.ToString(name))}
}

func invalid(format string, args ...any) error {
	return &smithy.GenericAPIError{
		Code: "ValidationException", Message: fmt.Sprintf(format, args...), Fault: smithy.FaultClient,
	}
}

// table is a table with its indexes.
type table struct {
	name  string
	views []*view // the table itself and then its indexes
	// streams is set if the table has a stream, with the new images of rows.
	streams bool
	records []written
}

// view is a table or an index: rows by partition, ordered by key.
type view struct {
	name string
	// hash and sort are the names of the view's key attributes. sort may be "".
	hash, sort string
	global     bool
	// projection is nil for a table, which has all attributes.
	projection *types.Projection
	// keys are the names of the view's key attributes, and then of the table's.
	keys       []string
	partitions map[string][]Item
}

func newTable(name string, definition template.Table) *table {
	t, d := &table{name: name}, definition.Definition
	add := func(name *string, global bool, projection *types.Projection, schema []types.KeySchemaElement) {
		v := &view{name: aws.ToString(name), global: global, projection: projection, partitions: map[string][]Item{}}
		for _, k := range schema {
			if v.keys = append(v.keys, *k.AttributeName); k.KeyType == types.KeyTypeHash {
				v.hash = *k.AttributeName
			} else {
				v.sort = *k.AttributeName
			}
		}
		for _, k := range d.KeySchema {
			if !slices.Contains(v.keys, *k.AttributeName) {
				v.keys = append(v.keys, *k.AttributeName)
			}
		}
		t.views = append(t.views, v)
	}
	add(nil, false, nil, d.KeySchema)
	for _, i := range d.LocalSecondaryIndexes {
		add(i.IndexName, false, i.Projection, i.KeySchema)
	}
	for _, i := range d.GlobalSecondaryIndexes {
		add(i.IndexName, true, i.Projection, i.KeySchema)
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

// key checks the key of a row, or, if alone is set, a key without other attributes.
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
	rows := main.partitions[text(key[main.hash])]
	if at, found := main.find(rows, key); found {
		return rows[at]
	}
	return nil
}

// store replaces an old row. Either may be nil.
func (t *table) store(old, row Item) {
	if t.streams && !reflect.DeepEqual(old, row) {
		t.records = append(t.records, written{old, row})
	}
	for _, v := range t.views {
		if v.has(old) {
			hash := text(old[v.hash])
			rows := v.partitions[hash]
			at, _ := v.find(rows, old)
			if v.partitions[hash] = slices.Delete(rows, at, at+1); len(rows) == 1 {
				delete(v.partitions, hash)
			}
		}
		if v.has(row) {
			hash := text(row[v.hash])
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
		if v.name == *name {
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
	return row != nil && row[v.hash] != nil && (v.sort == "" || row[v.sort] != nil)
}

// find returns the index of a row in the rows of a partition, or where to insert it.
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

// projected returns the attributes of a row in the view, or nil if the view does not have the row.
func (v *view) projected(row Item) Item {
	if !v.has(row) {
		return nil
	}
	if v.projection == nil || v.projection.ProjectionType == types.ProjectionTypeAll {
		return row
	}
	return pick(row, slices.Concat(v.keys, v.projection.NonKeyAttributes))
}

// pick returns the named attributes that the row has.
func pick(row Item, names []string) Item {
	out := Item{}
	for _, name := range names {
		if value, ok := row[name]; ok {
			out[name] = value
		}
	}
	return out
}

// text returns a key attribute; all of them are strings.
func text(v types.AttributeValue) string {
	if s, ok := v.(*types.AttributeValueMemberS); ok {
		return s.Value
	}
	return ""
}
