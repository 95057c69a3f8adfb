package pfmdb

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"aviso/internal/dynamo"
	"aviso/internal/money"
	"aviso/internal/owner"
	"aviso/internal/pfm"
)

// transactionRow has short attribute names, leaves out what is empty and says
// nothing twice: a page of 100 rows is read at a time, and what is read is paid
// for by the byte.
type transactionRow struct {
	// AccountSort holds the account's id, the day and the row's id.
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
	Category             int          `dynamodbav:"k"`
	CategoryName         string       `dynamodbav:"kn"`
	Subcategory          int          `dynamodbav:"sk2"`
	SubcategoryName      string       `dynamodbav:"skn"`
	MerchantID           string       `dynamodbav:"m,omitempty"`
	MerchantName         string       `dynamodbav:"mn,omitempty"`
	Payee                string       `dynamodbav:"pa,omitempty"`
	CreatedAt            int64        `dynamodbav:"t1"`
	UpdatedAt            int64        `dynamodbav:"t2"`
	BankID               string       `dynamodbav:"b,omitempty"`
	Content              string       `dynamodbav:"h"`
	Counterparty         string       `dynamodbav:"cp,omitempty"`
	BankTransactionCode  string       `dynamodbav:"bc,omitempty"`
	PurposeCode          string       `dynamodbav:"pc,omitempty"`
	MerchantCategoryCode string       `dynamodbav:"mc,omitempty"`
	MandateID            string       `dynamodbav:"ma,omitempty"`
	CreditorID           string       `dynamodbav:"ci,omitempty"`
}

// Transactions reads a page of a user's rows, newest day first. The position is
// the sort key of the last row given, so that rows which arrive meanwhile
// neither shift nor double any.
func (s *Store) Transactions(ctx context.Context, user owner.User, limit int, position string) ([]pfm.Transaction, string, error) {
	to := rowPrefix + last
	var start dynamo.Item
	if position != "" {
		start = dynamo.Key(user.Key(), position)
	}
	page := make([]pfm.Transaction, 0, limit)
	lastKey := ""
	for {
		out, err := s.db.Query(ctx, &dynamodb.QueryInput{
			TableName: &s.table, KeyConditionExpression: ptr("pk = :pk AND sk BETWEEN :from AND :to"),
			ExpressionAttributeValues: dynamo.Item{":pk": dynamo.S(user.Key()), ":from": dynamo.S(rowPrefix), ":to": dynamo.S(to)},
			ScanIndexForward:          ptr(false), ExclusiveStartKey: start, Limit: ptr(int32(limit + 1 - len(page))),
		})
		if err != nil {
			return nil, "", fmt.Errorf("query transactions: %w", err)
		}
		for _, item := range out.Items {
			if len(page) == limit {
				return page, lastKey, nil
			}
			t, err := toTransaction(user, item)
			if err != nil {
				return nil, "", err
			}
			page = append(page, t)
			_, lastKey = rowKey(user, t.RecordDate, t.ID)
		}
		if start = out.LastEvaluatedKey; len(start) == 0 {
			return page, "", nil
		}
	}
}

// AccountTransactions reads an account's rows from a day on, consistently.
func (s *Store) AccountTransactions(ctx context.Context, user owner.User, accountID string, from pfm.Date) ([]pfm.Transaction, error) {
	var list []pfm.Transaction
	pages := dynamodb.NewQueryPaginator(s.db, &dynamodb.QueryInput{
		TableName: &s.table, IndexName: ptr("byAccount"), ConsistentRead: ptr(true),
		KeyConditionExpression: ptr("pk = :pk AND accountSort BETWEEN :from AND :to"),
		ExpressionAttributeValues: dynamo.Item{
			":pk": dynamo.S(user.Key()), ":from": dynamo.S(accountSort(accountID, from, "")), ":to": dynamo.S(accountSort(accountID, last, "")),
		},
	})
	for pages.HasMorePages() {
		out, err := pages.NextPage(ctx)
		if err != nil {
			return nil, fmt.Errorf("query transactions: %w", err)
		}
		for _, item := range out.Items {
			t, err := toTransaction(user, item)
			if err != nil {
				return nil, err
			}
			list = append(list, t)
		}
	}
	return list, nil
}

// rowActions are the writes of one change: a row whose day moved has another
// key, so the old one goes.
func (s *Store) rowActions(c pfm.RowChange) ([]types.TransactWriteItem, error) {
	item, err := transactionItem(c.New)
	if err != nil {
		return nil, err
	}
	actions := []types.TransactWriteItem{{Put: &types.Put{TableName: &s.table, Item: item}}}
	if c.Old != nil && c.Old.RecordDate != c.New.RecordDate {
		pk, sk := rowKey(c.Old.Owner, c.Old.RecordDate, c.Old.ID)
		actions = append(actions, types.TransactWriteItem{Delete: &types.Delete{TableName: &s.table, Key: dynamo.Key(pk, sk)}})
	}
	return actions, nil
}

func transactionItem(t pfm.Transaction) (dynamo.Item, error) {
	pk, sk := rowKey(t.Owner, t.RecordDate, t.ID)
	return dynamo.Marshal(pk, sk, transactionRow{
		AccountSort: accountSort(t.AccountID, t.RecordDate, t.ID), AccountName: t.AccountName, ConnectionID: t.ConnectionID, Amount: t.Amount, Currency: t.Currency, Note: t.Note,
		PaymentType: string(t.PaymentType), State: string(t.State), Frequency: string(t.Frequency), Subscription: t.Subscription,
		Category: t.Category.ID, CategoryName: t.Category.Name, Subcategory: t.Category.SubcategoryID, SubcategoryName: t.Category.SubcategoryName,
		MerchantID: t.Merchant.ID, MerchantName: t.Merchant.Name, Payee: t.Payee, CreatedAt: millis(t.CreatedAt), UpdatedAt: millis(t.UpdatedAt),
		BankID: t.BankID, Content: t.Content, Counterparty: t.Counterparty, BankTransactionCode: t.BankTransactionCode, PurposeCode: t.PurposeCode,
		MerchantCategoryCode: t.MerchantCategoryCode, MandateID: t.MandateID, CreditorID: t.CreditorID,
	})
}

func toTransaction(user owner.User, item dynamo.Item) (pfm.Transaction, error) {
	var r transactionRow
	if err := dynamo.Unmarshal(item, &r); err != nil {
		return pfm.Transaction{}, err
	}
	accountID, date, id, err := splitAccountSort(r.AccountSort)
	if err != nil {
		return pfm.Transaction{}, err
	}
	return pfm.Transaction{
		ID: id, Owner: user, AccountID: accountID, AccountName: r.AccountName, ConnectionID: r.ConnectionID, RecordDate: date,
		Amount: r.Amount, Currency: r.Currency, Note: r.Note, PaymentType: pfm.PaymentType(r.PaymentType), State: pfm.RecordState(r.State),
		Frequency: pfm.Frequency(r.Frequency), Subscription: r.Subscription,
		Category: pfm.Category{ID: r.Category, Name: r.CategoryName, SubcategoryID: r.Subcategory, SubcategoryName: r.SubcategoryName},
		Merchant: pfm.Merchant{ID: r.MerchantID, Name: r.MerchantName}, Payee: r.Payee, CreatedAt: fromMillis(r.CreatedAt), UpdatedAt: fromMillis(r.UpdatedAt),
		BankID: r.BankID, Content: r.Content, Counterparty: r.Counterparty, BankTransactionCode: r.BankTransactionCode, PurposeCode: r.PurposeCode,
		MerchantCategoryCode: r.MerchantCategoryCode, MandateID: r.MandateID, CreditorID: r.CreditorID,
	}, nil
}
