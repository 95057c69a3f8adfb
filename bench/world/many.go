package world

import (
	"context"
	"fmt"
	"maps"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"aviso/internal/cancellation/fulltext/fulltexttest"
	"aviso/internal/cancellation/snapshotdb"
	"aviso/internal/dynamo"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationdb"
	"aviso/internal/owner"
)

// batch is the maximum for a BatchWriteItem.
const batch = 25

// CopyListed writes n rows with the partition key to: copies of the first row with the key
// from, with new IDs. Writing a hundred thousand providers or organizations through the
// stores would take many minutes, and a page of them reads only such rows.
func (w *World) CopyListed(ctx context.Context, table, from, to string, n int) error {
	out, err := w.DynamoDB.Query(ctx, &dynamodb.QueryInput{
		TableName: &table, Limit: aws.Int32(1), KeyConditionExpression: aws.String("pk = :pk"),
		ExpressionAttributeValues: dynamo.Item{":pk": dynamo.S(from)},
	})
	if err != nil {
		return fmt.Errorf("read a row of %s: %w", from, err)
	}
	if len(out.Items) == 0 {
		return fmt.Errorf("there are no rows under %s", from)
	}
	for i := 0; i < n; {
		var puts []types.WriteRequest
		for ; i < n && len(puts) < batch; i++ {
			item, id := maps.Clone(out.Items[0]), ID(to, i)
			item["pk"], item["id"] = dynamo.S(to), dynamo.S(id)
			item["sk"] = dynamo.S(fmt.Sprintf("musterstadt %06d#%s", i, id))
			puts = append(puts, types.WriteRequest{PutRequest: &types.PutRequest{Item: item}})
		}
		in := &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{table: puts}}
		_, err := w.DynamoDB.BatchWriteItem(ctx, in)
		if err != nil {
			return fmt.Errorf("write rows of %s: %w", to, err)
		}
	}
	return nil
}

// unsealed does not encrypt signing keys, because nobody signs with this package's.
type unsealed struct{}

func (unsealed) Seal(plain []byte, _ string) []byte           { return plain }
func (unsealed) Open(sealed []byte, _ string) ([]byte, error) { return sealed, nil }

// Subscriptions creates subscriptions, ten for each of many partners.
func (w *World) Subscriptions(ctx context.Context, from, to int) error {
	now := time.Now().UTC().Truncate(time.Millisecond)
	store := notificationdb.New(
		w.DynamoDB, w.Table("NotificationTable"), w.Table("OutboxTable"), unsealed{}, time.Now, nil)
	for i := from; i < to; i++ {
		err := store.CreateSubscription(ctx, notification.Subscription{
			ID: ID("subscription", i), Partner: owner.PartnerID(fmt.Sprintf("bench-%d", i/10)),
			ServerURL: "https://partner.example/events", Events: []string{notification.AllEvents},
			Status: notification.SubscriptionActive, CreatedAt: now, UpdatedAt: now, ActiveSince: now,
		}, notification.Secret{ID: ID("secret", i), CreatedAt: now})
		if err != nil {
			return fmt.Errorf("create a subscription: %w", err)
		}
	}
	return nil
}

// LargeCatalogue puts a catalogue of n organizations and about as many products in force, of which
// there is only the search's index: the importer would take many minutes to write the organizations.
func (w *World) LargeCatalogue(ctx context.Context, n int) error {
	table, version := w.Table("CancellationTable"), ID("catalogue", n)
	documents, _ := fulltexttest.Catalogue(fulltexttest.Seeded(1), n)
	if err := snapshotdb.New(w.DynamoDB, table, time.Now).PutSnapshot(ctx, version, documents); err != nil {
		return err
	}
	return dynamo.NewTable(w.DynamoDB, table).Put(ctx,
		dynamo.Key{PK: "CATALOGUE", SK: "VERSION"}, dynamo.Item{"version": dynamo.S(version)})
}
