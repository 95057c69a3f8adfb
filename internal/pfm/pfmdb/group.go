package pfmdb

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"aviso/internal/dynamo"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/recurrence"
)

// groupRow keeps a group of payments as one text. It is in the indexes of the
// transactions' merchants and states only as a subscription, or while labels are
// due: what looks for one or the other reads no other groups.
type groupRow struct {
	Record       string `dynamodbav:"e"`
	MerchantSort string `dynamodbav:"merchantSort,omitempty"`
	OpenSort     string `dynamodbav:"openSort,omitempty"`
	Version      int64  `dynamodbav:"version"`
}

// group is a record as it was read; version 0 is one that is not there yet.
type group struct {
	id      recurrence.ID
	record  recurrence.Record
	version int64
}

const (
	groupPrefix = "R#"
	// subscriptionSort and, with the account, dueSort are the groups' places in
	// the indexes; no merchant and no state is called so.
	subscriptionSort = "SUBSCRIPTION"
	dueSort          = "DUE#"
	// labelsAtOnce is how many labels one transaction writes, with the lease
	// check, the numbers and the group.
	labelsAtOnce = dynamo.MaxTransaction - 3
	// labelTries is how often labels are written anew when a row or the group
	// has changed in the meantime.
	labelTries = 4
)

func groupKey(user owner.User, id recurrence.ID) (pk, sk string) {
	return user.Key(), groupPrefix + id.AccountID + "#" + id.Key
}

// groupActions are the writes that take the changes over into the groups they
// bear on, each on the condition that nobody else has written it meanwhile. The
// rows of the changes are given their labels.
func (s *Store) groupActions(ctx context.Context, user owner.User, changes []pfm.RowChange) ([]types.TransactWriteItem, error) {
	touched := recurrence.Touched(changes)
	groups, err := s.readGroups(ctx, user, slices.Collect(maps.Keys(touched)))
	if err != nil {
		return nil, err
	}
	records := make(map[recurrence.ID]*recurrence.Record, len(groups))
	for i := range groups {
		records[groups[i].id] = &groups[i].record
	}
	recurrence.Apply(records, changes)
	actions := make([]types.TransactWriteItem, 0, len(groups))
	for _, g := range groups {
		if g.version == 0 && g.record.Group.Empty() {
			continue
		}
		action, err := s.groupAction(user, g)
		if err != nil {
			return nil, err
		}
		actions = append(actions, action)
	}
	return actions, nil
}

// groupAction writes a group over the version that was read.
func (s *Store) groupAction(user owner.User, g group) (types.TransactWriteItem, error) {
	condition, values := ptr("attribute_not_exists(pk)"), dynamo.Item(nil)
	if g.version > 0 {
		condition, values = ptr("version = :was"), dynamo.Item{":was": dynamo.N(g.version)}
	}
	pk, sk := groupKey(user, g.id)
	if g.record.Group.Empty() {
		return types.TransactWriteItem{Delete: &types.Delete{
			TableName: &s.table, Key: dynamo.LegacyKey(pk, sk), ConditionExpression: condition, ExpressionAttributeValues: values,
		}}, nil
	}
	subscriptions, err := g.record.Subscriptions()
	if err != nil {
		return types.TransactWriteItem{}, err
	}
	text, err := json.Marshal(g.record)
	if err != nil {
		return types.TransactWriteItem{}, fmt.Errorf("write group: %w", err)
	}
	row := groupRow{Record: string(text), Version: g.version + 1}
	if len(subscriptions) > 0 {
		row.MerchantSort = subscriptionSort
	}
	if len(g.record.Due) > 0 {
		row.OpenSort = dueSort + g.id.AccountID
	}
	item, err := dynamo.Marshal(pk, sk, row)
	return types.TransactWriteItem{Put: &types.Put{
		TableName: &s.table, Item: item, ConditionExpression: condition, ExpressionAttributeValues: values,
	}}, err
}

// readGroups reads those of the ids, consistently; what is not there yet comes
// empty, of version 0.
func (s *Store) readGroups(ctx context.Context, user owner.User, ids []recurrence.ID) ([]group, error) {
	keys := make([]map[string]types.AttributeValue, len(ids))
	found := make(map[recurrence.ID]group, len(ids))
	for i, id := range ids {
		keys[i] = dynamo.LegacyKey(groupKey(user, id))
		found[id] = group{id: id}
	}
	items, err := s.getAll(ctx, keys)
	if err != nil {
		return nil, fmt.Errorf("get groups: %w", err)
	}
	for _, item := range items {
		g, err := toGroup(item)
		if err != nil {
			return nil, err
		}
		found[g.id] = g
	}
	return slices.Collect(maps.Values(found)), nil
}

func toGroup(item dynamo.Item) (group, error) {
	var r struct {
		SK string `dynamodbav:"sk"`
		groupRow
	}
	if err := dynamo.Unmarshal(item, &r); err != nil {
		return group{}, err
	}
	account, key, ok := strings.Cut(strings.TrimPrefix(r.SK, groupPrefix), "#")
	if !ok {
		return group{}, errors.New("group row: its key does not hold account and key")
	}
	g := group{id: recurrence.ID{AccountID: account, Key: key}, version: r.Version}
	if err := json.Unmarshal([]byte(r.Record), &g.record); err != nil {
		return group{}, fmt.Errorf("group row: %w", err)
	}
	return g, nil
}

// SaveLabels writes the labels that are due, each group's in a transaction with
// the group that then no longer holds them.
func (s *Store) SaveLabels(ctx context.Context, l pfm.Lease, user owner.User, connectionID, accountID string) error {
	due, err := s.queryGroups(ctx, user, "byState", "openSort", dueSort+accountID, true)
	if err != nil {
		return err
	}
	lease := s.leaseNote(l, user, connectionID)
	for _, g := range due {
		if err := s.saveLabelsOf(ctx, user, g, lease); err != nil && !errors.Is(err, pfm.ErrRowChanged) {
			return err // what keeps changing is due again with the next sync
		}
	}
	return nil
}

func (s *Store) saveLabelsOf(ctx context.Context, user owner.User, g group, lease noteChanges) error {
	for try := 0; len(g.record.Due) > 0; {
		err := s.saveDue(ctx, user, g, lease)
		if err != nil && !errors.Is(err, pfm.ErrRowChanged) {
			return err
		}
		if err != nil {
			if try++; try == labelTries {
				return err
			}
		}
		again, err := s.readGroups(ctx, user, []recurrence.ID{g.id})
		if err != nil {
			return err
		}
		g = again[0]
	}
	return nil
}

// saveDue writes some of the labels that are due.
func (s *Store) saveDue(ctx context.Context, user owner.User, g group, lease noteChanges) error {
	ids := slices.Sorted(maps.Keys(g.record.Due))
	ids = ids[:min(len(ids), labelsAtOnce)]
	keys := make([]map[string]types.AttributeValue, len(ids))
	for i, id := range ids {
		keys[i] = dynamo.LegacyKey(rowKey(user, g.record.Due[id].Date, id))
	}
	items, err := s.getAll(ctx, keys)
	if err != nil {
		return fmt.Errorf("get transactions: %w", err)
	}
	var rows []pfm.RowChange
	for _, item := range items {
		was, err := toTransaction(user, dynamo.NewRow(item))
		if err != nil {
			return err
		}
		is := was
		g.record.Due[was.ID].Give(&is)
		if is.Frequency != was.Frequency || is.Subscription != was.Subscription {
			is.UpdatedAt = s.now()
			rows = append(rows, pfm.RowChange{Old: &was, New: is})
		}
	}
	g.record.Written(ids...)
	return s.writeRows(ctx, user, rows, lease, func() ([]types.TransactWriteItem, error) {
		action, err := s.groupAction(user, g)
		return []types.TransactWriteItem{action}, err
	})
}

// Subscriptions reads the groups that hold one with one query.
func (s *Store) Subscriptions(ctx context.Context, user owner.User) ([]pfm.Subscription, error) {
	groups, err := s.queryGroups(ctx, user, "byMerchant", "merchantSort", subscriptionSort, false)
	if err != nil {
		return nil, err
	}
	list := []pfm.Subscription{}
	for _, g := range groups {
		more, err := g.record.Subscriptions()
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	return list, nil
}

// queryGroups reads the user's groups in one place of an index.
func (s *Store) queryGroups(ctx context.Context, user owner.User, index, sort, place string, consistent bool) ([]group, error) {
	var list []group
	pages := dynamodb.NewQueryPaginator(s.db, &dynamodb.QueryInput{
		TableName: &s.table, IndexName: &index, ConsistentRead: &consistent, KeyConditionExpression: ptr("pk = :pk AND " + sort + " = :place"),
		ExpressionAttributeValues: dynamo.Item{":pk": dynamo.S(user.Key()), ":place": dynamo.S(place)},
	})
	for pages.HasMorePages() {
		out, err := pages.NextPage(ctx)
		if err != nil {
			return nil, fmt.Errorf("query groups: %w", err)
		}
		for _, item := range out.Items {
			g, err := toGroup(item)
			if err != nil {
				return nil, err
			}
			list = append(list, g)
		}
	}
	return list, nil
}

// deleteGroups deletes those of one account.
func (s *Store) deleteGroups(ctx context.Context, user owner.User, accountID string) error {
	pages := dynamodb.NewQueryPaginator(s.db, &dynamodb.QueryInput{
		TableName: &s.table, ConsistentRead: ptr(true), ProjectionExpression: ptr("pk, sk"),
		KeyConditionExpression:    ptr("pk = :pk AND begins_with(sk, :prefix)"),
		ExpressionAttributeValues: dynamo.Item{":pk": dynamo.S(user.Key()), ":prefix": dynamo.S(groupPrefix + accountID + "#")},
	})
	for pages.HasMorePages() {
		out, err := pages.NextPage(ctx)
		if err != nil {
			return fmt.Errorf("query groups: %w", err)
		}
		if err := s.deleteAll(ctx, out.Items); err != nil {
			return err
		}
	}
	return nil
}
