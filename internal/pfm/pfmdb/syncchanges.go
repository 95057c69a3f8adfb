package pfmdb

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"aviso/internal/dynamo"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/internal/pfm"
)

// SyncChanges counts, of the changes after the position that the lease's row
// notes, those of the connection's transactions: exactly what partners are given
// who ask from that position on. Without a position it takes one read.
func (s *Store) SyncChanges(ctx context.Context, user owner.User, connectionID string) (pfm.SyncChanges, error) {
	since, there, err := s.untold(ctx, user, connectionID)
	if err != nil || !there {
		return pfm.SyncChanges{}, err
	}
	changes := pfm.SyncChanges{Since: pfm.ChangePosition{Read: since, CaughtUp: since}}
	pages := dynamodb.NewQueryPaginator(s.db, &dynamodb.QueryInput{
		TableName: &s.table, IndexName: ptr("byChange"), ConsistentRead: ptr(true), ProjectionExpression: ptr("#as"),
		KeyConditionExpression: ptr("pk = :pk AND changeSort > :since"), FilterExpression: ptr("c = :connection"),
		ExpressionAttributeNames: map[string]string{"#as": "as"},
		ExpressionAttributeValues: dynamo.Item{
			":pk": dynamo.S(user.Key()), ":since": dynamo.S(changeSort(since)), ":connection": dynamo.S(connectionID),
		},
	})
	for pages.HasMorePages() {
		out, err := pages.NextPage(ctx)
		if err != nil {
			return pfm.SyncChanges{}, fmt.Errorf("query changes: %w", err)
		}
		for _, item := range out.Items {
			var r struct {
				Added int64 `dynamodbav:"as"`
			}
			if err := dynamo.Unmarshal(item, &r); err != nil {
				return pfm.SyncChanges{}, err
			}
			if r.Added > since {
				changes.Added++
			} else {
				changes.Modified++
			}
		}
	}
	return changes, nil
}

// untold is the position that the row of the connection's lease notes, and
// whether there is one.
func (s *Store) untold(ctx context.Context, user owner.User, connectionID string) (since int64, there bool, err error) {
	pk, sk := leaseKey(user, connectionID)
	var r leaseRow
	if err := dynamo.LegacyGet(ctx, s.db, s.table, pk, sk, true, &r); err != nil && !errors.Is(err, outcome.ErrNotFound) {
		return 0, false, fmt.Errorf("get lease: %w", err)
	}
	if r.Since == nil {
		return 0, false, nil
	}
	return *r.Since, true, nil
}
