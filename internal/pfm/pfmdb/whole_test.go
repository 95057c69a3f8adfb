package pfmdb_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/dynamo"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/contract"
	"aviso/internal/pfm/transaction"
	"aviso/localstack/tests/pfmtest"
	"aviso/localstack/tests/testenv"
)

var errCrash = errors.New("crash")

// interrupted returns tables whose transactions after those that make a connection and its
// lease go through around, with how many there were before.
func interrupted(t *testing.T, around func(n int, commit func() error) error) *tables {
	t.Helper()
	n := -2
	return newTables(t, testenv.Around(func(call any, next func() (any, error)) (out any, err error) {
		if _, ok := call.(*dynamodb.TransactWriteItemsInput); !ok {
			return next()
		}
		if n++; n <= 0 {
			return next()
		}
		err = around(n-1, func() (err error) {
			out, err = next()
			return err
		})
		return out, err
	}))
}

// saved is what partners see of a history.
type saved struct {
	rows      map[string]string
	contracts []contract.Subscription
}

// saveHistory saves those rows that are not stored, as a sync does, and then the labels.
func (s *tables) saveHistory(c connection.Connection, rows []transaction.Transaction) error {
	known, err := s.AccountTransactions(s.t.Context(), c.Owner, rows[0].AccountID, "")
	require.NoError(s.t, err)
	stored := map[string]bool{}
	for _, row := range known {
		stored[row.ID] = true
	}
	var left []transaction.Transaction
	for _, row := range rows {
		if !stored[row.ID] {
			left = append(left, row)
		}
	}
	l := connection.Lease{Token: "l"}
	if err := s.SaveRows(s.t.Context(), l, c.Owner, c.ID, newRows(left...)); err != nil {
		return err
	}
	return s.SaveLabels(s.t.Context(), l, c.Owner, c.ID, rows[0].AccountID)
}

func (s *tables) saved(c connection.Connection, account string) (all saved) {
	s.t.Helper()
	rows, err := s.AccountTransactions(s.t.Context(), c.Owner, account, "")
	require.NoError(s.t, err)
	all.rows = map[string]string{}
	for _, row := range rows {
		all.rows[row.ID] = fmt.Sprint(row.Frequency, row.Subscription, row.Category.SubcategoryID)
	}
	all.contracts, err = s.Subscriptions(s.t.Context(), c.Owner)
	require.NoError(s.t, err)
	return all
}

// A history is written in several transactions, each group with the first and the last of
// them. Whatever comes between, groups and labels are in the end what they would have been.
func TestAHistoryThatIsInterrupted(t *testing.T) {
	const held = 5
	var rows []transaction.Transaction
	save := func(t *testing.T, around func(s *tables, n int, commit func() error) error) (saved, *tables) {
		t.Helper()
		var s *tables
		s = interrupted(t, func(n int, commit func() error) error { return around(s, n, commit) })
		c := s.connect(1)
		s.lease(c, "l")
		rows = contracts(c, held)
		err := s.saveHistory(c, rows)
		for try := 0; try < 3 && err != nil; try++ {
			err = s.saveHistory(c, rows)
		}
		require.NoError(t, err)
		due, err := dynamo.NewTable(s.db, s.table).Count(t.Context(), dynamo.Query{
			Index:     dynamo.Index{Name: "byState", Partition: "pk", Sort: "openSort"},
			Partition: c.Owner.Key(), Sort: dynamo.Prefix("DUE#"),
		})
		require.NoError(t, err)
		assert.Zero(t, due, "groups that are incomplete, or whose labels are due")
		assert.Equal(t, 2*held, s.count("R#"+rows[0].AccountID))
		all := s.saved(c, rows[0].AccountID)
		return all, s
	}
	made := 0
	want, s := save(t, func(_ *tables, _ int, commit func() error) error {
		made++
		return commit()
	})
	transactions := made
	require.Greater(t, transactions, 3)
	require.Len(t, want.contracts, held)
	for _, contract := range want.contracts {
		assert.Len(t, contract.TransactionIDs, 24)
	}
	once := func(at int, interrupt func(s *tables, commit func() error) error) func(*tables, int, func() error) error {
		done := false
		return func(s *tables, n int, commit func() error) error {
			if n != at || done {
				return commit()
			}
			done = true
			return interrupt(s, commit)
		}
	}

	for n := range transactions {
		t.Run(fmt.Sprint("by a crash before transaction ", n), func(t *testing.T) {
			got, _ := save(t, once(n, func(*tables, func() error) error { return errCrash }))
			assert.Equal(t, want, got)
		})
		t.Run(fmt.Sprint("by a crash after transaction ", n), func(t *testing.T) {
			got, _ := save(t, once(n, func(_ *tables, commit func() error) error { return errors.Join(commit(), errCrash) }))
			assert.Equal(t, want, got)
		})
		t.Run(fmt.Sprint("by another change of the user's rows before transaction ", n), func(t *testing.T) {
			got, _ := save(t, once(n, func(s *tables, commit func() error) error {
				other := s.connect(2)
				row := purchase(other, 9999, "2026-02-27")
				row.AccountID = pfmtest.ID(1002)
				require.NoError(t, s.SaveRows(t.Context(), s.lease(other, "other"), other.Owner, other.ID, newRows(row)))
				require.NoError(t, s.DeleteData(t.Context(), other.Owner, other.ID))
				return commit()
			}))
			assert.Equal(t, want, got)
		})
	}

	chosen, _ := pfm.CategoryOf(pfm.HealthDoctor)
	choose := func(s *tables) {
		_, err := s.OverrideCategory(s.t.Context(), rows[0].Owner, rows[0].ID, chosen, false, s.clock.Now())
		require.NoError(s.t, err)
	}
	choose(s)
	wanted := s.saved(connection.Connection{Owner: rows[0].Owner}, rows[0].AccountID)
	for n := 1; n < transactions; n++ {
		t.Run(fmt.Sprint("by the user before transaction ", n), func(t *testing.T) {
			got, _ := save(t, once(n, func(s *tables, commit func() error) error {
				choose(s)
				return commit()
			}))
			assert.Equal(t, wanted, got)
		})
	}
}

// What a first sync keeps between its transactions is old as soon as the user chooses a
// category in between. Then it reads again, and the sums are exact.
func TestUserChoosesWhileAHistoryIsWritten(t *testing.T) {
	var between func()
	s, c, l := syncing(t, testenv.Around(func(call any, next func() (any, error)) (any, error) {
		out, err := next()
		if _, ok := call.(*dynamodb.TransactWriteItemsInput); ok && between != nil {
			f := between
			between = nil
			f()
		}
		return out, err
	}))
	var rows []transaction.Transaction
	for i := range 300 {
		rows = append(rows, purchase(c, i, "2026-02-27"))
	}
	chosen, _ := pfm.CategoryOf(pfm.HealthDoctor)
	between = func() {
		_, err := s.OverrideCategory(t.Context(), c.Owner, rows[0].ID, chosen, false, s.clock.Now())
		require.NoError(t, err)
	}
	require.NoError(t, s.SaveRows(t.Context(), l, c.Owner, c.ID, newRows(rows...)))
	assert.Nil(t, between)
	list, err := s.Aggregates(t.Context(), c.Owner, transaction.LevelAllTime, "", "")
	require.NoError(t, err)
	require.Len(t, list, 2, "by category and by merchant")
	counts := map[int]int{}
	for key, tally := range list[0].Tallies {
		counts[key.Subcategory] += tally.Count
	}
	assert.Equal(t, map[int]int{pfm.HealthDoctor: 1, rows[0].Category.SubcategoryID: 299}, counts)
}
