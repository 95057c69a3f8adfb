// Package signingkeys keeps the public keys of access tokens in the identity table. It is
// apart from identitydb so that who keeps no keys does not link what reads them.
package signingkeys

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/go-jose/go-jose/v4"

	"aviso/internal/dynamo"
	"aviso/internal/outcome"
)

// pkKeys is the partition of all keys; docs/data-model.md lists what reads and
// writes it.
const pkKeys = "SIGNING-KEYS"

func signingKey(id string) dynamo.Key { return dynamo.Key{PK: pkKeys, SK: "KEY#" + id} }

// Store is the identity table.
type Store struct{ table dynamo.Table }

// New returns the store in the named table.
func New(db *dynamodb.Client, table string) *Store {
	return &Store{table: dynamo.NewTable(db, table)}
}

// keyRow is a public signing key. The private one is nowhere in a table.
type keyRow struct {
	JWK string `dynamodbav:"jwk"`
	// Withdrawn is set by the operator. The row stays, so that no instance that
	// still has the key publishes it again.
	Withdrawn bool `dynamodbav:"withdrawn,omitempty"`
}

// PublicKeys reads the keys that access tokens may be signed with.
func (s *Store) PublicKeys(ctx context.Context) ([]jose.JSONWebKey, error) {
	keys := []jose.JSONWebKey{}
	for r, err := range dynamo.Each[keyRow](s.table.Query(ctx, dynamo.Query{Partition: pkKeys})) {
		if err != nil {
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

// PublishKey adds a public key; doing it again changes nothing. It refuses a key
// that was withdrawn, so that its instance issues no tokens.
func (s *Store) PublishKey(ctx context.Context, key jose.JSONWebKey) error {
	jwk, err := json.Marshal(key)
	if err != nil {
		return fmt.Errorf("marshal signing key: %w", err)
	}
	err = s.table.Put(ctx, signingKey(key.KeyID), keyRow{JWK: string(jwk)}, dynamo.Expr("attribute_not_exists(withdrawn)"))
	if errors.Is(err, outcome.ErrChanged) {
		return fmt.Errorf("signing key %s is withdrawn", key.KeyID)
	}
	return err
}
