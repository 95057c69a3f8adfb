package pfmdb

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"aviso/internal/dynamo"
	"aviso/internal/owner"
	"aviso/internal/pfm"
)

// leaseRow is apart from the connection's row, so that a sync and a change of
// the connection do not get into each other's way. Its expiry is for rows whose
// connection is gone; a lease that is over can be taken at once.
type leaseRow struct {
	Token     string `dynamodbav:"token"`
	Until     string `dynamodbav:"until"`
	ExpiresAt int64  `dynamodbav:"expiresAt"`
}

// finishTries is how often FinishSync meets a change of the connection before
// it gives up.
const finishTries = 5

// AcquireSync takes the lease, then reads the connection.
func (s *Store) AcquireSync(ctx context.Context, user owner.User, connectionID string, l pfm.Lease, now time.Time) (pfm.Connection, error) {
	cpk, csk := connectionKey(user, connectionID)
	lpk, lsk := leaseKey(user, connectionID)
	lease, err := dynamo.Marshal(lpk, lsk, leaseRow{Token: l.Token, Until: dynamo.Time(l.Until), ExpiresAt: dynamo.Expiry(l.Until.Add(24 * time.Hour))})
	if err != nil {
		return pfm.Connection{}, err
	}
	err = dynamo.Transact(ctx, s.db, []types.TransactWriteItem{
		{ConditionCheck: &types.ConditionCheck{TableName: &s.table, Key: dynamo.Key(cpk, csk), ConditionExpression: ptr("attribute_exists(pk)")}},
		{Put: &types.Put{
			TableName: &s.table, Item: lease,
			ConditionExpression:       ptr("attribute_not_exists(pk) OR #until < :now OR #token = :token"),
			ExpressionAttributeNames:  map[string]string{"#until": "until", "#token": "token"},
			ExpressionAttributeValues: dynamo.Item{":now": dynamo.S(dynamo.Time(now)), ":token": dynamo.S(l.Token)},
		}},
	})
	var refused *dynamo.ConditionError
	if errors.As(err, &refused) && refused.Failed(0) {
		return pfm.Connection{}, pfm.ErrNotFound
	}
	if err != nil {
		return pfm.Connection{}, translate(err)
	}
	return s.Connection(ctx, user, connectionID)
}

// SaveAccounts writes accounts under the lease.
func (s *Store) SaveAccounts(ctx context.Context, l pfm.Lease, accounts []pfm.Account) error {
	if len(accounts) == 0 {
		return nil
	}
	changes := make([][]types.TransactWriteItem, 0, len(accounts))
	for _, a := range accounts {
		item, err := accountItem(a)
		if err != nil {
			return err
		}
		changes = append(changes, []types.TransactWriteItem{{Put: &types.Put{TableName: &s.table, Item: item}}})
	}
	return s.underLease(ctx, l, accounts[0].Owner, accounts[0].ConnectionID, changes)
}

// SaveRows writes the changes under the lease.
func (s *Store) SaveRows(ctx context.Context, l pfm.Lease, user owner.User, connectionID string, rows []pfm.RowChange) error {
	changes := make([][]types.TransactWriteItem, 0, len(rows))
	for _, r := range rows {
		actions, err := s.rowActions(r)
		if err != nil {
			return err
		}
		changes = append(changes, actions)
	}
	return s.underLease(ctx, l, user, connectionID, changes)
}

// underLease writes changes in chunks of one transaction each, and each checks
// that the lease is still held: a worker that was thought dead writes nothing.
// The actions of one change stay together.
func (s *Store) underLease(ctx context.Context, l pfm.Lease, user owner.User, connectionID string, changes [][]types.TransactWriteItem) error {
	check := s.leaseCheck(l, user, connectionID)
	chunk := []types.TransactWriteItem{check}
	flush := func() error {
		if len(chunk) == 1 {
			return nil
		}
		err := dynamo.Transact(ctx, s.db, chunk)
		chunk = []types.TransactWriteItem{check}
		return translate(err)
	}
	for _, actions := range changes {
		if len(chunk)+len(actions) > dynamo.MaxTransaction {
			if err := flush(); err != nil {
				return err
			}
		}
		chunk = append(chunk, actions...)
	}
	return flush()
}

func (s *Store) leaseCheck(l pfm.Lease, user owner.User, connectionID string) types.TransactWriteItem {
	pk, sk := leaseKey(user, connectionID)
	return types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{
		TableName: &s.table, Key: dynamo.Key(pk, sk), ConditionExpression: ptr("#token = :token"),
		ExpressionAttributeNames: map[string]string{"#token": "token"}, ExpressionAttributeValues: dynamo.Item{":token": dynamo.S(l.Token)},
	}}
}

// FinishSync applies the outcome to the connection as it is now and gives the
// lease back, together.
func (s *Store) FinishSync(ctx context.Context, l pfm.Lease, user owner.User, connectionID string, apply func(*pfm.Connection)) error {
	pk, sk := leaseKey(user, connectionID)
	release := types.TransactWriteItem{Delete: &types.Delete{
		TableName: &s.table, Key: dynamo.Key(pk, sk), ConditionExpression: ptr("#token = :token"),
		ExpressionAttributeNames: map[string]string{"#token": "token"}, ExpressionAttributeValues: dynamo.Item{":token": dynamo.S(l.Token)},
	}}
	for range finishTries {
		c, err := s.Connection(ctx, user, connectionID)
		if err != nil {
			return translateGone(err)
		}
		apply(&c)
		save, err := s.saveAction(c)
		if err != nil {
			return err
		}
		err = dynamo.Transact(ctx, s.db, []types.TransactWriteItem{release, save})
		var refused *dynamo.ConditionError
		if errors.As(err, &refused) && !refused.Failed(0) {
			continue // the connection changed meanwhile, the lease is still ours
		}
		return translate(err)
	}
	return fmt.Errorf("finish sync: the connection kept changing")
}

// translateGone: a connection that is gone took the lease with it.
func translateGone(err error) error {
	if errors.Is(err, pfm.ErrNotFound) {
		return pfm.ErrChanged
	}
	return err
}
