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

// A connection's lease has its own row, so that a sync and a change of the
// connection do not conflict. Its attributes are:
//
//	token, until  who holds the lease and until when; after that anybody may take it
//	since         the number of the user's last change before the first one that
//	              syncs of the connection made and partners were not notified of;
//	              it survives a sync that is interrupted
//	expiresAt     when the row is deleted

// leaseLife is how long a lease's row stays after the lease has ended if nobody
// takes it again: as long as a changes token is valid.
const leaseLife = 30 * 24 * time.Hour

// finishTries is how often FinishSync tries when the connection keeps changing.
const finishTries = 5

// isHeld is the condition that l still holds the lease.
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
	err := s.users.Commit(ctx, &x, user)
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

// SaveSecret replaces the secret of c's session under the lease. The version rises, so that
// nobody who has read the old secret writes it back.
func (s *Store) SaveSecret(ctx context.Context, l pfm.Lease, c pfm.Connection, secret string) error {
	var x dynamo.Transaction
	x.Check(s.table, leaseKey(c.Owner, c.ID), isHeld(l))
	x.Update(s.table, connectionKey(c.Owner, c.ID),
		dynamo.Expr("SET secret = ?, version = version + ?", secret, 1), dynamo.Expr("consentId = ?", c.ConsentID))
	return x.Commit(ctx)
}

// FinishSync applies the outcome to the current connection, writes the jobs, and
// releases the lease in the same transaction.
func (s *Store) FinishSync(
	ctx context.Context, l pfm.Lease, user owner.User, connectionID string,
	apply func(*pfm.Connection) []pfm.SyncJob,
) error {
	for range finishTries {
		c, err := s.Connection(ctx, user, connectionID)
		if errors.Is(err, outcome.ErrNotFound) {
			return outcome.ErrChanged // the lease went with the connection
		}
		if err != nil {
			return err
		}
		jobs := apply(&c)
		var x dynamo.Transaction
		release, err := s.addRelease(ctx, &x, l, c)
		if err != nil {
			return err
		}
		s.addConnection(ctx, &x, c)
		s.addJobs(ctx, &x, jobs)
		err = x.Commit(ctx)
		if !errors.Is(err, outcome.ErrChanged) || dynamo.Refused(err, release) {
			return err
		} // else the connection changed in the meantime, and the lease is still held
	}
	return errors.New("finish sync: the connection kept changing")
}

// addRelease releases the lease and returns the index of its action. It deletes the
// row, unless partners have not been notified of some changes yet.
func (s *Store) addRelease(ctx context.Context, x *dynamo.Transaction, l pfm.Lease, c pfm.Connection) (int, error) {
	key := leaseKey(c.Owner, c.ID)
	if !c.IsRefreshed() {
		_, unreported, err := s.unreported(ctx, c.Owner, c.ID)
		if err != nil {
			return 0, err
		}
		if unreported {
			return x.Update(s.table, key, dynamo.Expr("SET #token = ?, #until = ?", "", ""), isHeld(l)), nil
		}
	}
	return x.Delete(s.table, key, isHeld(l)), nil
}

// unreported returns the position after which partners have not been notified of
// changes, and whether there is one.
func (s *Store) unreported(ctx context.Context, user owner.User, connectionID string) (int64, bool, error) {
	row, err := s.table.Row(ctx, leaseKey(user, connectionID))
	if errors.Is(err, outcome.ErrNotFound) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, fmt.Errorf("get lease: %w", err)
	}
	return row.Int("since"), row.Has("since"), row.Err()
}
