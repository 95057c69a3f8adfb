package pfmdb

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"time"

	"aviso/internal/clock"
	"aviso/internal/dynamo"
	"aviso/internal/dynamo/outcome"
	"aviso/internal/dynamo/owner"
	"aviso/internal/messaging/outbox"
	"aviso/internal/pfm"
	"aviso/internal/pfm/contract"
	"aviso/internal/pfm/recurrence"
)

// contractsRow stores the notes on a user's contracts. DueKind and DueAt put it into the
// index `due`.
type contractsRow struct {
	ownerRow

	Notes   string `dynamodbav:"e,omitempty"` // JSON text
	Version int64  `dynamodbav:"version"`
	DueKind string `dynamodbav:"dueKind,omitempty"`
	DueAt   string `dynamodbav:"dueAt,omitempty"`
}

const (
	// dueContracts is the kind of the row's work in the index `due`.
	dueContracts = "Contracts"
	// contractDelay is how long after a new contract was found its deadline is computed. By
	// then the index that lists contracts has it.
	contractDelay = time.Minute
)

// ContractNotes implements connection.Store.
func (s *Store) ContractNotes(ctx context.Context, user owner.User) (contract.Notes, error) {
	row, err := s.table.Row(ctx, contractsKey(user))
	if errors.Is(err, outcome.ErrNotFound) {
		return contract.Notes{Owner: user}, nil
	}
	if err != nil {
		return contract.Notes{}, err
	}
	return toContractNotes(row)
}

// DueContracts implements connection.Store.
func (s *Store) DueContracts(
	ctx context.Context, shard int, until time.Time,
) iter.Seq2[contract.Notes, error] {
	return dynamo.Convert(s.due.Rows(ctx, s.table, dueContracts, shard, until), toContractNotes)
}

// SaveContractNotes implements connection.Store.
func (s *Store) SaveContractNotes(ctx context.Context, n contract.Notes, events ...pfm.Event) error {
	var x dynamo.Transaction
	s.addContractNotes(&x, n)
	s.addEvents(ctx, &x, n.Owner, events)
	return s.users.Commit(ctx, &x, n.Owner)
}

// addContractNotes replaces the version of the notes that was read.
func (s *Store) addContractNotes(x *dynamo.Transaction, n contract.Notes) {
	text, err := json.Marshal(n)
	if err != nil {
		x.Fail(fmt.Errorf("write notes on contracts: %w", err))
		return
	}
	r := contractsRow{
		ownerRow: toOwnerRow(n.Owner), Notes: string(text), Version: n.Version + 1,
	}
	if !n.CheckAt.IsZero() {
		r.DueKind, r.DueAt = s.due.Key(dueContracts, string(n.Owner.ID)), dynamo.Time(n.CheckAt)
	}
	x.Put(s.table, contractsKey(n.Owner), r, dynamo.IfVersion(n.Version))
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
		for _, v := range g.record.Group.Verdicts() {
			left[v.Contract] = true
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
	ctx context.Context, x *dynamo.Transaction, groups map[recurrence.ID]*group, before map[recurrence.ID][]string,
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

// toContractNotes decodes a contractsRow.
func toContractNotes(row dynamo.Item) (contract.Notes, error) {
	r, err := dynamo.Decode[contractsRow](row)
	n := contract.Notes{Owner: r.owner(), Version: r.Version}
	if err == nil && r.Notes != "" {
		err = json.Unmarshal([]byte(r.Notes), &n)
	}
	if err == nil && r.DueAt != "" {
		n.CheckAt, err = time.Parse(time.RFC3339Nano, r.DueAt)
	}
	if err != nil {
		return n, fmt.Errorf("notes on contracts: %w", err)
	}
	return n, nil
}
