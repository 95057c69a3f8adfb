package pfmdb

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"aviso/internal/dynamo"
	"aviso/internal/dynamo/outcome"
	"aviso/internal/dynamo/owner"
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
func (s *Store) TransactionsSince(ctx context.Context, user owner.User, from pfm.Date) ([]transaction.Transaction, error) {
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
		Transaction: t, AccountSort: daySort(t.AccountID, t.RecordDate),
		Subcategory: t.Category.SubcategoryID, MerchantName: t.Merchant.Name,
		CategorySort: daySort(strconv.Itoa(t.Category.ID), t.RecordDate),
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
	t.RecordDate, t.ID, err = splitRowKey(r.SK)
	return t, err
}
