package pfmdb

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"aviso/internal/dynamo"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/transaction"
)

// transactionRow has short attribute names, omits what is empty and stores nothing
// twice, because a page reads 100 rows at a time and reads are billed by the byte.
type transactionRow struct {
	dynamo.Key
	transaction.Transaction

	// AccountSort holds the account's ID and the day. The row's ID is in its key.
	AccountSort  string `dynamodbav:"accountSort"`
	Subcategory  int    `dynamodbav:"k"`
	MerchantName string `dynamodbav:"mn,omitempty"`
	// The keys of the other indexes. MerchantSort holds the ID of the merchant or the counterparty. OpenSort
	// is empty if the row is booked.
	CategorySort string `dynamodbav:"categorySort"`
	MerchantSort string `dynamodbav:"merchantSort"`
	OpenSort     string `dynamodbav:"openSort,omitempty"`
	RowID        string `dynamodbav:"rowId"`
	// ChangeSort is the number of the row's last visible change.
	ChangeSort string `dynamodbav:"changeSort"`
}

// AccountTransactions reads an account's rows since a day, consistently.
func (s *Store) AccountTransactions(
	ctx context.Context, user owner.User, accountID string, from pfm.Date,
) ([]transaction.Transaction, error) {
	return s.rows(ctx, user, byAccount(), between(accountID+"#", string(from), ""))
}

// TransactionsSince reads the rows of all accounts since a day, consistently.
func (s *Store) TransactionsSince(
	ctx context.Context, user owner.User, from pfm.Date,
) ([]transaction.Transaction, error) {
	return s.rows(ctx, user, dynamo.Index{}, between(rowPrefix, string(from), ""))
}

func (s *Store) rows(
	ctx context.Context, user owner.User, index dynamo.Index, sort dynamo.SortRange,
) ([]transaction.Transaction, error) {
	rows := s.table.Query(ctx, dynamo.Query{Index: index, Partition: user.Key(), Sort: sort})
	return dynamo.Collect(rows, func(row dynamo.Item) (transaction.Transaction, error) { return toTransaction(user, row) })
}

// Transaction reads the row with this ID.
func (s *Store) Transaction(ctx context.Context, user owner.User, id string) (transaction.Transaction, error) {
	found, err := s.rows(ctx, user, byID(), dynamo.Exactly(id))
	if err != nil {
		return transaction.Transaction{}, err
	}
	if len(found) == 0 {
		return transaction.Transaction{}, outcome.ErrNotFound
	}
	// For a moment after a row's day has changed, the index may still hold the old row
	// next to the new one.
	return slices.MaxFunc(found, func(a, b transaction.Transaction) int { return cmp.Compare(a.Revision, b.Revision) }), nil
}

func toTransactionRow(t transaction.Transaction) transactionRow {
	r := transactionRow{
		Transaction: t, AccountSort: daySort(t.AccountID, t.RecordDate), Subcategory: t.Category.SubcategoryID,
		MerchantName: t.Merchant.Name, CategorySort: daySort(strconv.Itoa(t.Category.ID), t.RecordDate),
		MerchantSort: daySort(t.MerchantOrParty().ID, t.RecordDate), RowID: t.ID, ChangeSort: changeSort(t.Changed),
	}
	if t.State != transaction.Cleared {
		r.OpenSort = daySort(string(t.State), t.RecordDate)
	}
	return r
}

// toTransaction decodes a transactionRow.
func toTransaction(user owner.User, row dynamo.Item) (transaction.Transaction, error) {
	r, err := dynamo.Decode[transactionRow](row)
	if err != nil {
		return transaction.Transaction{}, err
	}
	t := r.Transaction
	t.Owner, t.Merchant.Name = user, r.MerchantName
	t.AccountID, _, _ = strings.Cut(r.AccountSort, "#")
	if r.MerchantName != "" {
		t.Merchant.ID, _, _ = strings.Cut(r.MerchantSort, "#")
	}
	t.Category, _ = pfm.CategoryOf(r.Subcategory)
	if r.ChangeSort != "" { // a page does not read it
		if t.Changed, err = changeNumber(r.ChangeSort); err != nil {
			return t, err
		}
	}
	day, id, ok := strings.Cut(strings.TrimPrefix(r.SK, rowPrefix), "#")
	if !ok {
		return t, errors.New("transaction row: malformed key")
	}
	t.RecordDate, t.ID = pfm.Date(day), id
	return t, nil
}

const (
	// filterBatch is how many rows a query reads when a filter drops some.
	filterBatch = 1000
	// maxQueries bounds the work for one page. A page that is still short after
	// that returns the position at which to continue.
	maxQueries = 5
)

// pageAttributes are the attributes that a page needs. DynamoDB bills whole rows
// anyway, but only a sync needs the other half, and decoding it would be wasted.
const pageAttributes = "sk, accountSort, merchantSort, an, v, cu, n, p, s, f, su, k, mn, pn, cp, pa, t1, t2"

// searchAttributes are the others that transaction.Filter.Matches searches for words.
const searchAttributes = ", ma, ci"

// rowQuery is a query on the table or on one of its by-day indexes.
type rowQuery struct {
	dynamo.Query
	prefix string // of the sort key, before the day
}

// planRows uses the index for the narrowest condition and turns the other
// conditions into a filter.
func planRows(user owner.User, f transaction.Filter) rowQuery {
	q := rowQuery{
		Query:  dynamo.Query{Partition: user.Key(), Attributes: pageAttributes, Descending: true, Eventual: true},
		prefix: rowPrefix,
	}
	use := func(index dynamo.Index, of string) bool {
		if q.Index.Name != "" {
			return false
		}
		q.Index, q.prefix = index, of+"#"
		return true
	}
	var filters []string
	var args []any
	test := func(condition string, value any) { filters, args = append(filters, condition), append(args, value) }
	if f.MerchantID != "" {
		use(byMerchant(), f.MerchantID)
	}
	if f.State != "" && (f.State == transaction.Cleared || !use(byState(), string(f.State))) {
		test("s = ?", string(f.State))
	}
	if f.AccountID != "" && !use(byAccount(), f.AccountID) {
		test("begins_with(accountSort, ?)", f.AccountID+"#")
	}
	if c, known := pfm.CategoryOf(f.Category); known {
		top := strconv.Itoa(c.ID)
		isUsed := use(byCategory(), top)
		if f.Category != c.ID {
			test("k = ?", f.Category)
		} else if !isUsed {
			test("begins_with(categorySort, ?)", top+"#")
		}
	}
	q.Sort = between(q.prefix, string(f.From), string(f.To))
	if len(filters) > 0 {
		q.Limit = filterBatch
	}
	// Amounts are stored as text, so of their order the table knows the sign only.
	if f.AmountTo != nil && f.AmountTo.Sign() < 0 {
		test("begins_with(v, ?)", "-")
	}
	if f.Type == transaction.Income || f.AmountFrom != nil && f.AmountFrom.Sign() >= 0 {
		test("NOT begins_with(v, ?)", "-")
	}
	if len(filters) > 0 {
		q.Filter = dynamo.Expr(strings.Join(filters, " AND "), args...)
	}
	if len(f.Words) > 0 {
		q.Attributes += searchAttributes
	}
	return q
}

// position returns the position after t. In the query's index, the sort key of
// each row found is the query's prefix and the row's day.
func (q rowQuery) position(t transaction.Transaction) (string, error) {
	key := rowKey(t.Owner, t.RecordDate, t.ID)
	item := dynamo.Item{"pk": dynamo.S(key.PK), "sk": dynamo.S(key.SK)}
	if q.Index.Name != "" {
		item[q.Index.Sort] = dynamo.S(q.prefix + string(t.RecordDate))
	}
	return dynamo.Position(item)
}

// Transactions reads a page of the user's rows that match, newest day first. It
// reads what partners see, not what a sync compares. The position is the key of the
// last row on the page, so rows that arrive in the meantime do not cause gaps or
// repeats.
func (s *Store) Transactions(
	ctx context.Context, user owner.User, f transaction.Filter, limit int, position string,
) ([]transaction.Transaction, string, error) {
	q := planRows(user, f)
	reads := f.ReadsContent()
	isExact := q.Limit == 0 && !reads
	if q.Limit == 0 { // most rows may match, so the first query reads twice as many as it needs
		q.Limit = 2 * (limit + 1)
	}
	var err error
	if q.Start, err = dynamo.StartKey(position); err != nil {
		return nil, "", err
	}
	page := make([]transaction.Transaction, 0, limit)
	for range maxQueries {
		if isExact { // without a filter, every row that is read goes on the page
			q.Limit = limit + 1 - len(page)
		}
		found, err := s.table.Page(ctx, q.Query)
		if err != nil {
			return nil, "", err
		}
		for _, row := range found.Items {
			if len(page) == limit { // an extra row means that there is another page
				next, err := q.position(page[limit-1])
				return page, next, err
			}
			t, err := toTransaction(user, row)
			if err != nil {
				return nil, "", err
			}
			if !reads || f.Matches(t) {
				page = append(page, t)
			}
		}
		if q.Start = found.Last; len(q.Start) == 0 {
			return page, "", nil
		}
		if reads && len(page) == limit { // whether another row matches would take a whole batch
			break
		}
		q.Limit = filterBatch
	}
	next, err := dynamo.Position(q.Start)
	return page, next, err
}
