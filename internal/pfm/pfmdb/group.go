package pfmdb

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"aviso/internal/clock"
	"aviso/internal/dynamo"
	"aviso/internal/dynamo/outcome"
	"aviso/internal/dynamo/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/contract"
	"aviso/internal/pfm/contractdb"
	"aviso/internal/pfm/recurrence"
	"aviso/internal/pfm/transaction"
)

// groupRow stores a group: its payments packed, and the rest as JSON text. Rows of an earlier
// release have all of it as text in the attribute e. A group is in the index byMerchant
// only if it holds a subscription, and in byState only while labels are due, so a
// query for either reads no other groups. One that is incomplete is in byState, too.
type groupRow struct {
	dynamo.Key

	Record string `dynamodbav:"h"`
	Held   []byte `dynamodbav:"p,omitempty"`
	Whole  string `dynamodbav:"e,omitempty"` // of an earlier release
	// Contracts are the IDs of the subscriptions.
	Contracts    string `dynamodbav:"contracts,omitempty"`
	MerchantSort string `dynamodbav:"merchantSort,omitempty"`
	OpenSort     string `dynamodbav:"openSort,omitempty"`
	Incomplete   bool   `dynamodbav:"incomplete,omitempty"`
	Version      int64  `dynamodbav:"version"`
}

// group is a record with its stored version, which is 0 if it is not stored yet.
type group struct {
	id      recurrence.ID
	record  recurrence.Record
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
	// labelsAtOnce is how many labels one transaction writes, next to the lease
	// check, the change numbers and the group.
	labelsAtOnce = dynamo.MaxTransaction - 3
	// labelTries is how often writing labels is tried when a row or the group keeps
	// changing in the meantime.
	labelTries = 4
	// maxPriceEvents is how many events about price rises one transaction writes.
	maxPriceEvents = 2
)

// addGroups applies the changes to the groups that they touch and writes each one,
// on condition that nobody else has written it in the meantime. It reads those that are not
// known, and returns all as they are then, but with the versions from before. It sets the
// labels of the changed rows. Groups that are whole it writes once.
func (w rowWriter) addGroups(
	ctx context.Context, x *dynamo.Transaction, changes []transaction.RowChange, known map[recurrence.ID]*group,
) (map[recurrence.ID]*group, error) {
	touched := recurrence.Touched(changes)
	var unknown []recurrence.ID
	for id := range touched {
		if known[id] == nil && !w.kept.whole[id].isOurs() {
			unknown = append(unknown, id)
		}
	}
	groups, err := w.readGroups(ctx, unknown...)
	if err != nil {
		return nil, err
	}
	for id := range touched {
		if g := known[id]; g != nil {
			groups[id] = g
		}
	}
	w.leaveIncomplete(groups)
	records := make(map[recurrence.ID]*recurrence.Record, len(groups))
	contracts := make(map[recurrence.ID][]string, len(groups))
	for id, g := range groups {
		if !g.incomplete {
			records[id], contracts[id] = &g.record, g.record.Group.Contracts
		}
	}
	recurrence.Apply(records, changes)
	written := w.takeWhole(x, touched)
	maps.Copy(written, groups)
	if err := w.addPriceEvents(ctx, x, written); err != nil {
		return nil, err
	}
	for id, g := range written {
		if g.version > 0 || !g.isEmpty() {
			w.kept.whole[id].follow(x, w.addGroup(x, g))
		}
	}
	w.addContractCheck(ctx, x, written, contracts)
	return groups, nil
}

// addPriceEvents adds the events about price rises that the groups show. The groups note
// them, so each is sent once. If there are too many for one transaction, the rest waits until
// its group is written next.
func (w rowWriter) addPriceEvents(
	ctx context.Context, x *dynamo.Transaction, groups map[recurrence.ID]*group,
) error {
	now := clock.Now(ctx, w.now)
	today := pfm.DateOf(now)
	var events []pfm.Event
	for _, g := range groups {
		raised, err := g.record.TellRises(today.AddDays(-contract.RiseNoticeDays), today, maxPriceEvents-len(events))
		if err != nil {
			return err
		}
		for _, c := range raised {
			events = append(events, c.PriceEvent(now))
		}
	}
	w.addEvents(ctx, x, w.user, events)
	return nil
}

// addGroup replaces the version of the group that was read. It returns the index of the
// action.
func (w rowWriter) addGroup(x *dynamo.Transaction, g *group) int {
	key, unchanged := groupKey(w.user, g.id), dynamo.IfVersion(g.version)
	if g.isEmpty() {
		return x.Delete(w.table, key, unchanged)
	}
	row, err := toGroupRow(g)
	if err != nil {
		x.Fail(err)
	}
	return x.Put(w.table, key, row, unchanged)
}

// readGroups reads groups consistently. A group that is not stored yet is returned
// empty, with version 0.
func (w rowWriter) readGroups(ctx context.Context, ids ...recurrence.ID) (map[recurrence.ID]*group, error) {
	groups, keys := make(map[recurrence.ID]*group, len(ids)), make([]dynamo.Key, len(ids))
	for i, id := range ids {
		groups[id], keys[i] = &group{id: id}, groupKey(w.user, id)
	}
	rows, err := w.table.Rows(ctx, keys)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		g, err := toGroup(row)
		if err != nil {
			return nil, err
		}
		groups[g.id] = g
	}
	return groups, nil
}

// toGroupRow returns the next version of g.
func toGroupRow(g *group) (groupRow, error) {
	held, err := recurrence.Pack(g.record.Group.Held)
	if err != nil {
		return groupRow{}, fmt.Errorf("write group: %w", err)
	}
	rest := g.record
	rest.Group.Held = nil
	text, err := json.Marshal(rest)
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
		row.MerchantSort, row.Contracts = contractdb.Sort, contractdb.Join(ids)
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
	g := &group{id: recurrence.ID{AccountID: account, Key: key}, version: r.Version, incomplete: r.Incomplete}
	if err := json.Unmarshal([]byte(cmp.Or(r.Whole, r.Record)), &g.record); err != nil {
		return nil, fmt.Errorf("group row: %w", err)
	}
	if r.Whole == "" {
		g.record.Group.Held, err = recurrence.Unpack(r.Held)
	}
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
		again, err := w.readGroups(ctx, g.id)
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

// Subscription implements connection.Store. Ended contracts are in the index too.
func (s *Store) Subscription(ctx context.Context, user owner.User, id string) (contract.Subscription, error) {
	list, err := s.Subscriptions(ctx, user)
	if err != nil {
		return contract.Subscription{}, err
	}
	i := slices.IndexFunc(list, func(c contract.Subscription) bool { return c.ID == id })
	if i < 0 {
		return contract.Subscription{}, outcome.ErrNotFound
	}
	return list[i], nil
}

// Subscriptions reads the groups that hold subscriptions with one query.
func (s *Store) Subscriptions(ctx context.Context, user owner.User) ([]contract.Subscription, error) {
	groups, err := dynamo.Collect(s.table.Query(ctx, dynamo.Query{
		Index: byMerchant(), Partition: user.Key(), Sort: dynamo.Exactly(contractdb.Sort), Eventual: true,
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
