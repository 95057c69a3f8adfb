package notificationdb

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"aviso/internal/dynamo"
	"aviso/internal/outcome"
)

// Resealer seals anew what it finds sealed by a key that is to go.
type Resealer interface {
	// Reseal gives nil where the value is sealed by the present key already.
	Reseal(sealed []byte, binding string) ([]byte, error)
}

// Resealed is what came of sealing all signing keys anew.
type Resealed struct {
	// Secrets is how many there are, Resealed how many of them were sealed by
	// another key than the present one.
	Secrets  int `json:"secrets"`
	Resealed int `json:"resealed"`
	// Unopened is how many no key that is held opens.
	Unopened int `json:"unopened"`
}

// ResealSecrets seals every signing key with the present key. It reads the whole
// table, for the operator. A secret that changes meanwhile is left alone: whoever
// wrote it has sealed it.
func (s *Store) ResealSecrets(ctx context.Context, keys Resealer) (Resealed, error) {
	var done Resealed
	pages := dynamodb.NewScanPaginator(s.db, &dynamodb.ScanInput{
		TableName: &s.table, ConsistentRead: ptr(true), ProjectionExpression: ptr("pk, sk, #key"),
		FilterExpression: ptr("begins_with(sk, :secret)"), ExpressionAttributeNames: map[string]string{"#key": "key"},
		ExpressionAttributeValues: dynamo.Item{":secret": dynamo.S(secretPrefix)},
	})
	for pages.HasMorePages() {
		out, err := pages.NextPage(ctx)
		if err != nil {
			return done, fmt.Errorf("scan secrets: %w", err)
		}
		for _, item := range out.Items {
			done.Secrets++
			if err := s.reseal(ctx, keys, item, &done); err != nil {
				return done, err
			}
		}
	}
	return done, nil
}

func (s *Store) reseal(ctx context.Context, keys Resealer, item dynamo.Item, done *Resealed) error {
	var r struct {
		PK  string `dynamodbav:"pk"`
		SK  string `dynamodbav:"sk"`
		Key []byte `dynamodbav:"key"`
	}
	if err := dynamo.Unmarshal(item, &r); err != nil {
		return err
	}
	fresh, err := keys.Reseal(r.Key, r.PK+r.SK)
	switch {
	case err != nil: // one that is lost keeps no other from being saved
		done.Unopened++
		return nil //nolint:nilerr // it is counted
	case fresh == nil:
		return nil
	}
	_, err = s.db.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &s.table, Key: dynamo.LegacyKey(r.PK, r.SK), UpdateExpression: ptr("SET #key = :fresh"), ConditionExpression: ptr("#key = :stale"),
		ExpressionAttributeNames: map[string]string{"#key": "key"},
		ExpressionAttributeValues: dynamo.Item{
			":fresh": &types.AttributeValueMemberB{Value: fresh}, ":stale": &types.AttributeValueMemberB{Value: r.Key},
		},
	})
	if err = dynamo.Conditional(err); errors.Is(err, outcome.ErrChanged) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("reseal secret: %w", err)
	}
	done.Resealed++
	return nil
}
