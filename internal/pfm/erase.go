package pfm

import (
	"context"
	"errors"
	"fmt"
	"time"

	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// Kinds of what an erasure counts.
const (
	CountConnections  = "connections"
	CountAccounts     = "accounts"
	CountTransactions = "transactions"
)

// Eraser erases users from the area: it deletes their connections in the way in
// which each is deleted, consent at the bank included, and then the rest. It
// waits for the first by being asked again.
type Eraser struct {
	store Store
	now   func() time.Time
}

// NewEraser wires the service.
func NewEraser(store Store, now func() time.Time) *Eraser {
	return &Eraser{store: store, now: now}
}

// Close takes every connection from everybody: no sync writes any more, no link
// is open. What they hold stays until it has been counted.
func (e *Eraser) Close(ctx context.Context, user owner.User) error {
	_, err := e.each(ctx, user, func(c Connection, now time.Time) error {
		if !c.move(ConnectionDeleting, ReasonUserErased, now) {
			return nil // on its way out already
		}
		return e.store.SaveConnection(ctx, c)
	})
	return err
}

// Count counts connections, accounts and transactions.
func (e *Eraser) Count(ctx context.Context, user owner.User) (map[string]int, error) {
	connections, err := e.store.AllConnections(ctx, user)
	if err != nil {
		return nil, fmt.Errorf("read connections: %w", err)
	}
	accounts, transactions, err := e.store.CountData(ctx, user)
	if err != nil {
		return nil, fmt.Errorf("count data: %w", err)
	}
	return map[string]int{CountConnections: len(connections), CountAccounts: accounts, CountTransactions: transactions}, nil
}

// Erase asks bank-sync, once for each connection that Close has taken away, to
// end its consents and to delete it; and deletes the rest when all are gone.
func (e *Eraser) Erase(ctx context.Context, user owner.User) (bool, error) {
	left, err := e.each(ctx, user, func(c Connection, now time.Time) error {
		if c.Reason != ReasonUserErased {
			return nil // asked for already
		}
		c.Reason, c.UpdatedAt = ReasonNone, now
		return e.store.SaveConnection(ctx, c, c.job(JobDelete))
	})
	if err != nil || left > 0 {
		return false, err
	}
	if err := e.store.DeleteRest(ctx, user); err != nil {
		return false, fmt.Errorf("delete the rest: %w", err)
	}
	return true, nil
}

// each does something with each of the user's connections, and tells how many
// there are. When one is no longer as it was read, all are looked at again.
func (e *Eraser) each(ctx context.Context, user owner.User, do func(Connection, time.Time) error) (int, error) {
	err := outcome.ErrChanged
	for try := 0; try < changeTries && errors.Is(err, outcome.ErrChanged); try++ {
		var connections []Connection
		if connections, err = e.store.AllConnections(ctx, user); err != nil {
			return 0, fmt.Errorf("read connections: %w", err)
		}
		now := clock.Read(e.now)
		for _, c := range connections {
			err = errors.Join(err, do(c, now))
		}
		if err == nil {
			return len(connections), nil
		}
	}
	return 0, fmt.Errorf("save connections: %w", err)
}
