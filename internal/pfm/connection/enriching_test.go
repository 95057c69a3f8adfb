package connection_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api/apierror"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/pfmtest"
	"aviso/internal/pfm/transaction"
	"aviso/localstack/tests/logtest"
)

func TestSyncCategorises(t *testing.T) {
	w := newWorld(t)
	w.syncer.Jobs = pfmtest.Jobs(w.store, logtest.Banks(w.bank.Of), func(transaction.Transaction, string) (
		pfm.Category, pfm.Merchant, pfm.CategorySource, string,
	) {
		c, _ := pfm.CategoryOf(pfm.FoodGroceries)
		return c, pfm.Merchant{ID: pfmtest.ID(7), Name: "Grünkorb"}, pfm.SourceMerchant, "merchant:gruenkorb"
	}, w.clock.Now)
	c := w.activate()
	w.bank.Listed = []pfm.BankAccount{current("r1", "DE1"), current("r2", "DE2")}
	w.bank.Rows = map[string][]pfm.BankTransaction{
		"r1": {booked("2026-02-10", "shop", "-12.00"), booked("2026-02-11", "out", "-200.00")},
		"r2": {booked("2026-02-12", "in", "200.00")},
	}
	require.NoError(t, w.syncer.Sync(t.Context(), jobOf(c), 1))
	by := func() map[string]transaction.Transaction {
		rows := map[string]transaction.Transaction{}
		for _, row := range w.transactions() {
			rows[row.BankID] = row
		}
		return rows
	}
	rows := by()
	assert.Equal(t, "Grünkorb", rows["shop"].Merchant.Name)
	assert.Equal(t, pfm.SourceMerchant, rows["shop"].Source)
	for _, id := range []string{"out", "in"} {
		assert.Equal(t, pfm.TransferOwn, rows[id].Category.SubcategoryID)
		assert.Equal(t, pfm.SourceOwnTransfer, rows[id].Source)
		assert.Empty(t, rows[id].Merchant)
	}

	t.Run("and keeps the user's choice", func(t *testing.T) {
		reading := transaction.NewReading(w.store, pfmtest.Gate{}, w.clock.Now)
		_, err := reading.Categorise(t.Context(), pfmtest.User(), rows["shop"].ID, 560, false)
		require.NoError(t, err)
		w.request(c.ID)
		require.NoError(t, w.syncer.Sync(t.Context(), jobOf(c), 1))
		again := by()["shop"]
		assert.Equal(t, rows["shop"].ID, again.ID)
		assert.Equal(t, pfm.LeisureOther, again.Category.SubcategoryID, "an L1 ID selects the catch-all subcategory")
		assert.Equal(t, pfm.SourceOverride, again.Source)
		assert.Equal(t, "Grünkorb", again.Merchant.Name)
	})
	t.Run("and asks for a retry if other writes keep winning", func(t *testing.T) {
		reading := transaction.NewReading(crowded{w.store}, pfmtest.Gate{}, w.clock.Now)
		_, err := reading.Categorise(t.Context(), pfmtest.User(), rows["shop"].ID, 560, false)
		assert.True(t, apierror.Is(err, apierror.TemporarilyUnavailable))
	})
	t.Run("and rejects an unknown category", func(t *testing.T) {
		reading := transaction.NewReading(w.store, pfmtest.Gate{}, w.clock.Now)
		_, err := reading.Categorise(t.Context(), pfmtest.User(), rows["shop"].ID, 508, false)
		assert.ErrorContains(t, err, "validation_failed")
	})
}

// crowded is a store in which every write loses a race.
type crowded struct{ transaction.Store }

func (crowded) OverrideCategory(context.Context, owner.User, string, pfm.Category, bool, time.Time) (transaction.Transaction, error) {
	return transaction.Transaction{}, fmt.Errorf("save rows: %w", pfm.ErrRowChanged)
}
