package pfm

import (
	"context"
	"time"

	"aviso/internal/owner"
)

// Reading gives partners what has been read from banks.
type Reading struct {
	store AccountStore
	gate  Gate
	now   func() time.Time
}

// NewReading reads from store what gate lets pass.
func NewReading(store AccountStore, gate Gate, now func() time.Time) *Reading {
	return &Reading{store: store, gate: gate, now: now}
}

// AccountPage is a page of accounts, and the position of the following page.
type AccountPage struct {
	Accounts []AccountView
	Next     string
}

// Accounts is a page of the user's accounts.
func (s *Reading) Accounts(ctx context.Context, user owner.User, limit int, position string) (AccountPage, error) {
	return admitted(ctx, s.gate, user, func(ctx context.Context) (AccountPage, error) {
		page, next, err := s.store.AccountViews(ctx, user, limit, position)
		for i := range page {
			page[i].Connection = page[i].Connection.At(s.now())
		}
		return AccountPage{Accounts: page, Next: next}, err
	})
}

// TransactionPage is a page of transactions, and the position of the following
// page.
type TransactionPage struct {
	Transactions []Transaction
	Next         string
}

// Transactions is a page of the user's transactions, newest first.
func (s *Reading) Transactions(ctx context.Context, user owner.User, limit int, position string) (TransactionPage, error) {
	return admitted(ctx, s.gate, user, func(ctx context.Context) (TransactionPage, error) {
		page, next, err := s.store.Transactions(ctx, user, limit, position)
		return TransactionPage{Transactions: page, Next: next}, err
	})
}
