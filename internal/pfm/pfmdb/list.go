package pfmdb

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"aviso/internal/dynamo"
	"aviso/internal/owner"
	"aviso/internal/pfm"
)

// Connections reads a page of a user's connections. Their accounts lie between
// them and are passed over; users have a handful of both.
func (s *Store) Connections(ctx context.Context, user owner.User, limit int, position string) ([]pfm.Connection, string, error) {
	var start dynamo.Item
	if position != "" {
		start = dynamo.LegacyKey(user.Key(), position)
	}
	page := make([]pfm.Connection, 0, limit)
	for row, err := range dynamo.LegacyAll(ctx, s.db, &dynamodb.QueryInput{
		TableName: &s.table, KeyConditionExpression: ptr("pk = :pk AND sk BETWEEN :from AND :to"), ExclusiveStartKey: start,
		ExpressionAttributeValues: dynamo.Item{":pk": dynamo.S(user.Key()), ":from": dynamo.S(connectionPrefix), ":to": dynamo.S(connectionPrefix + last)},
	}) {
		if err != nil {
			return nil, "", fmt.Errorf("query connections: %w", err)
		}
		if isAccount(row.Text("sk")) {
			continue
		}
		c, err := toConnection(row)
		if err != nil {
			return nil, "", err
		}
		if c.Status == pfm.ConnectionDeleting {
			continue
		}
		if len(page) == limit {
			_, lastKey := connectionKey(user, page[limit-1].ID)
			return page, lastKey, nil
		}
		page = append(page, c)
	}
	return page, "", nil
}
