// Package notificationdb stores the notification area in DynamoDB.
package notificationdb

import (
	"strconv"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"aviso/internal/clock"
	"aviso/internal/dynamo"
	"aviso/internal/notification"
	"aviso/internal/owner"
)

// Sealer encrypts signing keys at rest.
type Sealer interface {
	Seal(plain []byte, binding string) []byte
	// Open fails for anything that Seal did not return for the same binding.
	Open(sealed []byte, binding string) ([]byte, error)
}

// Store stores the notification area in its table. Its transactions also write to
// the outbox.
type Store struct {
	table  dynamo.Table
	outbox dynamo.Table
	due    dynamo.DueIndex
	users  dynamo.Guard
	keys   Sealer
	now    func() time.Time
	newID  func() string

	mu sync.Mutex
	// known have the secrets that have been read, or newer ones, by subscription.
	known map[string]notification.Target
}

// New returns the store backed by the named tables. keys seals signing keys; it may
// be nil if the store is not used for secrets.
func New(
	db *dynamodb.Client, table, outboxTable string, keys Sealer, now func() time.Time, newID func() string,
) *Store {
	t := dynamo.NewTable(db, table)
	return &Store{
		table: t, outbox: t.Sibling(outboxTable), due: dynamo.DueIndex{Shards: dueShards}, keys: keys, now: now,
		newID: newID, known: map[string]notification.Target{},
	}
}

// dueShards is how many shards the index `due` has. A delivery that is acknowledged at once
// writes two units to it, one that fails three times six: 5,000 a second write 10,000 to
// 30,000 units, and a partition takes 1,000.
const dueShards = 32

// SpreadDue sets another number of shards, for tests that count calls.
func (s *Store) SpreadDue(shards int) { s.due.Shards = shards }

// DueShards is how many shards the index `due` has.
func (s *Store) DueShards() int { return s.due.Shards }

// RequireUsers makes the store create no deliveries about users who are not in the
// identity table.
func (s *Store) RequireUsers(identityTable string) {
	s.users = dynamo.GuardIn(s.table.Sibling(identityTable))
}

// The keys of the table; docs/data-model.md lists what reads and writes them.
const (
	// listSort sorts before every ID.
	listSort       = "#LIST"
	secretPrefix   = "SECRET#"
	deliveryPrefix = "D#"
	attemptPrefix  = "A#"
	// afterAnyID sorts after every character of an ID.
	afterAnyID = "~"
	// dueDelivery is the kind of work in the index `due`.
	dueDelivery = "Delivery"
)

// subscriptionKey puts all of a partner's subscriptions into one partition, so that
// an event finds them with one query.
func subscriptionKey(partner owner.PartnerID, id string) dynamo.Key {
	return dynamo.Key{PK: partner.Key() + "#SUBSCRIPTIONS", SK: id}
}

// listKey is the version of a partner's list of subscriptions, beside them.
func listKey(partner owner.PartnerID) dynamo.Key { return subscriptionKey(partner, listSort) }

// subscriptionPartition is the partition of everything that belongs to one
// subscription.
func subscriptionPartition(partner owner.PartnerID, id string) (pk string) {
	return partner.Key() + "#SUBSCRIPTION#" + id
}

func secretKey(partner owner.PartnerID, subscriptionID, id string) dynamo.Key {
	return dynamo.Key{PK: subscriptionPartition(partner, subscriptionID), SK: secretPrefix + id}
}

// slotsKey is a row of slots. All but the first have a partition of their own, because
// only a subscription that gets many calls has them.
func slotsKey(sub notification.Subscription, row int) dynamo.Key {
	pk := subscriptionPartition(sub.Partner, sub.ID)
	if row > 0 {
		pk += "#SLOTS#" + strconv.Itoa(row)
	}
	return dynamo.Key{PK: pk, SK: "SLOTS"}
}

// deliveryKey gives each delivery a partition of its own, because a busy subscription has
// more of them than one partition takes.
func deliveryKey(k notification.DeliveryKey) dynamo.Key {
	sk := deliveryPrefix + k.DeliveryID
	return dynamo.Key{PK: subscriptionPartition(k.Partner, k.SubscriptionID) + "#" + sk, SK: sk}
}

// attemptShards is how many partitions the attempts of a subscription are spread over: one
// for each row of slots that it ever had. Attempts are ordered by time, so DynamoDB cannot
// split the partition into which the newest are written.
func attemptShards(sub notification.Subscription) int { return max(slotRows(sub.PeakLimit), 1) }

func attemptPartition(sub notification.Subscription, shard int) (pk string) {
	pk = subscriptionPartition(sub.Partner, sub.ID)
	if shard > 0 {
		pk += "#ATTEMPTS#" + strconv.Itoa(shard)
	}
	return pk
}

func attemptKey(sub notification.Subscription, id string) dynamo.Key {
	return dynamo.Key{PK: attemptPartition(sub, dynamo.Shard(id, attemptShards(sub))), SK: attemptPrefix + id}
}

func millis(t clock.Real) int64 { return dynamo.Millis(t.Time()) }

// retention is how long attempts, finished deliveries and expired secrets are kept.
const retention = 30 * 24 * time.Hour
