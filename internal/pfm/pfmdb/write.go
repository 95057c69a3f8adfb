package pfmdb

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"aviso/internal/clock"
	"aviso/internal/dynamo"
	"aviso/internal/dynamo/outcome"
	"aviso/internal/dynamo/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/recurrence"
	"aviso/internal/pfm/transaction"
)

// rowWriter writes a user's rows.
type rowWriter struct {
	*Store
	user owner.User
	// lease and leaseKey are those of the connection's sync. A user's own changes have no
	// lease.
	lease        *connection.Lease
	leaseKey     dynamo.Key
	connectionID string
	// made is that of the sequence when the choices for merchants were read, with which the
	// rows' categories were found; nil if they were not.
	made *int64
	// kept is what the last chunk left behind.
	kept *kept
}

// kept is what a transaction has written, so that the next one need not read it. Each is on
// condition that nobody else has written since. What a transaction takes from here it puts
// back only if it is committed.
type kept struct {
	numbers sequence
	sums    map[transaction.AggregateID]transaction.Aggregate
	groups  map[recurrence.ID]*group
	// whole are the new groups with all payments that are to come.
	whole map[recurrence.ID]*wholeGroup
}

func (s *Store) underLease(l connection.Lease, user owner.User, connectionID string) rowWriter {
	return rowWriter{
		Store: s, user: user, lease: &l, leaseKey: leaseKey(user, connectionID), connectionID: connectionID,
		kept: &kept{},
	}
}

// SaveRows writes the changes in chunks of one transaction each, together with the
// aggregates and groups that they touch. Each transaction checks that the lease is
// still held, so a worker that lost its lease writes nothing.
func (s *Store) SaveRows(
	ctx context.Context, l connection.Lease, user owner.User, connectionID string, rows []transaction.RowChange,
) error {
	w := s.underLease(l, user, connectionID)
	w.made = &l.ChoicesMade
	return s.saveInChunks(ctx, w, rows)
}

func (s *Store) saveInChunks(ctx context.Context, w rowWriter, rows []transaction.RowChange) error {
	if countFitting(rows, nil) < len(rows) {
		rows = byMonthAndParty(rows)
		if err := w.foldGroups(ctx, rows); err != nil {
			return err
		}
	}
	for written := 0; written < len(rows); {
		n := countFitting(rows[written:], w.kept.whole)
		if d := s.pace.before(written, n); d > 0 && !clock.Wait(ctx, d) {
			return ctx.Err()
		}
		mayBeOld := w.kept.numbers.Last > 0
		err := w.saveChunk(ctx, rows[written:written+n])
		if mayBeOld && errors.Is(err, pfm.ErrRowChanged) { // perhaps only what was kept is old
			err = w.saveChunk(ctx, rows[written:written+n])
		}
		if err != nil {
			return err
		}
		written += n
	}
	return nil
}

// byMonthAndParty orders changes so that few chunks write the same sums and groups. Within a
// group, which depends on the order, they stay as they were.
func byMonthAndParty(rows []transaction.RowChange) []transaction.RowChange {
	type place struct {
		key string
		at  int
	}
	places := make([]place, len(rows))
	for i, r := range rows {
		party, _ := recurrence.KeyOf(r.New)
		places[i] = place{string(r.New.RecordDate)[:len("2006-01")] + party, i}
	}
	slices.SortStableFunc(places, func(a, b place) int { return cmp.Compare(a.key, b.key) })
	sorted := make([]transaction.RowChange, len(rows))
	for i, p := range places {
		sorted[i] = rows[p.at]
	}
	return sorted
}

// countFitting returns how many of the changes fit into one transaction with the
// lease check, their numbers, and the aggregates and groups that it writes. Groups may
// need a check of new contracts, and events about prices.
func countFitting(rows []transaction.RowChange, whole map[recurrence.ID]*wholeGroup) int {
	actions := 2
	aggregates, touched, groups := map[transaction.AggregateID]bool{}, map[recurrence.ID]int{}, 0
	for i, r := range rows {
		actions++
		if r.Old != nil && r.Old.RecordDate != r.New.RecordDate {
			actions++
		}
		maps.Copy(aggregates, transaction.AggregatesTouched(rows[i:i+1]))
		for id := range recurrence.Touched(rows[i : i+1]) {
			if touched[id]++; whole[id].isWritten(touched[id]) && !whole[id].isWritten(touched[id]-1) {
				groups++
			}
		}
		if actions+len(aggregates)+groups+min(groups, 1+maxPriceEvents) > dynamo.MaxTransaction {
			return i
		}
	}
	return len(rows)
}

// saveChunk writes changes with the aggregates and groups that they touch in one
// transaction, and sets the labels of the rows.
func (w rowWriter) saveChunk(ctx context.Context, rows []transaction.RowChange) error {
	return w.save(ctx, rows, func(x *numberedWrite) error { return w.addDerived(ctx, &x.Transaction, rows) })
}

// addDerived writes the aggregates and groups that the changes touch, and sets the labels
// of the rows. Rows come in the order of months, so of the sums only the last are kept.
func (w rowWriter) addDerived(ctx context.Context, x *dynamo.Transaction, rows []transaction.RowChange) error {
	before := *w.kept
	w.kept.sums, w.kept.groups = nil, nil
	sums, err := w.addAggregates(ctx, x, rows, before.sums)
	if err != nil {
		return err
	}
	groups, err := w.addGroups(ctx, x, rows, before.groups)
	if err != nil {
		return err
	}
	x.Follow(0, func(_ bool, err error) error {
		if err == nil {
			w.kept.sums, w.kept.groups = sums, before.groups
			w.kept.keep(groups)
		}
		return err
	})
	return nil
}

// keep keeps groups that were written.
func (k *kept) keep(groups map[recurrence.ID]*group) {
	if k.groups == nil {
		k.groups = groups
	}
	maps.Copy(k.groups, groups)
	for id, g := range groups {
		if g.version++; g.record.Group.Empty() {
			delete(k.groups, id)
		}
	}
}

// save writes changes, and what addDerived adds, in one transaction. It records in
// the lease row that partners have to be notified of the changes. save returns
// outcome.ErrChanged if the lease is lost, and pfm.ErrRowChanged if something else, or the
// user's choices for merchants, changed in the meantime.
func (w rowWriter) save(
	ctx context.Context, rows []transaction.RowChange, addDerived func(x *numberedWrite) error,
) error {
	lease := -1 // the index of the lease's action
	add := func(x *numberedWrite) error {
		if w.made != nil && *w.made != x.Made {
			return pfm.ErrRowChanged
		}
		if w.lease != nil {
			w.lease.Numbers.Take(x.Last, len(rows))
			lease = x.Update(w.table, w.leaseKey,
				dynamo.Expr("SET since = if_not_exists(since, ?)", x.Last), isHeld(*w.lease))
		}
		if err := addDerived(x); err != nil { // before the rows, since it may set their labels
			return err
		}
		for i := range rows {
			rows[i].Number(x.Last + int64(i) + 1)
			w.addRow(&x.Transaction, rows[i])
		}
		return nil
	}
	write := func() error { return w.numbered(ctx, w.user, len(rows), &w.kept.numbers, add) }
	var err error
	if w.lease == nil { // somebody waits for the answer
		err = write()
	} else {
		err = untilTaken(ctx, write)
	}
	if errors.Is(err, outcome.ErrChanged) && !dynamo.Refused(err, lease) {
		return pfm.ErrRowChanged
	}
	return err
}

// addRow writes a change, on condition that the row has not changed since it was read.
// The day is part of a row's key, so a changed day deletes the old row.
func (w rowWriter) addRow(x *dynamo.Transaction, c transaction.RowChange) {
	next, condition := c.New, dynamo.IfNew
	next.Revision++
	if w.lease != nil {
		next.ConnectionID = w.connectionID
	}
	if c.Old != nil {
		unchanged := dynamo.Expr("r = ?", c.Old.Revision)
		if c.Old.RecordDate == c.New.RecordDate {
			condition = unchanged
		} else {
			x.Delete(w.table, rowKey(c.Old.Owner, c.Old.RecordDate, c.Old.ID), unchanged)
		}
	}
	x.Put(w.table, rowKey(next.Owner, next.RecordDate, next.ID), toTransactionRow(next), condition)
}
