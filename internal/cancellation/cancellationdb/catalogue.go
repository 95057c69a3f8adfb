package cancellationdb

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"aviso/internal/cancellation"
	"aviso/internal/dynamo"
	"aviso/internal/outcome"
)

// Categories reads all categories; none before the first import.
func (s *Store) Categories(ctx context.Context) ([]cancellation.Category, error) {
	var r categoriesRow
	err := dynamo.LegacyGet(ctx, s.db, s.table, pkCategories, skCategories, false, &r)
	if errors.Is(err, outcome.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	list := make([]cancellation.Category, len(r.Categories))
	for i, c := range r.Categories {
		list[i] = cancellation.Category(c)
	}
	return list, nil
}

// Organizations reads a page of the list that the filter names. The position is
// the sort key of the last organization given.
func (s *Store) Organizations(ctx context.Context, f cancellation.OrganizationFilter, limit int, position string) ([]cancellation.Organization, string, error) {
	pk := listKey(cmp.Or(string(f.Locale), "*"), cmp.Or(f.CategoryID, "*"))
	var start dynamo.Item
	if position != "" {
		start = dynamo.LegacyKey(pk, position)
	}
	out, err := s.db.Query(ctx, &dynamodb.QueryInput{
		TableName: &s.table, KeyConditionExpression: ptr("pk = :pk"), ExpressionAttributeValues: dynamo.Item{":pk": dynamo.S(pk)},
		ExclusiveStartKey: start, Limit: ptr(int32(limit + 1)), // one more than asked for tells of a further page
	})
	if err != nil {
		return nil, "", fmt.Errorf("query organizations: %w", err)
	}
	items := out.Items[:min(len(out.Items), limit)]
	page := make([]cancellation.Organization, len(items))
	for i, item := range items {
		var r organizationRow
		if err := dynamo.Unmarshal(item, &r); err != nil {
			return nil, "", err
		}
		page[i] = r.organization()
	}
	if len(items) == len(out.Items) && len(out.LastEvaluatedKey) == 0 {
		return page, "", nil
	}
	last := page[len(page)-1]
	return page, listSort(last.Name, last.ID), nil
}

// Entry reads an organization with its products: one query, two where the
// products take more than a megabyte.
func (s *Store) Entry(ctx context.Context, organizationID string) (cancellation.Entry, error) {
	pk, _ := organizationKey(organizationID)
	pages := dynamodb.NewQueryPaginator(s.db, &dynamodb.QueryInput{
		TableName: &s.table, KeyConditionExpression: ptr("pk = :pk"), ExpressionAttributeValues: dynamo.Item{":pk": dynamo.S(pk)},
	})
	var entry cancellation.Entry
	var products []productRow
	for pages.HasMorePages() {
		out, err := pages.NextPage(ctx)
		if err != nil {
			return cancellation.Entry{}, fmt.Errorf("query organization: %w", err)
		}
		for _, item := range out.Items {
			if isProduct(item) {
				var r productRow
				if err := dynamo.Unmarshal(item, &r); err != nil {
					return cancellation.Entry{}, err
				}
				products = append(products, r)
				continue
			}
			var r organizationRow
			if err := dynamo.Unmarshal(item, &r); err != nil {
				return cancellation.Entry{}, err
			}
			entry.Organization = r.organization()
		}
	}
	if entry.Organization.ID == "" || entry.Organization.Inactive {
		return cancellation.Entry{}, outcome.ErrNotFound
	}
	slices.SortFunc(products, func(a, b productRow) int { return cmp.Compare(a.Order, b.Order) })
	for _, r := range products {
		if !r.Inactive {
			entry.Products = append(entry.Products, r.product())
		}
	}
	return entry, nil
}

// CatalogueVersion is the version of the catalogue in force in the named table;
// ErrNotFound before the first one.
func CatalogueVersion(ctx context.Context, db *dynamodb.Client, table string, consistent bool) (string, error) {
	var r versionRow
	if err := dynamo.LegacyGet(ctx, db, table, pkCatalogue, skVersion, consistent, &r); err != nil {
		return "", translate(err)
	}
	return r.Version, nil
}

// isProduct tells products from their organization.
func isProduct(item dynamo.Item) bool {
	sk, ok := item["sk"].(*types.AttributeValueMemberS)
	return ok && strings.HasPrefix(sk.Value, productPrefix)
}

func ptr[T any](v T) *T { return &v }
