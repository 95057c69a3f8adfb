// Package consoledb stores what the console keeps, in ConsoleTable: what the feed tells it, the audit
// log, and who has signed out. It does not know the pages, because housekeeping uses it, too.
package consoledb

import (
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"aviso/internal/console/feed"
	"aviso/internal/dynamo"
	"aviso/internal/owner"
)

// Store stores requests and events, counts them and callbacks by the hour, and implements
// console.Store.
type Store struct {
	table    dynamo.Table
	identity dynamo.Table
	now      func() time.Time
}

// New returns the store backed by the named tables. The one of the identity area says which
// users exist.
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

// shards is how many partitions a partner's requests are spread over. They are ordered by
// time, so DynamoDB cannot split the partition into which the newest are written, and a
// partition takes 500 of them a second.
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

// requestKey puts the lines of one log stream into one shard, so that the same line is the
// same row, however often and with whatever other lines it comes.
func requestKey(partner owner.PartnerID, r feed.Request) dynamo.Key {
	kind := answered
	if r.Failed() {
		kind = failed
	}
	pk := shardKey(partner, kind, dynamo.Shard(r.Source, shards))
	return dynamo.Key{PK: pk, SK: requestPrefix + dynamo.Time(r.At.Time()) + "#" + r.ID}
}

// The kinds of sharded partitions. Failed requests are apart because they stay longer, and routine
// events because they are many, and few look for them.
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

// eventKey puts the events about a user into the user's partition, where an erasure finds
// them.
func eventKey(partner owner.PartnerID, e feed.Event) dynamo.Key {
	user := owner.User{Partner: partner, ID: e.User}
	return dynamo.Key{PK: user.Key(), SK: eventPrefix + dynamo.Time(e.OccurredAt.Time()) + "#" + e.ID}
}

// linesKey is the row of lines that came together.
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

// traceKey returns "" without a trace: then the row is not in the index byTrace.
func traceKey(partner owner.PartnerID, traceID string) string {
	if traceID == "" {
		return ""
	}
	return partner.Key() + "#TRACE#" + traceID
}

// countsKey is a row of what was counted in an hour. Those who count at the same time use
// several rows.
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
