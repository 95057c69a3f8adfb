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
)

// transactionRow has short attribute names, omits what is empty and stores nothing
// twice, because a page reads 100 rows at a time and reads are billed by the byte.
type transactionRow struct {
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
	// The keys of the other indexes. MerchantSort holds the merchant's ID. OpenSort
	// is empty if the row is booked.
	CategorySort string `dynamodbav:"categorySort"`
	MerchantSort string `dynamodbav:"merchantSort,omitempty"`
	OpenSort     string `dynamodbav:"openSort,omitempty"`
	RowID        string `dynamodbav:"rowId"`
	// ChangeSort is the number of the row's last visible change, Added that of its first.
	ChangeSort string `dynamodbav:"changeSort"`
	Added      int64  `dynamodbav:"as"`
}

// AccountTransactions reads an account's rows since a day, consistently.
func (s *Store) AccountTransactions(
	ctx context.Context, user owner.User, accountID string, from pfm.Date,
) ([]pfm.Transaction, error) {
	return s.rows(ctx, user, byAccount(), between(accountID+"#", string(from), ""))
}

// TransactionsSince reads the rows of all accounts since a day, consistently.
func (s *Store) TransactionsSince(ctx context.Context, user owner.User, from pfm.Date) ([]pfm.Transaction, error) {
	return s.rows(ctx, user, dynamo.Index{}, between(rowPrefix, string(from), ""))
}

func (s *Store) rows(
	ctx context.Context, user owner.User, index dynamo.Index, sort dynamo.SortRange,
) ([]pfm.Transaction, error) {
	rows := s.table.Query(ctx, dynamo.Query{Index: index, Partition: user.Key(), Sort: sort})
	return dynamo.Collect(rows, func(row *dynamo.Row) (pfm.Transaction, error) { return toTransaction(user, row) })
}

// Transaction reads the row with this ID.
func (s *Store) Transaction(ctx context.Context, user owner.User, id string) (pfm.Transaction, error) {
	found, err := s.rows(ctx, user, byID(), dynamo.Exactly(id))
	if err != nil {
		return pfm.Transaction{}, err
	}
	if len(found) == 0 {
		return pfm.Transaction{}, outcome.ErrNotFound
	}
	// For a moment after a row's day has changed, the index may still hold the old row
	// next to the new one.
	return slices.MaxFunc(found, func(a, b pfm.Transaction) int { return cmp.Compare(a.Revision, b.Revision) }), nil
}

func toTransactionRow(t pfm.Transaction) transactionRow {
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
	if t.Merchant.ID != "" {
		r.MerchantSort = daySort(t.Merchant.ID, t.RecordDate)
	}
	if t.State != pfm.Cleared {
		r.OpenSort = daySort(string(t.State), t.RecordDate)
	}
	return r
}

// toTransaction decodes a transactionRow. A page has a hundred rows of twenty
// attributes: going through the attributes takes a third of the time that looking
// up the attribute of each field would.
func toTransaction(user owner.User, r *dynamo.Row) (t pfm.Transaction, err error) {
	t.Owner = user
	key := ""
	for a := range r.All() {
		switch a.Name() {
		case "sk":
			key = a.Text()
		case "accountSort":
			t.AccountID, _, _ = strings.Cut(a.Text(), "#")
		case "merchantSort":
			t.Merchant.ID, _, _ = strings.Cut(a.Text(), "#")
		case "an":
			t.AccountName = a.Text()
		case "v":
			t.Amount = dynamo.Parsed(a, money.Parse)
		case "cu":
			t.Currency = a.Text()
		case "n":
			t.Note = a.Text()
		case "p":
			t.PaymentType = pfm.PaymentType(a.Text())
		case "s":
			t.State = pfm.RecordState(a.Text())
		case "f":
			t.Frequency = pfm.Frequency(a.Text())
		case "su":
			t.Subscription = a.Bool()
		case "k":
			t.Category, _ = pfm.CategoryOf(int(a.Int()))
		case "mn":
			t.Merchant.Name = a.Text()
		case "pa":
			t.Payee = a.Text()
		case "t1":
			t.CreatedAt = dynamo.FromMillis(a.Int())
		case "t2":
			t.UpdatedAt = dynamo.FromMillis(a.Int())
		case "changeSort":
			if t.Changed, err = changeNumber(a.Text()); err != nil {
				return t, err
			}
		default: // not shown on pages
			readForSync(&t, a)
		}
	}
	if t.RecordDate, t.ID, err = splitRowKey(key); err != nil {
		return t, err
	}
	return t, r.Err()
}

// readForSync decodes one of the attributes that only a sync compares.
func readForSync(t *pfm.Transaction, a dynamo.Attribute) {
	switch a.Name() {
	case "c":
		t.ConnectionID = a.Text()
	case "b":
		t.BankID = a.Text()
	case "er":
		t.EntryReference = a.Text()
	case "ba":
		t.BalanceAfter = a.Text()
	case "mi":
		t.Missing = int(a.Int())
	case "ap":
		t.AlsoPending = a.Bool()
	case "h":
		t.Content = a.Text()
	case "cp":
		t.Counterparty = a.Text()
	case "bc":
		t.BankTransactionCode = a.Text()
	case "pc":
		t.PurposeCode = a.Text()
	case "mc":
		t.MerchantCategoryCode = a.Text()
	case "ma":
		t.MandateID = a.Text()
	case "ci":
		t.CreditorID = a.Text()
	case "ks":
		t.Source = pfm.CategorySource(a.Text())
	case "kr":
		t.RuleID = a.Text()
	case "fk":
		t.Found.Subcategory = int(a.Int())
	case "fs":
		t.Found.Source = pfm.CategorySource(a.Text())
	case "fr":
		t.Found.RuleID = a.Text()
	case "r":
		t.Revision = a.Int()
	case "as":
		t.Added = a.Int()
	}
}
