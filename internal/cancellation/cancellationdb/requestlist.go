package cancellationdb

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"aviso/internal/cancellation"
	"aviso/internal/dynamo"
	"aviso/internal/owner"
)

// listReads is how many queries a page makes at most. Where a filter passes over
// more than they give, the page is short, and the next one goes on.
const listReads = 2

// Cancellations reads a page, newest first, seeking by id. Filters look at the
// rows as they are read: users have few.
func (s *Store) Cancellations(ctx context.Context, user owner.User, f cancellation.Filter, limit int, position string) ([]cancellation.Cancellation, string, error) {
	before := position
	if before == "" {
		before = last
	}
	page := make([]cancellation.Cancellation, 0, limit)
	for range listReads {
		out, err := s.db.Query(ctx, &dynamodb.QueryInput{
			TableName: &s.table, KeyConditionExpression: ptr("pk = :pk AND sk BETWEEN :from AND :to"), ConsistentRead: ptr(true),
			ScanIndexForward: ptr(false), Limit: ptr(int32(limit + 1)),
			ExpressionAttributeValues: dynamo.Item{
				":pk": dynamo.S(user.Key()), ":from": dynamo.S(cancellationPrefix), ":to": dynamo.S(cancellationPrefix + before),
			},
		})
		if err != nil {
			return nil, "", fmt.Errorf("query cancellations: %w", err)
		}
		for _, item := range out.Items {
			var r cancellationRow
			if err := dynamo.Unmarshal(item, &r); err != nil {
				return nil, "", err
			}
			if r.ID == before { // BETWEEN includes its ends
				continue
			}
			if len(page) == limit {
				return page, before, nil
			}
			before = r.ID
			if c := r.cancellation(); matches(c, f) {
				page = append(page, c)
			}
		}
		if len(out.LastEvaluatedKey) == 0 {
			return page, "", nil
		}
	}
	return page, before, nil
}

func matches(c cancellation.Cancellation, f cancellation.Filter) bool {
	return (f.Status == "" || c.Status.Shown() == f.Status) && (f.ExternalID == "" || c.ExternalID == f.ExternalID)
}

// DueCancellations reads the index of what has fallen due, then the rows.
func (s *Store) DueCancellations(ctx context.Context, until time.Time, limit int) ([]cancellation.Cancellation, error) {
	out, err := s.db.Query(ctx, &dynamodb.QueryInput{
		TableName: &s.table, IndexName: ptr("due"), Limit: ptr(int32(limit)),
		KeyConditionExpression:    ptr("dueKind = :kind AND dueAt <= :until"),
		ExpressionAttributeValues: dynamo.Item{":kind": dynamo.S(dueDispatch), ":until": dynamo.S(dynamo.Time(until))},
	})
	if err != nil {
		return nil, fmt.Errorf("query due cancellations: %w", err)
	}
	list := make([]cancellation.Cancellation, 0, len(out.Items))
	for _, key := range out.Items {
		got, err := s.db.GetItem(ctx, &dynamodb.GetItemInput{
			TableName: &s.table, Key: dynamo.Item{"pk": key["pk"], "sk": key["sk"]}, ConsistentRead: ptr(true),
		})
		if err != nil {
			return nil, fmt.Errorf("get due cancellation: %w", err)
		}
		if len(got.Item) == 0 {
			continue // erased since the index was written
		}
		var r cancellationRow
		if err := dynamo.Unmarshal(got.Item, &r); err != nil {
			return nil, err
		}
		list = append(list, r.cancellation())
	}
	return list, nil
}

// AllCancellations reads all of a user's cancellations.
func (s *Store) AllCancellations(ctx context.Context, user owner.User) ([]cancellation.Cancellation, error) {
	pages := dynamodb.NewQueryPaginator(s.db, &dynamodb.QueryInput{
		TableName: &s.table, KeyConditionExpression: ptr("pk = :pk AND begins_with(sk, :prefix)"), ConsistentRead: ptr(true),
		ExpressionAttributeValues: dynamo.Item{":pk": dynamo.S(user.Key()), ":prefix": dynamo.S(cancellationPrefix)},
	})
	var all []cancellation.Cancellation
	for pages.HasMorePages() {
		out, err := pages.NextPage(ctx)
		if err != nil {
			return nil, fmt.Errorf("query cancellations: %w", err)
		}
		for _, item := range out.Items {
			var r cancellationRow
			if err := dynamo.Unmarshal(item, &r); err != nil {
				return nil, err
			}
			all = append(all, r.cancellation())
		}
	}
	return all, nil
}

// DeleteCancellations deletes the pointers to all of a user's cancellations,
// then the user's partition.
func (s *Store) DeleteCancellations(ctx context.Context, user owner.User, all []cancellation.Cancellation) error {
	var keys []dynamo.Item
	for _, c := range all {
		keys = append(keys, dynamo.LegacyKey(ownerKey(c.ID)))
		for _, l := range c.AtCarriers {
			keys = append(keys, dynamo.LegacyKey(referenceKey(l.Channel, l.Reference)))
		}
	}
	if err := dynamo.LegacyDeleteAll(ctx, s.db, s.table, keys); err != nil {
		return fmt.Errorf("delete pointers: %w", err)
	}
	if err := dynamo.LegacyDeletePartition(ctx, s.db, s.table, user.Key()); err != nil {
		return fmt.Errorf("delete cancellations: %w", err)
	}
	return nil
}
