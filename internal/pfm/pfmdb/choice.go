package pfmdb

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"aviso/internal/dynamo"
	"aviso/internal/dynamo/owner"
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
	// the Made of the sequence. Rows from before there was one have none, nor had it counted
	// them.
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
		choices, err := s.choiceFor(ctx, user, party)
		return choices.With(old.Unchosen()), err
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

func (s *Store) choiceFor(ctx context.Context, user owner.User, party string) (transaction.Choices, error) {
	if party == "" {
		return transaction.Choices{}, nil
	}
	r, err := orZero(dynamo.Get[choiceRow](ctx, s.table, choiceKey(user, party)))
	return transaction.Choices{party: r.Subcategory}, err
}

// PartyTransactions reads the rows of a merchant from their index. It looks for those of
// a counterparty among all rows.
func (s *Store) PartyTransactions(ctx context.Context, user owner.User, party string) ([]transaction.Transaction, error) {
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
