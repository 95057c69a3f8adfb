package pfm

import (
	"context"
	"errors"
	"time"

	"aviso/internal/api/apierror"
	"aviso/internal/clock"
	"aviso/internal/dynamo/outcome"
	"aviso/internal/dynamo/owner"
)

// Reading returns the accounts and transactions that we have read from banks.
type Reading struct {
	store Store
	gate  owner.Gate
	now   func() time.Time
}

// NewReading returns the service for users that g admits.
func NewReading(store Store, g owner.Gate, now func() time.Time) *Reading {
	return &Reading{store: store, gate: g, now: now}
}

// AccountPage is a page of accounts, and the position of the next page.
type AccountPage struct {
	Accounts []AccountView
	Next     string
}

// Accounts returns a page of the user's accounts.
func (s *Reading) Accounts(ctx context.Context, user owner.User, limit int, position string) (AccountPage, error) {
	return owner.Read(ctx, s.gate, user, func(ctx context.Context) (AccountPage, error) {
		page, next, err := s.store.AccountViews(ctx, user, limit, position)
		for i := range page {
			page[i].Connection = page[i].Connection.At(clock.Now(ctx, s.now))
		}
		return AccountPage{Accounts: page, Next: next}, err
	})
}

// TransactionPage is a page of transactions, and the position of the next page.
type TransactionPage struct {
	Transactions []Transaction
	Next         string
}

// Transactions returns a page of the user's matching transactions, newest first.
func (s *Reading) Transactions(
	ctx context.Context, user owner.User, f TransactionFilter, limit int, position string,
) (TransactionPage, error) {
	return owner.Read(ctx, s.gate, user, func(ctx context.Context) (TransactionPage, error) {
		page, next, err := s.store.Transactions(ctx, user, f, limit, position)
		return TransactionPage{Transactions: page, Next: next}, err
	})
}

// Transaction returns one of the user's transactions.
func (s *Reading) Transaction(ctx context.Context, user owner.User, id string) (Transaction, error) {
	return owner.Read(ctx, s.gate, user, func(ctx context.Context) (Transaction, error) {
		t, err := s.store.Transaction(ctx, user, id)
		return t, transactionError(err)
	})
}

// Categorise sets a transaction's category to the user's choice, an L1 or L2 ID. The
// choice is kept when the transaction is fetched again.
func (s *Reading) Categorise(ctx context.Context, user owner.User, id string, category int) (Transaction, error) {
	return s.choose(ctx, user, id, category, s.store.OverrideCategory)
}

// CategoriseMerchant sets the category of a transaction and of all others with its
// merchant, now and in the future. The others follow within moments.
func (s *Reading) CategoriseMerchant(
	ctx context.Context, user owner.User, id string, category int,
) (Transaction, error) {
	return s.choose(ctx, user, id, category, s.store.ChooseForMerchant)
}

// Uncategorise takes the user's choice for a transaction back: that for its merchant, if
// it was one.
func (s *Reading) Uncategorise(ctx context.Context, user owner.User, id string) error {
	if err := s.gate.Admit(ctx, user); err != nil {
		return err
	}
	return transactionError(s.store.TakeBackChoice(ctx, user, id, clock.Now(ctx, s.now)))
}

func (s *Reading) choose(
	ctx context.Context, user owner.User, id string, category int,
	save func(ctx context.Context, user owner.User, id string, c Category, now time.Time) (Transaction, error),
) (Transaction, error) {
	if err := s.gate.Admit(ctx, user); err != nil {
		return Transaction{}, err
	}
	c, known := CategoryOf(category)
	if !known {
		return Transaction{}, apierror.Invalid(
			apierror.Field{
				Pointer: "/categoryId", Code: "unknown",
				Detail: "Send an ID that GET /openbanking/v1/categories lists.",
			},
		)
	}
	t, err := save(ctx, user, id, c, clock.Now(ctx, s.now))
	return t, transactionError(err)
}

func transactionError(err error) error {
	switch {
	case errors.Is(err, outcome.ErrNotFound):
		return apierror.New(apierror.NotFound, "The user has no transaction with this ID.")
	case errors.Is(err, ErrRowChanged):
		return &apierror.Error{
			Code: apierror.TemporarilyUnavailable, RetryAfter: time.Second,
			Detail: "The user's transactions are being updated. Try again.",
		}
	case errors.Is(err, ErrNoParty):
		return apierror.Invalid(apierror.Field{
			Pointer: "/applyTo", Code: "no_merchant",
			Detail: "The transaction has neither a merchant nor a counterparty's name. Leave applyTo out.",
		})
	default:
		return err
	}
}
