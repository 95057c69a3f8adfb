// Package pfmdb stores the PFM area in DynamoDB.
package pfmdb

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"aviso/internal/dynamo"
	"aviso/internal/messaging/outbox"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/contract"
	"aviso/internal/pfm/transaction"
)

// Store is the PFM table, with the outbox that its transactions write to.
type Store struct {
	table     dynamo.Table
	outbox    outbox.Box
	due       dynamo.DueIndex
	pace      pace
	users     dynamo.Guard
	now       func() time.Time
	newID     func() string
	listsLock sync.Mutex
	lists     map[string]providerList // by country
}

// New returns the store backed by the named tables.
func New(db *dynamodb.Client, table, outboxTable string, now func() time.Time, newID func() string) *Store {
	t := dynamo.NewTable(db, table)
	return &Store{
		table: t, outbox: outbox.Box{Table: t.Sibling(outboxTable)}, due: dynamo.DueIndex{Shards: dueShards},
		now: now, newID: newID,
		lists: map[string]providerList{},
	}
}

// dueShards is how many shards the index `due` has. 10 million connections that are
// refreshed four times a day write 930 units a second to the kinds Sync and Refresh, and
// three times as many in a morning's peak, of the 1,000 that a partition takes. 16 shards
// take 16,000, which is also enough if all of 2,000 requests a second moved a connection.
const dueShards = 16

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

// orZero returns the zero value in place of a row that does not exist.
func orZero[T any](row T, err error) (T, error) {
	if errors.Is(err, outcome.ErrNotFound) {
		return *new(T), nil
	}
	return row, err
}

// The keys of the table; docs/data-model.md lists what reads and writes them.
const (
	// A connection's key is directly before those of its accounts, so that one
	// query reads them together.
	connectionPrefix = "C#"
	accountInfix     = "#A#"
	rowPrefix        = "T#"
	removedPrefix    = "X#"
	aggregatePrefix  = "G"
	merchantsSuffix  = "~M"
	groupPrefix      = "R#"
	allCountries     = "*"
	// highest sorts after every character in IDs and dates.
	highest = "~"
)

// rowOf returns the key of a row of the user's.
func rowOf(user owner.User, sk string) dynamo.Key { return dynamo.Key{PK: user.Key(), SK: sk} }

func countryKey(code string) dynamo.Key { return dynamo.Key{PK: "COUNTRIES", SK: code} }

func providerKey(id string) dynamo.Key { return dynamo.Key{PK: "PROVIDER#" + id, SK: "PROVIDER"} }

// providerListKey orders providers by name. country is a code, or * for all.
func providerListKey(country, foldedName, id string) dynamo.Key {
	return dynamo.Key{PK: "PROVIDERS#" + country, SK: foldedName + "#" + id}
}

// outageKey is the key of the row that says when a bank that is down may be asked again.
func outageKey(providerID string) dynamo.Key {
	return dynamo.Key{PK: "PROVIDER#" + providerID, SK: "OUTAGE"}
}

func connectionOwnerKey(id string) dynamo.Key { return dynamo.Key{PK: "CONNECTION#" + id, SK: "OWNER"} }

func connectionKey(user owner.User, id string) dynamo.Key { return rowOf(user, connectionPrefix+id) }

func leaseKey(user owner.User, connectionID string) dynamo.Key {
	return rowOf(user, "LEASE#"+connectionID)
}

func accountKey(user owner.User, connectionID, id string) dynamo.Key {
	return rowOf(user, connectionPrefix+connectionID+accountInfix+id)
}

// holdingsKey is directly before those of the connections, so that one query reads it with
// them and their accounts.
func holdingsKey(user owner.User) dynamo.Key { return rowOf(user, "C") }

func contractsKey(user owner.User) dynamo.Key { return rowOf(user, "CONTRACTS") }

// choicePrefix begins the keys of the user's choices for merchants. They are between the
// row of the holdings and the connections, so that the same query reads them.
const choicePrefix = "C!"

func choiceKey(user owner.User, party string) dynamo.Key { return rowOf(user, choicePrefix+party) }

// watchPrefix begins the keys of the watches, which the same query reads, so that a sync
// looks for them at no further cost.
const watchPrefix = `C"`

func watchKey(user owner.User, cancellationID string) dynamo.Key {
	return rowOf(user, watchPrefix+cancellationID)
}

// isAccount reports whether a sort key with connectionPrefix is an account's.
func isAccount(sk string) bool { return strings.Contains(sk, accountInfix) }

func rowKey(user owner.User, date pfm.Date, id string) dynamo.Key {
	return rowOf(user, rowPrefix+string(date)+"#"+id)
}

func sequenceKey(user owner.User) dynamo.Key { return rowOf(user, "SEQUENCE") }

func removedKey(user owner.User, id string) dynamo.Key { return rowOf(user, removedPrefix+id) }

// aggregateKey has the level first and the account last, because an insight reads
// one level of all accounts over several months. Sums by merchant are beside those by category,
// so that one query reads both.
func aggregateKey(user owner.User, id transaction.AggregateID) dynamo.Key {
	sk := aggregatePrefix + string(id.Level) + "#" + id.Month + "#" + id.AccountID
	if id.Merchants {
		sk += merchantsSuffix
	}
	return rowOf(user, sk)
}

func splitAggregateKey(sk string) (transaction.AggregateID, error) {
	rest, merchants := strings.CutSuffix(strings.TrimPrefix(sk, aggregatePrefix), merchantsSuffix)
	parts := strings.Split(rest, "#")
	if len(parts) != 3 {
		return transaction.AggregateID{}, errors.New("aggregate row: malformed key")
	}
	return transaction.AggregateID{Level: transaction.Level(parts[0]), Month: parts[1], AccountID: parts[2], Merchants: merchants}, nil
}

func groupKey(user owner.User, id contract.GroupID) dynamo.Key {
	return rowOf(user, groupPrefix+id.AccountID+"#"+id.Key)
}

// The indexes of the table. The by-day indexes have daySort as their sort key and
// list the transactions of one account, category, merchant or state.

func byAccount() dynamo.Index  { return local("byAccount", "accountSort") }
func byCategory() dynamo.Index { return local("byCategory", "categorySort") }
func byMerchant() dynamo.Index { return local("byMerchant", "merchantSort") }
func byState() dynamo.Index    { return local("byState", "openSort") }
func byChange() dynamo.Index   { return local("byChange", "changeSort") }

func local(name, sort string) dynamo.Index {
	return dynamo.Index{Name: name, Partition: "pk", Sort: sort}
}

func byID() dynamo.Index {
	return dynamo.Index{Name: "byId", Partition: "pk", Sort: "rowId", Global: true}
}

// daySort is the sort key of the by-day indexes. Rows of one day share it: a local
// index allows that, and a longer key would be read with every row.
func daySort(of string, date pfm.Date) string { return of + "#" + string(date) }

// changeSort is the sort key of the index byChange.
func changeSort(n int64) string { return fmt.Sprintf("%016d", n) }

func changeNumber(sort string) (int64, error) {
	n, err := strconv.ParseInt(sort, 10, 64)
	if err != nil {
		return 0, errors.New("change row: malformed number")
	}
	return n, nil
}

// between returns the range of sort keys that have the prefix and continue with a
// text from one bound to the other. An empty bound means no bound.
func between(prefix, from, to string) dynamo.SortRange {
	return dynamo.Between(prefix+from, prefix+to+highest)
}
