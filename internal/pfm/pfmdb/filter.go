package pfmdb

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"aviso/internal/dynamo"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/internal/pfm"
)

const (
	// examined is how many rows a query looks at when it has to pass over some.
	examined = 1000
	// maxQueries bounds the work for one page; a page that is short by then says
	// where to go on.
	maxQueries = 5
)

// rowQuery is a query of the table or of one of its indexes by day, with what
// the key cannot say in a filter.
type rowQuery struct {
	index   string // empty for the table
	sort    string // the range key's name
	prefix  string
	filters []string
	values  dynamo.Item
}

// planRows takes the index of the narrowest filter and leaves the others to be
// looked at row by row.
func planRows(user owner.User, f pfm.TransactionFilter) rowQuery {
	q := rowQuery{sort: "sk", prefix: rowPrefix, values: dynamo.Item{":pk": dynamo.S(user.Key())}}
	top, isTop := 0, false
	if f.Category != 0 {
		c, _ := pfm.CategoryOf(f.Category)
		top, isTop = c.ID, c.ID == f.Category
	}
	use := func(index, sort, of string) bool {
		if q.index != "" {
			return false
		}
		q.index, q.sort, q.prefix = index, sort, of+"#"
		return true
	}
	test := func(condition, name, value string) {
		q.filters = append(q.filters, condition)
		q.values[name] = dynamo.S(value)
	}
	if f.MerchantID != "" {
		use("byMerchant", "merchantSort", f.MerchantID)
	}
	if f.State != "" && (f.State == pfm.Cleared || !use("byState", "openSort", string(f.State))) {
		test("s = :state", ":state", string(f.State))
	}
	if f.AccountID != "" && !use("byAccount", "accountSort", f.AccountID) {
		test("begins_with(accountSort, :account)", ":account", f.AccountID+"#")
	}
	if top != 0 && !use("byCategory", "categorySort", strconv.Itoa(top)) && isTop {
		test("begins_with(categorySort, :category)", ":category", strconv.Itoa(top)+"#")
	}
	if top != 0 && !isTop {
		q.filters = append(q.filters, "k = :subcategory")
		q.values[":subcategory"] = dynamo.N(int64(f.Category))
	}
	q.values[":from"] = dynamo.S(q.prefix + string(f.From))
	q.values[":to"] = dynamo.S(q.prefix + string(f.To) + last)
	return q
}

// position is the key of a row in the query's index. All rows of the index that
// the query finds have its prefix before their day.
func (q rowQuery) position(t pfm.Transaction) (string, error) {
	key := dynamo.LegacyKey(rowKey(t.Owner, t.RecordDate, t.ID))
	if q.index != "" {
		key[q.sort] = dynamo.S(q.prefix + string(t.RecordDate))
	}
	return dynamo.Position(key)
}

// shown are the attributes of which pages are made. DynamoDB bills whole rows,
// but half of each is what only a sync asks for, and would be read for nothing.
const shown = "sk, accountSort, merchantSort, an, v, cu, n, p, s, f, su, k, mn, pa, t1, t2"

// Transactions reads a page of the user's rows that match, newest day first: what
// partners see of them, not what a sync compares. The position is the key of the
// last row given, so that rows which arrive meanwhile neither shift nor double
// any.
func (s *Store) Transactions(ctx context.Context, user owner.User, f pfm.TransactionFilter, limit int, position string) ([]pfm.Transaction, string, error) {
	q := planRows(user, f)
	start, err := dynamo.StartKey(position)
	if err != nil {
		return nil, "", err
	}
	in := &dynamodb.QueryInput{
		TableName: &s.table, ScanIndexForward: ptr(false), ExclusiveStartKey: start, ProjectionExpression: ptr(shown),
		KeyConditionExpression: ptr("pk = :pk AND " + q.sort + " BETWEEN :from AND :to"), ExpressionAttributeValues: q.values,
	}
	if q.index != "" {
		in.IndexName = &q.index
	}
	if len(q.filters) > 0 {
		in.FilterExpression = ptr(strings.Join(q.filters, " AND "))
	}
	page := make([]pfm.Transaction, 0, limit)
	for range maxQueries {
		in.Limit = ptr(int32(limit + 1 - len(page)))
		if len(q.filters) > 0 {
			in.Limit = ptr(int32(examined))
		}
		found, err := dynamo.LegacyQuery(ctx, s.db, in)
		if err != nil {
			return nil, "", fmt.Errorf("query transactions: %w", err)
		}
		for row := range found.Rows() {
			if len(page) == limit { // one more than asked for: there is a further page
				next, err := q.position(page[limit-1])
				return page, next, err
			}
			t, err := toTransaction(user, row)
			if err != nil {
				return nil, "", err
			}
			page = append(page, t)
		}
		if in.ExclusiveStartKey = found.Last; len(in.ExclusiveStartKey) == 0 {
			return page, "", nil
		}
	}
	next, err := dynamo.Position(in.ExclusiveStartKey)
	return page, next, err
}

// Transaction finds a row by its id.
func (s *Store) Transaction(ctx context.Context, user owner.User, id string) (pfm.Transaction, error) {
	found, err := dynamo.LegacyQuery(ctx, s.db, &dynamodb.QueryInput{
		TableName: &s.table, IndexName: ptr("byId"), KeyConditionExpression: ptr("pk = :pk AND rowId = :id"),
		ExpressionAttributeValues: dynamo.Item{":pk": dynamo.S(user.Key()), ":id": dynamo.S(id)},
	})
	if err != nil {
		return pfm.Transaction{}, fmt.Errorf("query transaction: %w", err)
	}
	// For a moment after its day moved, the index may still hold the former row
	// beside the new one.
	var newest pfm.Transaction
	for row := range found.Rows() {
		t, err := toTransaction(user, row)
		if err != nil {
			return pfm.Transaction{}, err
		}
		if newest.ID == "" || t.Revision > newest.Revision {
			newest = t
		}
	}
	if newest.ID == "" {
		return pfm.Transaction{}, outcome.ErrNotFound
	}
	return newest, nil
}
