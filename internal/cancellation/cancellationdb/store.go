// Package cancellationdb stores the cancellation area in DynamoDB.
package cancellationdb

import (
	"context"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/catalogue"
	"aviso/internal/cancellation/evidence"
	"aviso/internal/dynamo"
	"aviso/internal/messaging/outbox"
	"aviso/internal/owner"
	"aviso/internal/textfold"
)

// Store stores the area in the cancellation table and its messages in the outbox.
type Store struct {
	table  dynamo.Table
	outbox outbox.Box
	due    dynamo.DueIndex
	users  dynamo.Guard
	now    func() time.Time
	newID  func() string
	saved  func(context.Context, cancellation.Cancellation)
}

// New returns the store backed by the named tables.
func New(db *dynamodb.Client, table, outboxTable string, now func() time.Time, newID func() string) *Store {
	t := dynamo.NewTable(db, table)
	return &Store{
		table: t, outbox: outbox.Box{Table: t.Sibling(outboxTable)}, due: dynamo.DueIndex{Shards: dueShards},
		now: now, newID: newID,
	}
}

// dueShards is how many shards the index `due` has. A letter that leaves at the first try
// writes four units to it, and a partition takes 1,000 a second: one would do for 250 letters.
const dueShards = 8

// SpreadDue sets another number of shards, for tests that count calls.
func (s *Store) SpreadDue(shards int) { s.due.Shards = shards }

// DueShards is how many shards the index `due` has.
func (s *Store) DueShards() int { return s.due.Shards }

// RequireUsers makes the store create and start nothing for users who are not in the
// identity table.
func (s *Store) RequireUsers(identityTable string) {
	s.users = dynamo.GuardIn(s.table.Sibling(identityTable))
}

// HoldMessages makes the store's messages wait for their writer; see outbox.Box.
func (s *Store) HoldMessages() { s.outbox.Holds = true }

// OnSave makes the store call hook after each SaveCancellation that succeeds.
func (s *Store) OnSave(hook func(context.Context, cancellation.Cancellation)) { s.saved = hook }

// The keys of the table. docs/data-model.md lists who reads and writes them.
const (
	pkCatalogue   = "CATALOGUE" // what imports work with
	skVersion     = "VERSION"
	imprintPrefix = "ORGANIZATION#"
	productPrefix = "PRODUCT#"
	// The prefixes of a user's rows. Cancellations sort by the time of creation,
	// because their IDs do.
	cancellationPrefix = "N#"
	letterPrefix       = "L#"
	joinedPrefix       = "J#"
	externalPrefix     = "X#"
	lastOfPrefix       = "A#"
	receivedPrefix     = "D#"
	evidencePrefix     = "V#"
	replyPrefix        = "R#"
	// last sorts after every character of an ID.
	last = "~"

	maxFoldedBytes = 512 // of a name in a sort key, which may have 1,024
)

func categoriesKey() dynamo.Key { return dynamo.Key{PK: "CATEGORIES", SK: "CATEGORIES"} }

func organizationKey(id string) dynamo.Key {
	return dynamo.Key{PK: "ORGANIZATION#" + id, SK: "ORGANIZATION"}
}

func productKey(organizationID, id string) dynamo.Key {
	return dynamo.Key{PK: organizationKey(organizationID).PK, SK: productPrefix + id}
}

func versionKey() dynamo.Key { return dynamo.Key{PK: pkCatalogue, SK: skVersion} }

func leaseKey() dynamo.Key { return dynamo.Key{PK: pkCatalogue, SK: "LEASE"} }

func imprintKey(organizationID string) dynamo.Key {
	return dynamo.Key{PK: pkCatalogue, SK: imprintPrefix + organizationID}
}

// listKey returns the partition key of a list of organizations. Locale and category
// may be * for all.
func listKey(locale cancellation.Locale, categoryID string) string {
	return "ORGANIZATIONS#" + string(locale) + "#" + categoryID
}

// listSort returns the sort key of an organization in a list. It sorts by name.
func listSort(name, id string) string {
	folded := textfold.Name(name)
	if len(folded) > maxFoldedBytes {
		folded = strings.ToValidUTF8(folded[:maxFoldedBytes], "")
	}
	return folded + "#" + id
}

// placesOf returns the keys of all list entries of an organization.
func placesOf(id string, p catalogue.Placement) []dynamo.Key {
	sk := listSort(p.Name, id)
	keys := make([]dynamo.Key, 0, 2*len(p.Locales)+2)
	for _, l := range append([]cancellation.Locale{"*"}, p.Locales...) {
		keys = append(keys, dynamo.Key{PK: listKey(l, "*"), SK: sk}, dynamo.Key{PK: listKey(l, p.CategoryID), SK: sk})
	}
	return keys
}

func ofUser(user owner.User, sort string) dynamo.Key { return dynamo.Key{PK: user.Key(), SK: sort} }

func cancellationKey(user owner.User, id string) dynamo.Key {
	return ofUser(user, cancellationPrefix+id)
}

func letterKey(user owner.User, id string) dynamo.Key { return ofUser(user, letterPrefix+id) }

func joinedKey(user owner.User, id string) dynamo.Key { return ofUser(user, joinedPrefix+id) }

func evidenceKey(user owner.User, id string) dynamo.Key { return ofUser(user, evidencePrefix+id) }

func receivedKey(user owner.User, id string, body evidence.Digest) dynamo.Key {
	return ofUser(user, receivedPrefix+id+"#"+body.String())
}

// externalKey contains a digest because the partner's identifier may be any text.
func externalKey(user owner.User, externalID string) dynamo.Key {
	return ofUser(user, externalPrefix+evidence.Of([]byte(externalID)).String())
}

// lastOfKey is that of the user's last cancellation of a contract about c's product. contract is
// empty if the product's template does not identify it.
func lastOfKey(c cancellation.Cancellation, contract string) dynamo.Key {
	key := dynamo.Key{PK: c.Owner.Key(), SK: lastOfPrefix + c.OrganizationID + "#" + c.ProductID}
	if contract != "" {
		key.SK += "#" + contract
	}
	return key
}

func replyKey(user owner.User, cancellationID, id string) dynamo.Key {
	return ofUser(user, replyPrefix+cancellationID+"#"+id)
}

// addressKey has only the token of a reply address, so an address keeps its cancellation if the domain changes.
func addressKey(address string) dynamo.Key {
	token, _, _ := strings.Cut(strings.TrimPrefix(address, "c-"), "@")
	return dynamo.Key{PK: "REPLY#" + token, SK: "REPLY"}
}

func ownerKey(id string) dynamo.Key { return dynamo.Key{PK: "CANCELLATION#" + id, SK: "OWNER"} }

// referenceKey treats all paper as mail, because the carrier's callbacks do not
// distinguish mail from registered mail.
func referenceKey(channel cancellation.ChannelKind, reference string) dynamo.Key {
	if channel.OnPaper() {
		channel = cancellation.ChannelMail
	}
	return dynamo.Key{PK: "REFERENCE#" + string(channel) + "#" + reference, SK: "REFERENCE"}
}
