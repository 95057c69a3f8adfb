package pfmdb

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"aviso/internal/clock"
	"aviso/internal/dynamo/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/transaction"
)

// overrideTries is how often an override is tried when a sync keeps writing the
// same row or aggregates.
const overrideTries = 8

// OverrideCategory changes the row's category together with the aggregates and its
// group. If that changes the labels of other rows, the next sync writes them. A choice for the
// merchant, and the job that applies it, are in the same transaction.
func (s *Store) OverrideCategory(
	ctx context.Context, user owner.User, id string, c pfm.Category, forMerchant bool, now time.Time,
) (transaction.Transaction, error) {
	return s.change(ctx, user, id, now, func(old transaction.Transaction, x *numberedWrite) (transaction.Transaction, error) {
		if !forMerchant {
			return old.Choose(c), nil
		}
		party := old.Party()
		if party == "" {
			return old, transaction.ErrNoParty
		}
		s.addChoice(ctx, x, user, party, c.SubcategoryID)
		return old.ChooseForMerchant(c), nil
	})
}

// change changes the category of a row, and tries again if somebody else does so at the
// same time. apply returns the new row, and adds the other rows that the transaction writes.
func (s *Store) change(
	ctx context.Context, user owner.User, id string, now time.Time,
	apply func(old transaction.Transaction, x *numberedWrite) (transaction.Transaction, error),
) (transaction.Transaction, error) {
	for try := range overrideTries {
		if err := pause(ctx, try); err != nil {
			return transaction.Transaction{}, err
		}
		t, err := s.changeOnce(ctx, user, id, now, apply)
		if !errors.Is(err, pfm.ErrRowChanged) {
			return t, err
		}
	}
	return transaction.Transaction{}, pfm.ErrRowChanged
}

func (s *Store) changeOnce(
	ctx context.Context, user owner.User, id string, now time.Time,
	apply func(old transaction.Transaction, x *numberedWrite) (transaction.Transaction, error),
) (transaction.Transaction, error) {
	old, err := s.Transaction(ctx, user, id) // if the index is out of date, the revision is another one
	if err != nil {
		return transaction.Transaction{}, err
	}
	change := []transaction.RowChange{{Old: &old}}
	w := rowWriter{Store: s, user: user}
	err = w.save(ctx, change, func(x *numberedWrite) error {
		updated, err := apply(old, x)
		if err != nil {
			return err
		}
		updated.UpdatedAt = now
		change[0].New = updated
		return w.addDerived(ctx, &x.Transaction, change)
	})
	if err != nil {
		return transaction.Transaction{}, err
	}
	updated := change[0].New // with the label that follows from the category
	updated.Revision++
	return updated, nil
}

// pause waits before a retry, so that other writers for the same user can finish.
// It doubles the bound with each try and waits a random time below it: with equal
// pauses, two writers would collide again.
func pause(ctx context.Context, try int) error {
	if try == 0 {
		return nil
	}
	clock.Wait(ctx, rand.N(10*time.Millisecond<<try)) //nolint:gosec // no secret
	return ctx.Err()
}
