package pfm

import (
	"context"
	"errors"
	"fmt"
	"time"

	"aviso/internal/clock"
	"aviso/internal/dynamo/outcome"
	"aviso/internal/dynamo/owner"
)

// applyChoice brings all rows of a party into line with the user's choice for it, or with
// its absence.
func (s *Syncer) applyChoice(ctx context.Context, job SyncJob) error {
	err := ErrRowChanged
	for try := 0; try < saveTries && errors.Is(err, ErrRowChanged); try++ {
		err = s.applyChoiceOnce(ctx, job.Owner(), job.Party)
	}
	if err != nil {
		return &outcome.Later{After: 30 * time.Second, Err: fmt.Errorf("apply choice: %w", err)}
	}
	return nil
}

func (s *Syncer) applyChoiceOnce(ctx context.Context, user owner.User, party string) error {
	choices, made, err := s.store.Choices(ctx, user)
	if err != nil {
		return err
	}
	rows, err := s.store.PartyTransactions(ctx, user, party)
	if err != nil {
		return err
	}
	now := clock.Now(ctx, s.now)
	var changes []RowChange
	for _, old := range rows {
		if next := choices.With(old); !next.sameAs(old) {
			next.UpdatedAt = now
			changes = append(changes, RowChange{Old: &old, New: next})
		}
	}
	return s.store.SaveChoices(ctx, user, made, changes)
}

// chooseAgain applies the user's choices for merchants as they are now.
func (s *Syncer) chooseAgain(ctx context.Context, lease *Lease, st statement) error {
	choices, made, err := s.store.Choices(ctx, st.account.Owner)
	if err != nil {
		return fmt.Errorf("read choices: %w", err)
	}
	lease.ChoicesMade = made
	for i := range st.rows {
		st.rows[i] = choices.With(st.rows[i])
	}
	return nil
}
