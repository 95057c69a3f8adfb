// Package identitydb keeps the identity area in DynamoDB.
package identitydb

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"aviso/internal/dynamo"
	"aviso/internal/identity"
	"aviso/internal/owner"
)

// Store is the identity table.
type Store struct {
	db    *dynamodb.Client
	table string
}

// New is the store in the named table.
func New(db *dynamodb.Client, table string) *Store { return &Store{db: db, table: table} }

// The keys of the table; docs/data-model.md lists what reads and writes them.
const (
	skPartner  = "PARTNER"
	skUser     = "USER"
	skExternal = "EXTERNAL"
	pkTerms    = "TERMS"
	skTerms    = "TERMS"
)

func partnerKey(id owner.PartnerID) (pk, sk string) { return id.Key(), skPartner }
func userKey(id owner.User) (pk, sk string)         { return id.Key(), skUser }

// externalKey hashes the partner's own id, which may be of any length and hold
// anything.
func externalKey(p owner.PartnerID, externalID string) (pk, sk string) {
	sum := sha256.Sum256([]byte(externalID))
	return p.Key() + "#X#" + hex.EncodeToString(sum[:]), skExternal
}

// translate gives dynamo's errors the area's names.
func translate(err error) error {
	switch {
	case errors.Is(err, dynamo.ErrNotFound):
		return identity.ErrNotFound
	case errors.Is(err, dynamo.ErrConditionFailed):
		return identity.ErrExists
	default:
		return err
	}
}

func ptr[T any](v T) *T { return &v }
