package transaction

import (
	"context"
	"errors"
	"time"

	"aviso/internal/api/apierror"
	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/internal/pfm"
)

// Store stores transactions. Its methods return outcome.ErrNotFound if there is no such row.
type Store interface {
	// Transactions returns a page of the user's matching transactions, newest first. If
	// few match, a page may be short although another follows. It reads only the
	// attributes that partners see.
	Transactions(
		ctx context.Context, user owner.User, f Filter, limit int, position string,
	) (page []Transaction, next string, err error)
	// Changes returns up to limit changes after a position, in order.
	Changes(ctx context.Context, user owner.User, since ChangePosition, limit int) (ChangePage, error)
	Transaction(ctx context.Context, user owner.User, id string) (Transaction, error)
	// OverrideCategory sets a transaction's category to the user's choice. If that is for the
	// merchant, it keeps it as the choice for the transaction's merchant, with the job that applies
	// it to the merchant's other rows, or returns ErrNoParty if the transaction has no merchant
	// and no counterparty. It returns ErrRowChanged if concurrent writes to the user's transactions
	// keep winning.
	OverrideCategory(
		ctx context.Context, user owner.User, id string, c pfm.Category, forMerchant bool, now time.Time,
	) (Transaction, error)
	// TakeBackChoice takes the user's choice for a transaction back. If it was one for the
	// merchant, it deletes that choice, with the job that takes it from the other rows.
	TakeBackChoice(ctx context.Context, user owner.User, id string, now time.Time) error
	// Aggregates returns the user's aggregates at a level. The months are inclusive;
	// empty means no bound. LevelAllTime has no months.
	Aggregates(ctx context.Context, user owner.User, level Level, fromMonth, toMonth string) ([]Aggregate, error)
}

// Reading returns the transactions that we have read from banks, and sums them.
type Reading struct {
	store Store
	gate  owner.Gate
	now   func() time.Time
}

// NewReading returns the service for users that g admits.
func NewReading(store Store, g owner.Gate, now func() time.Time) *Reading {
	return &Reading{store: store, gate: g, now: now}
}

// Transactions returns a page of the user's matching transactions, newest first.
func (s *Reading) Transactions(
	ctx context.Context, user owner.User, f Filter, limit int, position string,
) (pfm.Page[Transaction], error) {
	return owner.Read(ctx, s.gate, user, func(ctx context.Context) (pfm.Page[Transaction], error) {
		page, next, err := s.store.Transactions(ctx, user, f, limit, position)
		return pfm.Page[Transaction]{Items: page, Next: next}, err
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
// choice is kept when the transaction is fetched again. One for the merchant also sets the category
// of all others with its merchant, now and in the future. They follow within moments.
func (s *Reading) Categorise(
	ctx context.Context, user owner.User, id string, category int, forMerchant bool,
) (Transaction, error) {
	if err := s.gate.Admit(ctx, user); err != nil {
		return Transaction{}, err
	}
	c, known := pfm.CategoryOf(category)
	if !known {
		return Transaction{}, apierror.Invalid(apierror.Field{
			Pointer: "/categoryId", Code: "unknown", Detail: "Send an ID that GET /openbanking/v1/categories lists.",
		})
	}
	t, err := s.store.OverrideCategory(ctx, user, id, c, forMerchant, clock.Now(ctx, s.now))
	return t, transactionError(err)
}

// Uncategorise takes the user's choice for a transaction back: that for its merchant, if
// it was one.
func (s *Reading) Uncategorise(ctx context.Context, user owner.User, id string) error {
	if err := s.gate.Admit(ctx, user); err != nil {
		return err
	}
	return transactionError(s.store.TakeBackChoice(ctx, user, id, clock.Now(ctx, s.now)))
}

func transactionError(err error) error {
	switch {
	case errors.Is(err, outcome.ErrNotFound):
		return apierror.New(apierror.NotFound, "The user has no transaction with this ID.")
	case errors.Is(err, pfm.ErrRowChanged):
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
