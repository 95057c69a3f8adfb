package connection

import (
	"context"
	"errors"
	"fmt"

	"aviso/internal/clock"
	"aviso/internal/dynamo/outcome"
	"aviso/internal/dynamo/owner"
)

// Reconnect prepares a new authorisation for an existing connection, which keeps its ID
// and the IDs of its accounts.
func (s *Connections) Reconnect(ctx context.Context, user owner.User, id, returnURL string) (Connection, error) {
	return s.change(ctx, user, id, func(c *Connection) ([]SyncJob, error) {
		provider, err := s.Store.Provider(ctx, c.ProviderID)
		if err != nil && !errors.Is(err, outcome.ErrNotFound) {
			return nil, fmt.Errorf("read provider: %w", err)
		}
		to, err := s.mayConnect(ctx, user.Partner, provider, returnURL)
		if err != nil {
			return nil, err
		}
		old, now := *c, clock.Now(ctx, s.Now)
		*c = c.At(now)
		c.openLink(provider, to, s.NewSecret(), now)
		return old.endConsents(*c), nil
	})
}
