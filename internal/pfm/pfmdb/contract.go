package pfmdb

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"aviso/internal/clock"
	"aviso/internal/dynamo"
	"aviso/internal/messaging/outbox"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/contract"
)

// dueRow stores a watch, or the notes on a user's contracts.
type dueRow struct {
	dynamo.Key

	ownerRow

	// Text is JSON, because nobody looks for what is in it.
	Text    string `dynamodbav:"e,omitempty"`
	Version int64  `dynamodbav:"version"`
	// DueKind and DueAt put the row into the index `due`. They are empty if nothing is due, such
	// as for a watch that only syncs look after.
	DueKind string `dynamodbav:"dueKind,omitempty"`
	DueAt   string `dynamodbav:"dueAt,omitempty"`
}

// addDue replaces the version of a row that was read. at is when it is due; zero: never.
func (s *Store) addDue(x *dynamo.Transaction, key dynamo.Key, row dueRow, content any, at time.Time) {
	text, err := json.Marshal(content)
	if err != nil {
		x.Fail(fmt.Errorf("write %s: %w", key.SK, err))
	}
	row.Text, row.DueAt = string(text), dynamo.Time(at)
	if at.IsZero() {
		row.DueKind, row.DueAt = "", ""
	}
	row.Version++
	x.Put(s.table, key, row, dynamo.IfVersion(row.Version-1))
}

const (
	// dueContracts is the kind of the row's work in the index `due`.
	dueContracts = "Contracts"
	// contractDelay is how long after a new contract was found its deadline is computed. By
	// then the index that lists contracts has it.
	contractDelay = time.Minute
)

// ContractNotes reads the notes consistently.
func (s *Store) ContractNotes(ctx context.Context, user owner.User) (contract.Notes, error) {
	row, err := orZero(s.table.Row(ctx, contractsKey(user)))
	if err != nil {
		return contract.Notes{}, err
	}
	n, err := toContractNotes(row)
	n.Owner = user
	return n, err
}

// DueContracts finds the notes that are due in the index, then reads them.
func (s *Store) DueContracts(
	ctx context.Context, shard int, until time.Time,
) iter.Seq2[contract.Notes, error] {
	return dynamo.Convert(s.due.Rows(ctx, s.table, dueContracts, shard, until), toContractNotes)
}

// SaveContractNotes writes notes and events in one transaction.
func (s *Store) SaveContractNotes(ctx context.Context, n contract.Notes, events ...pfm.Event) error {
	var x dynamo.Transaction
	s.addContractNotes(&x, n)
	s.addEvents(ctx, &x, n.Owner, events)
	return s.users.Commit(ctx, &x, n.Owner)
}

// addContractNotes replaces the version of the notes that was read.
func (s *Store) addContractNotes(x *dynamo.Transaction, n contract.Notes) {
	s.addDue(x, contractsKey(n.Owner), dueRow{
		ownerRow: toOwnerRow(n.Owner), Version: n.Version, DueKind: s.due.Key(dueContracts, string(n.Owner.ID)),
	}, n, n.CheckAt)
}

// forgetContracts drops the notes on contracts whose payments are gone.
func (s *Store) forgetContracts(ctx context.Context, user owner.User) error {
	n, err := s.ContractNotes(ctx, user)
	if err != nil || n.Version == 0 {
		return err
	}
	groups, err := dynamo.Collect(s.table.Query(ctx, dynamo.Query{
		Partition: user.Key(), Sort: dynamo.Prefix(groupPrefix),
	}), toGroup)
	if err != nil {
		return err
	}
	left := map[string]bool{}
	for _, g := range groups {
		recurring, _ := g.record.Group.Recurring() // if a sum fails, Contracts still has the IDs
		for _, c := range recurring {
			left[c.ID] = true
		}
		for _, id := range g.record.Group.Contracts {
			left[id] = true
		}
	}
	delete(left, "") // no contract
	maps.DeleteFunc(n.Facts, func(id string, _ contract.Facts) bool { return !left[id] })
	maps.DeleteFunc(n.Notified, func(id string, _ contract.DeadlineNotice) bool { return !left[id] })
	var x dynamo.Transaction
	if len(left) == 0 {
		x.Delete(s.table, contractsKey(user), dynamo.IfVersion(n.Version))
	} else {
		s.addContractNotes(&x, n)
	}
	return x.Commit(ctx)
}

// addEvents puts events into the outbox.
func (s *Store) addEvents(ctx context.Context, x *dynamo.Transaction, user owner.User, events []pfm.Event) {
	for _, pending := range events {
		e, err := outbox.NewEvent(s.newID(), pending.Type, clock.OfUser(pending.At), user, pending.Data)
		if err != nil {
			x.Fail(err)
			return
		}
		outbox.PutEvent(ctx, x, s.outbox, e, s.now())
	}
}

// addContractCheck lets the deadlines be computed soon if a group has a contract that it
// did not have before.
func (w rowWriter) addContractCheck(
	ctx context.Context, x *dynamo.Transaction, groups map[contract.GroupID]*group, before map[contract.GroupID][]string,
) {
	for id, g := range groups {
		isNew := func(contract string) bool { return !slices.Contains(before[id], contract) }
		if slices.ContainsFunc(g.record.Group.Contracts, isNew) {
			x.Update(w.table, contractsKey(w.user), dynamo.Expr(
				"SET partner = ?, #user = ?, dueKind = ?, dueAt = ? ADD version ?",
				string(w.user.Partner), string(w.user.ID), w.due.Key(dueContracts, string(w.user.ID)),
				dynamo.Time(clock.Now(ctx, w.now).Add(contractDelay)), 1))
			return
		}
	}
}

// readDue decodes a dueRow, and its text into content.
func readDue(row dynamo.Item, content any) (dueRow, error) {
	r, err := dynamo.Decode[dueRow](row)
	if err == nil && r.Text != "" {
		err = json.Unmarshal([]byte(r.Text), content)
	}
	if err != nil {
		return r, fmt.Errorf("%s row: %w", r.SK, err)
	}
	return r, nil
}

// toContractNotes decodes a dueRow.
func toContractNotes(row dynamo.Item) (n contract.Notes, err error) {
	r, err := readDue(row, &n)
	n.Owner, n.Version = r.owner(), r.Version
	if err == nil && r.DueAt != "" {
		n.CheckAt, err = time.Parse(time.RFC3339Nano, r.DueAt)
	}
	return n, err
}

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
			m := outbox.Message{ID: s.newID(), Queue: outbox.LetterQueue, Body: report, User: w.Owner.ID}
			outbox.Put(ctx, x, s.outbox, m, s.now())
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
func toWatch(row dynamo.Item) (w contract.Watch, err error) {
	r, err := readDue(row, &w)
	w.CancellationID, w.Owner, w.Version = strings.TrimPrefix(r.SK, watchPrefix), r.owner(), r.Version
	return w, err
}
