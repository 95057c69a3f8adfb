// Package notificationdb keeps the notification area in DynamoDB.
package notificationdb

import (
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"aviso/internal/dynamo"
	"aviso/internal/notification"
	"aviso/internal/owner"
)

// Sealer keeps signing keys secret where they are stored.
type Sealer interface {
	Seal(plain []byte, binding string) []byte
	// Open fails for anything that Seal did not make with the same binding.
	Open(sealed []byte, binding string) ([]byte, error)
}

// Store is the notification table, with the outbox that its transactions write
// to.
type Store struct {
	table  dynamo.Table
	outbox dynamo.Table
	keys   Sealer
	now    func() time.Time
	newID  func() string
}

// New returns the store in the named tables. keys seals signing keys; a store that
// touches none may have nil.
func New(
	db *dynamodb.Client, table, outboxTable string, keys Sealer, now func() time.Time, newID func() string,
) *Store {
	t := dynamo.NewTable(db, table)
	return &Store{table: t, outbox: t.Sibling(outboxTable), keys: keys, now: now, newID: newID}
}

// The keys of the table; docs/data-model.md lists what reads and writes them.
const (
	secretPrefix   = "SECRET#"
	deliveryPrefix = "D#"
	attemptPrefix  = "A#"
	// last sorts after every character that ids hold.
	last = "~"
	// dueDelivery is the partition of the index `due`.
	dueDelivery = "Delivery"
)

// subscriptionKey has all of a partner's subscriptions in one place, where an
// event finds them.
func subscriptionKey(partner owner.PartnerID, id string) dynamo.Key {
	return dynamo.Key{PK: partner.Key() + "#SUBSCRIPTIONS", SK: id}
}

// ofSubscription is the partition of what belongs to one subscription.
func ofSubscription(partner owner.PartnerID, id string) (pk string) {
	return partner.Key() + "#SUBSCRIPTION#" + id
}

func secretKey(partner owner.PartnerID, subscriptionID, id string) dynamo.Key {
	return dynamo.Key{PK: ofSubscription(partner, subscriptionID), SK: secretPrefix + id}
}

func slotsKey(partner owner.PartnerID, subscriptionID string) dynamo.Key {
	return dynamo.Key{PK: ofSubscription(partner, subscriptionID), SK: "SLOTS"}
}

func deliveryKey(k notification.DeliveryKey) dynamo.Key {
	return dynamo.Key{PK: ofSubscription(k.Partner, k.SubscriptionID), SK: deliveryPrefix + k.DeliveryID}
}

func attemptKey(partner owner.PartnerID, subscriptionID, id string) dynamo.Key {
	return dynamo.Key{PK: ofSubscription(partner, subscriptionID), SK: attemptPrefix + id}
}

// facts is how long attempts and ended deliveries and secrets are kept.
const facts = 30 * 24 * time.Hour
