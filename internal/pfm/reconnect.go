package pfm

import (
	"context"
	"errors"
	"fmt"

	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// Reconnect prepares another way to the bank for a connection that is there,
// which keeps its id and those of its accounts.
func (s *Connections) Reconnect(ctx context.Context, user owner.User, id, returnURL string) (Connection, error) {
	return s.change(ctx, user, id, func(c *Connection) ([]SyncJob, error) {
		provider, err := s.store.Provider(ctx, c.ProviderID)
		if err != nil && !errors.Is(err, outcome.ErrNotFound) {
			return nil, fmt.Errorf("read provider: %w", err)
		}
		if err := s.mayConnect(ctx, user.Partner, provider, returnURL); err != nil {
			return nil, err
		}
		was, now := *c, clock.Read(s.now)
		*c = c.At(now)
		c.openLink(provider, returnURL, now)
		return was.endConsents(*c), nil
	})
}
