package pfmdb

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"aviso/internal/dynamo"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/contract"
	"aviso/internal/pfm/transaction"
)

// A connection's lease has its own row, so that a sync and a change of the
// connection do not conflict. Its attributes token and until say who holds the lease and
// until when; after that anybody may take it. Others are in leaseRow.
//
// The row stays when the lease is released, so the next sync takes the lease with one small
// write, which finds a row only while there is a connection.

// leaseRow is what a sync reads of the row.
type leaseRow struct {
	Token string `dynamodbav:"token"`
	Until string `dynamodbav:"until"`
	// Since is the number of the user's last change before the first one that syncs of the
	// connection made and partners were not notified of. It survives a sync that is
	// interrupted.
	Since *int64 `dynamodbav:"since"`
	// Seen is JSON text: what the last sync has seen, if the next one may go by it.
	Seen string `dynamodbav:"seen"`
}

// IsSyncing reports whether a sync of the connection holds its lease.
func (s *Store) IsSyncing(ctx context.Context, user owner.User, connectionID string, now time.Time) (bool, error) {
	row, err := orZero(dynamo.Get[leaseRow](ctx, s.table, leaseKey(user, connectionID)))
	return row.Token != "" && row.Until >= dynamo.Time(now), err
}

// leaseLife is how long a lease's row stays after the lease has ended if nobody
// takes it again: as long as a changes token is valid.
const leaseLife = 30 * 24 * time.Hour

// finishTries is how often FinishSync tries when the connection keeps changing.
const finishTries = 5

// isHeld is the condition that l still holds the lease.
func isHeld(l connection.Lease) dynamo.Expression { return dynamo.Expr("#token = ?", l.Token) }

// AcquireSync takes the lease, then reads the rest.
func (s *Store) AcquireSync(
	ctx context.Context, user owner.User, connectionID string, l connection.Lease, now time.Time,
) (connection.Acquired, error) {
	begun, err := s.takeLease(ctx, user, connectionID, l, now)
	if err != nil {
		return connection.Acquired{}, err
	}
	// A number that is a moment old is as good: what others change from then on is left to the
	// next sync, like what they change while this one asks the bank.
	from, err := s.sequence(ctx, user, dynamo.Eventual)
	if err != nil {
		return connection.Acquired{}, err
	}
	begun.Number = from.Last
	if begun.Holdings, err = s.Holdings(ctx, user); err != nil {
		return connection.Acquired{}, err
	}
	for _, h := range begun.Holdings.All {
		if begun.Connection = h.Connection; h.Connection.ID == connectionID && h.Connection.Status != connection.Deleting {
			return begun, nil
		}
	}
	return connection.Acquired{}, outcome.ErrNotFound
}

// takeLease takes the lease, and returns what its row says of earlier syncs.
func (s *Store) takeLease(
	ctx context.Context, user owner.User, connectionID string, l connection.Lease, now time.Time,
) (begun connection.Acquired, err error) {
	take := dynamo.Expr("SET #token = ?, #until = ?, expiresAt = ?",
		l.Token, dynamo.Time(l.Until), dynamo.Expiry(l.Until.Add(leaseLife)))
	row, err := s.table.Update(ctx, leaseKey(user, connectionID), take,
		dynamo.Expr("attribute_exists(pk) AND (#until < ? OR #token = ?)", dynamo.Time(now), l.Token))
	if refused, ok := errors.AsType[*dynamo.ConditionError](err); ok && refused.Old == nil {
		return begun, s.createLease(ctx, user, connectionID, take)
	}
	if err != nil {
		return begun, err
	}
	r, err := dynamo.Decode[leaseRow](row)
	if err == nil && r.Seen != "" {
		err = json.Unmarshal([]byte(r.Seen), &begun.Seen)
	}
	if err != nil {
		return begun, fmt.Errorf("lease row: %w", err)
	}
	begun.Unreported = r.Since != nil
	return begun, s.users.Exists(ctx, user)
}

// createLease creates the row of a connection's first sync. Only this transaction creates
// it, so there is none for a connection or a user who is gone.
func (s *Store) createLease(ctx context.Context, user owner.User, connectionID string, take dynamo.Expression) error {
	var x dynamo.Transaction
	connection := x.Check(s.table, connectionKey(user, connectionID),
		dynamo.Expr("attribute_exists(pk) AND #status <> ?", string(connection.Deleting)))
	x.Update(s.table, leaseKey(user, connectionID), take, dynamo.IfNew)
	err := s.users.Commit(ctx, &x, user)
	if dynamo.Refused(err, connection) {
		return outcome.ErrNotFound
	}
	return err
}

// SaveAccounts writes accounts under the lease.
func (s *Store) SaveAccounts(ctx context.Context, l connection.Lease, accounts []pfm.Account) error {
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
func (s *Store) SaveSecret(ctx context.Context, l connection.Lease, c connection.Connection, secret string) error {
	var x dynamo.Transaction
	x.Check(s.table, leaseKey(c.Owner, c.ID), isHeld(l))
	x.Update(s.table, connectionKey(c.Owner, c.ID),
		dynamo.Expr("SET secret = ?, version = version + ?", secret, 1), dynamo.Expr("consentId = ?", c.ConsentID))
	return x.Commit(ctx)
}

// FinishSync applies the outcome to the connection, writes the jobs, and releases the lease
// in the same transaction.
func (s *Store) FinishSync(
	ctx context.Context, l connection.Lease, c connection.Connection,
	apply func(*connection.Connection) []connection.SyncJob,
) error {
	for range finishTries {
		next := c
		jobs := apply(&next)
		var x dynamo.Transaction
		release := s.addRelease(&x, l, next)
		s.addConnection(ctx, &x, next)
		s.addJobs(ctx, &x, jobs)
		err := x.Commit(ctx)
		if !errors.Is(err, outcome.ErrChanged) || dynamo.Refused(err, release) {
			return err
		} // else the connection changed in the meantime, and the lease is still held
		c, err = s.Connection(ctx, c.Owner, c.ID)
		if errors.Is(err, outcome.ErrNotFound) {
			return outcome.ErrChanged // the lease went with the connection
		}
		if err != nil {
			return err
		}
	}
	return errors.New("finish sync: the connection kept changing")
}

// addRelease releases the lease and returns the index of its action. Partners are notified
// of all changes if the connection is refreshed.
func (s *Store) addRelease(x *dynamo.Transaction, l connection.Lease, c connection.Connection) int {
	release := dynamo.Expr("SET #token = ?, #until = ?", "", "")
	switch {
	case c.IsRefreshed() && l.Seen.Days != nil:
		seen, err := json.Marshal(l.Seen)
		if err != nil {
			x.Fail(err)
		}
		release = dynamo.Expr("SET #token = ?, #until = ?, seen = ? REMOVE since", "", "", string(seen))
	case c.IsRefreshed():
		release = dynamo.Expr("SET #token = ?, #until = ? REMOVE since, seen", "", "")
	}
	return x.Update(s.table, leaseKey(c.Owner, c.ID), release, isHeld(l))
}

// holdingsRow counts how often connections of the user got accounts. A transaction that
// gives them some requires the count that was read with all accounts. So of two syncs that
// find the same account at the same time, the second one sees what the first one wrote.
type holdingsRow struct {
	Version int64 `dynamodbav:"version"`
}

// Holdings reads connections, accounts, watches and the user's choices for merchants with one
// query.
func (s *Store) Holdings(ctx context.Context, user owner.User) (connection.Holdings, error) {
	return s.holdings(ctx, user, holdingsKey(user).SK, false)
}

// holdings reads the Holdings whose keys are from a sort key on. Without one, it reads connections
// and their accounts only.
func (s *Store) holdings(
	ctx context.Context, user owner.User, from string, eventual bool,
) (connection.Holdings, error) {
	var found connection.Holdings
	counter := holdingsKey(user)
	for row, err := range s.table.Query(ctx, dynamo.Query{
		Partition: user.Key(), Eventual: eventual,
		Sort: dynamo.Between(cmp.Or(from, connectionPrefix), connectionPrefix+highest),
	}) {
		if err != nil {
			return connection.Holdings{}, err
		}
		switch sk := dynamo.KeyOf(row).SK; {
		case sk == counter.SK:
			var r holdingsRow
			r, err = dynamo.Decode[holdingsRow](row)
			found.Version = r.Version
		case strings.HasPrefix(sk, choicePrefix):
			if found.Choices == nil {
				found.Choices = transaction.Choices{}
			}
			var r choiceRow
			r, err = dynamo.Decode[choiceRow](row)
			found.Choices[r.party()] = r.Subcategory
			found.ChoicesMade += r.Made
		case strings.HasPrefix(sk, watchPrefix):
			var w contract.Watch
			w, err = toWatch(row)
			found.Watches = append(found.Watches, w)
		case !isAccount(sk):
			var c connection.Connection
			c, err = toConnection(row)
			found.All = append(found.All, connection.Holding{Connection: c})
		default:
			var a pfm.Account
			a, err = toAccount(row)
			// An account whose connection is gone will soon be gone too.
			if n := len(found.All); n > 0 && found.All[n-1].Connection.ID == a.ConnectionID {
				found.All[n-1].Accounts = append(found.All[n-1].Accounts, a)
			}
		}
		if err != nil {
			return connection.Holdings{}, err
		}
	}
	return found, nil
}

// TakeAccounts moves accounts from one connection to another, or creates them. Rows, sums
// and groups have the account's ID in their keys, not the connection's, so they stay as
// they are. The syncs of the connection that gives accounts up lose their lease.
func (s *Store) TakeAccounts(ctx context.Context, l connection.Lease, t connection.Takeover) error {
	user, taker := t.Accounts[0].Owner, t.Accounts[0].ConnectionID
	var x dynamo.Transaction
	lease := x.Check(s.table, leaseKey(user, taker), isHeld(l))
	x.Put(s.table, holdingsKey(user), holdingsRow{t.Version + 1}, dynamo.IfVersion(t.Version))
	for _, a := range t.Accounts {
		x.Put(s.table, accountKey(user, taker, a.ID), toAccountRow(a))
	}
	if f := t.From; f != nil {
		for _, id := range f.AccountIDs {
			x.Delete(s.table, accountKey(user, f.Connection.ID, id))
		}
		s.addConnection(ctx, &x, f.Connection)
		x.Delete(s.table, leaseKey(user, f.Connection.ID),
			dynamo.Expr("attribute_not_exists(since) OR since = ?", f.Reported.Read))
		s.addJobs(ctx, &x, f.Jobs)
	}
	err := x.Commit(ctx)
	if errors.Is(err, outcome.ErrChanged) && !dynamo.Refused(err, lease) {
		return pfm.ErrRowChanged
	}
	return err
}
