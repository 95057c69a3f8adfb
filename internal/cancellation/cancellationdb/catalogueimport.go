package cancellationdb

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"aviso/internal/cancellation"
	"aviso/internal/dynamo"
	"aviso/internal/outcome"
)

// AcquireImport takes the lease of imports, or is ErrChanged.
func (s *Store) AcquireImport(ctx context.Context, lease cancellation.ImportLease, now time.Time) error {
	item := dynamo.LegacyKey(pkCatalogue, skImportLease)
	item["leaseToken"], item["leaseUntil"] = dynamo.S(lease.Token), dynamo.N(lease.Until.UnixMilli())
	_, err := s.db.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: &s.table, Item: item,
		// The lease's own token: a call that is sent again must not be refused by itself.
		ConditionExpression:       ptr("attribute_not_exists(pk) OR leaseUntil <= :now OR leaseToken = :token"),
		ExpressionAttributeValues: dynamo.Item{":now": dynamo.N(now.UnixMilli()), ":token": dynamo.S(lease.Token)},
	})
	return translate(dynamo.Conditional(err))
}

// ReleaseImport gives the lease back; one that is another's stays.
func (s *Store) ReleaseImport(ctx context.Context, lease cancellation.ImportLease) error {
	_, err := s.db.DeleteItem(ctx, &dynamodb.DeleteItemInput{
		TableName: &s.table, Key: dynamo.LegacyKey(pkCatalogue, skImportLease), ConditionExpression: ptr("leaseToken = :token"),
		ExpressionAttributeValues: dynamo.Item{":token": dynamo.S(lease.Token)},
	})
	if err := dynamo.Conditional(err); err != nil && !errors.Is(err, outcome.ErrChanged) {
		return fmt.Errorf("delete lease: %w", err)
	}
	return nil
}

// StoredCatalogue reads what imports work with: one partition, which holds a row
// for each organization.
func (s *Store) StoredCatalogue(ctx context.Context) (cancellation.StoredCatalogue, error) {
	stored := cancellation.StoredCatalogue{Entries: map[string]cancellation.StoredEntry{}}
	pages := dynamodb.NewQueryPaginator(s.db, &dynamodb.QueryInput{
		TableName: &s.table, ConsistentRead: ptr(true),
		KeyConditionExpression: ptr("pk = :pk"), ExpressionAttributeValues: dynamo.Item{":pk": dynamo.S(pkCatalogue)},
	})
	for pages.HasMorePages() {
		out, err := pages.NextPage(ctx)
		if err != nil {
			return cancellation.StoredCatalogue{}, fmt.Errorf("query catalogue: %w", err)
		}
		for _, item := range out.Items {
			if err := addStored(&stored, item); err != nil {
				return cancellation.StoredCatalogue{}, err
			}
		}
	}
	return stored, nil
}

func addStored(stored *cancellation.StoredCatalogue, item dynamo.Item) error {
	sk, _ := item["sk"].(*types.AttributeValueMemberS)
	if sk.Value == skVersion {
		var r versionRow
		if err := dynamo.Unmarshal(item, &r); err != nil {
			return err
		}
		var err error
		stored.Version, err = r.version()
		return err
	}
	id, isImprint := strings.CutPrefix(sk.Value, imprintPrefix)
	if !isImprint {
		return nil
	}
	var r imprintRow
	if err := dynamo.Unmarshal(item, &r); err != nil {
		return err
	}
	stored.Entries[id] = r.entry()
	return nil
}

const (
	// A transaction holds the lease and so many rows; and so many bytes, of the
	// 4 MB that DynamoDB takes, reckoned by what rows are made of.
	maxRows  = dynamo.MaxTransaction - 1
	maxBytes = 2 << 20
	// No row takes more than 400 KB, so that nine of any kind go together.
	anyNine = 9
)

// WriteEntries writes the changes in as few transactions as hold them, each of
// which holds the lease and prolongs it. An organization is in one of them as a
// whole, unless it has more rows than one can take: then its imprint first notes
// all that may be there, so that nothing is left behind whatever happens.
func (s *Store) WriteEntries(ctx context.Context, lease cancellation.ImportLease, changes []cancellation.EntryChange) error {
	var rows []types.TransactWriteItem
	bytes := 0
	flush := func() error {
		if len(rows) == 0 {
			return nil
		}
		err := s.writeUnder(ctx, lease, rows)
		rows, bytes = nil, 0
		return err
	}
	for _, c := range changes {
		w, err := s.rowsOf(c)
		if err != nil {
			return err
		}
		if len(rows)+len(w.rows) > maxRows || bytes+w.bytes > maxBytes {
			if err := flush(); err != nil {
				return err
			}
		}
		if len(w.rows) <= maxRows && w.bytes <= maxBytes {
			rows, bytes = append(rows, w.rows...), bytes+w.bytes
			continue
		}
		if err := s.writeUnder(ctx, lease, []types.TransactWriteItem{w.intent}); err != nil {
			return err
		}
		for chunk := range slices.Chunk(w.rows, anyNine) { // the imprint that ends it is the last row
			if err := s.writeUnder(ctx, lease, chunk); err != nil {
				return err
			}
		}
	}
	return flush()
}

// PublishCatalogue writes categories and version, and gives the lease back.
func (s *Store) PublishCatalogue(ctx context.Context, lease cancellation.ImportLease, categories []cancellation.Category, v cancellation.CatalogueVersion) error {
	kinds, err := dynamo.Marshal(pkCategories, skCategories, toCategoriesRow(categories))
	if err != nil {
		return err
	}
	version, err := dynamo.Marshal(pkCatalogue, skVersion, toVersionRow(v))
	if err != nil {
		return err
	}
	return translate(dynamo.LegacyTransact(ctx, s.db, []types.TransactWriteItem{
		{Put: &types.Put{TableName: &s.table, Item: kinds}},
		{Put: &types.Put{TableName: &s.table, Item: version}},
		{Delete: &types.Delete{
			TableName: &s.table, Key: dynamo.LegacyKey(pkCatalogue, skImportLease), ConditionExpression: ptr("leaseToken = :token"),
			ExpressionAttributeValues: dynamo.Item{":token": dynamo.S(lease.Token)},
		}},
	}))
}

// writeUnder writes rows while the lease is held, and prolongs it.
func (s *Store) writeUnder(ctx context.Context, lease cancellation.ImportLease, rows []types.TransactWriteItem) error {
	held := types.TransactWriteItem{Update: &types.Update{
		TableName: &s.table, Key: dynamo.LegacyKey(pkCatalogue, skImportLease),
		UpdateExpression: ptr("SET leaseUntil = :until"), ConditionExpression: ptr("leaseToken = :token"),
		ExpressionAttributeValues: dynamo.Item{":token": dynamo.S(lease.Token), ":until": dynamo.N(lease.Until.UnixMilli())},
	}}
	return translate(dynamo.LegacyTransact(ctx, s.db, append([]types.TransactWriteItem{held}, rows...)))
}
