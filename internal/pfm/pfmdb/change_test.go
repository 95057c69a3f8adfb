package pfmdb_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/transaction"
	"aviso/localstack/tests/pfmtest"
)

// changes reads all changes after a number, in pages.
func (s *tables) changes(user owner.User, since transaction.ChangePosition, limit int) (
	kinds map[string]transaction.ChangeKind, next transaction.ChangePosition,
) {
	s.t.Helper()
	kinds = map[string]transaction.ChangeKind{}
	for {
		page, err := s.Changes(s.t.Context(), user, since, limit)
		require.NoError(s.t, err)
		for _, c := range page.Changes {
			kinds[c.TransactionID] = c.Kind
		}
		if page.Since == since {
			return kinds, since
		}
		since = page.Since
	}
}

func TestChanges(t *testing.T) {
	s, c, l := syncing(t)
	save := func(changes ...transaction.RowChange) {
		t.Helper()
		require.NoError(t, s.SaveRows(t.Context(), l, c.Owner, c.ID, changes))
	}
	require.NoError(t, s.SaveAccounts(t.Context(), l, []pfm.Account{account(c, 1001)}))
	one, two := purchase(c, 1, "2026-02-01"), purchase(c, 2, "2026-02-02")
	one.AccountID, two.AccountID = account(c, 1001).ID, account(c, 1001).ID
	save(newRows(one, two)...)

	kinds, first := s.changes(c.Owner, transaction.ChangePosition{}, 1)
	assert.Equal(t, map[string]transaction.ChangeKind{
		one.ID: transaction.Added, two.ID: transaction.Added,
	}, kinds, "reading from the start returns all rows")
	kinds, same := s.changes(c.Owner, first, 10)
	assert.Empty(t, kinds)
	assert.Equal(t, first, same)

	was := stored(one)
	was.Added = 1
	moved := was
	moved.RecordDate = "2026-02-03"
	three := purchase(c, 3, "2026-02-04")
	three.AccountID = one.AccountID
	save(transaction.RowChange{Old: &was, New: moved}, transaction.RowChange{New: three})
	kinds, second := s.changes(c.Owner, first, 1)
	assert.Equal(t, map[string]transaction.ChangeKind{one.ID: transaction.Modified, three.ID: transaction.Added}, kinds)

	kinds, _ = s.changes(c.Owner, transaction.ChangePosition{}, 1)
	assert.Equal(
		t,
		map[string]transaction.ChangeKind{one.ID: transaction.Added, two.ID: transaction.Added, three.ID: transaction.Added},
		kinds, "added for a new reader, even if it changed before it was read",
	)

	require.NoError(t, s.DeleteData(t.Context(), c.Owner, c.ID))
	kinds, _ = s.changes(c.Owner, second, 2)
	assert.Equal(t, map[string]transaction.ChangeKind{
		one.ID: transaction.Removed, two.ID: transaction.Removed, three.ID: transaction.Removed,
	}, kinds)
	kinds, _ = s.changes(c.Owner, first, 10)
	assert.Equal(
		t, map[string]transaction.ChangeKind{one.ID: transaction.Removed, two.ID: transaction.Removed}, kinds,
		"rows added and removed between reads are not reported",
	)
}

// A write that partners cannot see is not reported: the row is stored, but keeps its
// number and its updatedAt.
func TestInvisibleChanges(t *testing.T) {
	s, c, l := syncing(t)
	row := purchase(c, 1, "2026-02-01")
	require.NoError(t, s.SaveRows(t.Context(), l, c.Owner, c.ID, newRows(row)))
	_, since := s.changes(c.Owner, transaction.ChangePosition{}, 10)
	later := row.UpdatedAt.Add(time.Hour)
	save := func(change func(*transaction.Transaction)) (was, is transaction.Transaction) {
		t.Helper()
		was = s.rows(c.Owner)[0]
		next := was
		next.UpdatedAt = later
		change(&next)
		require.NoError(t, s.SaveRows(t.Context(), l, c.Owner, c.ID, []transaction.RowChange{{Old: &was, New: next}}))
		return was, s.rows(c.Owner)[0]
	}
	for name, change := range map[string]func(*transaction.Transaction){
		"the bank's ID":         func(t *transaction.Transaction) { t.BankID = "other" },
		"the digest":            func(t *transaction.Transaction) { t.Content = "other" },
		"the counterparty":      func(t *transaction.Transaction) { t.Counterparty = "other" },
		"the bank's code":       func(t *transaction.Transaction) { t.BankTransactionCode = "PMNT-RCDT-ESCT" },
		"the purpose":           func(t *transaction.Transaction) { t.PurposeCode = "" },
		"the merchant category": func(t *transaction.Transaction) { t.MerchantCategoryCode = "" },
		"the mandate":           func(t *transaction.Transaction) { t.MandateID = "" },
		"the creditor":          func(t *transaction.Transaction) { t.CreditorID = "" },
	} {
		t.Run(name, func(t *testing.T) {
			was, is := save(change)
			change(&was)
			assert.Equal(t, stored(was), is)
			kinds, next := s.changes(c.Owner, since, 10)
			assert.Empty(t, kinds)
			assert.Equal(t, since, next)
			changes, err := s.SyncChanges(t.Context(), c.Owner, c.ID)
			require.NoError(t, err)
			assert.Equal(t, 1, changes.Added)
			assert.Zero(t, changes.Modified)
		})
	}

	_, is := save(func(t *transaction.Transaction) { t.BankID, t.Note = "third", "another text" })
	assert.Equal(t, later, is.UpdatedAt)
	kinds, _ := s.changes(c.Owner, since, 10)
	assert.Equal(t, map[string]transaction.ChangeKind{row.ID: transaction.Modified}, kinds, "a visible change is reported")
}

// Concurrent writers for one user do not lose or reorder changes: a reader who
// continues from the last change it saw sees every row.
func TestChangesWhileManyWrite(t *testing.T) {
	s := newTables(t)
	const writers, rows = 4, 12
	user := s.connect(1).Owner
	var all sync.WaitGroup
	for w := range writers {
		c := s.connect(10 + w)
		l := s.lease(c, "l")
		all.Go(func() {
			for i := range rows {
				row := purchase(c, 1000*(w+1)+i, pfm.Date("2026-01-01").AddDays(i))
				row.AccountID = pfmtest.ID(2000 + w)
				for {
					err := s.SaveRows(t.Context(), l, c.Owner, c.ID, newRows(row))
					if assert.True(t, err == nil || errors.Is(err, pfm.ErrRowChanged), "%v", err); err == nil {
						break
					}
				}
			}
		})
	}
	seen := map[string]bool{}
	written := make(chan struct{})
	go func() {
		all.Wait()
		close(written)
	}()
	deadline := time.After(time.Minute)
	for since, done := (transaction.ChangePosition{}), false; !done; {
		select {
		case <-written:
			done = true
		case <-deadline:
			t.Fatal("the writers did not finish")
		default:
		}
		kinds, next := s.changes(user, since, 5)
		for id := range kinds {
			seen[id] = true
		}
		since = next
	}
	assert.Len(t, seen, writers*rows)
}
