package pfmdb_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/money"
	"aviso/internal/observe"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/transaction"
	"aviso/localstack/tests/pfmtest"
	"aviso/localstack/tests/testenv"
)

// contracts returns two years of n monthly debits, and as many purchases at shops.
func contracts(c connection.Connection, n int) []transaction.Transaction {
	var rows []transaction.Transaction
	for month := range 24 {
		day := pfm.Date(fmt.Sprintf("%d-%02d-05", 2024+month/12, 1+month%12))
		for k := range n {
			debit := purchase(c, 2*(month*n+k), day)
			debit.Merchant, debit.MandateID, debit.Counterparty, debit.Payee = pfm.Merchant{}, "M", fmt.Sprint("Contract ", k), ""
			debit.Amount = money.MustParse(fmt.Sprintf("-%d.99", 5+k))
			shop := purchase(c, 2*(month*n+k)+1, day)
			shop.Merchant, shop.MandateID, shop.Counterparty, shop.Payee = pfm.Merchant{}, "", fmt.Sprint("Shop ", k), ""
			shop.Amount = money.MustParse(fmt.Sprintf("-%d.10", 1+(month*37+k*11)%90))
			rows = append(rows, debit, shop)
		}
	}
	return rows
}

func TestGroups(t *testing.T) {
	m := &testenv.Spent{}
	s, c, l := syncing(t, m.Install)
	rows := contracts(c, 20)
	accountID := rows[0].AccountID
	m.Reset()
	require.NoError(t, s.SaveRows(t.Context(), l, c.Owner, c.ID, newRows(rows...)))
	t.Logf("%d rows: %.0f units", len(rows), m.Units())
	assert.Equal(t, 40, s.count("R#"))

	t.Run("are all that listing subscriptions reads, at the cost of few pages", func(t *testing.T) {
		ctx, calls := observe.CountCalls(t.Context())
		m.Reset()
		list, err := s.Subscriptions(ctx, c.Owner)
		require.NoError(t, err)
		assert.Len(t, list, 20)
		assert.Equal(t, int64(1), calls.Count())
		assert.LessOrEqual(t, m.Units(), 12.0)
		t.Logf("20 subscriptions: %.1f read units", m.Units())
	})

	t.Run("find a contract by its ID, also when it has ended", func(t *testing.T) {
		list, err := s.Subscriptions(t.Context(), c.Owner)
		require.NoError(t, err)
		for _, want := range list {
			require.NoError(t, s.FindContract(t.Context(), c.Owner, want.ID))
		}
		require.ErrorIs(t, s.FindContract(t.Context(), c.Owner, pfmtest.ID(9)), outcome.ErrNotFound)
		list, err = s.Subscriptions(t.Context(), owner.User{Partner: c.Owner.Partner, ID: owner.UserID(pfmtest.ID(9))})
		require.NoError(t, err)
		assert.Empty(t, list, "another user's")
	})

	t.Run("label rows that were written before", func(t *testing.T) {
		m.Reset()
		require.NoError(t, s.SaveLabels(t.Context(), l, c.Owner, c.ID, accountID))
		t.Logf("labels: %.0f units", m.Units())
		list := s.ofAccount(accountID, "2024-01-01")
		for _, row := range list {
			assert.Equal(t, row.MandateID != "", row.Frequency == "Monthly", row.Counterparty)
			assert.Equal(t, row.MandateID != "", row.Subscription, row.Counterparty)
		}
		ctx, calls := observe.CountCalls(t.Context())
		require.NoError(t, s.SaveLabels(ctx, l, c.Owner, c.ID, accountID))
		assert.Equal(t, int64(1), calls.Count(), "no labels are due")
	})

	t.Run("are not written by a sync that has lost its lease", func(t *testing.T) {
		loan, _ := pfm.CategoryOf(pfm.FinanceLoans)
		_, err := s.OverrideCategory(t.Context(), c.Owner, rows[len(rows)-2].ID, loan, false, s.clock.Now())
		require.NoError(t, err)
		require.ErrorIs(t, s.SaveLabels(t.Context(), connection.Lease{Token: "other"}, c.Owner, c.ID, accountID), outcome.ErrChanged)
		require.NoError(t, s.SaveLabels(t.Context(), l, c.Owner, c.ID, accountID))
	})
}
