package pfmdb

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"aviso/internal/clock"
	"aviso/internal/dynamo"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/contract"
	"aviso/internal/pfm/transaction"
)

// groupRow stores a group: its payments packed, and the rest as JSON text. A group is in the
// index byMerchant only if it holds a subscription, and in byState only while labels are due, so
// a query for either reads no other groups. One that is incomplete is in byState, too.
type groupRow struct {
	dynamo.Key

	Record string `dynamodbav:"h"`
	Held   []byte `dynamodbav:"p,omitempty"`
	// Contracts are the IDs of the subscriptions.
	Contracts    string `dynamodbav:"contracts,omitempty"`
	MerchantSort string `dynamodbav:"merchantSort,omitempty"`
	OpenSort     string `dynamodbav:"openSort,omitempty"`
	Incomplete   bool   `dynamodbav:"incomplete,omitempty"`
	Version      int64  `dynamodbav:"version"`
}

// group is a record with its stored version, which is 0 if it is not stored yet.
type group struct {
	id      contract.GroupID
	record  contract.Record
	version int64
	// incomplete: the record is empty although the group has payments; see wholeGroup.
	incomplete bool
}

// isEmpty reports whether there is nothing left to store.
func (g *group) isEmpty() bool { return g.record.Group.Empty() && !g.incomplete }

const (
	// dueSort, followed by the account, is the sort key in the index byState of groups
	// whose labels are due, or rows are missing. No state has such a name.
	dueSort = "DUE#"
	// contractSort is the sort key in the index byMerchant of groups that hold contracts. No
	// merchant has such a name.
	contractSort = "SUBSCRIPTION"
	// labelsAtOnce is how many labels one transaction writes, next to the lease
	// check, the change numbers and the group.
	labelsAtOnce = dynamo.MaxTransaction - 3
	// labelTries is how often writing labels is tried when a row or the group keeps
	// changing in the meantime.
	labelTries = 4
)

// addGroups applies the changes to the groups that they touch and writes each one. It sets the
// labels of the changed rows. Groups that are whole it writes with their first and last row, and a
// sync leaves those alone that are incomplete, because it rebuilds them when it ends.
func (w rowWriter) addGroups(
	ctx context.Context, x *dynamo.Transaction, changes []transaction.RowChange, groups map[contract.GroupID]*group,
) error {
	records, contracts := map[contract.GroupID]*contract.Record{}, map[contract.GroupID][]string{}
	for id, g := range groups {
		switch {
		case !g.incomplete:
			records[id], contracts[id] = &g.record, g.record.Group.Contracts
		case w.lease != nil:
			delete(groups, id)
		}
	}
	contract.Apply(records, changes)
	w.takeWhole(groups, contract.Touched(changes))
	return w.putGroups(ctx, x, groups, contracts)
}

// putGroups writes groups with what follows from them. before are the contracts that they had.
func (w rowWriter) putGroups(
	ctx context.Context, x *dynamo.Transaction,
	groups map[contract.GroupID]*group, before map[contract.GroupID][]string,
) error {
	records := make(map[contract.GroupID]*contract.Record, len(groups))
	for id, g := range groups {
		records[id] = &g.record
	}
	events, err := contract.PriceEvents(records, clock.Now(ctx, w.now))
	if err != nil {
		return err
	}
	w.addEvents(ctx, x, w.user, events)
	for _, g := range groups {
		if g.version > 0 || !g.isEmpty() {
			w.addGroup(x, g)
		}
	}
	w.addContractCheck(ctx, x, groups, before)
	return nil
}

// addGroup replaces the version of the group that was read.
func (w rowWriter) addGroup(x *dynamo.Transaction, g *group) {
	key, unchanged := groupKey(w.user, g.id), dynamo.IfVersion(g.version)
	if g.isEmpty() {
		x.Delete(w.table, key, unchanged)
		return
	}
	row, err := toGroupRow(g)
	if err != nil {
		x.Fail(err)
	}
	x.Put(w.table, key, row, unchanged)
}

// toGroupRow returns the next version of g.
func toGroupRow(g *group) (groupRow, error) {
	held, err := contract.Pack(g.record.Group.Held)
	if err != nil {
		return groupRow{}, fmt.Errorf("write group: %w", err)
	}
	text, err := json.Marshal(g.record)
	if err != nil {
		return groupRow{}, fmt.Errorf("write group: %w", err)
	}
	row := groupRow{Record: string(text), Held: held, Version: g.version + 1}
	subscriptions, err := g.record.Subscriptions()
	if len(subscriptions) > 0 {
		ids := make([]string, len(subscriptions))
		for i, c := range subscriptions {
			ids[i] = c.ID
		}
		row.MerchantSort, row.Contracts = contractSort, strings.Join(ids, ",")
	}
	if row.Incomplete = g.incomplete; g.incomplete || len(g.record.Due) > 0 {
		row.OpenSort = dueSort + g.id.AccountID
	}
	return row, err
}

// toGroup decodes a groupRow.
func toGroup(row dynamo.Item) (*group, error) {
	r, err := dynamo.Decode[groupRow](row)
	if err != nil {
		return nil, err
	}
	account, key, ok := strings.Cut(strings.TrimPrefix(r.SK, groupPrefix), "#")
	if !ok {
		return nil, errors.New("group row: malformed key")
	}
	g := &group{id: contract.GroupID{AccountID: account, Key: key}, version: r.Version, incomplete: r.Incomplete}
	if err := json.Unmarshal([]byte(r.Record), &g.record); err != nil {
		return nil, fmt.Errorf("group row: %w", err)
	}
	g.record.Group.Held, err = contract.Unpack(r.Held)
	return g, err
}

// SaveLabels writes the labels that are due. The transaction that writes a group's
// labels also removes them from the group.
func (s *Store) SaveLabels(
	ctx context.Context, l connection.Lease, user owner.User, connectionID, accountID string,
) error {
	w := s.underLease(l, user, connectionID)
	due, err := w.dueGroups(ctx, accountID)
	if err != nil {
		return err
	}
	for _, g := range due {
		if err := w.saveGroupLabels(ctx, g); err != nil {
			return err
		}
	}
	return nil
}

// saveGroupLabels writes the labels of one group that are due. If the rows keep
// changing, it leaves the rest to the next sync.
func (w rowWriter) saveGroupLabels(ctx context.Context, g *group) error {
	for failed := 0; len(g.record.Due) > 0; {
		err := w.saveDue(ctx, g)
		if errors.Is(err, pfm.ErrRowChanged) {
			if failed++; failed == labelTries {
				return nil
			}
		} else if err != nil {
			return err
		}
		_, again, err := w.readDerived(ctx, nil, []contract.GroupID{g.id})
		if err != nil {
			return err
		}
		g = again[g.id]
	}
	return nil
}

// saveDue writes some of the labels that are due.
func (w rowWriter) saveDue(ctx context.Context, g *group) error {
	ids := slices.Sorted(maps.Keys(g.record.Due))
	ids = ids[:min(len(ids), labelsAtOnce)]
	keys := make([]dynamo.Key, len(ids))
	for i, id := range ids {
		keys[i] = rowKey(w.user, g.record.Due[id].Date, id)
	}
	rows, err := w.table.Rows(ctx, keys)
	if err != nil {
		return err
	}
	var changes []transaction.RowChange
	for _, row := range rows {
		old, err := toTransaction(w.user, row)
		if err != nil {
			return err
		}
		updated := old
		g.record.Due[old.ID].ApplyTo(&updated)
		if updated.Frequency != old.Frequency || updated.Subscription != old.Subscription {
			updated.UpdatedAt = w.now()
			changes = append(changes, transaction.RowChange{Old: &old, New: updated})
		}
	}
	g.record.MarkWritten(ids...)
	return w.save(ctx, changes, func(x *numberedWrite) error {
		w.addGroup(&x.Transaction, g)
		return nil
	})
}

// Subscriptions reads the groups that hold subscriptions, ended ones too, with one query.
func (s *Store) Subscriptions(ctx context.Context, user owner.User) ([]contract.Subscription, error) {
	groups, err := dynamo.Collect(s.table.Query(ctx, dynamo.Query{
		Index: byMerchant(), Partition: user.Key(), Sort: dynamo.Exactly(contractSort), Eventual: true,
	}), toGroup)
	if err != nil {
		return nil, err
	}
	list := []contract.Subscription{}
	for _, g := range groups {
		more, err := g.record.Subscriptions()
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	return list, nil
}

// FindContract returns outcome.ErrNotFound unless the user has the contract, ended or not. It may
// miss the writes of the last second.
func (s *Store) FindContract(ctx context.Context, user owner.User, id string) error {
	for row, err := range dynamo.Each[groupRow](s.table.Query(ctx, dynamo.Query{
		Index: byMerchant(), Partition: user.Key(), Sort: dynamo.Exactly(contractSort),
		Attributes: "contracts", Eventual: true,
	})) {
		if err != nil {
			return err
		}
		if strings.Contains(row.Contracts, id) {
			return nil
		}
	}
	return outcome.ErrNotFound
}

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
