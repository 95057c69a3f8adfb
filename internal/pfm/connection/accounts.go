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

// AccountPage is a page of accounts, and the position of the next page.
type AccountPage struct {
	Accounts []AccountView
	Next     string
}

// Accounts returns a page of the user's accounts.
func (s *Connections) Accounts(ctx context.Context, user owner.User, limit int, position string) (AccountPage, error) {
	return owner.Read(ctx, s.Gate, user, func(ctx context.Context) (AccountPage, error) {
		page, next, err := s.Store.AccountViews(ctx, user, limit, position)
		for i := range page {
			page[i].Connection = page[i].Connection.At(clock.Now(ctx, s.Now))
		}
		return AccountPage{Accounts: page, Next: next}, err
	})
}
