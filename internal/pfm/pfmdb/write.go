package pfmdb

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"aviso/internal/clock"
	"aviso/internal/dynamo"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/contract"
	"aviso/internal/pfm/transaction"
)

// rowWriter writes a user's rows.
type rowWriter struct {
	*Store
	user owner.User
	// lease is that of the connection's sync. A user's own changes have none.
	lease        *connection.Lease
	connectionID string
	// made is that of the sequence when the choices for merchants were read, with which the
	// rows' categories were found; nil if they were not.
	made *int64
	// whole are the new groups with all payments that are to come.
	whole map[contract.GroupID]*wholeGroup
}

func (s *Store) underLease(l connection.Lease, user owner.User, connectionID string) rowWriter {
	return rowWriter{Store: s, user: user, lease: &l, connectionID: connectionID}
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

func (s *Store) saveInChunks(ctx context.Context, w rowWriter, rows []transaction.RowChange) (err error) {
	if countFitting(rows, nil) < len(rows) {
		rows = byMonthAndParty(rows)
		if w.whole, err = w.foldGroups(ctx, rows); err != nil {
			return err
		}
	}
	for written := 0; written < len(rows); {
		chunk := rows[written : written+countFitting(rows[written:], w.whole)]
		if d := s.pace.before(written, len(chunk)); d > 0 && !clock.Wait(ctx, d) {
			return ctx.Err()
		}
		derived := func(x *numberedWrite) error { return w.addDerived(ctx, &x.Transaction, chunk) }
		err := w.save(ctx, chunk, derived)
		if errors.Is(err, pfm.ErrRowChanged) { // perhaps the user has changed a group that is incomplete
			maps.DeleteFunc(w.whole, func(_ contract.GroupID, g *wholeGroup) bool { return g.version > 0 })
			err = w.save(ctx, chunk, derived)
		}
		if err != nil {
			return err
		}
		for id, n := range contract.Touched(chunk) {
			if g := w.whole[id]; g != nil {
				g.left, g.version = g.left-n, 1
			}
		}
		written += len(chunk)
	}
	return nil
}

// byMonthAndParty orders changes so that few chunks write the same sums and groups. Within a
// group, which depends on the order, they stay as they were.
func byMonthAndParty(rows []transaction.RowChange) []transaction.RowChange {
	byKey := map[string][]transaction.RowChange{}
	for _, r := range rows {
		party, _ := contract.KeyOf(r.New)
		key := string(r.New.RecordDate)[:len("2006-01")] + party
		byKey[key] = append(byKey[key], r)
	}
	sorted := make([]transaction.RowChange, 0, len(rows))
	for _, key := range slices.Sorted(maps.Keys(byKey)) {
		sorted = append(sorted, byKey[key]...)
	}
	return sorted
}

// countFitting returns how many of the changes fit into one transaction with the
// lease check, their numbers, and the aggregates and groups that it writes. Groups may
// need a check of new contracts, and events about prices.
func countFitting(rows []transaction.RowChange, whole map[contract.GroupID]*wholeGroup) int {
	actions := 2
	aggregates, touched, groups := map[transaction.AggregateID]bool{}, map[contract.GroupID]int{}, 0
	for i, r := range rows {
		actions++
		if r.Old != nil && r.Old.RecordDate != r.New.RecordDate {
			actions++
		}
		maps.Copy(aggregates, transaction.AggregatesTouched(rows[i:i+1]))
		for id := range contract.Touched(rows[i : i+1]) {
			if touched[id]++; whole[id].isWritten(touched[id]) && !whole[id].isWritten(touched[id]-1) {
				groups++
			}
		}
		if actions+len(aggregates)+groups+min(groups, 1+contract.MaxPriceEvents) > dynamo.MaxTransaction {
			return i
		}
	}
	return len(rows)
}

// addDerived writes the aggregates and groups that the changes touch, each on condition that nobody
// else has written it in the meantime, and sets the labels of the rows.
func (w rowWriter) addDerived(ctx context.Context, x *dynamo.Transaction, rows []transaction.RowChange) error {
	touched := contract.Touched(rows)
	stored := slices.DeleteFunc(slices.Collect(maps.Keys(touched)),
		func(id contract.GroupID) bool { return w.whole[id] != nil })
	sums, groups, err := w.readDerived(ctx, transaction.AggregatesTouched(rows), stored)
	if err != nil {
		return err
	}
	for id, a := range sums {
		if err := a.Apply(rows); err != nil {
			return err
		}
		x.Put(w.table, aggregateKey(w.user, id), toAggregateRow(a), dynamo.IfVersion(a.Version))
	}
	return w.addGroups(ctx, x, rows, groups)
}

// readDerived reads aggregates and groups consistently. One that is not stored yet is returned
// empty, with version 0.
func (w rowWriter) readDerived(
	ctx context.Context, sums map[transaction.AggregateID]bool, ids []contract.GroupID,
) (map[transaction.AggregateID]transaction.Aggregate, map[contract.GroupID]*group, error) {
	var keys []dynamo.Key
	aggregates, groups := map[transaction.AggregateID]transaction.Aggregate{}, map[contract.GroupID]*group{}
	for id := range sums {
		aggregates[id] = transaction.Aggregate{
			ID: id, Tallies: map[transaction.TallyKey]transaction.Tally{}, Names: map[string]string{},
		}
		keys = append(keys, aggregateKey(w.user, id))
	}
	for _, id := range ids {
		groups[id], keys = &group{id: id}, append(keys, groupKey(w.user, id))
	}
	rows, err := w.table.Rows(ctx, keys)
	if err != nil {
		return nil, nil, err
	}
	for _, row := range rows {
		if strings.HasPrefix(dynamo.KeyOf(row).SK, groupPrefix) {
			g, err := toGroup(row)
			if err != nil {
				return nil, nil, err
			}
			groups[g.id] = g
			continue
		}
		a, err := toAggregate(row)
		if err != nil {
			return nil, nil, err
		}
		aggregates[a.ID] = a
	}
	return aggregates, groups, nil
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
			lease = x.Update(w.table, leaseKey(w.user, w.connectionID),
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
	write := func() error { return w.numbered(ctx, w.user, len(rows), add) }
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

// pace is how fast rows are written. The zero value is without a limit.
type pace struct {
	// unpaced is how many rows are written at once, and perSecond how many after them.
	unpaced, perSecond int
}

// PaceRows makes SaveRows write a large history no faster than DynamoDB takes it. A user's
// rows with their local indexes are in one partition, which takes 1,000 units a second. A
// new row takes seven (docs/scale.md), and other users of the partition need some, too. The
// first rows, as many as most histories have, do not wait, because the user does: they
// take a tenth of what a partition saves up in five quiet minutes.
func (s *Store) PaceRows() { s.pace = pace{unpaced: 3000, perSecond: 130} }

// before returns how long to wait before n rows when this many have been written.
func (p pace) before(written, n int) time.Duration {
	paced := written + n - max(p.unpaced, written)
	if p.perSecond == 0 || paced <= 0 {
		return 0
	}
	return time.Duration(paced) * time.Second / time.Duration(p.perSecond)
}

// longestPause is the try after which pauses no longer grow: 2.6 s at most.
const longestPause = 8

// untilTaken writes until DynamoDB takes it or ctx ends.
func untilTaken(ctx context.Context, write func() error) error {
	for try := 1; ; try++ {
		err := write()
		if !dynamo.Throttled(err) || pause(ctx, min(try, longestPause)) != nil {
			return err
		}
	}
}
