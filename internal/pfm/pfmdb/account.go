package pfmdb

import (
	"context"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"aviso/internal/dynamo"
	"aviso/internal/money"
	"aviso/internal/owner"
	"aviso/internal/pfm"
)

type accountRow struct {
	ID           string       `dynamodbav:"id"`
	Partner      string       `dynamodbav:"partner"`
	User         string       `dynamodbav:"user"`
	ConnectionID string       `dynamodbav:"connectionId"`
	Name         string       `dynamodbav:"name"`
	Number       string       `dynamodbav:"number,omitempty"`
	IBAN         string       `dynamodbav:"iban,omitempty"`
	Type         string       `dynamodbav:"type"`
	Currency     string       `dynamodbav:"currency"`
	Balance      money.Amount `dynamodbav:"balance"`
	CreatedAt    int64        `dynamodbav:"createdAt"`
	UpdatedAt    int64        `dynamodbav:"updatedAt"`
	ResourceID   string       `dynamodbav:"resourceId"`
	ConsentID    string       `dynamodbav:"consentId"`
}

// AccountViews reads connections and accounts with one query: they are
// neighbours. A page begins at the connection of the last account given, since
// its row is needed again; users have a handful of accounts.
func (s *Store) AccountViews(ctx context.Context, user owner.User, limit int, position string) ([]pfm.AccountView, string, error) {
	from := connectionPrefix
	if position != "" {
		from, _, _ = strings.Cut(position, accountInfix)
	}
	page := make([]pfm.AccountView, 0, limit)
	var connection pfm.Connection
	var lastKey string
	pages := dynamodb.NewQueryPaginator(s.db, &dynamodb.QueryInput{
		TableName: &s.table, KeyConditionExpression: ptr("pk = :pk AND sk BETWEEN :from AND :to"),
		ExpressionAttributeValues: dynamo.Item{":pk": dynamo.S(user.Key()), ":from": dynamo.S(from), ":to": dynamo.S(connectionPrefix + last)},
	})
	for pages.HasMorePages() {
		out, err := pages.NextPage(ctx)
		if err != nil {
			return nil, "", fmt.Errorf("query accounts: %w", err)
		}
		for _, item := range out.Items {
			sk, _ := item["sk"].(*types.AttributeValueMemberS)
			if !isAccount(sk.Value) {
				var r connectionRow
				if err := dynamo.Unmarshal(item, &r); err != nil {
					return nil, "", err
				}
				if connection = r.connection(); connection.Status == pfm.ConnectionDeleting {
					connection = pfm.Connection{}
				}
				continue
			}
			var r accountRow
			if err := dynamo.Unmarshal(item, &r); err != nil {
				return nil, "", err
			}
			// An account whose connection is gone, or going, is about to go as well.
			if sk.Value <= position || r.ConnectionID != connection.ID {
				continue
			}
			if len(page) == limit {
				return page, lastKey, nil
			}
			page, lastKey = append(page, pfm.AccountView{Account: r.account(), Connection: connection}), sk.Value
		}
	}
	return page, "", nil
}

// ConnectionAccounts reads a connection's accounts consistently.
func (s *Store) ConnectionAccounts(ctx context.Context, user owner.User, connectionID string) ([]pfm.Account, error) {
	pk, prefix := accountKey(user, connectionID, "")
	var list []pfm.Account
	pages := dynamodb.NewQueryPaginator(s.db, &dynamodb.QueryInput{
		TableName: &s.table, ConsistentRead: ptr(true), KeyConditionExpression: ptr("pk = :pk AND begins_with(sk, :prefix)"),
		ExpressionAttributeValues: dynamo.Item{":pk": dynamo.S(pk), ":prefix": dynamo.S(prefix)},
	})
	for pages.HasMorePages() {
		out, err := pages.NextPage(ctx)
		if err != nil {
			return nil, fmt.Errorf("query accounts: %w", err)
		}
		for _, item := range out.Items {
			var r accountRow
			if err := dynamo.Unmarshal(item, &r); err != nil {
				return nil, err
			}
			list = append(list, r.account())
		}
	}
	return list, nil
}

func accountItem(a pfm.Account) (dynamo.Item, error) {
	pk, sk := accountKey(a.Owner, a.ConnectionID, a.ID)
	return dynamo.Marshal(pk, sk, accountRow{
		ID: a.ID, Partner: string(a.Owner.Partner), User: string(a.Owner.ID), ConnectionID: a.ConnectionID, Name: a.Name, Number: a.Number,
		IBAN: a.IBAN, Type: string(a.Type), Currency: a.Currency, Balance: a.Balance, CreatedAt: dynamo.Millis(a.CreatedAt), UpdatedAt: dynamo.Millis(a.UpdatedAt),
		ResourceID: a.ResourceID, ConsentID: a.ConsentID,
	})
}

func (r accountRow) account() pfm.Account {
	return pfm.Account{
		ID: r.ID, Owner: owner.User{Partner: owner.PartnerID(r.Partner), ID: owner.UserID(r.User)}, ConnectionID: r.ConnectionID, Name: r.Name,
		Number: r.Number, IBAN: r.IBAN, Type: pfm.AccountType(r.Type), Currency: r.Currency, Balance: r.Balance,
		CreatedAt: dynamo.FromMillis(r.CreatedAt), UpdatedAt: dynamo.FromMillis(r.UpdatedAt), ResourceID: r.ResourceID, ConsentID: r.ConsentID,
	}
}
