package connection

import (
	"context"
	"errors"
	"fmt"
	"time"

	"aviso/internal/clock"
	"aviso/internal/dynamo/outcome"
	"aviso/internal/dynamo/owner"
)

// The keys of the counts of an erasure.
const (
	CountConnections  = "connections"
	CountAccounts     = "accounts"
	CountTransactions = "transactions"
)

// Eraser erases users from the area. It deletes their connections as usual, which
// includes ending the consents at the bank, and then the rest. The caller repeats
// Erase until the connections are gone.
type Eraser struct {
	store Store
	now   func() time.Time
}

// NewEraser returns the service.
func NewEraser(store Store, now func() time.Time) *Eraser {
	return &Eraser{store: store, now: now}
}

// Close hides all of the user's connections: syncs that are running can no longer
// write. The data stays until it has been counted.
func (e *Eraser) Close(ctx context.Context, user owner.User) (bool, error) {
	_, err := e.forEach(ctx, user, func(c Connection, now time.Time) error {
		if !c.transition(Deleting, ReasonUserErased, now) {
			return nil // already being deleted
		}
		return e.store.SaveConnection(ctx, c)
	})
	return err == nil, err
}

// Count counts connections, accounts and transactions.
func (e *Eraser) Count(ctx context.Context, user owner.User) (map[string]int, error) {
	held, err := e.store.Holdings(ctx, user)
	if err != nil {
		return nil, fmt.Errorf("read connections: %w", err)
	}
	transactions, err := e.store.CountTransactions(ctx, user)
	if err != nil {
		return nil, fmt.Errorf("count transactions: %w", err)
	}
	return map[string]int{
		CountConnections: len(held.All), CountAccounts: len(accountsOf(held.All)),
		CountTransactions: transactions,
	}, nil
}

// Erase creates one job for each connection that Close has hidden; the job ends the
// connection's consents and deletes it. When all connections are gone, Erase deletes
// the rest and returns true.
func (e *Eraser) Erase(ctx context.Context, user owner.User) (bool, error) {
	left, err := e.forEach(ctx, user, func(c Connection, now time.Time) error {
		if c.Reason != ReasonUserErased {
			return nil // the job exists already
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

// forEach calls do for each of the user's connections, and returns their number. If a
// write loses a race, it starts over with all of them.
func (e *Eraser) forEach(ctx context.Context, user owner.User, do func(Connection, time.Time) error) (int, error) {
	err := outcome.ErrChanged
	for try := 0; try < changeTries && errors.Is(err, outcome.ErrChanged); try++ {
		var held Holdings
		if held, err = e.store.Holdings(ctx, user); err != nil {
			return 0, fmt.Errorf("read connections: %w", err)
		}
		now := clock.Now(ctx, e.now)
		for _, h := range held.All {
			err = errors.Join(err, do(h.Connection, now))
		}
		if err == nil {
			return len(held.All), nil
		}
	}
	return 0, fmt.Errorf("save connections: %w", err)
}
