package pfmdb

import (
	"context"
	"errors"
	"maps"
	"slices"

	"aviso/internal/dynamo"
	"aviso/internal/pfm"
	"aviso/internal/pfm/contract"
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
}

// rebuiltAtOnce is how many groups one transaction rebuilds, each of which may need an event,
// and which have at most 10 KB.
const rebuiltAtOnce = 40

// isWritten reports whether a chunk with n of the changes that touch the group writes it. A group
// that is nil is not new, and each chunk writes it.
func (g *wholeGroup) isWritten(n int) bool {
	return n > 0 && (g == nil || g.version == 0 || n == g.left)
}

// foldGroups applies the changes to the groups that are new, and returns these. Other groups, which
// readers know, must agree with the rows after each chunk.
func (w rowWriter) foldGroups(
	ctx context.Context, changes []transaction.RowChange,
) (map[contract.GroupID]*wholeGroup, error) {
	if w.lease == nil { // then nothing would rebuild groups that stay incomplete
		return map[contract.GroupID]*wholeGroup{}, nil
	}
	touched := contract.Touched(changes)
	_, groups, err := w.readDerived(ctx, nil, slices.Collect(maps.Keys(touched)))
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(groups, func(_ contract.GroupID, g *group) bool { return g.version > 0 })
	records := make(map[contract.GroupID]*contract.Record, len(groups))
	for id, g := range groups {
		records[id] = &g.record
	}
	contract.Apply(records, changes)
	whole := make(map[contract.GroupID]*wholeGroup, len(groups))
	for id, g := range groups {
		if !g.record.Group.Empty() {
			whole[id] = &wholeGroup{group: *g, left: touched[id]}
		}
	}
	return whole, nil
}

// takeWhole adds to groups those that a chunk writes: with all payments, or as incomplete if the
// chunk does not have their last row.
func (w rowWriter) takeWhole(groups map[contract.GroupID]*group, touched map[contract.GroupID]int) {
	for id, n := range touched {
		whole := w.whole[id]
		if whole == nil || !whole.isWritten(n) {
			continue
		}
		g := whole.group
		if g.incomplete = n < whole.left; g.incomplete {
			g.record = contract.Record{}
		}
		groups[id] = &g
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
	ids := make([]contract.GroupID, len(groups))
	for i, g := range groups {
		ids[i] = g.id
	}
	records := contract.Rebuild(ids, rows)
	for chunk := range slices.Chunk(groups, rebuiltAtOnce) {
		err := w.save(ctx, nil, func(x *numberedWrite) error {
			written := make(map[contract.GroupID]*group, len(chunk))
			for _, g := range chunk {
				written[g.id] = &group{id: g.id, version: g.version, record: *records[g.id]}
			}
			return w.putGroups(ctx, &x.Transaction, written, nil)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
