package pfmdb

import (
	"context"
	"errors"
	"strings"
	"time"

	"aviso/internal/dynamo"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/internal/pfm"
)

// choiceRow is the category that a user has chosen for a merchant.
type choiceRow struct {
	Subcategory int `dynamodbav:"k"`
}

// ChooseForMerchant changes the row in one transaction with the choice and the job.
func (s *Store) ChooseForMerchant(
	ctx context.Context, user owner.User, id string, c pfm.Category, now time.Time,
) (pfm.Transaction, error) {
	return s.change(ctx, user, id, now, func(old pfm.Transaction, x *dynamo.Transaction) (pfm.Transaction, error) {
		party := old.Party()
		if party == "" {
			return old, pfm.ErrNoParty
		}
		x.Put(s.table, choiceKey(user, party), choiceRow{c.SubcategoryID})
		s.addChoiceJob(ctx, x, user, party)
		return old.ChooseForMerchant(c), nil
	})
}

// TakeBackChoice changes the row in one transaction with the choice for its merchant and
// the job. It changes nothing if the user has not chosen the row's category.
func (s *Store) TakeBackChoice(ctx context.Context, user owner.User, id string, now time.Time) error {
	_, err := s.change(ctx, user, id, now, func(old pfm.Transaction, x *dynamo.Transaction) (pfm.Transaction, error) {
		party := old.Party()
		switch {
		case old.Source != pfm.SourceOverride:
			return old, errNothingChosen
		case old.IsChosenForMerchant():
			x.Delete(s.table, choiceKey(user, party))
			s.addChoiceJob(ctx, x, user, party)
			return old.Unchosen(), nil
		}
		choices, err := s.ChoiceFor(ctx, user, party)
		return choices.With(old.Unchosen()), err
	})
	if errors.Is(err, errNothingChosen) {
		return nil
	}
	return err
}

var errNothingChosen = errors.New("the user has not chosen the category")

func (s *Store) addChoiceJob(ctx context.Context, x *dynamo.Transaction, user owner.User, party string) {
	s.addJobs(ctx, x, []pfm.SyncJob{
		{Action: pfm.JobApplyChoice, Partner: user.Partner, User: user.ID, Party: party},
	})
}

// ChoiceFor reads the user's choice for a party.
func (s *Store) ChoiceFor(ctx context.Context, user owner.User, party string) (pfm.Choices, error) {
	if party == "" {
		return pfm.Choices{}, nil
	}
	row, err := s.table.Row(ctx, choiceKey(user, party))
	if errors.Is(err, outcome.ErrNotFound) {
		return pfm.Choices{}, nil
	}
	if err != nil {
		return nil, err
	}
	return pfm.Choices{party: int(row.Int("k"))}, row.Err()
}

// PartyTransactions reads the rows of a merchant from their index. It looks for those of
// a counterparty among all rows.
func (s *Store) PartyTransactions(ctx context.Context, user owner.User, party string) ([]pfm.Transaction, error) {
	if id, ok := strings.CutPrefix(party, "M#"); ok {
		return s.rows(ctx, user, byMerchant(), dynamo.Prefix(id+"#"))
	}
	var found []pfm.Transaction
	for row, err := range s.table.Query(ctx, dynamo.Query{Partition: user.Key(), Sort: dynamo.Prefix(rowPrefix)}) {
		if err != nil {
			return nil, err
		}
		t, err := toTransaction(user, row)
		if err != nil {
			return nil, err
		}
		if t.Party() == party {
			found = append(found, t)
		}
	}
	return found, nil
}

// SaveChoices writes changed categories in chunks of one transaction each.
func (s *Store) SaveChoices(ctx context.Context, user owner.User, rows []pfm.RowChange) error {
	return s.saveInChunks(ctx, rowWriter{Store: s, user: user}, rows)
}
