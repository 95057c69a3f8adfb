package connection

import (
	"context"
	"errors"
	"fmt"

	"aviso/internal/clock"
	"aviso/internal/dynamo/outcome"
	"aviso/internal/dynamo/owner"
	"aviso/internal/pfm"
)

// Delete hides the connection from everybody at once. The bank-sync function then ends
// its consent and deletes its accounts and transactions.
func (s *Connections) Delete(ctx context.Context, user owner.User, id string) error {
	_, err := s.change(ctx, user, id, func(c *Connection) ([]SyncJob, error) {
		c.transition(Deleting, ReasonNone, clock.Now(ctx, s.Now))
		return []SyncJob{c.job(JobDelete)}, nil
	})
	return err
}

// Delete finishes what Connections.Delete started. It deletes the data first, because
// the bank may be slow, and the connection last, because it holds the IDs of the
// consents. A bank that refuses to end a consent does not block the deletion.
func (s *Syncer) Delete(ctx context.Context, job SyncJob, attempt int) error {
	err := s.delete(ctx, job, attempt)
	var later *outcome.Later
	if err == nil || errors.As(err, &later) {
		return err
	}
	return &outcome.Later{After: retryDelay(attempt, nil), Err: err}
}

func (s *Syncer) delete(ctx context.Context, job SyncJob, attempt int) error {
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

// EndConsent ends the consent that the job names.
func (s *Syncer) EndConsent(ctx context.Context, job SyncJob, attempt int) error {
	session := pfm.Session{ConnectionID: job.ConnectionID, ConsentID: job.ConsentID, Secret: job.Secret}
	return s.endAtBank(ctx, job.ProviderID, session, attempt)
}

// endAtBank asks the bank to end a consent, with retries if they may help.
func (s *Syncer) endAtBank(ctx context.Context, providerID string, session pfm.Session, attempt int) error {
	provider, err := s.store.Provider(ctx, providerID)
	if errors.Is(err, outcome.ErrNotFound) {
		return nil // the provider is gone, so there is nobody to ask
	}
	if err != nil {
		return fmt.Errorf("read provider: %w", err)
	}
	bank := &pfm.SupplierError{Kind: pfm.SupplierUnavailable, Operation: "end consent"}
	if err = bank; !s.watch.down {
		err = s.bank(provider.Endpoint).EndConsent(ctx, provider.Endpoint, session)
		s.watch.note(err)
	}
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &bank):
		return fmt.Errorf("end consent: %w", err)
	case bank.Temporary() && attempt < MaxSyncAttempts:
		return &outcome.Later{After: retryDelay(attempt, bank), Err: err, Normal: true}
	default:
		return nil // the call to the bank is in the log, and the consent expires anyway
	}
}
