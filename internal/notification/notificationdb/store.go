// Package notificationdb stores the notification area in DynamoDB.
package notificationdb

import (
	"strconv"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"aviso/internal/clock"
	"aviso/internal/dynamo"
	"aviso/internal/messaging/outbox"
	"aviso/internal/notification"
	"aviso/internal/owner"
)

// Sealer encrypts signing keys at rest.
type Sealer interface {
	Seal(plain []byte, binding string) []byte
	// Open fails unless Seal returned the value for the same binding.
	Open(sealed []byte, binding string) ([]byte, error)
}

// Store stores the notification area in its table. Its transactions also write to
// the outbox.
type Store struct {
	table  dynamo.Table
	outbox outbox.Box
	due    dynamo.DueIndex
	users  dynamo.Guard
	keys   Sealer
	now    func() time.Time
	newID  func() string

	reads *dynamo.Merger[dynamo.Key, dynamo.Item]
	acks  *dynamo.Merger[map[dynamo.Key]any, struct{}]

	mu sync.Mutex
	// known caches the secrets of subscriptions.
	known map[string]notification.Target
}

// New returns the store backed by the named tables. keys seals signing keys; it may be nil for stores that never read
// or write secrets.
func New(
	db *dynamodb.Client, table, outboxTable string, keys Sealer, now func() time.Time, newID func() string,
) *Store {
	t := dynamo.NewTable(db, table)
	return &Store{
		table: t, outbox: outbox.Box{Table: t.Sibling(outboxTable)}, due: dynamo.DueIndex{Shards: dueShards},
		keys: keys, now: now,
		newID: newID, known: map[string]notification.Target{},
		reads: dynamo.NewMerger[dynamo.Key, dynamo.Item](mostReads),
		acks:  dynamo.NewMerger[map[dynamo.Key]any, struct{}](dynamo.MaxBatch / 2),
	}
}

// mostReads is how many deliveries are read together.
const mostReads = 100

// dueShards is the number of shards of the index `due`. A delivery that is acknowledged at once writes two units to
// it, one that fails three times writes six. So 5,000 deliveries a second write 10,000 to 30,000 units. One that waits
// all day for a slot writes 28: 50 million of them 16,000 a second on average, more in the morning (docs/scale.md). A
// partition takes 1,000.
const dueShards = 48

// SpreadDue sets the number of shards, for tests that count calls.
func (s *Store) SpreadDue(shards int) { s.due.Shards = shards }

// DueShards returns the number of shards of the index `due`.
func (s *Store) DueShards() int { return s.due.Shards }

// RequireUsers makes the store refuse deliveries about users who are not in the identity table.
func (s *Store) RequireUsers(identityTable string) {
	s.users = dynamo.GuardIn(s.table.Sibling(identityTable))
}

// HoldMessages makes the store's messages wait for their writer; see outbox.Box.
func (s *Store) HoldMessages() { s.outbox.Holds = true }

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

// listKey is the key of the row with the version of a partner's list, in the partition of the subscriptions.
func listKey(partner owner.PartnerID) dynamo.Key { return subscriptionKey(partner, listSort) }

// subscriptionPartition is the partition with all data of one subscription.
func subscriptionPartition(partner owner.PartnerID, id string) (pk string) {
	return partner.Key() + "#SUBSCRIPTION#" + id
}

func secretKey(partner owner.PartnerID, subscriptionID, id string) dynamo.Key {
	return dynamo.Key{PK: subscriptionPartition(partner, subscriptionID), SK: secretPrefix + id}
}

// slotsKey is the key of a row of slots. All rows but the first have their own partition, because only busy
// subscriptions have them.
func slotsKey(sub notification.Subscription, row int) dynamo.Key {
	pk := subscriptionPartition(sub.Partner, sub.ID)
	if row > 0 {
		pk += "#SLOTS#" + strconv.Itoa(row)
	}
	return dynamo.Key{PK: pk, SK: "SLOTS"}
}

// deliveryKey gives each delivery its own partition, because the deliveries of a busy subscription exceed the limits
// of one.
func deliveryKey(k notification.DeliveryKey) dynamo.Key {
	sk := deliveryPrefix + k.DeliveryID
	return dynamo.Key{PK: subscriptionPartition(k.Partner, k.SubscriptionID) + "#" + sk, SK: sk}
}

// attemptShards is the number of partitions for the attempts of a subscription: one for each row of slots at its
// peak. Attempts are ordered by time, so DynamoDB cannot split the partition with the newest.
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

// answerKey has a partition of its own: a receiver that fails answers thousands of calls.
func answerKey(sub notification.Subscription, attemptID string) dynamo.Key {
	return dynamo.Key{PK: subscriptionPartition(sub.Partner, sub.ID) + "#ANSWER#" + attemptID, SK: "ANSWER"}
}

func millis(t clock.Real) int64 { return dynamo.Millis(t.Time()) }

// retention is how long attempts, finished deliveries and expired secrets are kept.
const retention = 30 * 24 * time.Hour
