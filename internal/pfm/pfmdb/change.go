package pfmdb

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"aviso/internal/dynamo"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/internal/pfm"
)

const (
	// removedLife is how long a removed row is remembered: longer than a token
	// that asks for changes is valid.
	removedLife = 35 * 24 * time.Hour
	// sequenceTries is how often a write takes other numbers because another
	// write of the same user was faster.
	sequenceTries = 10
	// removedAtOnce is how many rows one transaction removes; each takes two
	// actions.
	removedAtOnce = 45
)

// removedRow remembers a row that is gone.
type removedRow struct {
	ChangeSort string `dynamodbav:"changeSort"`
	Added      int64  `dynamodbav:"as"`
	ExpiresAt  int64  `dynamodbav:"expiresAt"`
}

// numbered commits what add puts into a transaction, together with the numbers of
// the n changes after the user's last one. Where only the numbers were taken
// meanwhile, it tries again.
//
// Every write of rows takes its numbers so, on the condition that they are free:
// the numbers are in the order of the commits, and a reader who has seen one will
// not later find a lower one.
func (s *Store) numbered(
	ctx context.Context, user owner.User, n int, add func(x *dynamo.Transaction, last int64) error,
) error {
	for range sequenceTries {
		last, err := s.lastChange(ctx, user)
		if err != nil {
			return err
		}
		free := dynamo.IfNew
		if last > 0 {
			free = dynamo.Expr("#last = ?", last)
		}
		var x dynamo.Transaction
		numbers := x.Update(s.table, sequenceKey(user), dynamo.Expr("SET #last = ?", last+int64(n)), free)
		if err := add(&x, last); err != nil {
			return err
		}
		if err := x.Commit(ctx); !dynamo.OnlyRefused(err, numbers) {
			return err
		}
	}
	return pfm.ErrRowChanged
}

// lastChange reads the number of the user's last change.
func (s *Store) lastChange(ctx context.Context, user owner.User) (int64, error) {
	row, err := s.table.Row(ctx, sequenceKey(user))
	if errors.Is(err, outcome.ErrNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return row.Int("last"), row.Err()
}

// Changes reads the index of changes, consistently.
func (s *Store) Changes(
	ctx context.Context, user owner.User, since pfm.ChangePosition, limit int,
) (pfm.ChangePage, error) {
	page := pfm.ChangePage{Changes: []pfm.Change{}, Since: since}
	found, err := s.table.Page(ctx, dynamo.Query{
		Index: byChange(), Partition: user.Key(), Sort: dynamo.After(changeSort(since.Read)), Limit: limit,
	})
	if err != nil {
		return pfm.ChangePage{}, err
	}
	for row := range found.Rows() {
		if page.Since.Read, err = strconv.ParseInt(row.Text("changeSort"), 10, 64); err != nil {
			return pfm.ChangePage{}, fmt.Errorf("change row: %w", err)
		}
		if id, removed := strings.CutPrefix(row.Text("sk"), removedPrefix); removed {
			if row.Int("as") <= since.Read { // else it came and went unseen
				page.Changes = append(page.Changes, pfm.Change{Kind: pfm.Removed, TransactionID: id})
			}
			if err := row.Err(); err != nil {
				return pfm.ChangePage{}, err
			}
			continue
		}
		t, err := toTransaction(user, row)
		if err != nil {
			return pfm.ChangePage{}, err
		}
		change := pfm.Change{Kind: pfm.Modified, TransactionID: t.ID, Transaction: t}
		if t.Added > since.CaughtUp {
			change.Kind = pfm.Added
		}
		page.Changes = append(page.Changes, change)
	}
	if len(found.Last) == 0 {
		page.Since.CaughtUp = page.Since.Read
	}
	return page, nil
}

// SyncChanges counts the connection's transactions among the changes after the
// position in the lease's row: exactly what partners get who ask from that
// position on. Without a position it takes one read.
func (s *Store) SyncChanges(ctx context.Context, user owner.User, connectionID string) (pfm.SyncChanges, error) {
	since, untold, err := s.untold(ctx, user, connectionID)
	if err != nil || !untold {
		return pfm.SyncChanges{}, err
	}
	changes := pfm.SyncChanges{Since: pfm.ChangePosition{Read: since, CaughtUp: since}}
	for row, err := range s.table.Query(ctx, dynamo.Query{
		Index: byChange(), Partition: user.Key(), Sort: dynamo.After(changeSort(since)),
		Filter: dynamo.Expr("c = ?", connectionID), Attributes: "#as",
	}) {
		if err != nil {
			return pfm.SyncChanges{}, err
		}
		if row.Int("as") > since {
			changes.Added++
		} else {
			changes.Modified++
		}
		if err := row.Err(); err != nil {
			return pfm.SyncChanges{}, err
		}
	}
	return changes, nil
}

// removeRows deletes an account's transactions page by page, and remembers that
// they were there.
func (s *Store) removeRows(ctx context.Context, user owner.User, accountID string) error {
	q := dynamo.Query{Index: byAccount(), Partition: user.Key(), Sort: dynamo.Prefix(accountID + "#")}
	for {
		page, err := s.table.Page(ctx, q)
		if err != nil {
			return err
		}
		var rows []pfm.Transaction
		for row := range page.Rows() {
			t, err := toTransaction(user, row)
			if err != nil {
				return err
			}
			rows = append(rows, t)
		}
		for chunk := range slices.Chunk(rows, removedAtOnce) {
			if err := s.removeChunk(ctx, user, chunk); err != nil {
				return fmt.Errorf("remove transactions: %w", err)
			}
		}
		if q.Start = page.Last; len(q.Start) == 0 {
			return nil
		}
	}
}

func (s *Store) removeChunk(ctx context.Context, user owner.User, rows []pfm.Transaction) error {
	return s.numbered(ctx, user, len(rows), func(x *dynamo.Transaction, last int64) error {
		for i, t := range rows {
			// Only once: what another deletion or an erasure has ended leaves no new trace.
			x.Delete(s.table, rowKey(user, t.RecordDate, t.ID), dynamo.IfExists)
			x.Put(s.table, removedKey(user, t.ID), removedRow{
				ChangeSort: changeSort(last + int64(i) + 1), Added: t.Added,
				ExpiresAt: dynamo.Expiry(s.now().Add(removedLife)),
			})
		}
		return nil
	})
}
