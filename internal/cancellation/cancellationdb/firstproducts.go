package cancellationdb

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"aviso/internal/dynamo"
)

// maxFirstProducts is how many organizations one BatchGetItem takes.
const maxFirstProducts = 100

// FirstProducts gives, by organization id, the first product that can be
// cancelled there. Organizations without, unknown and inactive ones, are left
// out, and so is what a busy table leaves over. At most 100 are looked up.
func (s *Store) FirstProducts(ctx context.Context, organizationIDs []string) (map[string]string, error) {
	keys := make([]dynamo.Item, 0, len(organizationIDs))
	for _, id := range organizationIDs[:min(len(organizationIDs), maxFirstProducts)] {
		keys = append(keys, dynamo.LegacyKey(organizationKey(id)))
	}
	out, err := s.db.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{
		s.table: {Keys: keys, ProjectionExpression: ptr("id, inactive, firstProduct")},
	}})
	if err != nil {
		return nil, fmt.Errorf("get organizations: %w", err)
	}
	found := map[string]string{}
	for _, item := range out.Responses[s.table] {
		var r organizationRow
		if err := dynamo.Unmarshal(item, &r); err != nil {
			return nil, err
		}
		if !r.Inactive && r.FirstProduct != "" {
			found[r.ID] = r.FirstProduct
		}
	}
	return found, nil
}
