package dynamo

import (
	"context"
	"fmt"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

const (
	// maxBatch is how many rows one BatchWriteItem takes.
	maxBatch = 25
	// batchTries is how often what a batch left over is sent again; the client
	// waits between calls that are throttled altogether.
	batchTries = 5
)

// DeleteAll deletes rows whatever they hold; those that are gone are no error.
func DeleteAll(ctx context.Context, db *dynamodb.Client, table string, keys []Item) error {
	for chunk := range slices.Chunk(keys, maxBatch) {
		requests := make([]types.WriteRequest, len(chunk))
		for i, key := range chunk {
			requests[i] = types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: key}}
		}
		for try := 0; len(requests) > 0; try++ {
			if try == batchTries {
				return fmt.Errorf("delete rows: %d are left over", len(requests))
			}
			out, err := db.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{table: requests}})
			if err != nil {
				return fmt.Errorf("delete rows: %w", err)
			}
			requests = out.UnprocessedItems[table]
		}
	}
	return nil
}

// DeletePartition deletes all rows of a partition, a page at a time.
func DeletePartition(ctx context.Context, db *dynamodb.Client, table, pk string) error {
	pages := dynamodb.NewQueryPaginator(db, &dynamodb.QueryInput{
		TableName: &table, ConsistentRead: ptr(true), KeyConditionExpression: ptr("pk = :pk"), ProjectionExpression: ptr("pk, sk"),
		ExpressionAttributeValues: Item{":pk": S(pk)},
	})
	for pages.HasMorePages() {
		out, err := pages.NextPage(ctx)
		if err != nil {
			return fmt.Errorf("query rows to delete: %w", err)
		}
		if err := DeleteAll(ctx, db, table, out.Items); err != nil {
			return err
		}
	}
	return nil
}

// Count is how many rows of a partition have a sort key that begins with prefix.
func Count(ctx context.Context, db *dynamodb.Client, table, pk, prefix string) (int, error) {
	pages := dynamodb.NewQueryPaginator(db, &dynamodb.QueryInput{
		TableName: &table, ConsistentRead: ptr(true), Select: types.SelectCount,
		KeyConditionExpression:    ptr("pk = :pk AND begins_with(sk, :prefix)"),
		ExpressionAttributeValues: Item{":pk": S(pk), ":prefix": S(prefix)},
	})
	n := 0
	for pages.HasMorePages() {
		out, err := pages.NextPage(ctx)
		if err != nil {
			return 0, fmt.Errorf("count rows: %w", err)
		}
		n += int(out.Count)
	}
	return n, nil
}

func ptr[T any](v T) *T { return &v }
