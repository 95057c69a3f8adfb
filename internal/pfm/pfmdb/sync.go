package pfmdb

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"aviso/internal/dynamo"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/recurrence"
)

// leaseLife is how long the row of a lease stays when nobody takes it up again:
// as long as a token that asks for changes holds.
const leaseLife = 30 * 24 * time.Hour

// leaseRow is what a sync reads off the row of its lease. The row is apart from
// the connection's, so that a sync and a change of the connection do not get
// into each other's way. A lease that is over can be taken at once.
type leaseRow struct {
	// Since is the number of the user's last change before the first that syncs
	// of the connection have made and partners have not been told of; nil where
	// there is none. It outlives a sync that breaks off.
	Since *int64 `dynamodbav:"since"`
}

// finishTries is how often FinishSync meets a change of the connection before
// it gives up.
const finishTries = 5

// AcquireSync takes the lease, then reads the connection.
func (s *Store) AcquireSync(ctx context.Context, user owner.User, connectionID string, l pfm.Lease, now time.Time) (pfm.Connection, error) {
	cpk, csk := connectionKey(user, connectionID)
	lpk, lsk := leaseKey(user, connectionID)
	err := dynamo.LegacyTransact(ctx, s.db, []types.TransactWriteItem{
		{ConditionCheck: &types.ConditionCheck{
			TableName: &s.table, Key: dynamo.LegacyKey(cpk, csk), ConditionExpression: ptr("attribute_exists(pk) AND #status <> :deleting"),
			ExpressionAttributeNames:  map[string]string{"#status": "status"},
			ExpressionAttributeValues: dynamo.Item{":deleting": dynamo.S(string(pfm.ConnectionDeleting))},
		}},
		{Update: &types.Update{
			TableName: &s.table, Key: dynamo.LegacyKey(lpk, lsk), UpdateExpression: ptr("SET #token = :token, #until = :until, expiresAt = :expiry"),
			ConditionExpression:      ptr("attribute_not_exists(pk) OR #until < :now OR #token = :token"),
			ExpressionAttributeNames: map[string]string{"#until": "until", "#token": "token"},
			ExpressionAttributeValues: dynamo.Item{
				":now": dynamo.S(dynamo.Time(now)), ":token": dynamo.S(l.Token), ":until": dynamo.S(dynamo.Time(l.Until)),
				":expiry": dynamo.N(dynamo.Expiry(l.Until.Add(leaseLife))),
			},
		}},
	})
	var refused *dynamo.ConditionError
	if errors.As(err, &refused) && refused.Failed(0) {
		return pfm.Connection{}, outcome.ErrNotFound
	}
	if err != nil {
		return pfm.Connection{}, translate(err)
	}
	return s.Connection(ctx, user, connectionID)
}

// SaveAccounts writes accounts under the lease.
func (s *Store) SaveAccounts(ctx context.Context, l pfm.Lease, accounts []pfm.Account) error {
	for chunk := range slices.Chunk(accounts, dynamo.MaxTransaction-1) {
		actions := []types.TransactWriteItem{s.leaseCheck(l, chunk[0].Owner, chunk[0].ConnectionID)}
		for _, a := range chunk {
			item, err := accountItem(a)
			if err != nil {
				return err
			}
			actions = append(actions, types.TransactWriteItem{Put: &types.Put{TableName: &s.table, Item: item}})
		}
		if err := dynamo.LegacyTransact(ctx, s.db, actions); err != nil {
			return translate(err)
		}
	}
	return nil
}

// SaveRows writes the changes in chunks of one transaction each, together with
// the aggregates and groups they bear on. Each checks that the lease is still held: a
// worker that was thought dead writes nothing.
func (s *Store) SaveRows(ctx context.Context, l pfm.Lease, user owner.User, connectionID string, rows []pfm.RowChange) error {
	for len(rows) > 0 {
		n := fitting(rows)
		if err := s.saveChunk(ctx, user, rows[:n], s.leaseNote(l, user, connectionID)); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}

// fitting is how many of the changes fit into one transaction with the lease
// check, the numbers they take, and the aggregates and groups they bear on.
func fitting(rows []pfm.RowChange) int {
	actions := 2
	touched, groups := map[pfm.AggregateID]bool{}, map[recurrence.ID]bool{}
	for i, r := range rows {
		actions++
		if r.Old != nil && r.Old.RecordDate != r.New.RecordDate {
			actions++
		}
		for id := range pfm.AggregatesTouched(rows[i : i+1]) {
			touched[id] = true
		}
		maps.Copy(groups, recurrence.Touched(rows[i:i+1]))
		if actions+len(touched)+len(groups) > dynamo.MaxTransaction {
			return i
		}
	}
	return len(rows)
}

// saveChunk writes changes with the aggregates and groups they bear on, or
// nothing, and gives the rows their labels.
func (s *Store) saveChunk(ctx context.Context, user owner.User, rows []pfm.RowChange, lease noteChanges) error {
	return s.writeRows(ctx, user, rows, lease, func() ([]types.TransactWriteItem, error) {
		aggregates, err := s.aggregateActions(ctx, user, rows)
		if err != nil {
			return nil, err
		}
		groups, err := s.groupActions(ctx, user, rows)
		return append(aggregates, groups...), err
	})
}

// writeRows writes changes and what derives from them in one transaction.
// ErrChanged when the lease, where there is one, is lost; ErrRowChanged when
// something is no longer as it was read.
func (s *Store) writeRows(ctx context.Context, user owner.User, rows []pfm.RowChange, lease noteChanges, derived func() ([]types.TransactWriteItem, error)) error {
	place := 0 // of the action that takes the numbers
	if lease != nil {
		place = 1
	}
	err := s.numbered(ctx, user, place, func(last int64) error {
		var actions []types.TransactWriteItem
		if lease != nil {
			actions = append(actions, lease(last))
		}
		actions = append(actions, s.takeChanges(user, last, len(rows)))
		more, err := derived()
		if err != nil {
			return err
		}
		actions = append(actions, more...)
		for i, r := range rows {
			row, err := s.rowActions(r, last+int64(i)+1)
			if err != nil {
				return err
			}
			actions = append(actions, row...)
		}
		return dynamo.LegacyTransact(ctx, s.db, actions)
	})
	var refused *dynamo.ConditionError
	if errors.As(err, &refused) && (lease == nil || !refused.Failed(0)) {
		return pfm.ErrRowChanged
	}
	return translate(err)
}

func (s *Store) leaseCheck(l pfm.Lease, user owner.User, connectionID string) types.TransactWriteItem {
	pk, sk := leaseKey(user, connectionID)
	return types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{
		TableName: &s.table, Key: dynamo.LegacyKey(pk, sk), ConditionExpression: ptr("#token = :token"),
		ExpressionAttributeNames: map[string]string{"#token": "token"}, ExpressionAttributeValues: dynamo.Item{":token": dynamo.S(l.Token)},
	}}
}

// noteChanges is the action that checks the lease under which rows are written,
// and notes in its row that the changes after last are to be told.
type noteChanges func(last int64) types.TransactWriteItem

func (s *Store) leaseNote(l pfm.Lease, user owner.User, connectionID string) noteChanges {
	return func(last int64) types.TransactWriteItem {
		return types.TransactWriteItem{Update: &types.Update{
			TableName: &s.table, Key: dynamo.LegacyKey(leaseKey(user, connectionID)), UpdateExpression: ptr("SET since = if_not_exists(since, :last)"),
			ConditionExpression: ptr("#token = :token"), ExpressionAttributeNames: map[string]string{"#token": "token"},
			ExpressionAttributeValues: dynamo.Item{":token": dynamo.S(l.Token), ":last": dynamo.N(last)},
		}}
	}
}

// FinishSync applies the outcome to the connection as it is now and gives the
// lease back, together.
func (s *Store) FinishSync(ctx context.Context, l pfm.Lease, user owner.User, connectionID string, apply func(*pfm.Connection)) error {
	for range finishTries {
		c, err := s.Connection(ctx, user, connectionID)
		if err != nil {
			return translateGone(err)
		}
		apply(&c)
		save, err := s.saveActions(c)
		if err != nil {
			return err
		}
		release, err := s.releaseAction(ctx, l, c)
		if err != nil {
			return err
		}
		err = dynamo.LegacyTransact(ctx, s.db, append([]types.TransactWriteItem{release}, save...))
		var refused *dynamo.ConditionError
		if errors.As(err, &refused) && !refused.Failed(0) {
			continue // the connection changed meanwhile, the lease is still ours
		}
		return translate(err)
	}
	return fmt.Errorf("finish sync: the connection kept changing")
}

// releaseAction gives the lease back. Its row goes, unless it holds what is yet
// to be told.
func (s *Store) releaseAction(ctx context.Context, l pfm.Lease, c pfm.Connection) (types.TransactWriteItem, error) {
	key := dynamo.LegacyKey(leaseKey(c.Owner, c.ID))
	held, names := ptr("#token = :token"), map[string]string{"#token": "token"}
	values := dynamo.Item{":token": dynamo.S(l.Token)}
	if !c.IsRefreshed() {
		_, untold, err := s.untold(ctx, c.Owner, c.ID)
		if err != nil {
			return types.TransactWriteItem{}, err
		}
		if untold {
			names["#until"], values[":nobody"] = "until", dynamo.S("")
			return types.TransactWriteItem{Update: &types.Update{
				TableName: &s.table, Key: key, UpdateExpression: ptr("SET #token = :nobody, #until = :nobody"),
				ConditionExpression: held, ExpressionAttributeNames: names, ExpressionAttributeValues: values,
			}}, nil
		}
	}
	return types.TransactWriteItem{Delete: &types.Delete{
		TableName: &s.table, Key: key, ConditionExpression: held, ExpressionAttributeNames: names, ExpressionAttributeValues: values,
	}}, nil
}

// translateGone: a connection that is gone took the lease with it.
func translateGone(err error) error {
	if errors.Is(err, outcome.ErrNotFound) {
		return outcome.ErrChanged
	}
	return err
}
