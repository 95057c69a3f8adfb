package pfmdb_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/money"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/transaction"
	"aviso/localstack/tests/pfmtest"
)

// purchase returns a transaction with all the fields that banks send.
func purchase(c connection.Connection, id int, day pfm.Date) transaction.Transaction {
	return transaction.Transaction{
		ID: pfmtest.ID(id), Owner: c.Owner, AccountID: pfmtest.ID(1001), AccountName: "Everyday account",
		ConnectionID: c.ID, RecordDate: day, Amount: money.MustParse("-23.90"), Currency: "EUR",
		Note:        "KARTENZAHLUNG GRUENKORB SAGT DANKE//BERLIN/DE 2026-02-27T18:31:07 KFN 0 VJ 2712",
		PaymentType: transaction.PaidDebitCard, State: transaction.Cleared, Frequency: transaction.Once,
		Category: groceries(), Merchant: pfm.Merchant{ID: pfmtest.ID(77), Name: "Grünkorb"},
		Payee: "DE67100100101306118605", CreatedAt: c.CreatedAt, UpdatedAt: c.CreatedAt,
		BankID: "2026022700001234567890", Content: "9391e978650b1a40c61b8d37d4043d0b",
		Counterparty: "Grünkorb Lebensmittel GmbH", BankTransactionCode: "PMNT-CCRD-POSD", PurposeCode: "GDDS",
		MerchantCategoryCode: "5411", MandateID: "M-2024-000123", CreditorID: "DE98ZZZ09999999999",
	}
}

func groceries() pfm.Category {
	c, _ := pfm.CategoryOf(pfm.FoodGroceries)
	return c
}

func newRows(rows ...transaction.Transaction) []transaction.RowChange {
	changes := make([]transaction.RowChange, len(rows))
	for i, r := range rows {
		changes[i] = transaction.RowChange{New: r}
	}
	return changes
}

// transactions lists a user's rows page by page.
func (s *tables) transactions(user owner.User, limit int, between ...func()) []transaction.Transaction {
	s.t.Helper()
	var all []transaction.Transaction
	for position := ""; ; {
		page, next, err := s.Transactions(s.t.Context(), user, transaction.Filter{}, limit, position)
		require.NoError(s.t, err)
		all = append(all, page...)
		if position = next; next == "" {
			return all
		}
		require.Len(s.t, page, limit)
		for _, f := range between {
			f()
		}
	}
}

// rows returns all rows of a user with all their fields, newest first.
func (s *tables) rows(user owner.User) []transaction.Transaction {
	s.t.Helper()
	all, err := s.TransactionsSince(s.t.Context(), user, "")
	require.NoError(s.t, err)
	slices.Reverse(all)
	return all
}

// listed returns a row as a page shows it.
func listed(t transaction.Transaction) transaction.Transaction {
	t.ConnectionID, t.BankID, t.Content, t.Source, t.RuleID = "", "", "", "", ""
	t.BankTransactionCode, t.PurposeCode, t.MerchantCategoryCode, t.MandateID, t.CreditorID = "", "", "", "", ""
	t.Revision, t.Added, t.Changed, t.Found = 0, 0, 0, transaction.Found{}
	return t
}

// stored returns a row as it is read after one more write.
func stored(t transaction.Transaction) transaction.Transaction {
	t.Revision++
	return t
}

func idsOf(rows []transaction.Transaction) []string {
	ids := make([]string, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
	}
	return ids
}

func TestTransactions(t *testing.T) {
	t.Run("are listed newest first in pages of any size", func(t *testing.T) {
		s, c := connected(t)
		var rows []transaction.Transaction
		var want []string
		for i := range 11 {
			rows = append(rows, purchase(c, i, pfm.Date("2026-02-01").AddDays(i/3)))
			want = append([]string{pfmtest.ID(i)}, want...)
		}
		require.NoError(t, s.SaveRows(t.Context(), s.lease(c, "l"), c.Owner, c.ID, newRows(rows...)))
		for limit := 1; limit <= 12; limit++ {
			assert.Equal(t, want, idsOf(s.transactions(c.Owner, limit)), "limit %d", limit)
		}
	})

	t.Run("that arrive between pages cause no gaps or repeats", func(t *testing.T) {
		s, c, l := syncing(t)
		var there []string
		for i := range 9 {
			require.NoError(t, s.SaveRows(t.Context(), l, c.Owner, c.ID, newRows(purchase(c, 100+i, pfm.Date("2026-02-01").AddDays(i)))))
			there = append(there, pfmtest.ID(100+i))
		}
		n := 0
		got := idsOf(s.transactions(c.Owner, 2, func() {
			n++ // newer than all, older than all, and among those already listed
			require.NoError(t, s.SaveRows(
				t.Context(), l, c.Owner, c.ID,
				newRows(purchase(c, 200+n, "2026-03-01"), purchase(c, 300+n, "2026-01-01"), purchase(c, 400+n, "2026-02-09")),
			))
		}))
		assert.Subset(t, got, there)
		assert.Len(t, unique(got), len(got))
	})

	t.Run("continue after a row that has moved to another day", func(t *testing.T) {
		s, c, l := syncing(t)
		a, b, z := purchase(c, 3, "2026-02-03"), purchase(c, 2, "2026-02-02"), purchase(c, 1, "2026-02-01")
		require.NoError(t, s.SaveRows(t.Context(), l, c.Owner, c.ID, newRows(a, b, z)))
		page, next, err := s.Transactions(t.Context(), c.Owner, transaction.Filter{}, 1, "")
		require.NoError(t, err)
		require.Equal(t, []string{a.ID}, idsOf(page))
		a = stored(a)
		moved := a
		moved.RecordDate = "2026-02-04"
		require.NoError(t, s.SaveRows(t.Context(), l, c.Owner, c.ID, []transaction.RowChange{{Old: &a, New: moved}}))
		page, _, err = s.Transactions(t.Context(), c.Owner, transaction.Filter{}, 5, next)
		require.NoError(t, err)
		assert.Equal(t, []string{b.ID, z.ID}, idsOf(page))
	})

	t.Run("that move to another day are listed once", func(t *testing.T) {
		s, c, l := syncing(t)
		was := purchase(c, 1, "2026-02-27")
		require.NoError(t, s.SaveRows(t.Context(), l, c.Owner, c.ID, newRows(was)))
		was = stored(was)
		was.Added, was.Changed = 1, 1
		is := was
		is.RecordDate, is.State = "2026-03-01", transaction.Cleared
		require.NoError(t, s.SaveRows(t.Context(), l, c.Owner, c.ID, []transaction.RowChange{{Old: &was, New: is}}))
		assert.ErrorIs(
			t, s.SaveRows(t.Context(), l, c.Owner, c.ID, []transaction.RowChange{{Old: &was, New: is}}),
			pfm.ErrRowChanged, "the row that was read is gone",
		)
		is.Changed = 2
		assert.Equal(t, []transaction.Transaction{stored(is)}, s.rows(c.Owner))
		list := s.ofAccount(is.AccountID, "2026-01-01")
		assert.Equal(t, []transaction.Transaction{stored(is)}, list)
	})

	t.Run("of one account are read since a day, without others", func(t *testing.T) {
		s, c := connected(t)
		other := purchase(c, 9, "2026-02-15")
		other.AccountID = pfmtest.ID(1002)
		rows := []transaction.Transaction{purchase(c, 1, "2026-01-31"), purchase(c, 2, "2026-02-01"), purchase(c, 3, "2027-01-01")}
		require.NoError(t, s.SaveRows(t.Context(), s.lease(c, "l"), c.Owner, c.ID, newRows(append(rows, other)...)))
		list := s.ofAccount(pfmtest.ID(1001), "2026-02-01")
		assert.Equal(t, []string{pfmtest.ID(2), pfmtest.ID(3)}, idsOf(list), "the day itself and later days")
	})

	t.Run("of other users are not listed", func(t *testing.T) {
		s, c := connected(t)
		require.NoError(t, s.SaveRows(t.Context(), s.lease(c, "l"), c.Owner, c.ID, newRows(purchase(c, 1, "2026-02-27"))))
		assert.Empty(t, s.transactions(owner.User{Partner: "other", ID: c.Owner.ID}, 10))
		assert.Empty(t, s.transactions(owner.User{Partner: c.Owner.Partner, ID: "other"}, 10))
	})

	t.Run("are written in chunks by the thousand and all read again", func(t *testing.T) {
		s, c, l := syncing(t)
		var rows, moved []transaction.RowChange
		for i := range 1205 {
			r := purchase(c, i, pfm.Date("2024-01-01").AddDays(i/3))
			rows = append(rows, transaction.RowChange{New: r})
			r = stored(r)
			n := r
			n.RecordDate = r.RecordDate.AddDays(1)
			moved = append(moved, transaction.RowChange{Old: &r, New: n})
		}
		for _, changes := range [][]transaction.RowChange{rows, moved} { // the second takes two actions per row
			require.NoError(t, s.SaveRows(t.Context(), l, c.Owner, c.ID, changes))
			assert.Equal(t, 1205, s.count("T#"))
			all := s.transactions(c.Owner, 200)
			assert.Len(t, unique(idsOf(all)), 1205)
			list := s.ofAccount(pfmtest.ID(1001), "2024-01-01")
			assert.Len(t, list, 1205, "more than one page of the table")
		}
	})
}

func TestSyncLease(t *testing.T) {
	acquire := func(s *tables, c connection.Connection, token string) error {
		_, err := s.AcquireSync(
			t.Context(), c.Owner, c.ID, connection.Lease{Token: token, Until: s.clock.Now().Add(3 * time.Minute)},
			s.clock.Now(),
		)
		return err
	}
	apply := func(*connection.Connection) []connection.SyncJob { return nil }

	t.Run("is held by one sync at a time", func(t *testing.T) {
		s, c := connected(t)
		require.NoError(t, acquire(s, c, "a"))
		assert.ErrorIs(t, acquire(s, c, "b"), outcome.ErrChanged)
		require.NoError(t, acquire(s, c, "a"), "the holder may acquire it again if the response was lost")
		s.clock.Advance(3 * time.Minute)
		assert.ErrorIs(t, acquire(s, c, "b"), outcome.ErrChanged, "until it expires")
		s.clock.Advance(time.Nanosecond)
		assert.NoError(t, acquire(s, c, "b"))
	})

	t.Run("does not cover another connection", func(t *testing.T) {
		s := newTables(t)
		require.NoError(t, acquire(s, s.connect(1), "a"))
		assert.NoError(t, acquire(s, s.connect(2), "b"))
	})

	t.Run("is not granted for an unknown connection", func(t *testing.T) {
		s := newTables(t)
		require.ErrorIs(t, acquire(s, s.connection(1), "a"), outcome.ErrNotFound)
		assert.Zero(t, s.count("LEASE#"))
	})

	t.Run("can be acquired as soon as it is released", func(t *testing.T) {
		s, c, l := syncing(t)
		require.NoError(t, s.FinishSync(t.Context(), l, c, apply))
		assert.NoError(t, acquire(s, c, "b"))
		assert.ErrorIs(t, s.FinishSync(t.Context(), l, c, apply), outcome.ErrChanged, "once")
	})

	t.Run("writes nothing after it is lost", func(t *testing.T) {
		s, c := connected(t)
		stale := s.lease(c, "a")
		s.clock.Advance(time.Hour)
		s.lease(c, "b")
		require.ErrorIs(t, s.SaveAccounts(t.Context(), stale, []pfm.Account{account(c, 1)}), outcome.ErrChanged)
		require.ErrorIs(t, s.SaveRows(t.Context(), stale, c.Owner, c.ID, newRows(purchase(c, 1, "2026-02-27"))), outcome.ErrChanged)
		require.ErrorIs(t, s.FinishSync(t.Context(), stale, c, func(c *connection.Connection) []connection.SyncJob {
			c.Reason = "stale"
			return []connection.SyncJob{{ConnectionID: c.ID}}
		}), outcome.ErrChanged)
		assert.Zero(t, s.messages())
		assert.Equal(t, 1, s.count("C#"))
		assert.Zero(t, s.count("T#"))
		got := s.read(c)
		assert.Equal(t, c, got)
	})

	t.Run("writes nothing if it was never acquired", func(t *testing.T) {
		s, c := connected(t)
		assert.ErrorIs(
			t,
			s.SaveRows(t.Context(), connection.Lease{Token: "a"}, c.Owner, c.ID, newRows(purchase(c, 1, "2026-02-27"))),
			outcome.ErrChanged,
		)
	})

	t.Run("makes no call if there is nothing to write", func(t *testing.T) {
		s, c := connected(t)
		assert.NoError(t, s.SaveRows(t.Context(), connection.Lease{Token: "never taken"}, c.Owner, c.ID, nil))
		assert.NoError(t, s.SaveAccounts(t.Context(), connection.Lease{Token: "never taken"}, nil))
	})
}

func TestFinishSync(t *testing.T) {
	t.Run("applies to the current connection", func(t *testing.T) {
		s, c, l := syncing(t)
		changed := c
		changed.ReturnURL = "https://partner.example/new"
		require.NoError(t, s.SaveConnection(t.Context(), changed, nil))
		require.NoError(t, s.FinishSync(t.Context(), l, c, func(c *connection.Connection) []connection.SyncJob {
			c.LastSuccessAt = s.clock.Now()
			return []connection.SyncJob{{Action: connection.JobEndConsent, ConnectionID: c.ID, ConsentID: "consent-1"}}
		}))
		assert.Equal(t, 1, s.messages(), "the job")
		got := s.read(c)
		assert.Equal(t, "https://partner.example/new", got.ReturnURL)
		assert.Equal(t, s.clock.Now(), got.LastSuccessAt)
		assert.Equal(t, int64(2), got.Version)
	})

	t.Run("applies again when the connection changes in the meantime", func(t *testing.T) {
		s, c, l := syncing(t)
		tries := 0
		require.NoError(t, s.FinishSync(t.Context(), l, c, func(current *connection.Connection) []connection.SyncJob {
			if tries++; tries <= 2 {
				other := *current
				other.ReturnURL = fmt.Sprintf("https://partner.example/%d", tries)
				require.NoError(t, s.SaveConnection(t.Context(), other, nil))
			}
			current.Reason = "done"
			return nil
		}))
		assert.Equal(t, 3, tries)
		got := s.read(c)
		assert.Equal(t, "https://partner.example/2", got.ReturnURL, "keeps the concurrent change")
		assert.Equal(t, connection.StatusReason("done"), got.Reason)
	})

	t.Run("gives up on a connection that keeps changing, and keeps the lease", func(t *testing.T) {
		s, c, l := syncing(t)
		err := s.FinishSync(t.Context(), l, c, func(current *connection.Connection) []connection.SyncJob {
			require.NoError(t, s.SaveConnection(t.Context(), *current, nil))
			return nil
		})
		require.Error(t, err)
		require.NotErrorIs(t, err, outcome.ErrChanged)
		assert.Equal(t, 1, s.count("LEASE#"))
	})

	t.Run("does not restore a deleted connection", func(t *testing.T) {
		s := newTables(t)
		unchanged := func(*connection.Connection) []connection.SyncJob { return nil }
		err := s.FinishSync(t.Context(), connection.Lease{Token: "a"}, s.connection(1), unchanged)
		require.ErrorIs(t, err, outcome.ErrChanged)
		assert.Zero(t, s.count("C#"))
	})
}
