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
	"aviso/internal/money"
	"aviso/internal/pfm"
	"aviso/internal/pfm/transaction"
)

// transactionRow has short attribute names, omits what is empty and stores nothing
// twice, because a page reads 100 rows at a time and reads are billed by the byte.
type transactionRow struct {
	dynamo.Key

	// AccountSort holds the account's ID and the day. The row's ID is in its key.
	AccountSort          string       `dynamodbav:"accountSort"`
	AccountName          string       `dynamodbav:"an,omitempty"`
	ConnectionID         string       `dynamodbav:"c"`
	Amount               money.Amount `dynamodbav:"v"`
	Currency             string       `dynamodbav:"cu"`
	Note                 string       `dynamodbav:"n,omitempty"`
	PaymentType          string       `dynamodbav:"p"`
	State                string       `dynamodbav:"s"`
	Frequency            string       `dynamodbav:"f"`
	Subscription         bool         `dynamodbav:"su,omitempty"`
	Subcategory          int          `dynamodbav:"k"`
	MerchantName         string       `dynamodbav:"mn,omitempty"`
	Payee                string       `dynamodbav:"pa,omitempty"`
	CreatedAt            int64        `dynamodbav:"t1"`
	UpdatedAt            int64        `dynamodbav:"t2"`
	BankID               string       `dynamodbav:"b,omitempty"`
	EntryReference       string       `dynamodbav:"er,omitempty"`
	BalanceAfter         string       `dynamodbav:"ba,omitempty"`
	Missing              int          `dynamodbav:"mi,omitempty"`
	AlsoPending          bool         `dynamodbav:"ap,omitempty"`
	Content              string       `dynamodbav:"h"`
	Counterparty         string       `dynamodbav:"cp,omitempty"`
	BankTransactionCode  string       `dynamodbav:"bc,omitempty"`
	PurposeCode          string       `dynamodbav:"pc,omitempty"`
	MerchantCategoryCode string       `dynamodbav:"mc,omitempty"`
	MandateID            string       `dynamodbav:"ma,omitempty"`
	CreditorID           string       `dynamodbav:"ci,omitempty"`
	Source               string       `dynamodbav:"ks"`
	RuleID               string       `dynamodbav:"kr,omitempty"`
	// What the rules found, if the user has chosen another category.
	FoundSubcategory int    `dynamodbav:"fk,omitempty"`
	FoundSource      string `dynamodbav:"fs,omitempty"`
	FoundRuleID      string `dynamodbav:"fr,omitempty"`
	Revision         int64  `dynamodbav:"r"`
	// The keys of the other indexes. MerchantSort holds the ID of the merchant or the counterparty. OpenSort
	// is empty if the row is booked.
	CategorySort string `dynamodbav:"categorySort"`
	MerchantSort string `dynamodbav:"merchantSort"`
	OpenSort     string `dynamodbav:"openSort,omitempty"`
	RowID        string `dynamodbav:"rowId"`
	// ChangeSort is the number of the row's last visible change, Added that of its first.
	ChangeSort string `dynamodbav:"changeSort"`
	Added      int64  `dynamodbav:"as"`
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
		AccountSort: daySort(t.AccountID, t.RecordDate), AccountName: t.AccountName, ConnectionID: t.ConnectionID,
		Amount: t.Amount, Currency: t.Currency, Note: t.Note, PaymentType: string(t.PaymentType),
		State: string(t.State), Frequency: string(t.Frequency), Subscription: t.Subscription,
		Subcategory: t.Category.SubcategoryID, MerchantName: t.Merchant.Name, Payee: t.Payee,
		CreatedAt: dynamo.Millis(t.CreatedAt), UpdatedAt: dynamo.Millis(t.UpdatedAt),
		BankID: t.BankID, EntryReference: t.EntryReference, BalanceAfter: t.BalanceAfter, Missing: t.Missing,
		AlsoPending: t.AlsoPending, Content: t.Content, Counterparty: t.Counterparty,
		BankTransactionCode: t.BankTransactionCode, PurposeCode: t.PurposeCode,
		MerchantCategoryCode: t.MerchantCategoryCode, MandateID: t.MandateID, CreditorID: t.CreditorID,
		Source: string(t.Source), RuleID: t.RuleID, FoundSubcategory: t.Found.Subcategory,
		FoundSource: string(t.Found.Source), FoundRuleID: t.Found.RuleID, Revision: t.Revision, RowID: t.ID,
		ChangeSort: changeSort(t.Changed), Added: t.Added, CategorySort: daySort(strconv.Itoa(t.Category.ID), t.RecordDate),
	}
	r.MerchantSort = daySort(t.MerchantOrParty().ID, t.RecordDate)
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
	t := transaction.Transaction{
		Owner: user, AccountName: r.AccountName, ConnectionID: r.ConnectionID, Amount: r.Amount, Currency: r.Currency,
		Note: r.Note, PaymentType: transaction.PaymentType(r.PaymentType), State: transaction.RecordState(r.State),
		Frequency: transaction.Frequency(r.Frequency), Subscription: r.Subscription,
		Merchant: pfm.Merchant{Name: r.MerchantName}, Payee: r.Payee,
		CreatedAt: dynamo.FromMillis(r.CreatedAt), UpdatedAt: dynamo.FromMillis(r.UpdatedAt),
		BankID: r.BankID, EntryReference: r.EntryReference, BalanceAfter: r.BalanceAfter, Missing: r.Missing,
		AlsoPending: r.AlsoPending, Content: r.Content, Counterparty: r.Counterparty,
		BankTransactionCode: r.BankTransactionCode, PurposeCode: r.PurposeCode,
		MerchantCategoryCode: r.MerchantCategoryCode, MandateID: r.MandateID, CreditorID: r.CreditorID,
		Source: pfm.CategorySource(r.Source), RuleID: r.RuleID, Revision: r.Revision, Added: r.Added,
		Found: transaction.Found{
			Subcategory: r.FoundSubcategory, Source: pfm.CategorySource(r.FoundSource), RuleID: r.FoundRuleID,
		},
	}
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
