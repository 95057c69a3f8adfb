package dynamo

import (
	"context"
	"fmt"
	"iter"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Index is a secondary index: its name and key attributes. The zero value is the
// table itself.
type Index struct {
	Name, Partition, Sort string
	// Global indexes only have eventually consistent reads.
	Global bool
}

// Query finds the rows of one partition. A scan uses it for all partitions.
type Query struct {
	Index     Index
	Partition string
	// Sort restricts the sort key; the zero value is the whole partition.
	Sort SortRange
	// Filter drops rows after they were read and paid for.
	Filter Expression
	// Attributes is a comma-separated list of attributes to return; empty means all. Reserved words need a # in front.
	Attributes string
	Descending bool
	// Eventual makes the query cost half. It may miss the writes of the last second.
	Eventual bool
	// Limit is how many rows one page reads, before the filter; 0 means up to 1 MB.
	Limit int
	// Start is the key after which to continue: Last of the previous page.
	Start Item
}

// SortRange is a range of sort keys.
type SortRange struct {
	operator string
	args     []any
}

// Exactly returns the range of one sort key.
func Exactly(sort string) SortRange { return SortRange{"%s = ?", []any{sort}} }

// Prefix returns the range of the sort keys that begin with prefix.
func Prefix(prefix string) SortRange { return SortRange{"begins_with(%s, ?)", []any{prefix}} }

// Between returns the range from one sort key to another, both included.
func Between(from, to string) SortRange { return SortRange{"%s BETWEEN ? AND ?", []any{from, to}} }

// After returns the range of the sort keys greater than sort.
func After(sort string) SortRange { return SortRange{"%s > ?", []any{sort}} }

// Before returns the range of the sort keys less than sort.
func Before(sort string) SortRange { return SortRange{"%s < ?", []any{sort}} }

// UpTo returns the range of the sort keys less than or equal to sort.
func UpTo(sort string) SortRange { return SortRange{"%s <= ?", []any{sort}} }

func (q Query) input(table *string) *dynamodb.QueryInput {
	partition, sort := "pk", "sk"
	in := &dynamodb.QueryInput{TableName: table, ExclusiveStartKey: q.Start, ScanIndexForward: new(!q.Descending)}
	if q.Index.Name != "" {
		partition, sort, in.IndexName = q.Index.Partition, q.Index.Sort, &q.Index.Name
	}
	if !q.Index.Global {
		in.ConsistentRead = new(!q.Eventual)
	}
	if q.Limit > 0 {
		in.Limit = new(int32(q.Limit))
	}
	var r renderer
	key := partition + " = " + r.value(q.Partition)
	if q.Sort.operator != "" {
		key += " AND " + r.render(Expr(fmt.Sprintf(q.Sort.operator, sort), q.Sort.args...))
	}
	in.KeyConditionExpression = &key
	in.FilterExpression, in.ProjectionExpression = r.optional(q.Filter), r.optional(Expr(q.Attributes))
	in.ExpressionAttributeNames, in.ExpressionAttributeValues = r.names, r.values
	return in
}

// optional returns nil for an expression without text.
func (r *renderer) optional(e Expression) *string {
	if e.text == "" {
		return nil
	}
	return new(r.render(e))
}

// Page is the result of one query call.
type Page struct {
	Items []Item
	// Last is the key at which the call stopped; empty at the end.
	Last Item
}

// Page makes one query call.
func (t Table) Page(ctx context.Context, q Query) (Page, error) {
	out, err := t.db.Query(ctx, q.input(&t.name))
	if err != nil {
		return Page{}, fmt.Errorf("query: %w", err)
	}
	return Page{out.Items, out.LastEvaluatedKey}, nil
}

// Query iterates over the rows of all pages. An error comes last. It stops making calls when the caller stops.
func (t Table) Query(ctx context.Context, q Query) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		for {
			page, err := t.Page(ctx, q)
			if err != nil {
				yield(nil, err)
				return
			}
			for _, row := range page.Items {
				if !yield(row, nil) {
					return
				}
			}
			if q.Start = page.Last; len(q.Start) == 0 {
				return
			}
		}
	}
}

// Scan iterates over the rows of the whole table. It uses only Filter, Attributes and Eventual of the query. An error
// comes last.
func (t Table) Scan(ctx context.Context, q Query) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		var r renderer
		pages := dynamodb.NewScanPaginator(t.db, &dynamodb.ScanInput{
			TableName: &t.name, ConsistentRead: new(!q.Eventual),
			FilterExpression: r.optional(q.Filter), ProjectionExpression: r.optional(Expr(q.Attributes)),
			ExpressionAttributeNames: r.names, ExpressionAttributeValues: r.values,
		})
		for pages.HasMorePages() {
			out, err := pages.NextPage(ctx)
			if err != nil {
				yield(nil, fmt.Errorf("scan: %w", err))
				return
			}
			for _, row := range out.Items {
				if !yield(row, nil) {
					return
				}
			}
		}
	}
}

// Count returns how many rows a query finds, without reading them into memory.
func (t Table) Count(ctx context.Context, q Query) (int, error) {
	in := q.input(&t.name)
	in.Select = types.SelectCount
	n := 0
	for pages := dynamodb.NewQueryPaginator(t.db, in); pages.HasMorePages(); {
		out, err := pages.NextPage(ctx)
		if err != nil {
			return 0, fmt.Errorf("count: %w", err)
		}
		n += int(out.Count)
	}
	return n, nil
}

// Each decodes rows into structs with dynamodbav tags.
func Each[R any](rows iter.Seq2[Item, error]) iter.Seq2[R, error] { return converted(rows, Decode[R]) }

// converted converts rows one by one, and continues after an error.
func converted[T any](rows iter.Seq2[Item, error], convert func(Item) (T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for row, err := range rows {
			var one T
			if err == nil {
				one, err = convert(row)
			}
			if !yield(one, err) {
				return
			}
		}
	}
}

// Collect converts rows one by one. It stops at the first error.
func Collect[T any](rows iter.Seq2[Item, error], convert func(Item) (T, error)) ([]T, error) {
	var all []T
	for one, err := range converted(rows, convert) {
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}
