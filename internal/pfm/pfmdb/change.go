package pfmdb

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"aviso/internal/dynamo"
	"aviso/internal/dynamo/outcome"
	"aviso/internal/dynamo/owner"
	"aviso/internal/pfm"
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

// sequence is the number of the user's last change. made is how often the user has made or
// taken back a choice for a merchant.
type sequence struct{ last, made int64 }

// numberedWrite is a transaction that changes rows. It goes on from a sequence, of which
// it may raise made.
type numberedWrite struct {
	dynamo.Transaction
	sequence
}

// numbered commits what add puts into a transaction and assigns the next n change
// numbers of the user. If only the numbers were taken in the meantime, it retries.
//
// Every write of rows gets its numbers this way, on condition that they are free.
// So the numbers follow the order of the commits, and a reader who has seen one
// never finds a lower one later. known is the sequence if the caller knows it; numbered
// keeps it up to date.
func (s *Store) numbered(
	ctx context.Context, user owner.User, n int, known *sequence, add func(x *numberedWrite) error,
) error {
	for range sequenceTries {
		from, err := *known, error(nil)
		if *known = (sequence{}); from.last == 0 {
			from, err = s.sequence(ctx, user)
		}
		if err != nil {
			return err
		}
		free := dynamo.IfNew
		if from.last > 0 {
			free = dynamo.Expr("#last = ?", from.last)
		}
		x := numberedWrite{sequence: from}
		if err := add(&x); err != nil {
			return err
		}
		next := dynamo.Expr("SET #last = ?", from.last+int64(n))
		if x.made > from.made {
			next = dynamo.Expr("SET #last = ?, made = ?", from.last+int64(n), x.made)
		}
		numbers := x.Update(s.table, sequenceKey(user), next, free)
		err = x.Commit(ctx)
		if err == nil {
			*known = sequence{last: from.last + int64(n), made: x.made}
		}
		if !dynamo.OnlyRefused(err, numbers) {
			return err
		}
	}
	return pfm.ErrRowChanged
}

// sequence returns zeros if there has been no change.
func (s *Store) sequence(ctx context.Context, user owner.User, options ...dynamo.ReadOption) (sequence, error) {
	row, err := s.table.Row(ctx, sequenceKey(user), options...)
	if errors.Is(err, outcome.ErrNotFound) {
		return sequence{}, nil
	}
	if err != nil {
		return sequence{}, err
	}
	return toSequence(row)
}

func toSequence(row *dynamo.Row) (sequence, error) {
	return sequence{last: row.Int("last"), made: row.Int("made")}, row.Err()
}

// Changes reads the index of changes with consistent reads.
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
		if page.Since.Read, err = changeNumber(row.Text("changeSort")); err != nil {
			return pfm.ChangePage{}, err
		}
		if id, removed := strings.CutPrefix(row.Text("sk"), removedPrefix); removed {
			if row.Int("as") <= since.Read { // else the reader never saw it
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
// position in the lease row: exactly what a partner gets who asks for the changes
// since that position. If there is no position, it takes one read.
func (s *Store) SyncChanges(ctx context.Context, user owner.User, connectionID string) (pfm.SyncChanges, error) {
	since, unreported, err := s.unreported(ctx, user, connectionID)
	if err != nil || !unreported {
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

// removeRows deletes an account's transactions page by page and writes a
// removedRow for each.
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

func (s *Store) removeChunk(ctx context.Context, user owner.User, rows []pfm.Transaction) error {
	return s.numbered(ctx, user, len(rows), &sequence{}, func(x *numberedWrite) error {
		for i, t := range rows {
			// Only once: a row that another deletion or an erasure has removed must not
			// get another removedRow.
			x.Delete(s.table, rowKey(user, t.RecordDate, t.ID), dynamo.IfExists)
			x.Put(s.table, removedKey(user, t.ID), removedRow{
				ChangeSort: changeSort(x.last + int64(i) + 1), Added: t.Added,
				ExpiresAt: dynamo.Expiry(s.now().Add(removedLife)),
			})
		}
		return nil
	})
}
