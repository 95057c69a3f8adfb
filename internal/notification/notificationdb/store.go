// Package notificationdb keeps the notification area in DynamoDB.
package notificationdb

import (
	"errors"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"aviso/internal/notification"
	"aviso/internal/outcome"
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
	db     *dynamodb.Client
	table  string
	outbox string
	keys   Sealer
	now    func() time.Time
	newID  func() string
}

// New is the store in the named tables. keys seals signing keys; a store that
// touches none may have nil.
func New(db *dynamodb.Client, table, outboxTable string, keys Sealer, now func() time.Time, newID func() string) *Store {
	return &Store{db: db, table: table, outbox: outboxTable, keys: keys, now: now, newID: newID}
}

// The keys of the table; docs/data-model.md lists what reads and writes them.
const (
	secretPrefix   = "SECRET#"
	skSlots        = "SLOTS"
	deliveryPrefix = "D#"
	attemptPrefix  = "A#"
	// last sorts after every character that ids hold.
	last = "~"
	// dueDelivery is the partition of the index `due`.
	dueDelivery = "Delivery"
)

// subscriptionKey has all of a partner's subscriptions in one place, where an
// event finds them.
func subscriptionKey(partner owner.PartnerID, id string) (pk, sk string) {
	return partner.Key() + "#SUBSCRIPTIONS", id
}

// ofSubscription is the partition of what belongs to one subscription.
func ofSubscription(partner owner.PartnerID, id string) (pk string) {
	return partner.Key() + "#SUBSCRIPTION#" + id
}

func secretKey(partner owner.PartnerID, subscriptionID, id string) (pk, sk string) {
	return ofSubscription(partner, subscriptionID), secretPrefix + id
}

func slotsKey(partner owner.PartnerID, subscriptionID string) (pk, sk string) {
	return ofSubscription(partner, subscriptionID), skSlots
}

func deliveryKey(k notification.DeliveryKey) (pk, sk string) {
	return ofSubscription(k.Partner, k.SubscriptionID), deliveryPrefix + k.DeliveryID
}

func attemptKey(partner owner.PartnerID, subscriptionID, id string) (pk, sk string) {
	return ofSubscription(partner, subscriptionID), attemptPrefix + id
}

// facts is how long it stays known what was tried.
const facts = 30 * 24 * time.Hour

// translate gives dynamo's errors the area's names.
func translate(err error) error {
	switch {
	case errors.Is(err, outcome.ErrNotFound):
		return outcome.ErrNotFound
	case errors.Is(err, outcome.ErrChanged):
		return outcome.ErrChanged
	default:
		return err
	}
}

func ptr[T any](v T) *T { return &v }
