package pfmdb

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"aviso/internal/dynamo"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/internal/pfm"
)

// A connection's lease has a row of its own, so that a sync and a change of the
// connection do not get into each other's way. Its attributes are:
//
//	token, until  who holds it and how long; after that anybody may take it
//	since         the number of the user's last change before the first that syncs
//	              of the connection have made and partners have not been told of;
//	              it outlives a sync that breaks off
//	expiresAt     when the row goes

// leaseLife is how long a lease's row stays after its end if nobody takes it
// again: as long as a token that asks for changes is valid.
const leaseLife = 30 * 24 * time.Hour

// finishTries is how often FinishSync may meet a change of the connection before
// it gives up.
const finishTries = 5

// isHeld is the condition that l is the lease's present holder.
func isHeld(l pfm.Lease) dynamo.Expression { return dynamo.Expr("#token = ?", l.Token) }

// AcquireSync takes the lease, then reads the connection.
func (s *Store) AcquireSync(
	ctx context.Context, user owner.User, connectionID string, l pfm.Lease, now time.Time,
) (pfm.Connection, error) {
	var x dynamo.Transaction
	connection := x.Check(s.table, connectionKey(user, connectionID),
		dynamo.Expr("attribute_exists(pk) AND #status <> ?", string(pfm.ConnectionDeleting)))
	x.Update(s.table, leaseKey(user, connectionID),
		dynamo.Expr("SET #token = ?, #until = ?, expiresAt = ?",
			l.Token, dynamo.Time(l.Until), dynamo.Expiry(l.Until.Add(leaseLife))),
		dynamo.Expr("attribute_not_exists(pk) OR #until < ? OR #token = ?", dynamo.Time(now), l.Token))
	err := x.Commit(ctx)
	if dynamo.Refused(err, connection) {
		return pfm.Connection{}, outcome.ErrNotFound
	}
	if err != nil {
		return pfm.Connection{}, err
	}
	return s.Connection(ctx, user, connectionID)
}

// SaveAccounts writes accounts under the lease.
func (s *Store) SaveAccounts(ctx context.Context, l pfm.Lease, accounts []pfm.Account) error {
	for chunk := range slices.Chunk(accounts, dynamo.MaxTransaction-1) {
		var x dynamo.Transaction
		x.Check(s.table, leaseKey(chunk[0].Owner, chunk[0].ConnectionID), isHeld(l))
		for _, a := range chunk {
			x.Put(s.table, accountKey(a.Owner, a.ConnectionID, a.ID), toAccountRow(a))
		}
		if err := x.Commit(ctx); err != nil {
			return err
		}
	}
	return nil
}

// FinishSync applies the outcome to the connection as it is now and releases the
// lease in the same transaction.
func (s *Store) FinishSync(
	ctx context.Context, l pfm.Lease, user owner.User, connectionID string, apply func(*pfm.Connection),
) error {
	for range finishTries {
		c, err := s.Connection(ctx, user, connectionID)
		if errors.Is(err, outcome.ErrNotFound) {
			return outcome.ErrChanged // the lease went with the connection
		}
		if err != nil {
			return err
		}
		apply(&c)
		var x dynamo.Transaction
		release, err := s.addRelease(ctx, &x, l, c)
		if err != nil {
			return err
		}
		s.addConnection(&x, c)
		err = x.Commit(ctx)
		if !errors.Is(err, outcome.ErrChanged) || dynamo.Refused(err, release) {
			return err
		} // else the connection changed meanwhile, and the lease is still held
	}
	return errors.New("finish sync: the connection kept changing")
}

// addRelease releases the lease. Its row goes, unless partners have yet to be told
// of changes. It returns the index of the action.
func (s *Store) addRelease(ctx context.Context, x *dynamo.Transaction, l pfm.Lease, c pfm.Connection) (int, error) {
	key := leaseKey(c.Owner, c.ID)
	if !c.IsRefreshed() {
		_, untold, err := s.untold(ctx, c.Owner, c.ID)
		if err != nil {
			return 0, err
		}
		if untold {
			return x.Update(s.table, key, dynamo.Expr("SET #token = ?, #until = ?", "", ""), isHeld(l)), nil
		}
	}
	return x.Delete(s.table, key, isHeld(l)), nil
}

// untold reads since from the lease's row, and reports whether it is there.
func (s *Store) untold(ctx context.Context, user owner.User, connectionID string) (int64, bool, error) {
	row, err := s.table.Row(ctx, leaseKey(user, connectionID))
	if errors.Is(err, outcome.ErrNotFound) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, fmt.Errorf("get lease: %w", err)
	}
	return row.Int("since"), row.Has("since"), row.Err()
}
