// Package memdb is an in-memory DynamoDB for tests: a call costs microseconds, and a copy of
// all tables little more. It has what the service uses: reads, conditional writes,
// transactions, queries and scans with their expressions, indexes, which are always up to
// date, and the units that calls consume. It refuses what it does not know. Its tests
// compare it with the emulator.
package memdb

import (
	"context"
	"fmt"
	"maps"
	"reflect"
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

// New returns a database with these empty tables, which are called as in the template.
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

// Clone returns a copy. Writes to one do not change the other.
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
	t := db.tables[name]
	if t == nil {
		return nil
	}
	return t.views[0].all()
}

// Call performs an operation of DynamoDB. in is its input in the SDK, and the result its
// output. Errors are those of DynamoDB.
func (db *DB) Call(in any) (any, error) {
	o, ok := operations()[strings.TrimSuffix(reflect.TypeOf(in).Elem().Name(), "Input")]
	if !ok {
		return nil, invalid("memdb does not support %T", in)
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	return o.call(db, in)
}

// operation is one that memdb has.
type operation struct {
	input func() any
	call  func(*DB, any) (any, error)
}

// operations are all that memdb has, by name.
var operations = sync.OnceValue(func() map[string]operation { //nolint:gochecknoglobals // constant
	return map[string]operation{
		"GetItem": of((*DB).getItem), "BatchGetItem": of((*DB).batchGetItem), "Query": of((*DB).query),
		"Scan": of((*DB).scan), "PutItem": of((*DB).putItem), "UpdateItem": of((*DB).updateItem),
		"DeleteItem": of((*DB).deleteItem), "BatchWriteItem": of((*DB).batchWriteItem),
		"TransactWriteItems": of((*DB).transactWriteItems), "DeleteTable": of((*DB).deleteTable),
	}
})

func of[I any](call func(*DB, *I) (any, error)) operation {
	return operation{
		input: func() any { return new(I) },
		call: func(db *DB, in any) (any, error) {
			typed, _ := in.(*I)
			return call(db, typed)
		},
	}
}

func (db *DB) deleteTable(in *dynamodb.DeleteTableInput) (any, error) {
	_, err := db.table(in.TableName)
	delete(db.tables, aws.ToString(in.TableName))
	return &dynamodb.DeleteTableOutput{}, err
}

// fill copies to a structure those exported fields that the other has, too.
func fill(to, from any) {
	into, other := reflect.ValueOf(to).Elem(), reflect.ValueOf(from).Elem()
	for field, value := range into.Fields() {
		if same := other.FieldByName(field.Name); field.IsExported() && same.IsValid() {
			value.Set(same)
		}
	}
}

// Intercept returns an option of an AWS client: call answers every call of the client. It
// may let the call go on with next, to where the client is configured to send it.
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
