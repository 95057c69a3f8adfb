package outbox

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"aviso/internal/dynamo"
)

// Waiting counts the messages written before the given time that have not been
// sent. Housekeeping sends those again every minute, so that some are left only
// while that fails.
func Waiting(ctx context.Context, db *dynamodb.Client, table string, before time.Time) (int, error) {
	expression := "createdAt < :before"
	pages := dynamodb.NewScanPaginator(db, &dynamodb.ScanInput{
		TableName: &table, Select: types.SelectCount, FilterExpression: &expression,
		ExpressionAttributeValues: dynamo.Item{":before": dynamo.S(dynamo.Time(before))},
	})
	waiting := 0
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return 0, fmt.Errorf("count what waits in the outbox: %w", err)
		}
		waiting += int(page.Count)
	}
	return waiting, nil
}
