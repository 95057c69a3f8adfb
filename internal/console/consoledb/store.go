// Package consoledb stores the console's data in ConsoleTable: the feed's requests and events, the audit log, and
// ended sessions. It does not import the pages, because housekeeping uses it too.
package consoledb

import (
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"aviso/internal/console/feed"
	"aviso/internal/dynamo"
	"aviso/internal/owner"
)

// Store implements console.Store. It stores requests and events, and counts them and callbacks by the hour.
type Store struct {
	table    dynamo.Table
	identity dynamo.Table
	now      func() time.Time
}

// New returns the store backed by the named tables. The identity table says which users exist.
func New(db *dynamodb.Client, table, identityTable string, now func() time.Time) *Store {
	t := dynamo.NewTable(db, table)
	return &Store{table: t, identity: t.Sibling(identityTable), now: now}
}

// How long rows are kept.
const (
	keepRequest = 24 * time.Hour
	keepFailed  = 7 * 24 * time.Hour
	keepHistory = 30 * 24 * time.Hour
)

// shards is the number of partitions of a partner's requests. Requests are ordered by time, so DynamoDB cannot split
// the partition with the newest, and a partition takes 500 of them a second.
const shards = 8

// The keys of the table; docs/data-model.md lists what reads and writes them.
const (
	requestPrefix = "R#"
	eventPrefix   = "E#"
	// afterAny sorts after every character of a key.
	afterAny = "~"
	// beforeAny sorts before the first character of a time.
	beforeAny  = "!"
	hourLayout = "2006-01-02T15"
)

// requestKey puts the lines of one log stream into one shard. So a line always has the same row, in whatever batch it
// arrives.
func requestKey(partner owner.PartnerID, r feed.Request) dynamo.Key {
	kind := answered
	if r.Failed() {
		kind = failed
	}
	pk := shardKey(partner, kind, dynamo.Shard(r.Source, shards))
	return dynamo.Key{PK: pk, SK: requestPrefix + r.Position()}
}

// The kinds of sharded partitions. Failed requests are separate because they are kept longer. Routine events are
// separate because there are many, and few people look for them.
const (
	answered = "#REQUESTS#"
	failed   = "#FAILED#"
	listed   = "#EVENTS#" // in the index byTime
	routine  = "#ROUTINE#"
)

func shardKey(partner owner.PartnerID, kind string, shard int) string {
	return partner.Key() + kind + strconv.Itoa(shard)
}

// shardKeys returns the keys of all partitions of a kind.
func shardKeys(partner owner.PartnerID, kind string) (keys []string) {
	for shard := range shards {
		keys = append(keys, shardKey(partner, kind, shard))
	}
	return keys
}

// eventKey puts a user's events into the user's partition, so that an erasure finds them.
func eventKey(partner owner.PartnerID, e feed.Event) dynamo.Key {
	user := owner.User{Partner: partner, ID: e.User}
	return dynamo.Key{PK: user.Key(), SK: eventPrefix + dynamo.Time(e.OccurredAt.Time()) + "#" + e.ID}
}

// linesKey is the key of the row for lines that arrived together.
func linesKey(partner owner.PartnerID, l feed.Lines) dynamo.Key {
	return dynamo.Key{PK: partner.Key() + "#LINES#" + l.Source, SK: l.ID}
}

// eventIDKey is the key of the event in the index byId.
func eventIDKey(partner owner.PartnerID, eventID string) string {
	return partner.Key() + "#EVENT#" + eventID
}

// requestIDKey is the key of a request in the index byId.
func requestIDKey(partner owner.PartnerID, requestID string) string {
	return partner.Key() + "#REQUEST#" + requestID
}

// traceKey returns "" without a trace, to keep the row out of the index byTrace.
func traceKey(partner owner.PartnerID, traceID string) string {
	if traceID == "" {
		return ""
	}
	return partner.Key() + "#TRACE#" + traceID
}

// countsKey is the key of an hour's counters. Concurrent writers use several rows.
func countsKey(partner owner.PartnerID, hour time.Time, shard int) dynamo.Key {
	return dynamo.Key{PK: partner.Key() + "#COUNTS", SK: hour.Format(hourLayout) + "#" + strconv.Itoa(shard)}
}

func auditKey(partner owner.PartnerID, id string) dynamo.Key {
	return dynamo.Key{PK: partner.Key() + "#AUDIT", SK: id}
}

func attemptKey(client owner.PartnerID, source string, minute time.Time) dynamo.Key {
	return dynamo.Key{PK: "SIGNIN#" + string(client) + "#" + source, SK: minute.UTC().Format(time.RFC3339)}
}

func signOutKey(session string) dynamo.Key {
	return dynamo.Key{PK: "SIGNOUT#" + session, SK: "SIGNOUT"}
}

func byTrace() dynamo.Index {
	return dynamo.Index{Name: "byTrace", Partition: "traceKey", Sort: "sk", Global: true}
}

func byTime() dynamo.Index {
	return dynamo.Index{Name: "byTime", Partition: "listKey", Sort: "listAt", Global: true}
}

func byID() dynamo.Index {
	return dynamo.Index{Name: "byId", Partition: "idKey", Sort: "sk", Global: true}
}
