package pfmdb

import (
	"context"
	"strings"

	"aviso/internal/dynamo"
	"aviso/internal/dynamo/owner"
	"aviso/internal/pfm/connection"
)

// DeleteData deletes the rows, sums and groups of all accounts, the notes on their
// contracts, and the accounts last: after a failure, the next attempt needs them to find the rest.
func (s *Store) DeleteData(ctx context.Context, user owner.User, connectionID string) error {
	accounts, err := s.ConnectionAccounts(ctx, user, connectionID)
	if err != nil || len(accounts) == 0 {
		return err
	}
	keys := make([]dynamo.Key, len(accounts))
	for i, a := range accounts {
		if err := s.removeRows(ctx, user, a.ID); err != nil {
			return err
		}
		ofAccount := func(key dynamo.Key) bool {
			return strings.HasSuffix(strings.TrimSuffix(key.SK, merchantsSuffix), "#"+a.ID)
		}
		sums := dynamo.Query{Partition: user.Key(), Sort: dynamo.Prefix(aggregatePrefix)}
		if err := s.table.DeleteFound(ctx, sums, ofAccount); err != nil {
			return err
		}
		groups := dynamo.Query{Partition: user.Key(), Sort: dynamo.Prefix(groupPrefix + a.ID + "#")}
		if err := s.table.DeleteFound(ctx, groups, nil); err != nil {
			return err
		}
		keys[i] = accountKey(user, connectionID, a.ID)
	}
	if err := s.forgetContracts(ctx, user); err != nil {
		return err
	}
	return s.table.DeleteAll(ctx, keys...)
}

// DeleteConnection deletes a connection with the pointer to its owner. It returns
// no error if the connection is already gone.
func (s *Store) DeleteConnection(ctx context.Context, c connection.Connection) error {
	var x dynamo.Transaction
	x.Delete(s.table, connectionKey(c.Owner, c.ID))
	x.Delete(s.table, connectionOwnerKey(c.ID))
	return x.Commit(ctx)
}

// CountTransactions counts a user's transactions.
func (s *Store) CountTransactions(ctx context.Context, user owner.User) (int, error) {
	return s.table.Count(ctx, dynamo.Query{Partition: user.Key(), Sort: dynamo.Prefix(rowPrefix)})
}

// DeleteRest deletes whatever is left in the user's partition: the change counter,
// the removedRows, sums.
func (s *Store) DeleteRest(ctx context.Context, user owner.User) error {
	return s.table.DeletePartition(ctx, user.Key())
}
