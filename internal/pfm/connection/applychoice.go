package connection

import (
	"context"
	"errors"
	"fmt"
	"time"

	"aviso/internal/clock"
	"aviso/internal/dynamo/outcome"
	"aviso/internal/dynamo/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/transaction"
)

// applyChoice brings all rows of a party into line with the user's choice for it, or with
// its absence.
func (s *Syncer) applyChoice(ctx context.Context, job SyncJob) error {
	err := pfm.ErrRowChanged
	for try := 0; try < saveTries && errors.Is(err, pfm.ErrRowChanged); try++ {
		err = s.applyChoiceOnce(ctx, job.Owner(), job.Party)
	}
	if err != nil {
		return &outcome.Later{After: 30 * time.Second, Err: fmt.Errorf("apply choice: %w", err)}
	}
	return nil
}

func (s *Syncer) applyChoiceOnce(ctx context.Context, user owner.User, party string) error {
	held, err := s.store.Holdings(ctx, user)
	if err != nil {
		return err
	}
	rows, err := s.store.PartyTransactions(ctx, user, party)
	if err != nil {
		return err
	}
	now := clock.Now(ctx, s.now)
	var changes []transaction.RowChange
	for _, old := range rows {
		if next := held.Choices.With(old); !next.SameAs(old) {
			next.UpdatedAt = now
			changes = append(changes, transaction.RowChange{Old: &old, New: next})
		}
	}
	return s.store.SaveChoices(ctx, user, held.ChoicesMade, changes)
}

// chooseAgain applies the user's choices for merchants as they are now.
func (s *Syncer) chooseAgain(ctx context.Context, lease *Lease, st transaction.Statement) error {
	held, err := s.store.Holdings(ctx, st.Owner)
	if err != nil {
		return fmt.Errorf("read choices: %w", err)
	}
	lease.ChoicesMade = held.ChoicesMade
	for i := range st.Rows {
		st.Rows[i] = held.Choices.With(st.Rows[i])
	}
	return nil
}
