// Package cancellationdb keeps the cancellation area in DynamoDB.
package cancellationdb

import (
	"errors"
	"time"

	"aviso/internal/outcome"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// Store is the cancellation table, with the outbox that its transactions write
// to.
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
