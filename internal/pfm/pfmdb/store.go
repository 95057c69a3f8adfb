// Package pfmdb keeps the PFM area in DynamoDB.
package pfmdb

import (
	"errors"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/internal/pfm"
)

// Store is the PFM table, with the outbox that its transactions write to.
type Store struct {
	db     *dynamodb.Client
	table  string
	outbox string
	now    func() time.Time
	newID  func() string
}

// New is the store in the named tables.
func New(db *dynamodb.Client, table, outboxTable string, now func() time.Time, newID func() string) *Store {
	return &Store{db: db, table: table, outbox: outboxTable, now: now, newID: newID}
}

// The keys of the table; docs/data-model.md lists what reads and writes them.
const (
	pkCountries = "COUNTRIES"
	skProvider  = "PROVIDER"
	skOwner     = "OWNER"
	// A connection and its accounts are neighbours, so that one query reads
	// them together.
	connectionPrefix = "C#"
	accountInfix     = "#A#"
	leasePrefix      = "LEASE#"
	rowPrefix        = "T#"
	// last sorts after every character that ids and dates hold.
	last = "~"
)

func providerKey(id string) (pk, sk string) { return "PROVIDER#" + id, skProvider }

// providerListKey orders providers by name; country is a code, or * for all.
func providerListKey(country, foldedName, id string) (pk, sk string) {
	return "PROVIDERS#" + country, foldedName + "#" + id
}

// providerWordKey orders providers by the rest of their name from one of its
// words on, so that a prefix query finds any word's beginning.
func providerWordKey(country, foldedRest, id string) (pk, sk string) {
	return "PROVIDERWORDS#" + country, foldedRest + "#" + id
}

func connectionOwnerKey(id string) (pk, sk string) { return "CONNECTION#" + id, skOwner }

func connectionKey(user owner.User, id string) (pk, sk string) {
	return user.Key(), connectionPrefix + id
}

func leaseKey(user owner.User, connectionID string) (pk, sk string) {
	return user.Key(), leasePrefix + connectionID
}

func accountKey(user owner.User, connectionID, id string) (pk, sk string) {
	return user.Key(), connectionPrefix + connectionID + accountInfix + id
}

func rowKey(user owner.User, date pfm.Date, id string) (pk, sk string) {
	return user.Key(), rowPrefix + string(date) + "#" + id
}

// splitRowKey reads the day and the id off a row's sort key.
func splitRowKey(sk string) (date pfm.Date, id string, err error) {
	day, id, ok := strings.Cut(strings.TrimPrefix(sk, rowPrefix), "#")
	if !ok {
		return "", "", errors.New("transaction row: its key does not hold day and id")
	}
	return pfm.Date(day), id, nil
}

// daySort is the range key of the indexes that give one account's, category's,
// merchant's or state's rows by day. Rows of one day share it: a local index
// takes that, and every byte is read with every row.
func daySort(of string, date pfm.Date) string { return of + "#" + string(date) }

// isAccount tells accounts from connections among what connectionPrefix finds.
func isAccount(sk string) bool { return strings.Contains(sk, accountInfix) }

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
