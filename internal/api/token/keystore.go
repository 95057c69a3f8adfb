package token

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

// The partitions of the keys; docs/data-model.md lists their readers and writers. Evidence keys have their own
// partition, so they cannot sign access tokens.
const (
	pkKeys         = "SIGNING-KEYS"
	pkEvidenceKeys = "EVIDENCE-KEYS"
)

// KeyStore stores the public keys in the identity table.
type KeyStore struct {
	table     dynamo.Table
	partition string
}

// NewKeyStore returns the store of the access token keys in the named table.
func NewKeyStore(db *dynamodb.Client, table string) *KeyStore {
	return &KeyStore{table: dynamo.NewTable(db, table), partition: pkKeys}
}

// NewEvidenceKeyStore returns the store of the evidence keys.
func NewEvidenceKeyStore(db *dynamodb.Client, table string) *KeyStore {
	return &KeyStore{table: dynamo.NewTable(db, table), partition: pkEvidenceKeys}
}

func (s *KeyStore) key(id string) dynamo.Key { return dynamo.Key{PK: s.partition, SK: "KEY#" + id} }

// keyRow is a public signing key. The private key is never stored.
type keyRow struct {
	JWK string `dynamodbav:"jwk"`
	// Withdrawn is set by the operator. The row stays, so that an instance that still
	// has the key cannot publish it again.
	Withdrawn bool `dynamodbav:"withdrawn,omitempty"`
}

// PublicKeys returns all keys except the withdrawn ones.
func (s *KeyStore) PublicKeys(ctx context.Context) ([]jose.JSONWebKey, error) {
	keys := []jose.JSONWebKey{}
	for r, err := range dynamo.Each[keyRow](s.table.Query(ctx, dynamo.Query{Partition: s.partition})) {
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

// PublishKey adds a public key. A second call changes nothing. It refuses a withdrawn
// key, so that an instance that still has it cannot issue tokens.
func (s *KeyStore) PublishKey(ctx context.Context, key jose.JSONWebKey) error {
	jwk, err := json.Marshal(key)
	if err != nil {
		return fmt.Errorf("marshal signing key: %w", err)
	}
	notWithdrawn := dynamo.Expr("attribute_not_exists(withdrawn)")
	err = s.table.Put(ctx, s.key(key.KeyID), keyRow{JWK: string(jwk)}, notWithdrawn)
	if errors.Is(err, outcome.ErrChanged) {
		return fmt.Errorf("signing key %s is withdrawn", key.KeyID)
	}
	return err
}
