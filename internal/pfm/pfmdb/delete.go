package pfmdb

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"aviso/internal/dynamo"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/internal/pfm"
)

// batchTries is how often what a batch left over is asked for again; the client
// waits between calls that are throttled altogether.
const batchTries = 5

// DeletingConnection reads a connection that is being deleted.
func (s *Store) DeletingConnection(ctx context.Context, user owner.User, id string) (pfm.Connection, error) {
	c, err := s.connection(ctx, user, id)
	if err == nil && c.Status != pfm.ConnectionDeleting {
		return pfm.Connection{}, outcome.ErrNotFound
	}
	return c, err
}

// DeleteData deletes the rows, sums and groups of all accounts before the
// accounts, since it is through these that they are found again after a failure.
func (s *Store) DeleteData(ctx context.Context, user owner.User, connectionID string) error {
	accounts, err := s.ConnectionAccounts(ctx, user, connectionID)
	if err != nil {
		return err
	}
	keys := make([]dynamo.Item, len(accounts))
	for i, a := range accounts {
		if err := s.deleteRows(ctx, user, a.ID); err != nil {
			return err
		}
		if err := s.deleteAggregates(ctx, user, a.ID); err != nil {
			return err
		}
		if err := s.deleteGroups(ctx, user, a.ID); err != nil {
			return err
		}
		keys[i] = dynamo.LegacyKey(accountKey(user, connectionID, a.ID))
	}
	return s.deleteAll(ctx, keys)
}

// deleteRows deletes an account's transactions, a page at a time.
func (s *Store) deleteRows(ctx context.Context, user owner.User, accountID string) error {
	pages := dynamodb.NewQueryPaginator(s.db, &dynamodb.QueryInput{
		TableName: &s.table, IndexName: ptr("byAccount"), ConsistentRead: ptr(true),
		KeyConditionExpression:    ptr("pk = :pk AND begins_with(accountSort, :account)"),
		ExpressionAttributeValues: dynamo.Item{":pk": dynamo.S(user.Key()), ":account": dynamo.S(accountID + "#")},
	})
	for pages.HasMorePages() {
		out, err := pages.NextPage(ctx)
		if err != nil {
			return fmt.Errorf("query transactions: %w", err)
		}
		if err := s.removeRows(ctx, user, out.Items); err != nil {
			return err
		}
	}
	return nil
}

// deleteAll deletes rows whatever they hold; those that are gone are no error.
func (s *Store) deleteAll(ctx context.Context, keys []dynamo.Item) error {
	return dynamo.LegacyDeleteAll(ctx, s.db, s.table, keys)
}

// DeleteConnection deletes a connection with the pointer to it. One that is gone
// is no error.
func (s *Store) DeleteConnection(ctx context.Context, c pfm.Connection) error {
	cpk, csk := connectionKey(c.Owner, c.ID)
	opk, osk := connectionOwnerKey(c.ID)
	return translate(dynamo.LegacyTransact(ctx, s.db, []types.TransactWriteItem{
		{Delete: &types.Delete{TableName: &s.table, Key: dynamo.LegacyKey(cpk, csk)}},
		{Delete: &types.Delete{TableName: &s.table, Key: dynamo.LegacyKey(opk, osk)}},
	}))
}
