package pfmdb

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"aviso/internal/dynamo"
	"aviso/internal/dynamo/outcome"
	"aviso/internal/dynamo/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/contract"
	"aviso/internal/pfm/transaction"
)

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
