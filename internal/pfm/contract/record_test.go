package contract_test

import (
	"fmt"
	"maps"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"aviso/internal/money"
	"aviso/internal/pfm"
	"aviso/internal/pfm/contract"
	"aviso/internal/pfm/transaction"
)

// shelf stores rows together with their records, like a store.
type shelf struct {
	rows    map[string]transaction.Transaction
	records map[contract.GroupID]*contract.Record
}

func newShelf() *shelf {
	return &shelf{rows: map[string]transaction.Transaction{}, records: map[contract.GroupID]*contract.Record{}}
}

func (s *shelf) write(rows ...transaction.Transaction) {
	changes := make([]transaction.RowChange, len(rows))
	for i, r := range rows {
		changes[i].New = r
		if old, ok := s.rows[r.ID]; ok {
			changes[i].Old = &old
			changes[i].New.Frequency, changes[i].New.Subscription = old.Frequency, old.Subscription
		}
	}
	touched := map[contract.GroupID]*contract.Record{}
	for id := range contract.Touched(changes) {
		if touched[id] = s.records[id]; touched[id] == nil {
			touched[id] = &contract.Record{}
		}
	}
	contract.Apply(touched, changes)
	maps.Copy(s.records, touched)
	for _, c := range changes {
		s.rows[c.New.ID] = c.New
	}
}

// writeDue writes the labels that are due.
func (s *shelf) writeDue(t require.TestingT) {
	for _, r := range s.records {
		for id, due := range r.Due {
			row := s.rows[id]
			require.Equal(t, row.RecordDate, due.Date)
			was := row
			due.ApplyTo(&row)
			require.Empty(t, contract.Touched([]transaction.RowChange{{Old: &was, New: row}}), "a label does not change groups")
			s.rows[id] = row
			r.MarkWritten(id)
		}
	}
}

// check requires every row to be in the group to which it belongs, and to have the
// label that the group has for it.
func (s *shelf) check(t require.TestingT) {
	held := 0
	for id, r := range s.records {
		for _, e := range r.Group.Held {
			row := s.rows[e.ID]
			key, ok := contract.KeyOf(row)
			require.True(t, ok)
			require.Equal(t, contract.GroupID{AccountID: row.AccountID, Key: key}, id)
			require.Equal(t, contract.Label{Frequency: row.Frequency, Subscription: row.Subscription}, e.Label)
			held++
		}
	}
	grouped := 0
	for _, row := range s.rows {
		if _, ok := contract.KeyOf(row); ok {
			grouped++
			continue
		}
		require.Equal(t, transaction.Once, row.Frequency)
		require.False(t, row.Subscription)
	}
	require.Equal(t, grouped, held)
}

func payment(n int, who string, category int, state transaction.RecordState) transaction.Transaction {
	c, _ := pfm.CategoryOf(category)
	return transaction.Transaction{
		ID: fmt.Sprint("row-", n), AccountID: "account", RecordDate: pfm.Date("2025-01-03").AddDays(n * 61 / 2),
		Amount: money.MustParse("-9.99"), Currency: "EUR", Counterparty: who, MandateID: "M", Category: c, State: state,
		Frequency: transaction.Once,
	}
}

func TestRecordsFollowTheirRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newShelf()
		for range rapid.IntRange(1, 12).Draw(t, "writes") {
			var rows []transaction.Transaction
			for _, n := range rapid.SliceOfNDistinct(rapid.IntRange(0, 15), 1, 6, rapid.ID[int]).Draw(t, "rows") {
				rows = append(rows, payment(n,
					rapid.SampledFrom([]string{"Flimmerkiste", "Flimmerkiste", "Turnhalle", ""}).Draw(t, "who"),
					rapid.SampledFrom([]int{pfm.MediaStreaming, pfm.FinanceLoans}).Draw(t, "category"),
					rapid.SampledFrom(
						[]transaction.RecordState{transaction.Cleared, transaction.Cleared, transaction.Void},
					).Draw(t, "state")))
			}
			s.write(rows...)
			if rapid.Bool().Draw(t, "settled") { // else a crash happened before that
				s.writeDue(t)
			}
		}
		s.writeDue(t)
		s.check(t)
	})
}

func TestRecordSubscriptions(t *testing.T) {
	s := newShelf()
	for n := range 3 {
		s.write(payment(n, "Flimmerkiste", pfm.MediaStreaming, transaction.Cleared))
	}
	require.Len(t, s.records, 1)
	for _, r := range s.records {
		list, err := r.Subscriptions()
		require.NoError(t, err)
		require.Len(t, list, 1)
		assert.Equal(t, pfm.Merchant{Name: "Flimmerkiste"}, list[0].Merchant)
		assert.Equal(t, "-9.99", list[0].Amount.String())
		assert.Equal(t, "119.88", list[0].YearlyCost.String())
		assert.Equal(t, []string{"row-0", "row-1", "row-2"}, list[0].TransactionIDs)
	}
}
