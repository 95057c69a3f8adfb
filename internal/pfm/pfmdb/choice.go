package pfmdb

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"aviso/internal/clock"
	"aviso/internal/dynamo"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/transaction"
)

// choiceRow stores a choice. It stays when the choice is taken back.
type choiceRow struct {
	dynamo.Key

	// Subcategory is 0 if the choice was taken back.
	Subcategory int `dynamodbav:"k"`
	// Made is how often the user has made or taken back the choice. All rows together have
	// the Made of the sequence.
	Made int64 `dynamodbav:"made"`
}

func (r choiceRow) party() string { return strings.TrimPrefix(r.SK, choicePrefix) }

// TakeBackChoice changes the row in one transaction with the choice for its merchant and
// the job. It changes nothing if the user has not chosen the row's category.
func (s *Store) TakeBackChoice(ctx context.Context, user owner.User, id string, now time.Time) error {
	_, err := s.change(ctx, user, id, now, func(old transaction.Transaction, x *numberedWrite) (transaction.Transaction, error) {
		party := old.Party()
		switch {
		case old.Source != pfm.SourceOverride:
			return old, errNothingChosen
		case old.IsChosenForMerchant():
			s.addChoice(ctx, x, user, party, 0)
			return old.Unchosen(), nil
		}
		r, err := orZero(dynamo.Get[choiceRow](ctx, s.table, choiceKey(user, party)))
		return transaction.Choices{party: r.Subcategory}.With(old.Unchosen()), err
	})
	if errors.Is(err, errNothingChosen) {
		return nil
	}
	return err
}

var errNothingChosen = errors.New("the user has not chosen the category")

func (s *Store) addChoice(ctx context.Context, x *numberedWrite, user owner.User, party string, subcategory int) {
	x.Made++
	x.Update(s.table, choiceKey(user, party), dynamo.Expr("SET k = ? ADD made ?", subcategory, 1))
	s.addJobs(ctx, &x.Transaction, []connection.SyncJob{
		{Action: connection.JobApplyChoice, Partner: user.Partner, User: user.ID, Party: party},
	})
}

// PartyTransactions reads the rows of a merchant from their index. It looks for those of
// a counterparty among all rows.
func (s *Store) PartyTransactions(
	ctx context.Context, user owner.User, party string,
) ([]transaction.Transaction, error) {
	if id, ok := strings.CutPrefix(party, "M#"); ok {
		return s.rows(ctx, user, byMerchant(), dynamo.Prefix(id+"#"))
	}
	rows, err := s.rows(ctx, user, dynamo.Index{}, dynamo.Prefix(rowPrefix))
	return slices.DeleteFunc(rows, func(t transaction.Transaction) bool { return t.Party() != party }), err
}

// SaveChoices writes changed categories in chunks of one transaction each.
func (s *Store) SaveChoices(ctx context.Context, user owner.User, made int64, rows []transaction.RowChange) error {
	return s.saveInChunks(ctx, rowWriter{Store: s, user: user, made: &made}, rows)
}

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
	w := rowWriter{Store: s, user: user}
	for try := range overrideTries {
		if err := pause(ctx, try); err != nil {
			return transaction.Transaction{}, err
		}
		old, err := s.Transaction(ctx, user, id) // if the index is out of date, the revision is another one
		if err != nil {
			return transaction.Transaction{}, err
		}
		change := []transaction.RowChange{{Old: &old}}
		err = w.save(ctx, change, func(x *numberedWrite) error {
			updated, err := apply(old, x)
			if err != nil {
				return err
			}
			updated.UpdatedAt = now
			change[0].New = updated
			return w.addDerived(ctx, &x.Transaction, change)
		})
		updated := change[0].New // with the label that follows from the category
		updated.Revision++
		if !errors.Is(err, pfm.ErrRowChanged) {
			return updated, err
		}
	}
	return transaction.Transaction{}, pfm.ErrRowChanged
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
