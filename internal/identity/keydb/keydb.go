// Package keydb keeps the public keys of access tokens in the identity table. It is
// apart from identitydb so that who keeps no keys does not link what reads them.
package keydb

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/go-jose/go-jose/v4"

	"aviso/internal/dynamo"
	"aviso/internal/outcome"
)

// pkKeys is the partition of all keys; docs/data-model.md lists what reads and
// writes it.
const pkKeys = "SIGNING-KEYS"

func signingKey(id string) (pk, sk string) { return pkKeys, "KEY#" + id }

// Store is the identity table.
type Store struct {
	db    *dynamodb.Client
	table string
}

// New is the store in the named table.
func New(db *dynamodb.Client, table string) *Store { return &Store{db: db, table: table} }

// keyRow is a public signing key. The private one is nowhere in a table.
type keyRow struct {
	JWK string `dynamodbav:"jwk"`
	// Withdrawn is set by the operator. The row stays, so that no instance that
	// still has the key publishes it again.
	Withdrawn bool `dynamodbav:"withdrawn,omitempty"`
}

// PublicKeys reads the keys that access tokens may be signed with.
func (s *Store) PublicKeys(ctx context.Context) ([]jose.JSONWebKey, error) {
	out, err := s.db.Query(ctx, &dynamodb.QueryInput{
		TableName: &s.table, KeyConditionExpression: aws.String("pk = :pk"), ConsistentRead: aws.Bool(true),
		ExpressionAttributeValues: dynamo.Item{":pk": dynamo.S(pkKeys)},
	})
	if err != nil {
		return nil, fmt.Errorf("query signing keys: %w", err)
	}
	keys := make([]jose.JSONWebKey, 0, len(out.Items))
	for _, item := range out.Items {
		var r keyRow
		if err := dynamo.Unmarshal(item, &r); err != nil {
			return nil, err
		}
		if r.Withdrawn {
			continue
		}
		var key jose.JSONWebKey
		if err := json.Unmarshal([]byte(r.JWK), &key); err != nil {
			return nil, fmt.Errorf("signing key: %w", err)
		}
		if !key.IsPublic() {
			return nil, fmt.Errorf("signing key %s is not a public key", key.KeyID)
		}
		keys = append(keys, key)
	}
	return keys, nil
}

// PublishKey makes a public key known; doing it again changes nothing. One that
// was withdrawn is refused, which keeps its instance from issuing tokens.
func (s *Store) PublishKey(ctx context.Context, key jose.JSONWebKey) error {
	jwk, err := json.Marshal(key)
	if err != nil {
		return fmt.Errorf("marshal signing key: %w", err)
	}
	pk, sk := signingKey(key.KeyID)
	item, err := dynamo.Marshal(pk, sk, keyRow{JWK: string(jwk)})
	if err != nil {
		return err
	}
	_, err = s.db.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: &s.table, Item: item, ConditionExpression: aws.String("attribute_not_exists(withdrawn)"),
	})
	if err = dynamo.Conditional(err); errors.Is(err, outcome.ErrChanged) {
		return fmt.Errorf("signing key %s is withdrawn", key.KeyID)
	} else if err != nil {
		return fmt.Errorf("put signing key: %w", err)
	}
	return nil
}
