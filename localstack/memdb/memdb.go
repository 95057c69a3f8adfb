// Package memdb is an in-memory DynamoDB for tests that make millions of calls: a call costs
// microseconds, and a copy of all tables little more. It has what the service uses: reads,
// conditional writes, transactions, queries and scans with their expressions, and indexes,
// which are always up to date. It refuses what it does not know. Its tests compare it with
// the emulator.
package memdb

import (
	"context"
	"fmt"
	"maps"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/middleware"

	"aviso/localstack/template"
)

// Item is a row. The rows of a DB are never changed in place, so copies of a DB share them.
type Item = map[string]types.AttributeValue

// DB is a database. It must not be used concurrently.
type DB struct{ tables map[string]*table }

type table struct {
	template.Table
	rows map[key]Item
}

// key is the primary key of a row, as text.
type key struct{ hash, sort string }

// New returns a database with these empty tables, which are called as in the template.
func New(tables []template.Table) *DB {
	db := &DB{tables: map[string]*table{}}
	for _, t := range tables {
		db.tables[t.ID] = &table{Table: t, rows: map[key]Item{}}
	}
	return db
}

// Clone returns a copy. Writes to one do not change the other.
func (db *DB) Clone() *DB {
	c := &DB{tables: make(map[string]*table, len(db.tables))}
	for name, t := range db.tables {
		c.tables[name] = &table{Table: t.Table, rows: maps.Clone(t.rows)}
	}
	return c
}

// Items returns all rows of a table, ordered by key.
func (db *DB) Items(name string) []Item {
	t := db.tables[name]
	if t == nil {
		return nil
	}
	return t.sorted(nil)
}

// Call performs an operation of DynamoDB. in is its input in the SDK, and the result its
// output. Errors are those of DynamoDB.
func (db *DB) Call(in any) (any, error) {
	switch in := in.(type) {
	case *dynamodb.GetItemInput:
		return db.getItem(in)
	case *dynamodb.BatchGetItemInput:
		return db.batchGetItem(in)
	case *dynamodb.QueryInput:
		return db.query(in)
	case *dynamodb.ScanInput:
		return db.scan(in)
	case *dynamodb.PutItemInput:
		return db.putItem(in)
	case *dynamodb.UpdateItemInput:
		return db.updateItem(in)
	case *dynamodb.DeleteItemInput:
		return db.deleteItem(in)
	case *dynamodb.BatchWriteItemInput:
		return db.batchWriteItem(in)
	case *dynamodb.TransactWriteItemsInput:
		return db.transactWriteItems(in)
	default:
		return nil, invalid("memdb does not support %T", in)
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

// key returns the primary key of a row, or of the key of one.
func (t *table) key(item Item) (key, error) {
	hash, sort := text(item[t.Key.Hash]), ""
	if t.Key.Range != "" {
		sort = text(item[t.Key.Range])
	}
	if hash == "" || t.Key.Range != "" && sort == "" {
		return key{}, invalid("the key of %s is incomplete", t.ID)
	}
	return key{hash, sort}, nil
}

// keyOnly returns the key of a row that is asked for by key alone.
func (t *table) keyOnly(item Item) (key, error) {
	want := 1
	if t.Key.Range != "" {
		want = 2
	}
	if len(item) != want {
		return key{}, invalid("the key of %s has %d attributes", t.ID, len(item))
	}
	return t.key(item)
}

// text returns a key attribute, all of which are strings.
func text(v types.AttributeValue) string {
	if s, ok := v.(*types.AttributeValueMemberS); ok {
		return s.Value
	}
	return ""
}

func invalid(format string, args ...any) error {
	return &smithy.GenericAPIError{
		Code: "ValidationException", Message: fmt.Sprintf(format, args...), Fault: smithy.FaultClient,
	}
}
