package pfmdb

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"time"

	"aviso/internal/clock"
	"aviso/internal/dynamo"
	"aviso/internal/dynamo/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/recurrence"
	"aviso/internal/pfm/transaction"
)

// overrideTries is how often an override is tried when a sync keeps writing the
// same row or aggregates.
const overrideTries = 8

// OverrideCategory changes the row's category together with the aggregates and its
// group. If that changes the labels of other rows, the next sync writes them.
func (s *Store) OverrideCategory(
	ctx context.Context, user owner.User, id string, c pfm.Category, now time.Time,
) (transaction.Transaction, error) {
	return s.change(ctx, user, id, now, func(old transaction.Transaction, _ *numberedWrite) (transaction.Transaction, error) {
		return old.Choose(c), nil
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
	found, err := s.Transaction(ctx, user, id)
	if err != nil {
		return transaction.Transaction{}, err
	}
	old, known, err := s.readForChange(ctx, user, found)
	if err != nil {
		return transaction.Transaction{}, err
	}
	change := []transaction.RowChange{{Old: &old}}
	w := rowWriter{Store: s, user: user, kept: &known}
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

// readForChange reads the row, because the index may be out of date, and with the same call
// what a changed category changes: the number of the last change, the sums by category, and the
// group. If the index is out of date, the writer reads what is missing here.
func (s *Store) readForChange(
	ctx context.Context, user owner.User, found transaction.Transaction,
) (old transaction.Transaction, known kept, err error) {
	keys := []dynamo.Key{rowKey(user, found.RecordDate, found.ID), sequenceKey(user)}
	known.sums, known.groups = map[transaction.AggregateID]transaction.Aggregate{}, map[recurrence.ID]*group{}
	for _, id := range found.SumsByCategory() {
		known.sums[id], keys = newAggregate(id), append(keys, aggregateKey(user, id))
	}
	for id := range recurrence.Touched([]transaction.RowChange{{New: found}}) {
		known.groups[id], keys = &group{id: id}, append(keys, groupKey(user, id))
	}
	rows, err := s.table.Rows(ctx, keys)
	if err != nil {
		return old, known, err
	}
	for _, row := range rows {
		switch sk := dynamo.KeyOf(row).SK; {
		case strings.HasPrefix(sk, rowPrefix):
			old, err = toTransaction(user, row)
		case strings.HasPrefix(sk, groupPrefix):
			var g *group
			if g, err = toGroup(row); err == nil {
				known.groups[g.id] = g
			}
		case strings.HasPrefix(sk, aggregatePrefix):
			var a transaction.Aggregate
			a, err = toAggregate(row)
			known.sums[a.ID] = a
		default:
			known.numbers, err = dynamo.Decode[sequence](row)
		}
		if err != nil {
			return old, known, err
		}
	}
	if old.ID == "" {
		return old, known, pfm.ErrRowChanged
	}
	return old, known, nil
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
