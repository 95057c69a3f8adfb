package pfmdb

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"aviso/internal/dynamo"
	"aviso/internal/owner"
	"aviso/internal/pfm"
)

// AllConnections reads a user's connections consistently, whatever their status.
// Their accounts lie between them and are passed over.
func (s *Store) AllConnections(ctx context.Context, user owner.User) ([]pfm.Connection, error) {
	var all []pfm.Connection
	for row, err := range dynamo.LegacyAll(ctx, s.db, &dynamodb.QueryInput{
		TableName: &s.table, KeyConditionExpression: ptr("pk = :pk AND begins_with(sk, :prefix)"), ConsistentRead: ptr(true),
		ExpressionAttributeValues: dynamo.Item{":pk": dynamo.S(user.Key()), ":prefix": dynamo.S(connectionPrefix)},
	}) {
		if err != nil {
			return nil, fmt.Errorf("query connections: %w", err)
		}
		if isAccount(row.Text("sk")) {
			continue
		}
		c, err := toConnection(row)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

// CountData counts a user's accounts and transactions.
func (s *Store) CountData(ctx context.Context, user owner.User) (accounts, transactions int, err error) {
	connections, err := s.AllConnections(ctx, user)
	if err != nil {
		return 0, 0, err
	}
	both, err := dynamo.LegacyCount(ctx, s.db, s.table, user.Key(), connectionPrefix)
	if err != nil {
		return 0, 0, err
	}
	transactions, err = dynamo.LegacyCount(ctx, s.db, s.table, user.Key(), rowPrefix)
	return both - len(connections), transactions, err
}

// DeleteRest deletes all rows of the user's partition: the counter of changes,
// the memory of removed rows, sums.
func (s *Store) DeleteRest(ctx context.Context, user owner.User) error {
	return dynamo.LegacyDeletePartition(ctx, s.db, s.table, user.Key())
}
