package pfm

import (
	"context"
	"errors"
	"fmt"

	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// Delete takes the connection away from everybody at once. Its consent, its
// accounts and its transactions go as soon as bank-sync gets to it.
func (s *Connections) Delete(ctx context.Context, user owner.User, id string) error {
	_, err := s.change(ctx, user, id, func(c *Connection) ([]SyncJob, error) {
		c.move(ConnectionDeleting, ReasonNone, clock.Read(s.now))
		return []SyncJob{c.job(JobDelete)}, nil
	})
	return err
}

// Deleter ends consents, and deletes connections with their data.
type Deleter struct {
	store Store
	bank  Supplier
}

// NewDeleter wires the service.
func NewDeleter(store Store, bank Supplier) *Deleter {
	return &Deleter{store: store, bank: bank}
}

// Delete finishes what Connections.Delete began. The data goes first, since a
// bank may take its time; the connection goes last, since it knows the consents.
// A bank that will not end them keeps nothing from being deleted.
func (s *Deleter) Delete(ctx context.Context, job SyncJob, attempt int) error {
	err := s.delete(ctx, job, attempt)
	var later *outcome.Later
	if err == nil || errors.As(err, &later) {
		return err
	}
	return &outcome.Later{After: retryDelay(attempt, nil), Err: err}
}

func (s *Deleter) delete(ctx context.Context, job SyncJob, attempt int) error {
	c, err := s.store.DeletingConnection(ctx, job.Owner(), job.ConnectionID)
	if errors.Is(err, outcome.ErrNotFound) {
		return nil // done already
	}
	if err != nil {
		return fmt.Errorf("read connection: %w", err)
	}
	if err := s.store.DeleteData(ctx, c.Owner, c.ID); err != nil {
		return fmt.Errorf("delete data: %w", err)
	}
	for id := range c.consents() {
		if err := s.end(ctx, c.ProviderID, id, attempt); err != nil {
			return err
		}
	}
	if err := s.store.DeleteConnection(ctx, c); err != nil {
		return fmt.Errorf("delete connection: %w", err)
	}
	return nil
}

// EndConsent ends the consent that the job names.
func (s *Deleter) EndConsent(ctx context.Context, job SyncJob, attempt int) error {
	return s.end(ctx, job.ProviderID, job.ConsentID, attempt)
}

// end asks the bank to end a consent, and asks again as long as that may help.
func (s *Deleter) end(ctx context.Context, providerID, consentID string, attempt int) error {
	provider, err := s.store.Provider(ctx, providerID)
	if errors.Is(err, outcome.ErrNotFound) {
		return nil // there is nobody left to ask
	}
	if err != nil {
		return fmt.Errorf("read provider: %w", err)
	}
	err = s.bank.EndConsent(ctx, provider.Endpoint, consentID)
	var bank *SupplierError
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &bank):
		return fmt.Errorf("end consent: %w", err)
	case bank.Temporary() && attempt < MaxSyncAttempts:
		return &outcome.Later{After: retryDelay(attempt, bank), Err: err}
	default:
		return nil // the call to the bank is in the log; the consent runs out by itself
	}
}
