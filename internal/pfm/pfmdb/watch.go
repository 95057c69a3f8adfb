package pfmdb

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strings"
	"time"

	"aviso/internal/dynamo"
	"aviso/internal/dynamo/owner"
	"aviso/internal/messaging/outbox"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/contract"
)

// dueWatch is the kind of work on watches in the index `due`.
const dueWatch = "Watch"

// Watch reads a watch consistently.
func (s *Store) Watch(ctx context.Context, user owner.User, cancellationID string) (contract.Watch, error) {
	row, err := s.table.Row(ctx, watchKey(user, cancellationID))
	if err != nil {
		return contract.Watch{}, err
	}
	return toWatch(row)
}

// Watches reads the user's watches with one query.
func (s *Store) Watches(ctx context.Context, user owner.User) ([]contract.Watch, error) {
	return dynamo.Collect(s.table.Query(ctx, dynamo.Query{
		Partition: user.Key(), Sort: dynamo.Prefix(watchPrefix), Eventual: true,
	}), toWatch)
}

// DueWatches finds the watches that are due in the index, then reads them.
func (s *Store) DueWatches(ctx context.Context, shard int, until time.Time) iter.Seq2[contract.Watch, error] {
	return dynamo.Convert(s.due.Rows(ctx, s.table, dueWatch, shard, until), toWatch)
}

// WatchedAccounts reads the user's Holdings.
func (s *Store) WatchedAccounts(
	ctx context.Context, user owner.User,
) ([]contract.Watch, map[string]contract.WatchedAccount, error) {
	held, err := s.Holdings(ctx, user)
	accounts := map[string]contract.WatchedAccount{}
	for _, h := range held.All {
		for _, a := range h.Accounts {
			accounts[a.ID] = contract.WatchedAccount{IsActive: h.Connection.IsActive(), LastSuccessAt: h.Connection.LastSuccessAt}
		}
	}
	return held.Watches, accounts, err
}

// SaveWatch replaces the version of the watch that was read as w, in one transaction with the
// report.
func (s *Store) SaveWatch(ctx context.Context, w contract.Watch, report *contract.OutcomeJob) error {
	return s.saveWatch(ctx, w, func(x *dynamo.Transaction) {
		if report != nil {
			outbox.Put(ctx, x, s.outbox, outbox.Message{ID: s.newID(), Queue: outbox.LetterQueue, Body: report}, s.now())
		}
	})
}

// WakeWatch replaces the version of the watch that was read as w, in one transaction with the job.
func (s *Store) WakeWatch(ctx context.Context, w contract.Watch, job connection.SyncJob) error {
	return s.saveWatch(ctx, w, func(x *dynamo.Transaction) { s.addJobs(ctx, x, []connection.SyncJob{job}) })
}

func (s *Store) saveWatch(ctx context.Context, w contract.Watch, add func(*dynamo.Transaction)) error {
	var x dynamo.Transaction
	s.addDue(&x, watchKey(w.Owner, w.CancellationID), dueRow{
		ownerRow: toOwnerRow(w.Owner), Version: w.Version, DueKind: s.due.Key(dueWatch, w.CancellationID),
	}, w, w.DueAt)
	add(&x)
	return s.users.Commit(ctx, &x, w.Owner)
}

// toWatch decodes a dueRow.
func toWatch(row dynamo.Item) (contract.Watch, error) {
	var w contract.Watch
	r, err := dynamo.Decode[dueRow](row)
	if err == nil {
		err = json.Unmarshal([]byte(r.Text), &w)
	}
	if err != nil {
		return w, fmt.Errorf("watch row: %w", err)
	}
	w.CancellationID, w.Owner = strings.TrimPrefix(r.SK, watchPrefix), r.owner()
	w.Version = r.Version
	return w, nil
}
