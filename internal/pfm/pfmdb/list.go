package pfmdb

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"aviso/internal/dynamo"
	"aviso/internal/owner"
	"aviso/internal/pfm"
)

// Connections reads a page of a user's connections. Their accounts lie between
// them and are passed over; users have a handful of both.
func (s *Store) Connections(ctx context.Context, user owner.User, limit int, position string) ([]pfm.Connection, string, error) {
	var start dynamo.Item
	if position != "" {
		start = dynamo.Key(user.Key(), position)
	}
	page := make([]pfm.Connection, 0, limit)
	pages := dynamodb.NewQueryPaginator(s.db, &dynamodb.QueryInput{
		TableName: &s.table, KeyConditionExpression: ptr("pk = :pk AND sk BETWEEN :from AND :to"), ExclusiveStartKey: start,
		ExpressionAttributeValues: dynamo.Item{":pk": dynamo.S(user.Key()), ":from": dynamo.S(connectionPrefix), ":to": dynamo.S(connectionPrefix + last)},
	})
	for pages.HasMorePages() {
		out, err := pages.NextPage(ctx)
		if err != nil {
			return nil, "", fmt.Errorf("query connections: %w", err)
		}
		for _, item := range out.Items {
			if sk, ok := item["sk"].(*types.AttributeValueMemberS); !ok || isAccount(sk.Value) {
				continue
			}
			var r connectionRow
			if err := dynamo.Unmarshal(item, &r); err != nil {
				return nil, "", err
			}
			c := r.connection()
			if c.Status == pfm.ConnectionDeleting {
				continue
			}
			if len(page) == limit {
				_, lastKey := connectionKey(user, page[limit-1].ID)
				return page, lastKey, nil
			}
			page = append(page, c)
		}
	}
	return page, "", nil
}
