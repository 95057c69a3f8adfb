// Package identitydb stores the identity area in DynamoDB.
package identitydb

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"aviso/internal/dynamo"
	"aviso/internal/owner"
)

// Store stores the identity area in its table.
type Store struct{ table dynamo.Table }

// New returns the store backed by the named table.
func New(db *dynamodb.Client, table string) *Store {
	return &Store{table: dynamo.NewTable(db, table)}
}

// The keys of the table; docs/data-model.md lists their readers and writers.

func partnerKey(id owner.PartnerID) dynamo.Key { return dynamo.Key{PK: id.Key(), SK: "PARTNER"} }

// userKey is shared, because transactions of the other areas check the row.
func userKey(id owner.User) dynamo.Key { return dynamo.UserKey(id) }

// externalKey hashes the partner's own ID, which may have any length and content.
func externalKey(p owner.PartnerID, externalID string) dynamo.Key {
	sum := sha256.Sum256([]byte(externalID))
	return dynamo.Key{PK: p.Key() + "#X#" + hex.EncodeToString(sum[:]), SK: "EXTERNAL"}
}

func termsKey() dynamo.Key { return dynamo.Key{PK: "TERMS", SK: "TERMS"} }

// tombstoneKey is the key of the row by which a restore knows an erased user. Only who knows the user's ID, 122 random
// bits, can compute it.
func tombstoneKey(user owner.User) dynamo.Key { return dynamo.Key{PK: "ERASED", SK: user.Tombstone()} }

func erasureKey(p owner.PartnerID, id string) dynamo.Key {
	return dynamo.Key{PK: p.Key() + "#E#" + id, SK: "ERASURE"}
}

// erasureTaskKey puts all running erasures into one partition: there are few, and each takes minutes.
func erasureTaskKey(id string) dynamo.Key { return dynamo.Key{PK: "ERASURES", SK: id} }
