package dynamo

import (
	"context"
	"iter"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"aviso/internal/dynamo/dynamojson"
)

// Page is what one query has found.
type Page struct {
	// Last is the key at which the query stopped; empty where it is at its end.
	Last Item
	rows dynamojson.Rows
}

// Query reads one page. Its rows cost less than half of what the SDK's items
// do where our reader reads them.
func Query(ctx context.Context, db *dynamodb.Client, in *dynamodb.QueryInput) (*Page, error) {
	var p Page
	out, err := db.Query(ctx, in, p.rows.Take)
	if err != nil {
		return nil, err
	}
	p.rows.Filled(out.Items)
	p.Last = out.LastEvaluatedKey
	return &p, nil
}

// Rows are the rows of the page. Each is to be read before the next is asked for:
// it is the same Row.
func (p *Page) Rows() iter.Seq[*Row] {
	return func(yield func(*Row) bool) {
		var row Row
		for i := range p.rows.Len() {
			row.take(p.rows.Row(i))
			if !yield(&row) {
				return
			}
		}
	}
}

// All are the rows of all pages, each to be read before the next is asked for. An
// error is the last that comes.
func All(ctx context.Context, db *dynamodb.Client, in *dynamodb.QueryInput) iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		for query := *in; ; {
			page, err := Query(ctx, db, &query)
			if err != nil {
				yield(nil, err)
				return
			}
			for row := range page.Rows() {
				if !yield(row, nil) {
					return
				}
			}
			if query.ExclusiveStartKey = page.Last; len(page.Last) == 0 {
				return
			}
		}
	}
}
