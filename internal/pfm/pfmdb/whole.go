package pfmdb

import (
	"context"
	"errors"
	"maps"
	"slices"

	"aviso/internal/dynamo"
	"aviso/internal/pfm"
	"aviso/internal/pfm/recurrence"
	"aviso/internal/pfm/transaction"
)

// wholeGroup is a new group whose rows come in several chunks. Writing it with each of them
// would cost more than the rows. It is written with its first row, as incomplete, and with its
// last one, as a whole. If somebody else writes a group that is incomplete, or the sync ends
// early, it stays incomplete until dueGroups reads its rows.
type wholeGroup struct {
	group
	// left is how many of the changes that touch it are not yet written.
	left int
	// lost: somebody else has written it.
	lost bool
}

// rebuiltAtOnce is how many groups one transaction rebuilds, each of which may need an event,
// and which have at most 10 KB.
const rebuiltAtOnce = 40

// isOurs reports whether the group need not be read.
func (g *wholeGroup) isOurs() bool { return g != nil && !g.lost }

// isWritten reports whether a chunk with n of the changes that touch the group writes it.
func (g *wholeGroup) isWritten(n int) bool {
	return n > 0 && (!g.isOurs() || g.version == 0 || n == g.left)
}

// foldGroups applies the changes to the groups that are new. Other groups, which readers know,
// must agree with the rows after each chunk.
func (w rowWriter) foldGroups(ctx context.Context, changes []transaction.RowChange) error {
	if w.lease == nil { // then nothing would rebuild groups that stay incomplete
		return nil
	}
	touched := recurrence.Touched(changes)
	groups, err := w.readGroups(ctx, slices.Collect(maps.Keys(touched))...)
	if err != nil {
		return err
	}
	maps.DeleteFunc(groups, func(_ recurrence.ID, g *group) bool { return g.version > 0 })
	records := make(map[recurrence.ID]*recurrence.Record, len(groups))
	for id, g := range groups {
		records[id] = &g.record
	}
	recurrence.Apply(records, changes)
	w.kept.whole = make(map[recurrence.ID]*wholeGroup, len(groups))
	for id, g := range groups {
		if !g.record.Group.Empty() {
			w.kept.whole[id] = &wholeGroup{group: *g, left: touched[id]}
		}
	}
	return nil
}

// takeWhole returns those of the groups that a chunk writes: with all payments, or as
// incomplete if the chunk does not have their last row.
func (w rowWriter) takeWhole(x *dynamo.Transaction, touched map[recurrence.ID]int) map[recurrence.ID]*group {
	written := map[recurrence.ID]*group{}
	for id, n := range touched {
		whole := w.kept.whole[id]
		if !whole.isOurs() {
			continue
		}
		if whole.isWritten(n) {
			g := whole.group
			if g.incomplete = n < whole.left; g.incomplete {
				g.record = recurrence.Record{}
			}
			written[id] = &g
		}
		x.Follow(0, func(_ bool, err error) error {
			if err == nil {
				whole.left, whole.version = whole.left-n, 1
			}
			return err
		})
	}
	return written
}

// follow makes g lost if its action is refused.
func (g *wholeGroup) follow(x *dynamo.Transaction, action int) {
	if !g.isOurs() {
		return
	}
	x.Follow(action, func(refused bool, err error) error {
		g.lost = g.lost || refused
		return err
	})
}

// leaveIncomplete leaves out groups that a sync need not write, because it rebuilds them
// when it ends. Those that lack rows of earlier chunks become incomplete.
func (w rowWriter) leaveIncomplete(groups map[recurrence.ID]*group) {
	for id, g := range groups {
		whole := w.kept.whole[id]
		switch {
		case g.incomplete && w.lease != nil:
			delete(groups, id)
		case whole != nil && whole.version > 0:
			g.record, g.incomplete = recurrence.Record{}, true
		}
	}
}

// dueGroups returns an account's groups whose labels are due. It rebuilds those that are
// incomplete, which are among them.
func (w rowWriter) dueGroups(ctx context.Context, accountID string) ([]*group, error) {
	for range labelTries {
		due, err := dynamo.Collect(w.table.Query(ctx, dynamo.Query{
			Index: byState(), Partition: w.user.Key(), Sort: dynamo.Exactly(dueSort + accountID),
		}), toGroup)
		if err != nil {
			return nil, err
		}
		incomplete := slices.DeleteFunc(slices.Clone(due), func(g *group) bool { return !g.incomplete })
		if len(incomplete) == 0 {
			return due, nil
		}
		if err := w.rebuild(ctx, accountID, incomplete); err != nil && !errors.Is(err, pfm.ErrRowChanged) {
			return nil, err
		}
	}
	return nil, pfm.ErrRowChanged // a later sync tries again
}

// rebuild makes groups that are incomplete whole.
func (w rowWriter) rebuild(ctx context.Context, accountID string, groups []*group) error {
	rows, err := w.AccountTransactions(ctx, w.user, accountID, "")
	if err != nil {
		return err
	}
	ids := make([]recurrence.ID, len(groups))
	for i, g := range groups {
		ids[i] = g.id
	}
	records := recurrence.Rebuild(ids, rows)
	for chunk := range slices.Chunk(groups, rebuiltAtOnce) {
		err := w.save(ctx, nil, func(x *numberedWrite) error {
			written := make(map[recurrence.ID]*group, len(chunk))
			for _, g := range chunk {
				written[g.id] = &group{id: g.id, version: g.version, record: *records[g.id]}
			}
			if err := w.addPriceEvents(ctx, &x.Transaction, written); err != nil {
				return err
			}
			for _, g := range written {
				w.addGroup(&x.Transaction, g)
			}
			w.addContractCheck(ctx, &x.Transaction, written, nil)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
