package connection

import (
	"context"
	"errors"
	"fmt"
	"time"

	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/internal/pfm"
)

// Delete hides the connection from everybody at once. The bank-sync function then ends
// its consent and deletes its accounts and transactions.
func (s *Connections) Delete(ctx context.Context, user owner.User, id string) error {
	_, err := s.change(ctx, s.AnyUser, user, id, nil, func(c *Connection) ([]SyncJob, error) {
		c.transition(Deleting, ReasonNone, clock.Now(ctx, s.Now))
		return []SyncJob{c.job(JobDelete)}, nil
	})
	return err
}

// DeletionStore deletes connections.
type DeletionStore interface {
	Provider(ctx context.Context, id string) (pfm.Provider, error)
	// AnyConnection is like Connection, but also returns a connection that is being deleted.
	AnyConnection(ctx context.Context, user owner.User, id string) (Connection, error)
	// DeleteData deletes the connection's accounts and transactions, in chunks. Call it
	// again after a failure to delete the rest.
	DeleteData(ctx context.Context, user owner.User, connectionID string) error
	// DeleteConnection deletes the connection itself.
	DeleteConnection(ctx context.Context, c Connection) error
}

// Delete finishes what Connections.Delete started. It deletes the data first, because
// the bank may be slow, and the connection last, because it holds the IDs of the
// consents. A bank that refuses to end a consent does not block the deletion.
func (s *Jobs) Delete(ctx context.Context, job SyncJob, attempt int) error {
	err := s.delete(ctx, job, attempt)
	var later *outcome.Later
	if err == nil || errors.As(err, &later) {
		return err
	}
	return &outcome.Later{After: retryDelay(attempt, 0), Err: err}
}

func (s *Jobs) delete(ctx context.Context, job SyncJob, attempt int) error {
	c, err := s.store.AnyConnection(ctx, job.Owner(), job.ConnectionID)
	if errors.Is(err, outcome.ErrNotFound) || err == nil && c.Status != Deleting {
		return nil // done already
	}
	if err != nil {
		return fmt.Errorf("read connection: %w", err)
	}
	if err := s.store.DeleteData(ctx, c.Owner, c.ID); err != nil {
		return fmt.Errorf("delete data: %w", err)
	}
	for _, session := range c.consents() {
		if err := s.endAtBank(ctx, c.ProviderID, session, attempt); err != nil {
			return err
		}
	}
	if err := s.store.DeleteConnection(ctx, c); err != nil {
		return fmt.Errorf("delete connection: %w", err)
	}
	return nil
}

// endAtBank asks the bank to end a consent, with retries if they may help.
func (s *Jobs) endAtBank(ctx context.Context, providerID string, session pfm.Session, attempt int) error {
	provider, err := s.store.Provider(ctx, providerID)
	if errors.Is(err, outcome.ErrNotFound) {
		return nil // the provider is gone, so there is nobody to ask
	}
	if err != nil {
		return fmt.Errorf("read provider: %w", err)
	}
	err = &pfm.SupplierError{Kind: pfm.SupplierUnavailable, Operation: "end consent"}
	if !s.watch.down {
		err = s.bank(provider.Endpoint).EndConsent(ctx, provider.Endpoint, session)
		s.watch.note(err)
	}
	switch bank := pfm.FailureOf(err); {
	case err == nil:
		return nil
	case bank.Kind == "":
		return fmt.Errorf("end consent: %w", err)
	case bank.Temporary() && attempt < MaxSyncAttempts:
		return &outcome.Later{After: retryDelay(attempt, bank.RetryAfter), Err: err, Normal: true}
	default:
		return nil // the call to the bank is in the log, and the consent expires anyway
	}
}

// The keys of the counts of an erasure.
const (
	CountConnections  = "connections"
	CountAccounts     = "accounts"
	CountTransactions = "transactions"
)

// EraserStore stores what an Eraser erases.
type EraserStore interface {
	DueWorkStore

	// CountTransactions counts the user's transactions.
	CountTransactions(ctx context.Context, user owner.User) (int, error)
	// DeleteRest deletes what is left of the user after all connections are deleted.
	DeleteRest(ctx context.Context, user owner.User) error
}

// Eraser erases users from the area. It deletes their connections as usual, which
// includes ending the consents at the bank, and then the rest. The caller repeats
// Erase until the connections are gone.
type Eraser struct {
	Store EraserStore
	Now   func() time.Time
}

// Close hides all of the user's connections: syncs that are running can no longer
// write. The data stays until it has been counted.
func (e *Eraser) Close(ctx context.Context, user owner.User) (bool, error) {
	_, err := e.forEach(ctx, user, func(c Connection, now time.Time) error {
		if !c.transition(Deleting, ReasonUserErased, now) {
			return nil // already being deleted
		}
		return e.Store.SaveConnection(ctx, c, nil)
	})
	return err == nil, err
}

// Count counts connections, accounts and transactions.
func (e *Eraser) Count(ctx context.Context, user owner.User) (map[string]int, error) {
	held, err := e.Store.Holdings(ctx, user)
	if err != nil {
		return nil, fmt.Errorf("read connections: %w", err)
	}
	transactions, err := e.Store.CountTransactions(ctx, user)
	if err != nil {
		return nil, fmt.Errorf("count transactions: %w", err)
	}
	return map[string]int{
		CountConnections: len(held.All), CountAccounts: len(accountsOf(held.All)), CountTransactions: transactions,
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
		return e.Store.SaveConnection(ctx, c, nil, c.job(JobDelete))
	})
	if err != nil || left > 0 {
		return false, err
	}
	if err := e.Store.DeleteRest(ctx, user); err != nil {
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
		if held, err = e.Store.Holdings(ctx, user); err != nil {
			return 0, fmt.Errorf("read connections: %w", err)
		}
		now := clock.Now(ctx, e.Now)
		for _, h := range held.All {
			err = errors.Join(err, do(h.Connection, now))
		}
		if err == nil {
			return len(held.All), nil
		}
	}
	return 0, fmt.Errorf("save connections: %w", err)
}
