package connection

import (
	"context"

	"aviso/internal/clock"
	"aviso/internal/dynamo/owner"
	"aviso/internal/pfm"
)

// AccountView is an account with its connection.
type AccountView struct {
	Account    pfm.Account
	Connection Connection
}

// Accounts returns a page of the user's accounts.
func (s *Connections) Accounts(
	ctx context.Context, user owner.User, limit int, position string,
) (pfm.Page[AccountView], error) {
	return owner.Read(ctx, s.Gate, user, func(ctx context.Context) (pfm.Page[AccountView], error) {
		page, next, err := s.Store.AccountViews(ctx, user, limit, position)
		for i := range page {
			page[i].Connection = page[i].Connection.At(clock.Now(ctx, s.Now))
		}
		return pfm.Page[AccountView]{Items: page, Next: next}, err
	})
}
