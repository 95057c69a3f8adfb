package pfmdb_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/outcome"
	"aviso/internal/pfm"
	"aviso/internal/pfm/contract"
	"aviso/internal/pfm/transaction"
	"aviso/localstack/tests/pfmtest"
)

func TestContractNotes(t *testing.T) {
	s := newTables(t)
	user := pfmtest.User()
	none, err := s.ContractNotes(t.Context(), user)
	require.NoError(t, err)
	assert.Equal(t, contract.Notes{Owner: user}, none)

	notes := none
	notes.Facts = map[string]contract.Facts{
		"a": {Start: "2024-02-29", Product: &contract.Cancellable{OrganizationID: "o", ProductID: "p"}},
	}
	notes.Notified = map[string]contract.DeadlineNotice{"b": {SendBy: "2026-05-01", Days: 30}}
	notes.CheckAt = s.clock.Now().Add(time.Hour).UTC()
	require.NoError(t, s.SaveContractNotes(t.Context(), notes))
	require.ErrorIs(t, s.SaveContractNotes(t.Context(), notes), outcome.ErrChanged, "somebody else was faster")
	notes.Version++
	stored, err := s.ContractNotes(t.Context(), user)
	require.NoError(t, err)
	assert.Equal(t, notes, stored)

	due := func(until time.Time) (list []contract.Notes) {
		for shard := range s.DueShards() {
			for n, err := range s.DueContracts(t.Context(), shard, until) {
				require.NoError(t, err)
				list = append(list, n)
			}
		}
		return list
	}
	assert.Empty(t, due(s.clock.Now()))
	assert.Equal(t, []contract.Notes{notes}, due(notes.CheckAt))

	t.Run("a sync that finds a contract moves the check, and keeps the rest", func(t *testing.T) {
		c := s.connect(1)
		l := s.lease(c, "l")
		var rows []transaction.Transaction
		for month := range 4 {
			row := purchase(c, month, pfm.Date(fmt.Sprintf("2025-%02d-05", 9+month)))
			row.Merchant, row.MandateID, row.Counterparty, row.Payee = pfm.Merchant{}, "M", "Contract", ""
			rows = append(rows, row)
		}
		require.NoError(t, s.SaveRows(t.Context(), l, c.Owner, c.ID, newRows(rows[:3]...)))
		found, err := s.ContractNotes(t.Context(), user)
		require.NoError(t, err)
		assert.Equal(t, s.clock.Now().Add(time.Minute), found.CheckAt)
		assert.Equal(t, notes.Facts, found.Facts)
		require.ErrorIs(t, s.SaveContractNotes(t.Context(), notes), outcome.ErrChanged, "a check that ran meanwhile")

		require.NoError(t, s.SaveRows(t.Context(), l, c.Owner, c.ID, newRows(rows[3])))
		later, err := s.ContractNotes(t.Context(), user)
		require.NoError(t, err)
		assert.Equal(t, found, later, "one more payment changes nothing")
	})

	t.Run("without contracts nothing is due", func(t *testing.T) {
		n, err := s.ContractNotes(t.Context(), user)
		require.NoError(t, err)
		n.CheckAt = time.Time{}
		require.NoError(t, s.SaveContractNotes(t.Context(), n))
		assert.Empty(t, due(s.clock.Now().AddDate(1, 0, 0)))
	})
}
