package pfmdb

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"aviso/internal/dynamo"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/internal/pfm"
)

// overrideTries is how often an override looks again at a row, or at aggregates,
// that a sync is writing at the same time.
const overrideTries = 5

// OverrideCategory changes the row's category together with the
// aggregates and its group. What it means for other rows, the next sync writes.
func (s *Store) OverrideCategory(ctx context.Context, user owner.User, id string, c pfm.Category, now time.Time) (pfm.Transaction, error) {
	err := pfm.ErrRowChanged
	for try := 0; try < overrideTries && errors.Is(err, pfm.ErrRowChanged); try++ {
		if err := pause(ctx, try); err != nil {
			return pfm.Transaction{}, err
		}
		var found, was pfm.Transaction
		if found, err = s.Transaction(ctx, user, id); err != nil {
			return pfm.Transaction{}, err
		}
		// The index may be behind; the row itself is read again.
		if was, err = s.row(ctx, user, found); errors.Is(err, outcome.ErrNotFound) {
			err = pfm.ErrRowChanged
			continue
		} else if err != nil {
			return pfm.Transaction{}, err
		}
		is := was
		is.Category, is.Source, is.RuleID, is.UpdatedAt = c, pfm.SourceOverride, "", now
		change := []pfm.RowChange{{Old: &was, New: is}}
		if err = s.saveChunk(ctx, user, change, nil); err == nil {
			is = change[0].New // with the label that the category leads to
			is.Revision++
			return is, nil
		}
	}
	return pfm.Transaction{}, err
}

// pause lets others go first who write for the same user, the longer the more
// often that has failed. Without chance they would meet again.
func pause(ctx context.Context, try int) error {
	if try == 0 {
		return nil
	}
	timer := time.NewTimer(time.Duration(rand.Int64N(int64(10 * time.Millisecond << try)))) //nolint:gosec // no secret
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// row reads a row by its key, consistently.
func (s *Store) row(ctx context.Context, user owner.User, t pfm.Transaction) (pfm.Transaction, error) {
	pk, sk := rowKey(user, t.RecordDate, t.ID)
	item, err := dynamo.LegacyGetItem(ctx, s.db, s.table, pk, sk, true)
	if err != nil {
		return pfm.Transaction{}, translate(err)
	}
	return toTransaction(user, dynamo.NewRow(item))
}
