package pfmdb

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"aviso/internal/dynamo"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/transaction"
)

const (
	// removedLife is how long a removed row is remembered: longer than a changes
	// token is valid.
	removedLife = 35 * 24 * time.Hour
	// sequenceTries is how often a write tries to get its numbers when other writes
	// for the same user get there first.
	sequenceTries = 10
	// removedAtOnce is how many rows one transaction removes. Each row takes two
	// actions.
	removedAtOnce = 45
)

// removedRow records that a transaction was deleted.
type removedRow struct {
	ChangeSort string `dynamodbav:"changeSort"`
	Added      int64  `dynamodbav:"as"`
	ExpiresAt  int64  `dynamodbav:"expiresAt"`
}

// sequence is a row with the number of the user's last change.
type sequence struct {
	Last int64 `dynamodbav:"last"`
	// Made is how often the user has made or taken back a choice for a merchant.
	Made int64 `dynamodbav:"made"`
}

// numberedWrite is a transaction that changes rows. It goes on from a sequence, of which
// it may raise Made.
type numberedWrite struct {
	dynamo.Transaction
	sequence
}

// numbered commits what add puts into a transaction and assigns the next n change
// numbers of the user. If only the numbers were taken in the meantime, it retries.
//
// Every write of rows gets its numbers this way, on condition that they are free.
// So the numbers follow the order of the commits, and a reader who has seen one
// never finds a lower one later.
func (s *Store) numbered(ctx context.Context, user owner.User, n int, add func(x *numberedWrite) error) error {
	for range sequenceTries {
		from, err := s.sequence(ctx, user)
		if err != nil {
			return err
		}
		free := dynamo.IfNew
		if from.Last > 0 {
			free = dynamo.Expr("#last = ?", from.Last)
		}
		x := numberedWrite{sequence: from}
		if err := add(&x); err != nil {
			return err
		}
		next := dynamo.Expr("SET #last = ?", from.Last+int64(n))
		if x.Made > from.Made {
			next = dynamo.Expr("SET #last = ?, made = ?", from.Last+int64(n), x.Made)
		}
		numbers := x.Update(s.table, sequenceKey(user), next, free)
		if err := x.Commit(ctx); !dynamo.OnlyRefused(err, numbers) {
			return err
		}
	}
	return pfm.ErrRowChanged
}

// sequence returns zeros if there has been no change.
func (s *Store) sequence(ctx context.Context, user owner.User, options ...dynamo.ReadOption) (sequence, error) {
	return orZero(dynamo.Get[sequence](ctx, s.table, sequenceKey(user), options...))
}

// Changes reads the index of changes with consistent reads.
func (s *Store) Changes(
	ctx context.Context, user owner.User, since transaction.ChangePosition, limit int,
) (transaction.ChangePage, error) {
	page := transaction.ChangePage{Changes: []transaction.Change{}, Since: since}
	found, err := s.table.Page(ctx, dynamo.Query{
		Index: byChange(), Partition: user.Key(), Sort: dynamo.After(changeSort(since.Read)), Limit: limit,
	})
	if err != nil {
		return transaction.ChangePage{}, err
	}
	for _, row := range found.Items {
		if page.Since.Read, err = changeNumber(dynamo.Text(row, "changeSort")); err != nil {
			return transaction.ChangePage{}, err
		}
		if id, removed := strings.CutPrefix(dynamo.KeyOf(row).SK, removedPrefix); removed {
			r, err := dynamo.Decode[removedRow](row)
			if err != nil {
				return transaction.ChangePage{}, err
			}
			if r.Added <= since.Read { // else the reader never saw it
				page.Changes = append(page.Changes, transaction.Change{Kind: transaction.Removed, TransactionID: id})
			}
			continue
		}
		t, err := toTransaction(user, row)
		if err != nil {
			return transaction.ChangePage{}, err
		}
		kind := transaction.Modified
		if t.Added > since.CaughtUp {
			kind = transaction.Added
		}
		page.Changes = append(page.Changes, transaction.Change{Kind: kind, TransactionID: t.ID, Transaction: t})
	}
	if len(found.Last) == 0 {
		page.Since.CaughtUp = page.Since.Read
	}
	return page, nil
}

// SyncChanges counts the connection's transactions among the changes after the
// position in the lease row: exactly what a partner gets who asks for the changes
// since that position. If there is no position, it takes one read.
func (s *Store) SyncChanges(ctx context.Context, user owner.User, connectionID string) (connection.SyncChanges, error) {
	lease, err := orZero(dynamo.Get[leaseRow](ctx, s.table, leaseKey(user, connectionID)))
	if err != nil {
		return connection.SyncChanges{}, fmt.Errorf("get lease: %w", err)
	}
	if lease.Since == nil {
		return connection.SyncChanges{}, nil
	}
	since := *lease.Since
	changes := connection.SyncChanges{Since: transaction.ChangePosition{Read: since, CaughtUp: since}}
	for r, err := range dynamo.Each[transactionRow](s.table.Query(ctx, dynamo.Query{
		Index: byChange(), Partition: user.Key(), Sort: dynamo.After(changeSort(since)),
		Filter: dynamo.Expr("c = ?", connectionID), Attributes: "#as",
	})) {
		if err != nil {
			return connection.SyncChanges{}, err
		}
		if r.Added > since {
			changes.Added++
		} else {
			changes.Modified++
		}
	}
	return changes, nil
}

// removeRows deletes an account's transactions page by page and writes a
// removedRow for each.
func (s *Store) removeRows(ctx context.Context, user owner.User, accountID string) error {
	q := dynamo.Query{Index: byAccount(), Partition: user.Key(), Sort: dynamo.Prefix(accountID + "#")}
	for {
		page, err := s.table.Page(ctx, q)
		if err != nil {
			return err
		}
		for chunk := range slices.Chunk(page.Items, removedAtOnce) {
			err := untilTaken(ctx, func() error { return s.removeChunk(ctx, user, chunk) })
			if err != nil {
				return fmt.Errorf("remove transactions: %w", err)
			}
		}
		if q.Start = page.Last; len(q.Start) == 0 {
			return nil
		}
	}
}

func (s *Store) removeChunk(ctx context.Context, user owner.User, rows []dynamo.Item) error {
	return s.numbered(ctx, user, len(rows), func(x *numberedWrite) error {
		for i, row := range rows {
			t, err := toTransaction(user, row)
			if err != nil {
				return err
			}
			// Only once: a row that another deletion or an erasure has removed must not
			// get another removedRow.
			x.Delete(s.table, rowKey(user, t.RecordDate, t.ID), dynamo.IfExists)
			x.Put(s.table, removedKey(user, t.ID), removedRow{
				ChangeSort: changeSort(x.Last + int64(i) + 1), Added: t.Added,
				ExpiresAt: dynamo.Expiry(s.now().Add(removedLife)),
			})
		}
		return nil
	})
}

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
